"""How well a policy does: greedy, on deals that no training sees, in turn from every seat."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from branchline.arena.stats import paired
from branchline.maps import Map
from branchline.train.net import Params, look
from branchline.train.tables import LEARNER, Tables

FRESH = 1 << 52
"""Deals from here on are for evaluation; training deals lie below, the arena's far below."""


@jax.jit
def best(params: Params, matrix: Any, observations: Any, masks: Any) -> Any:
    """The likeliest action of each game."""
    return jnp.argmax(look(params, matrix, observations, masks)[0], 1)


def evaluate(
    map: Map,
    params: Params,
    matrix: Any,
    seats: int,
    rival: str,
    games: int,
    past: Params | None = None,
    places: int | None = None,
    nodes: int = 1,
) -> dict[str, Any]:
    """The policy in one seat, `rival` in all others; every deal is played once from each seat.

    `past`: who PAST is; `places`: seats that the policy's observations have room for, if fewer than the map's; `nodes`:
    what a rival that searches may think with.
    """
    deals = -(-games // seats)
    sits = [[LEARNER if seat == own else rival for seat in range(seats)] for own in range(seats)]
    tables = Tables(map, sits * deals, FRESH, same=seats, advised="trust" in params, places=places, nodes=nodes)
    own = (tables.sitting == LEARNER).argmax(1)
    win = np.full(tables.games, -1.0)
    points = np.zeros(tables.games)
    others = np.zeros(tables.games)
    while (win < 0).any():
        chosen = np.array(best(params, matrix, tables.observations, tables.masks), np.int64)
        if past is not None:
            theirs = np.asarray(best(past, matrix, tables.observations, tables.masks))
            chosen = np.where(tables.learner, chosen, theirs)
        tables.answer(chosen, win < 0)
        ended, total, share = tables.step(chosen)
        for game in np.flatnonzero(ended & (win < 0)):
            win[game] = share[game, own[game]]
            points[game] = total[game, own[game]]
            others[game] = (total[game, :seats].sum() - points[game]) / (seats - 1)
    low, high = paired([float(x) for x in win.reshape(deals, seats).mean(1)])
    return {
        "seats": seats, "rival": rival, "games": int(tables.games), "win": round(float(win.mean()), 4),
        "low": round(low, 4), "high": round(high, 4), "points": round(float(points.mean()), 1),
        "others": round(float(others.mean()), 1),
    }  # fmt: skip
