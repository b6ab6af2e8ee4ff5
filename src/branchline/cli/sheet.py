"""A view as text: the row, the seats, the own cards and tickets, the board as lists of routes."""

from collections.abc import Sequence

from branchline import explain
from branchline.cli.paper import Paper
from branchline.cli.words import counted, some
from branchline.maps import Route, Ticket
from branchline.views import View


def print_table(paper: Paper, view: View, who: Sequence[str]) -> None:
    """What everybody sees: row, decks, seats."""
    row = "   ".join(f"{slot} {card or '-'}" for slot, card in enumerate(view.row))
    discards = sum(view.discards.values())
    paper.print(f"Row      {row}")
    decks = [some(view.deck, "card"), some(discards, "discard"), some(view.ticket_deck, "ticket")]
    paper.print(f"Decks    {', '.join(decks)}")
    if view.last_turns is not None and not view.over:
        paper.print(f"Last round: {some(view.last_turns, 'turn')} left")
    print_seats(paper, view, who)


def print_seats(paper: Paper, view: View, who: Sequence[str]) -> None:
    """A line for each seat."""
    rules = view.map.rules
    rows = []
    for number, seat in enumerate(view.seats):
        cells = [who[number], some(seat.points, "point"), some(seat.cars, "car")]
        cells += [some(seat.stations, "station")] if rules.stations else []
        cells += [f"trail {seat.trail}"] if rules.trail_points else []
        cells += [some(seat.cards, "card"), some(seat.tickets, "ticket")]
        if number != view.seat and seat.known:
            cells.append(f"among the cards {counted(seat.known)}")
        rows.append(cells)
    paper.table(rows, indent="         ")


def print_own(paper: Paper, view: View) -> None:
    """What only this seat sees: its hand and its tickets, with what each still takes."""
    if view.own is None:
        return
    paper.print(f"Hand     {counted(view.own.hand)}")
    for n, ticket in enumerate(view.own.tickets):
        paper.print(f"{'Tickets' if n == 0 else '':<9}{ticket_line(view, ticket)}")


def ticket_line(view: View, ticket: str) -> str:
    """A ticket with its points, and what is missing for it."""
    points = next(t.points for t in view.map.tickets if t.id == ticket)
    way = explain.shortest_way(view, ticket)
    if way is None:
        return f"{ticket}, {points}: no way is left" + (" but over stations" if view.map.rules.stations else "")
    if not way.claim:
        return f"{ticket}, {points}: completed by {', '.join(way.routes)}"
    return f"{ticket}, {points}: {some(way.spaces, 'car')} to go by {', '.join(way.claim)}"


def print_board(paper: Paper, view: View, who: Sequence[str], city: str | None = None) -> None:
    """Every route, or those of one city, with who owns it."""
    closed = set(view.closed)
    routes = [route for route in view.map.routes if city in (None, route.a, route.b)]
    rows = []
    for route in routes:
        owner = view.owners.get(route.id)
        state = who[owner] if owner is not None else "closed" if route.id in closed else "open"
        rows.append([route.id, route_words(route), state])
    paper.table(rows)
    for place, owner in view.stations.items():
        if city in (None, place):
            paper.print(f"  station of {who[owner]} in {place}")


def print_claimed(paper: Paper, view: View, who: Sequence[str]) -> None:
    """The claimed routes and the stations of each seat."""
    for seat, name in enumerate(who):
        routes = [route for route, owner in view.owners.items() if owner == seat]
        stations = [city for city, owner in view.stations.items() if owner == seat]
        paper.print(f"{name}: {', '.join(routes) or 'no route yet'}")
        if stations:
            paper.print(f"  stations in {', '.join(stations)}")


def route_words(route: Route) -> str:
    """What a route takes: `3 red`, `6 of one colour, 2 of them wild`, `4 green, tunnel`."""
    colour = "of one colour" if route.colour == "grey" else route.colour
    wilds = f", {route.wilds} of them wild" if route.wilds else ""
    return f"{route.length} {colour}{wilds}" + (", tunnel" if route.kind == "tunnel" else "")


def ticket_words(ticket: Ticket) -> str:
    """A ticket with its points."""
    return f"{ticket.id}, {some(ticket.points, 'point')}" + (", long" if ticket.long else "")
