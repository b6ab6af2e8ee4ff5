"""What search finds, taught to the policy that guides it.

A game tells by its end how a hundred decisions went together, and luck speaks louder than any of them. A search tries
the candidates of one decision in the same worlds, where luck is the same for all. The policy is moved towards what
gained there, and stays near itself where nothing was found.
"""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from branchline.bots.base import Bot, Budget, to_index
from branchline.bots.expert import MANY, suited
from branchline.bots.learned.policy import FINE, ONE, Policy
from branchline.bots.learner import LearnedBot
from branchline.bots.planner.variety import varied
from branchline.bots.policies import load_policy
from branchline.bots.registry import load
from branchline.bots.regular import RegularBot
from branchline.bots.search.guided import GuidedSearch
from branchline.engine.board import NONE
from branchline.engine.shuffle import Rng, Shuffler
from branchline.files import aside
from branchline.game import Game
from branchline.maps import load_map
from branchline.names import names_of
from branchline.spread import spread
from branchline.train.arrays import read_arrays
from branchline.train.net import Params, adam, begin_adam, look
from branchline.train.settings import Settings
from branchline.train.tables import LEARNER, PAST, VARIED, mix

BATCH, RATE = 512, 3e-4
ROUNDS = 8
"""How often the findings are gone over at most; what is kept is the round that gains most where it did not learn."""
NEAR = 0.02
"""What it costs to leave the policy that there was (a nat of divergence), where a sure win is 1."""
NEVER = -0.05
"""What an action is taken to gain that search did not try, since the policy thought too little of it."""
ROOM = MANY + 2
"""Candidates of a search: two may be added that are easily missed."""
ITSELF = 3
"""In one game of so many the policy's own choice is done, not the search's: it is to know its own positions too."""
HELD_BACK = 10
"""One game of so many is not learned from: what was gained is told by these."""
LEAST_NODES = 20
"""With fewer playouts a decision there are questions whose candidates are never compared."""


@dataclass(slots=True)
class Findings:
    """What was found, one decision a row."""

    observations: NDArray[np.uint8]
    masks: NDArray[np.uint8]
    tried: NDArray[np.int64]
    """Actions that were tried, the policy's favourite first; NONE where there were fewer."""
    gains: NDArray[np.float32]
    """By how much each did better than the favourite, where a sure win is 1 and a sure loss -1."""
    game: NDArray[np.int64]


KEPT = 400
"""Games after which what was found is written down."""
OURS = re.compile(r"[0-9a-f]{16}-[0-9]+\.npz(\.new)?")
"""The names of the files in which that is kept."""


def gather(
    weights: Path, settings: Settings, seed: int, workers: int, folder: Path, say: Callable[[str], None]
) -> Findings:
    """Let the search play one seat of so many games (`settings.distil`), guided by the policy of a weights file.

    What is found is kept in `folder` until whoever asked is done with it: a run that was killed goes on from there.
    ValueError if so little was asked for that nothing could be learned from it, or checked.
    """
    if settings.distil < 2:
        raise ValueError("distilling takes two games at least: one to learn from, and one to see what was learned")
    if settings.nodes < LEAST_NODES:
        raise ValueError(f"distilling takes {LEAST_NODES} nodes at least: fewer playouts compare nothing")
    sitting = list(enumerate(mix(settings.seats, settings.distil, settings.shares)))
    work = partial(_found, settings.map, weights, settings.nodes, seed)
    asked = json.dumps([settings.to_dict(), seed], sort_keys=True).encode() + weights.read_bytes()
    policy = _policy(settings.map, weights, max(settings.seats))
    folder.mkdir(parents=True, exist_ok=True)
    parts = []
    for at in range(0, len(sitting), KEPT):
        path = folder / f"{sha256(asked).hexdigest()[:16]}-{at}.npz"
        part = _read(path)
        if part is None or not _fits(part, policy):
            part = _together(list(spread(work, sitting[at : at + KEPT], workers=workers, fork=False)))
            _write(path, part)
        parts.append(part)
        say(f"searched {min(at + KEPT, len(sitting)):,} of {len(sitting):,} games")
    return _together(parts)


