"""Look for the map that costs the most to count: networks of one seat are changed at random, and the costlier stays.

    .venv/bin/python scripts/worst_map.py [MINUTES] [SEED]

Prints the worst network of SEAT_ROUTES routes found, as pairs of cities, with what its longest trail costs. All routes
have length 1, which is the worst kind: the same cars suffice for fewer longer ones.
"""

import sys
import time
from random import Random

from branchline import load_map
from branchline.engine.board import Board, to_vec
from branchline.engine.network import TrailSearch, groups
from branchline.engine.setup import empty
from branchline.engine.shuffle import Shuffler
from branchline.maps.sense import CITY_ROUTES, SEAT_ROUTES

Network = frozenset[tuple[int, int]]


def search(network: Network) -> tuple[TrailSearch, float]:
    """The search for the longest trail of one seat that owns all these routes, run, and the seconds it took."""
    cities = sorted({city for route in network for city in route})
    number = {city: n for n, city in enumerate(cities)}
    routes = [(number[a], number[b], 1, -1, 0, 0) for a, b in sorted(network)]
    board = Board(load_map("europe").rules, [12] * 9, [0] * len(cities), routes, [(0, 1, 1, 0)], {1: 1})
    state = empty(board, 2, Shuffler(b""))
    state.owner = to_vec([0] * len(routes))
    trail = TrailSearch(state, 0, groups(state, 0))
    began = time.process_time()
    trail.run()
    return trail, time.process_time() - began


def allowed(network: Network) -> bool:
    ends = [city for route in network for city in route]
    return len(network) == SEAT_ROUTES and max(map(ends.count, ends)) <= CITY_ROUTES


def fresh(rng: Random) -> Network:
    """Cities of two sides, or of one, in each of which as many routes meet: such networks are hard."""
    few, many = rng.choice((3, 3, 3, 5, 5, 7)), rng.randrange(3, 8)
    if rng.random() < 0.6:
        left = [n // few for n in range(SEAT_ROUTES)]
        right = [SEAT_ROUTES + n // many for n in range(SEAT_ROUTES)]
    else:
        ends = [n // few for n in range(2 * SEAT_ROUTES)]
        rng.shuffle(ends)
        left, right = ends[:SEAT_ROUTES], ends[SEAT_ROUTES:]
    rng.shuffle(right)
    pairs = {(min(a, b), max(a, b)) for a, b in zip(left, right, strict=True) if a != b}
    return filled(pairs, rng)


def changed(network: Network, rng: Random) -> Network:
    """One to three routes elsewhere."""
    return filled(set(rng.sample(sorted(network), SEAT_ROUTES - rng.randrange(1, 4))), rng)


def filled(routes: set[tuple[int, int]], rng: Random) -> Network:
    """So many routes, by further ones between the same cities."""
    cities = sorted({city for route in routes for city in route})
    while len(routes) < SEAT_ROUTES:
        a, b = rng.sample(cities, 2)
        routes.add((min(a, b), max(a, b)))
    return frozenset(routes)


def main(minutes: float, seed: int) -> None:
    """Climb from many networks, and say whenever a costlier one was found."""
    rng = Random(seed)
    worst = 0
    slowest = 0.0
    tried = 0
    until = time.monotonic() + 60 * minutes
    while time.monotonic() < until:
        here = fresh(rng)
        cost = -1
        idle = 0
        while idle < 60 and time.monotonic() < until:
            new = changed(here, rng) if cost >= 0 else here
            idle += 1
            if not allowed(new):
                if cost < 0:
                    break
                continue
            trail, seconds = search(new)
            tried += 1
            slowest = max(slowest, seconds)
            if trail.work > cost:
                here, cost, idle = new, int(trail.work), 0
            if trail.work > worst:
                worst = int(trail.work)
                print(f"{worst} frontiers, {1000 * seconds:.1f} ms, trail {trail.best}: {sorted(new)}", flush=True)
    print(f"{tried} networks; the slowest took {1000 * slowest:.1f} ms of processor time")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 1, int(sys.argv[2]) if len(sys.argv) > 2 else 1)
