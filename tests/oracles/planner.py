"""A player with a plan, for records and playthroughs: it wants its tickets, and goes about it like a person would."""

from random import Random

from branchline import (
    Action,
    BuildStation,
    ClaimRoute,
    DrawCard,
    DrawTickets,
    KeepTickets,
    PayTunnel,
    View,
    explain,
)


def plan(view: View, rng: Random) -> Action:
    """What this seat does next."""
    legal = view.legal_actions()
    own = view.own
    assert own is not None
    if view.choices.keep:
        return _keep(view, legal, rng)
    if view.choices.take_back:
        payments = [action for action in legal if isinstance(action, PayTunnel)]
        return min(payments, key=lambda action: action.payment.wilds) if payments else legal[0]
    wanted = _wanted(view)
    claims = [action for action in legal if isinstance(action, ClaimRoute) and action.route in wanted]
    if claims:
        return min(claims, key=lambda action: (wanted.index(action.route), action.payment.wilds))
    if view.last_turns is not None or view.seats[view.on_turn].cars < 10:
        claims = [action for action in legal if isinstance(action, ClaimRoute)]
        if claims:
            length = {route.id: route.length for route in view.map.routes}
            return max(claims, key=lambda action: (length[action.route], -action.payment.wilds))
    station = _station(view, legal)
    if station is not None:
        return station
    if not wanted and view.choices.tickets and rng.random() < 0.5:
        return DrawTickets()
    return _draw(view, legal, wanted, rng)


def _keep(view: View, legal: list[Action], rng: Random) -> Action:
    """The cheapest ways, and now and then a bold choice."""
    ways = {ticket: explain.shortest_way(view, ticket) for ticket in view.own.offer} if view.own else {}
    spaces = {ticket: way.spaces if way else 99 for ticket, way in ways.items()}
    keeps = [action for action in legal if isinstance(action, KeepTickets)]
    if rng.random() < 0.2:
        return rng.choice(keeps)
    return min(keeps, key=lambda action: (sum(spaces[ticket] for ticket in action.tickets), len(action.tickets)))


def _wanted(view: View) -> list[str]:
    """Routes on the way of an open ticket, the shortest way first."""
    done = {score.ticket for score in explain.outlooks(view) if score.completed and not score.borrowed}
    assert view.own is not None
    ways = [explain.shortest_way(view, ticket) for ticket in view.own.tickets if ticket not in done]
    ways = [way for way in ways if way is not None and way.spaces <= view.seats[view.seat or 0].cars]
    return [route for way in sorted(ways, key=lambda way: way.spaces if way else 0) if way for route in way.claim]


def _station(view: View, legal: list[Action]) -> Action | None:
    """A station where it would complete a ticket that no open way does."""
    if not view.choices.cities or view.turn < 12:
        return None
    before = sum(score.completed and not score.borrowed for score in explain.outlooks(view))
    assert view.own is not None
    if before == len(view.own.tickets):
        return None
    builds = [action for action in legal if isinstance(action, BuildStation)]
    ends = {city for ticket in view.map.tickets if ticket.id in view.own.tickets for city in (ticket.a, ticket.b)}
    for action in sorted(builds, key=lambda action: action.payment.wilds):
        if action.city in ends and explain.borrowed(view, action.city)[action.city] is not None:
            return action
    return None


def _draw(view: View, legal: list[Action], wanted: list[str], rng: Random) -> Action:
    """A face-up card of a colour that is needed, else blind."""
    colours = {route.colour for route in view.map.routes if route.id in wanted}
    for action in legal:
        if isinstance(action, DrawCard) and action.slot is not None and view.row[action.slot] in colours | {"wild"}:
            return action
    draws = [action for action in legal if isinstance(action, DrawCard)]
    if draws:
        return draws[0] if rng.random() < 0.7 else rng.choice(draws)
    return rng.choice(legal)