def _write(path: Path, found: Findings) -> None:
    with aside(path) as file:
        np.savez_compressed(file, **{one.name: getattr(found, one.name) for one in fields(Findings)})


def _read(path: Path) -> Findings | None:
    """What was written down; None where nothing was, or it is damaged: then it is searched for again."""
    try:
        kept = read_arrays(path)
        return Findings(*(kept[one.name] for one in fields(Findings)))
    except Exception:  # zip, zlib and numpy raise a dozen sorts of them, by where the damage is
        return None


def _fits(found: Findings, policy: Policy) -> bool:
    """Whether findings are rows as `_columns` makes them for this policy."""
    none = _columns([], int(policy.first.inputs), int(policy.space.size))
    rows = len(found.game) if found.game.ndim == 1 else -1
    for one in fields(Findings):
        mine, like = getattr(found, one.name), getattr(none, one.name)
        if mine.shape != (rows, *like.shape[1:]) or mine.dtype != like.dtype:
            return False
    return bool((found.tried < policy.space.size).all() and np.isfinite(found.gains).all())


def forget(folder: Path) -> None:
    """Remove what was kept there, and nothing else."""
    if folder.is_dir():
        for path in folder.iterdir():
            if OURS.fullmatch(path.name) and not path.is_dir():
                path.unlink()
        with suppress(OSError):  # somebody else's things are in it
            folder.rmdir()


def _together(parts: Sequence[Findings]) -> Findings:
    return Findings(*(np.concatenate([getattr(part, one.name) for part in parts]) for one in fields(Findings)))


def _found(map: str, weights: Path, nodes: int, seed: int, job: tuple[int, Sequence[str]]) -> Findings:
    """One game of the search in one seat; where the table is the learner's own, the policy has the others."""
    number, sitting = job
    seats = len(sitting)
    policy = _policy(map, weights, seats)
    game, rng = Game.dealt(load_map(map), seats, Shuffler(b"", seed + number)), Rng(seed + number)
    own = rng.below(seats) if sitting.count(LEARNER) > 1 else sitting.index(LEARNER)
    itself = rng.below(ITSELF) == 0
    rivals = others(map, weights, seed + number, sitting)
    rows: list[tuple[Any, ...]] = []
    while not game.over:
        seat = game.to_act[0]
        view = game.view(seat)
        if seat != own:
            game.play_index(seat, to_index(view, rivals[seat].choose(view, rng, Budget(nodes=1))))
            continue
        search = GuidedSearch(view.sight, rng, policy, suited(view.sight))
        if len(search.candidates) > 1:
            seen, allowed = bytes(policy.inputs), list(policy.allowed)
            search.run(nodes)
            rows.append((seen, *_row(search, policy, game, allowed), number))
        game.play_index(seat, search.candidates[0] if itself else search.best())
    return _columns(rows, int(policy.first.inputs), int(policy.space.size))


@cache
def _policy(map: str, weights: Path, seats: int) -> Policy:
    known = load_map(map)
    return load_policy(weights, names_of(known).board, known.hash, seats)


def others(map: str, weights: Path, seed: int, sitting: Sequence[str]) -> list[Bot]:
    """Who plays each seat that the search does not; in its own seat nobody asks."""
    board = names_of(load_map(map)).board
    return [
        RegularBot(varied(board, Rng(seed, 1 + seat))) if name == VARIED else _other(name, weights)
        for seat, name in enumerate(sitting)
    ]


@cache
def _other(name: str, weights: Path) -> Bot:
    return LearnedBot(weights) if name in (LEARNER, PAST) else load(name)


