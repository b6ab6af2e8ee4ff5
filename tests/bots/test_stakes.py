"""What a choice is said to serve and to fear is so: an oracle measures the tickets as if it had happened."""

from collections.abc import Mapping, Sequence
from itertools import product
from math import inf
from types import MappingProxyType

import pytest

from branchline import Game, Rng, View
from branchline.actions import BuildStation, ClaimRoute, DrawCard, KeepTickets
from branchline.bots import Budget, load, to_index
from branchline.bots.learner import reason

Costs = dict[str, float]
Owners = Mapping[str, int]
NONE_MORE: Owners = MappingProxyType({})


def missing(view: View, owners: Owners = NONE_MORE, stations: Owners = NONE_MORE) -> dict[str, float]:
    """Cars that each own ticket misses, the slow and plain way; with more routes and stations than there are."""
    seat, owners, stations = view.seat, {**view.owners, **owners}, {**view.stations, **stations}
    shared = len(view.seats) >= view.map.rules.twins_from
    costs: Costs = {}
    for route in view.map.routes:
        owner = owners.get(route.id)
        twin = {owners[other] for other in twins(view, route.id) if other in owners}
        if owner == seat:
            costs[route.id] = 0
        elif owner is None and (not twin or (shared and seat not in twin)):
            costs[route.id] = route.length
    at = [
        [r.id for r in view.map.routes if city in (r.a, r.b) and owners.get(r.id) not in (None, seat)]
        for city, owner in stations.items()
        if owner == seat
    ]
    assert view.own is not None
    best = dict.fromkeys(view.own.tickets, inf)
    for borrowed in product(*(choices for choices in at if choices)):
        for ticket, cars in distances(view, {**costs, **dict.fromkeys(borrowed, 0)}).items():
            best[ticket] = min(best[ticket], cars)
    return best


def distances(view: View, costs: Costs) -> dict[str, float]:
    """Of all own tickets, by letting cities come nearer until none does."""
    assert view.own is not None
    out = {}
    for ticket in view.map.tickets:
        if ticket.id in view.own.tickets:
            far = {city.id: inf for city in view.map.cities} | {ticket.a: 0}
            for _ in view.map.cities:
                for route in view.map.routes:
                    cost = costs.get(route.id, inf)
                    far[route.a] = min(far[route.a], far[route.b] + cost)
                    far[route.b] = min(far[route.b], far[route.a] + cost)
            out[ticket.id] = far[ticket.b]
    return out


