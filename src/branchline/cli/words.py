"""A game in plain words: events, hands, reasons, scores."""

from collections.abc import Mapping, Sequence

from branchline import events
from branchline.actions import Payment
from branchline.codec import payment_to_words
from branchline.engine.refusals import REFUSALS
from branchline.events import Event
from branchline.explain import Odds, WhyNot
from branchline.maps import Map
from branchline.scores import Scores, SeatScore

_SENTENCES = {word: sentence for word, _, sentence in REFUSALS}
_DECIDED = {
    "points": "by points",
    "tickets": "by completed tickets, with equal points",
    "stations": "by fewer stations built, with equal points and tickets",
    "trail": "by the longest trail, with all else equal",
    "shared": "and share the win: all else is equal",
}


def counted(cards: Mapping[str, int]) -> str:
    """Cards by colour: `3 red, 1 wild`."""
    return ", ".join(f"{n} {colour}" for colour, n in cards.items()) or "none"


def paid(payment: Payment) -> str:
    """A payment: `4 red 2 wild`."""
    return " ".join(payment_to_words(payment))


def some(n: int, what: str) -> str:
    """So many of something: `1 card`, `2 cards`."""
    return f"{n} {what}" if n == 1 else f"{n} {what}s"


def known(things: Sequence[str | None], what: str) -> str:
    """Things by name, or only their number where they can't be seen."""
    names = [thing for thing in things if thing is not None]
    return ", ".join(names) if len(names) == len(things) else some(len(things), what)


def happened(event: Event, who: Sequence[str]) -> str:
    """What happened, as a sentence without its full stop; `who` names the seats."""
    match event:
        case events.CardsDealt(seat, cards):
            return f"{who[seat]} got {known(cards, 'card')}"
        case events.TicketsOffered(seat, tickets):
            return f"{who[seat]} may choose from {known(tickets, 'ticket')}"
        case events.OpeningAnswered(seat, None):
            return f"{who[seat]} has chosen"
        case events.OpeningAnswered(seat, tickets):
            return f"{who[seat]} chose {', '.join(tickets or ())}"
        case events.TicketsKept(seat, kept, offered, tickets):
            names = f": {', '.join(map(str, tickets))}" if None not in tickets else ""
            return f"{who[seat]} kept {kept} of {some(offered, 'ticket')}{names}"
        case events.TurnBegan(seat, turn):
            return f"turn {turn}, {who[seat]}"
        case events.CardDrawn(seat, card):
            return f"{who[seat]} drew {card or 'a card'} from the deck"
        case events.CardTaken(seat, slot, card):
            return f"{who[seat]} took {card} from place {slot} of the row"
        case events.RowFilled(slot, card):
            return f"{card} was turned up in place {slot}"
        case events.RowReset(cards):
            return f"too many wilds: the row ({', '.join(card for card in cards if card)}) went to the discards"
        case events.DeckReshuffled(cards):
            return f"the discards were shuffled into a new deck of {cards}"
        case events.TunnelLaid(seat, route, payment):
            return f"{who[seat]} laid down {paid(payment)} for the tunnel {route}"
        case events.TunnelCardTurned(_, card):
            return f"{card} was turned up for it"
        case events.TunnelOwed(seat, owed):
            return f"{who[seat]} owed {some(owed, 'card') if owed else 'nothing'} more"
        case events.TunnelTakenBack(seat, route):
            return f"{who[seat]} took the payment for {route} back"
        case events.RouteClaimed(seat, route, payment, points):
            return f"{who[seat]} claimed {route} with {paid(payment)} for {some(points, 'point')}"
        case events.StationBuilt(seat, city, payment):
            return f"{who[seat]} built a station in {city} with {paid(payment)}"
        case events.Passed(seat):
            return f"{who[seat]} passed: nothing was possible"
        case events.LastRoundBegan(seat):
            return f"{who[seat]} has few cars left: everyone has one more turn"
        case events.GameEnded():
            return "the game is over"


def refused(reason: WhyNot) -> str:
    """A reason why not, with what is missing and its rule."""
    missing = [some(n, "car") if what == "cars" else f"{n} {what}" for what, n in reason.missing.items()]
    lack = f" (missing: {', '.join(missing)})" if missing else ""
    return f"{_SENTENCES[reason.reason]}{lack}, {reason.rule}"


def likely(odds: Odds) -> str:
    """The odds of a tunnel: `nothing more 52%, 1 more 37%, ...`."""
    chances = [(owed, chance) for owed, chance in enumerate(odds.chances) if chance > 0]
    words = ", ".join(f"{f'{owed} more' if owed else 'nothing more'} {chance:.0%}" for owed, chance in chances)
    return words if odds.exact else f"{words} (about)"


def scored(scores: Scores, map: Map, who: Sequence[str]) -> list[str]:
    """The final count: a table of the parts, then each seat's tickets, stations and trail."""
    width = max(len(name) for name in who) + 2
    parts = ["routes", "tickets"]
    parts += ["stations"] if map.rules.stations else []
    parts += ["trail"] if map.rules.trail_points else []
    parts += ["attractions"] if map.rules.attraction_points else []
    lines = ["".ljust(width) + "".join(part.rjust(13) for part in [*parts, "total"])]
    for seat in sorted(scores.seats, key=lambda seat: seat.rank):
        points = {
            "routes": seat.routes,
            "tickets": seat.ticket_points,
            "stations": seat.stations,
            "trail": seat.bonus,
            "attractions": seat.attractions,
        }
        numbers = [*(points[part] for part in parts), seat.total]
        lines.append(who[seat.seat].ljust(width) + "".join(str(number).rjust(13) for number in numbers))
    for seat in scores.seats:
        lines += ["", who[seat.seat], *(f"  {line}" for line in _details(seat, bool(map.rules.trail_points)))]
    winners = " and ".join(who[seat] for seat in scores.winners)
    return [*lines, "", f"{winners} won {_DECIDED[scores.decided_by]}."]


def _details(seat: SeatScore, trail: bool) -> list[str]:
    lines = []
    for ticket in seat.tickets:
        if ticket.completed:
            lines.append(f"+{ticket.points} {ticket.ticket} by {', '.join(ticket.path)}")
        else:
            lines.append(f"-{ticket.points} {ticket.ticket}, not completed")
    for city, route in seat.borrowed.items():
        lines.append(f"station in {city}: " + (f"borrows {route}" if route else "of no use"))
    if trail:
        lines.append(f"longest trail {seat.trail_length}" + (f": {', '.join(seat.trail)}" if seat.trail else ""))
    return lines
