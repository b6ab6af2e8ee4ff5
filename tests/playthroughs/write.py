"""Writes the playthroughs of this folder: `python -m tests.playthroughs.write`. Read their diffs as a review."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from random import Random

from branchline import Event, Game, Payment, View, load_map
from branchline.choices import Choices
from branchline.codec import payment_to_words, to_line
from tests.maps.islands import islands
from tests.oracles.planner import plan

HERE = Path(__file__).parent

PLAYTHROUGHS: dict[str, tuple[str, int, str, int]] = {
    "islands": ("islands", 2, "islands 10", 100),
    "new-york": ("new-york", 3, "new york 2", 16),
    "europe": ("europe", 3, "europe 5", 16),
}
"""Map, seats, seed, and after how many actions to stop."""


def playthrough(name: str) -> str:
    id, seats, seed, actions = PLAYTHROUGHS[name]
    game = Game.new(load_map(islands() if id == "islands" else id), seats, seed)
    rng = Random(seed)
    lines = [
        f"{game.map.name['en']}, {seats} seats, seed {seed!r}. Seat {game.view(None).first} begins.",
        "What happened stands as all see it, below it what only some saw; then the table, and what each sees and may.",
        "",
        "The deal",
        *told(game, game.opening_events()),
        *table(game),
    ]
    for number in range(1, actions + 1):
        if game.over:
            break
        seat = game.to_act[0]
        action = plan(game.view(seat), rng)
        lines += ["", f"{number}. Seat {seat}: {to_line(action)}"]
        lines += [*told(game, game.play(seat, action)), *table(game)]
    if game.over:
        lines += ["", "The count", *count(game)]
    return "\n".join(lines) + "\n"


def told(game: Game, events: list[Event]) -> Iterable[str]:
    """The events, first as a spectator knows them, then as those do who saw more."""
    for event in events:
        public = game.event_for(event, None)
        yield f"    {to_line(public)}"
        for seat in range(game.seats):
            own = game.event_for(event, seat)
            if own != public:
                yield f"        seat {seat} saw: {to_line(own)}"


def table(game: Game) -> Iterable[str]:
    view = game.view(None)
    row = " ".join(card or "-" for card in view.row)
    decks = f"deck {view.deck} · discards {cards(view.discards)} · ticket deck {view.ticket_deck}"
    yield f"    ── {view.stage}{last_round(view)} · row {row} · {decks}"
    if view.tunnel:
        owed = f"owes {view.tunnel.owed} for {' '.join(view.tunnel.turned)}"
        yield f"       on the table: {words([view.tunnel.payment])} for {view.tunnel.route}, {owed}"
    for seat, public in enumerate(view.seats):
        yield (
            f"       seat {seat}: {public.cards} cards (known: {cards(public.known)}), {public.tickets} tickets, "
            f"{public.cars} cars, {public.stations} stations, {public.points} points, trail {public.trail}"
        )
    for seat in range(game.seats):
        yield from sees(game.view(seat))


def last_round(view: View) -> str:
    return f", {view.last_turns} turns left" if view.last_turns else ""


def sees(view: View) -> Iterable[str]:
    assert view.own is not None
    parts = [f"hand {cards(view.own.hand)}", f"tickets {' '.join(view.own.tickets) or 'none'}"]
    if view.own.offer:
        parts.append(f"offer {' '.join(view.own.offer)}")
    if view.own.answer:
        parts.append(f"keeps {' '.join(view.own.answer)}")
    if view.own.under:
        parts.append("put under " + ", ".join(f"{ticket} ({above} above)" for above, ticket in view.own.under))
    yield f"       {view.seat} sees {' · '.join(parts)}"
    for line in may(view.choices):
        yield f"         may {line}"


def may(choices: Choices) -> Iterable[str]:
    if choices.keep:
        yield f"keep at least {choices.keep}"
    if choices.take_back:
        yield f"take back{', or pay ' + words(choices.pay) if choices.pay else ''}"
    draws = (["the deck"] if choices.deck else []) + [str(slot) for slot in choices.row]
    if draws:
        yield f"draw {' '.join(draws)}{', or tickets' if choices.tickets else ''}"
    elif choices.tickets:
        yield "draw tickets"
    by_payment: dict[str, list[str]] = {}
    for route, payments in choices.claims.items():
        by_payment.setdefault(words(payments), []).append(route)
    for payments_words, routes in by_payment.items():
        yield f"claim {' '.join(routes)} for {payments_words}"
    if choices.cities:
        everywhere = " ".join(choices.cities) if len(choices.cities) < 6 else f"{len(choices.cities)} cities"
        yield f"build in {everywhere} for {words(choices.station)}"
    if choices.passing:
        yield "pass"


def words(payments: Iterable[Payment]) -> str:
    return " | ".join(" ".join(payment_to_words(payment)) for payment in payments)


def cards(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{n} {colour}" for colour, n in counts.items()) or "none"


def count(game: Game) -> Iterable[str]:
    scores = game.scores()
    for score in scores.seats:
        yield (
            f"    seat {score.seat}: {score.routes} for routes, {score.ticket_points:+} for tickets, "
            f"{score.stations} for stations, {score.bonus} for the trail of {score.trail_length}, "
            f"{score.attractions} for attractions: "
            f"{score.total}, rank {score.rank}"
        )
        for ticket in score.tickets:
            way = " ".join(ticket.path) if ticket.completed else "not completed"
            yield f"        {ticket.ticket} {ticket.points if ticket.completed else -ticket.points:+}: {way}"
        for city, route in score.borrowed.items():
            yield f"        the station in {city} borrows {route or 'nothing'}"
    yield f"    won by seat {' and '.join(map(str, scores.winners))}, decided by {scores.decided_by}"


if __name__ == "__main__":
    for name in PLAYTHROUGHS:
        (HERE / f"{name}.txt").write_text(playthrough(name), encoding="utf-8")