def judge(view: View, index: int) -> set[str]:
    """Compare what is said of an action with what the oracle finds; which kinds of saying there were."""
    assert view.seat is not None
    assert view.own is not None
    said, action, before = reason(view, 0, index), view.action(index), missing(view)
    cars = view.seats[view.seat].cars
    kinds = {str(said["reason"])}
    if not isinstance(action, KeepTickets):
        stays, left = before, cars
        if isinstance(action, ClaimRoute):
            placed = {route.id: route.length for route in view.map.routes}
            stays, left = missing(view, {action.route: view.seat}), cars - placed[action.route]
        elif isinstance(action, BuildStation):
            stays = missing(view, stations={action.city: view.seat})
        assert said["open"] == [ticket for ticket in view.own.tickets if 0 < stays[ticket] <= left]
        kinds |= {"shut"} if len(said["open"]) < sum(0 < now <= cars for now in before.values()) else set()
    if isinstance(action, ClaimRoute):
        route = next(route for route in view.map.routes if route.id == action.route)
        after = missing(view, {route.id: view.seat})
        served = brought_near(view.own.tickets, before, after, route.length, cars)
        kinds |= {"joined the long way"} if any(before[t] - after[t] != route.length for t in served) else set()
        assert said.get("tickets", []) == served
        nearer = [ticket for ticket in view.own.tickets if after[ticket] < before[ticket]]
        by_a_part = [ticket for ticket in nearer if ticket not in served and after[ticket] <= cars - route.length]
        assert said.get("detour", []) == by_a_part
        assert said.get("idle", False) == (not nearer)
        kinds |= {"detour"} if by_a_part and served else {"only a detour"} if by_a_part else set()
        kinds |= {"idle"} if not nearer else {"too far"} if not served and not by_a_part else set()
        near = {
            view.owners[other.id]
            for other in view.map.routes
            if view.owners.get(other.id, view.seat) != view.seat and {other.a, other.b} & {route.a, route.b}
        }
        near = {seat for seat in near if view.seats[seat].cars >= route.length}
        near = {seat for seat in near if not any(mine(view, twin, seat) for twin in twins(view, route.id))}
        lost: dict[str, float | None] = {}
        if near:
            later = missing(view, {route.id: min(near)})
            for ticket, now in before.items():
                if 0 < now <= cars < later[ticket]:
                    lost[ticket] = None
                elif 0 < now < later[ticket] <= cars:
                    lost[ticket] = later[ticket] - now
        assert said.get("lost", {}) == lost
        assert said.get("near", []) == (sorted(near) if lost else [])
        kinds |= {"lost"} if lost else set()
        kinds |= {"cut off"} if None in lost.values() else set()
    elif isinstance(action, BuildStation):
        after = missing(view, stations={action.city: view.seat})
        assert said.get("tickets", []) == [t for t in view.own.tickets if after[t] < before[t] and after[t] <= cars]
    elif isinstance(action, KeepTickets):
        assert said["tickets"] == list(action.tickets)
    elif isinstance(action, DrawCard) and "route" in said:
        route = next(route for route in view.map.routes if route.id == said["route"])
        assert action.slot is not None
        assert route.colour == view.row[action.slot]
        assert route.length > view.own.hand.get(route.colour, 0) + view.own.hand.get("wild", 0)
        after = missing(view, {route.id: view.seat})
        assert said["tickets"] == brought_near(view.own.tickets, before, after, route.length, cars)
        kinds.add("drawn for")
    else:
        assert "tickets" not in said
    return kinds


def brought_near(
    tickets: Sequence[str], before: Mapping[str, float], after: Mapping[str, float], length: int, cars: int
) -> list[str]:
    """Those that a route brings nearer by its whole length, or joins, with the cars that are left."""
    return [
        ticket
        for ticket in tickets
        if after[ticket] <= cars - length
        and (before[ticket] - after[ticket] == length or after[ticket] == 0 < before[ticket])
    ]


def twins(view: View, id: str) -> list[str]:
    route = next(route for route in view.map.routes if route.id == id)
    return [other.id for other in view.map.routes if {other.a, other.b} == {route.a, route.b} and other.id != id]


def mine(view: View, route: str, seat: int) -> bool:
    return view.owners.get(route) == seat


@pytest.mark.parametrize(
    ("map", "tables"), [("europe", [(2, 3), (4, 5), (5, 6)]), ("new-york", [(2, 1), (4, 2), (4, 3), (3, 4)])]
)
def test_what_is_said_of_a_choice_is_so(map: str, tables: list[tuple[int, int]]) -> None:
    bot, kinds = load("regular"), set[str]()
    for seats, seed in tables:
        game, rng = Game.new(map, seats=seats, seed=seed), Rng(seed)
        while not game.over:
            seat = game.to_act[0]
            view = game.view(seat)
            legal = view.legal_indices()
            choice = to_index(view, bot.choose(view, rng, Budget()))
            if map == "new-york" or rng.below(2):
                kinds |= judge(view, choice)
            else:
                kinds |= judge(view, legal[rng.below(len(legal))])
            claims = {action.route: i for i in legal if isinstance(action := view.action(i), ClaimRoute)}
            if claims and (map == "new-york" or rng.below(2)):  # whatever it may be good for
                kinds |= judge(view, list(claims.values())[rng.below(len(claims))])
            sites = [index for index in legal if isinstance(view.action(index), BuildStation)]
            if sites and seat == 0 and rng.below(8) == 0:  # `regular` hardly builds; stations borrow what others take
                choice = sites[rng.below(len(sites))]
                kinds |= judge(view, choice)
            game.play_index(seat, choice)
    assert {"keep-tickets", "join-tickets", "points", "lost", "drawn for"} <= kinds
    assert {"idle", "only a detour"} <= kinds
    assert map == "new-york" or {"cut off", "station", "detour", "too far"} <= kinds
