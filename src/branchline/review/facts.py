"""What an action brings, as anybody at the table could count it: told beside the reason why it is good."""

from typing import Any

from librt.vecs import append, vec
from mypy_extensions import i64

from branchline.bots.planner.blind import seen_by
from branchline.bots.planner.facts import new_attractions, unjoined
from branchline.bots.planner.tickets import by_points
from branchline.bots.planner.ways import FAR, Ways
from branchline.engine.board import CLAIM, KEEP, NONE, filled
from branchline.engine.legal import barred
from branchline.engine.network import groups, longest_trail
from branchline.engine.refusals import LEGAL
from branchline.engine.state import State
from branchline.names import names_of
from branchline.views import View


def facts(view: View, index: int) -> dict[str, Any]:
    """What can be told of an action: of a claim what it brings at once, of tickets how many cars they take."""
    board = view.sight.board
    kind, what = board.action_kind[index], int(board.action_what[index])
    if kind == CLAIM:
        return _claim(view, what)
    return _keep(view, what) if kind == KEEP else {}


def _claim(view: View, route: int) -> dict[str, Any]:
    """Points and cards; tickets completed, sights reached, the longest trail made, the last round begun."""
    state, board, seat = seen_by(view.sight), view.sight.board, view.sight.seat
    state.owner = state.owner[:]
    open_before = list(unjoined(state, seat, groups(state, seat)))
    trails = [longest_trail(state, who) for who in range(state.seats)]
    sights = int(new_attractions(state, route, seat)) if board.rules.attraction_points else 0
    state.owner[route] = seat
    still_open = list(unjoined(state, seat, groups(state, seat)))
    out: dict[str, Any] = {"points": int(board.points[route]), "cards": int(board.length[route])}
    if done := [ticket for ticket in open_before if ticket not in still_open]:
        out["completes"] = [names_of(view.map).tickets[ticket] for ticket in done]
    if sights:
        out["sights"] = sights
    trail, next_best = int(longest_trail(state, seat)), int(max(trails[:seat] + trails[seat + 1 :]))
    if board.rules.trail_points and trail > trails[seat] <= next_best <= trail:
        out["trail"] = [trail, next_best]
    if state.last == NONE and state.cars[seat] - board.length[route] <= board.rules.last_cars:
        out["last_round"] = True
    return out


def _keep(view: View, subset: int) -> dict[str, Any]:
    """The cars that these tickets take beside those held, nearly; and how many all that were offered would take."""
    sight = view.sight
    state, names = seen_by(sight), names_of(view.map)
    offer = [int(ticket) for ticket in sight.offer]
    kept = [ticket for place, ticket in enumerate(offer) if subset >> place & 1]
    out: dict[str, Any] = {"tickets": [names.tickets[ticket] for ticket in kept]}
    held = unjoined(state, sight.seat, groups(state, sight.seat))
    ways = Ways(sight.board, _spaces(state, sight.seat))
    cars = _cars(ways, state, held, kept)
    if cars is not None:
        out |= {"cars": cars, "left": int(state.cars[sight.seat]), "beside": len(held)}
        every = _cars(ways, state, held, offer)
        if every is not None and len(kept) < len(offer):
            out["all"] = every
    return out


def _cars(ways: Ways, state: State, held: vec[i64], more: list[int]) -> int | None:
    tickets = held[:]
    for ticket in more:
        tickets = append(tickets, ticket)
    cost = ways.join(by_points(state.board, tickets), True).cost
    return None if cost >= FAR else int(cost)


def _spaces(state: State, seat: int) -> vec[i64]:
    """Cars that each route would still take; NONE for those that can't be had."""
    out = filled(state.board.routes, NONE)
    for route in range(state.board.routes):
        if state.owner[route] == seat:
            out[route] = 0
        elif barred(state, route, seat) == LEGAL:
            out[route] = state.board.length[route]
    return out