def _row(search: GuidedSearch, policy: Policy, game: Game, allowed: Iterable[int]) -> tuple[Any, Any, Any]:
    mask = np.zeros(int(policy.space.size), np.uint8)
    mask[list(allowed)] = 1
    tried, gains = np.full(ROOM, int(NONE)), np.zeros(ROOM, np.float32)
    for which, index in enumerate(search.candidates):
        worlds, difference, _ = search.contest.tally(which)
        tried[which] = policy.space.action(game.state, search.seat, index)
        gains[which] = int(difference) / max(int(worlds), 1) / int(ONE * FINE)
    return mask, tried, gains


def _columns(rows: Sequence[tuple[Any, ...]], inputs: int, actions: int) -> Findings:
    seen, masks, tried, gains, game = zip(*rows, strict=True) if rows else ([], [], [], [], [])
    return Findings(
        np.frombuffer(b"".join(seen), np.uint8).reshape(-1, inputs),
        np.array(masks, np.uint8).reshape(-1, actions),
        np.array(tried, np.int64).reshape(-1, ROOM),
        np.array(gains, np.float32).reshape(-1, ROOM),
        np.array(game, np.int64),
    )


def distil(params: Params, found: Findings, matrix: Any, seed: int) -> tuple[Params, list[float]]:
    """The network after going over the findings; and what it gains a decision in games that it did not learn from.

    The gains are those before, and after each round. The value is held where it was.
    """
    rng = np.random.default_rng(seed)
    games = rng.permutation(np.unique(found.game))  # tables of every sort: a game's number tells who sat there
    back = np.isin(found.game, games[: max(1, len(games) // HELD_BACK)])
    rows, held_back = np.flatnonzero(~back), np.flatnonzero(back)
    first, best, moments = params, params, begin_adam(params)
    gained = [_gain(params, found, matrix, held_back)]
    batches = max(1, len(rows) // BATCH)
    for number in range(ROUNDS):
        rng.shuffle(rows)
        for at in range(batches):
            rate = RATE * (1 - (number + at / batches) / ROUNDS)
            some = _some(found, rows[at * BATCH : (at + 1) * BATCH])
            params, moments = _follow(params, moments, first, some, matrix, rate)
        gained.append(_gain(params, found, matrix, held_back))
        if gained[-1] > max(gained[:-1]):
            best = params
    return best, gained


def _some(found: Findings, rows: NDArray[np.int64]) -> tuple[Any, ...]:
    return found.observations[rows], found.masks[rows], found.tried[rows], found.gains[rows]


def _gained(chances: Any, tried: Any, gains: Any) -> Any:
    """What the policy gains in each decision, over its old favourite."""
    likely = jnp.where(tried >= 0, jnp.exp(jnp.take_along_axis(chances, jnp.maximum(tried, 0), 1)), 0)
    return (likely * gains).sum(1) + (1 - likely.sum(1)) * NEVER


@jax.jit
def _follow(
    params: Params, moments: Params, first: Params, rows: tuple[Any, ...], matrix: Any, rate: Any
) -> tuple[Params, Params]:
    observations, masks, tried, gains = rows
    before, expected = look(first, matrix, observations, masks)

    def loss(params: Params) -> Any:
        chances, value = look(params, matrix, observations, masks)
        left = (jnp.exp(before) * jnp.where(masks > 0, before - chances, 0)).sum(1)
        return (NEAR * left - _gained(chances, tried, gains) + 0.5 * (value - expected) ** 2).mean()

    return adam(params, moments, jax.grad(loss)(params), rate, 0.5)


def _gain(params: Params, found: Findings, matrix: Any, rows: NDArray[np.int64]) -> float:
    """What the policy gains a decision, on the average, with its likeliest action."""
    total = 0.0
    for at in range(0, len(rows), BATCH):
        observations, masks, tried, gains = _some(found, rows[at : at + BATCH])
        chances, _ = look(params, matrix, observations, masks)
        chosen = np.asarray(chances).argmax(1)[:, None]
        total += float(np.where((tried == chosen).any(1), (gains * (tried == chosen)).sum(1), NEVER).sum())
    return round(total / max(1, len(rows)), 5)
