"""A warm start: the planner plays, and the network learns to do what it would do, before it learns by itself."""

from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from branchline.bots.policies import MOST_SEATS
from branchline.train.batches import batches
from branchline.train.net import Params, adam, begin_adam, fit_inputs, look
from branchline.train.settings import Settings
from branchline.train.tables import Tables, rewards

BATCH, ROUNDS, RATE = 1024, 3, 1e-3
SAMPLE = 40_000
"""Decisions that tell what observations are like."""
STRAY = 0.08
"""At every other table this part of the actions is random, so that the planner is also asked in odd positions."""
DOUBT, DOUBT_KEEP = 0.05, 0.2
"""What the clone is taught to leave to other actions; more where tickets are kept, which is to be explored later."""


@dataclass(slots=True)
class Lesson:
    """What the planner did, one decision a row."""

    observations: NDArray[np.uint8]
    masks: NDArray[np.uint8]
    actions: NDArray[np.int64]
    returns: NDArray[np.float32]
    """What came of it for the seat."""
    known: NDArray[np.bool_]
    """Whether the game ended before the lesson did."""


def listen(tables: Tables, settings: Settings) -> Lesson:
    """Let the planner play for so many steps, and take down what it does."""
    rng = np.random.default_rng(settings.seed)
    steps, games = settings.clone, tables.games
    observations = np.zeros((steps, *tables.observations.shape), np.uint8)
    masks = np.zeros((steps, *tables.masks.shape), np.uint8)
    actions = np.zeros((steps, games), np.int64)
    asked = np.zeros((steps, games), np.int64)
    ended = np.zeros((steps, games), bool)
    reward = np.zeros((steps, games, MOST_SEATS), np.float32)
    for step in range(steps):
        observations[step], masks[step], asked[step] = tables.observations, tables.masks, tables.asked
        actions[step] = tables.advice()
        astray = (rng.random(games) < STRAY) & (np.arange(games) % 2 == 0)
        anything = (rng.random(masks[step].shape) * masks[step]).argmax(1)
        ended[step], points, wins = tables.step(np.where(astray, anything, actions[step]))
        reward[step] = rewards(points, wins, settings.win, settings.margin)
    returns = np.zeros((steps, games), np.float32)
    known = np.zeros((steps, games), bool)
    last, over = np.zeros((games, MOST_SEATS), np.float32), np.zeros(games, bool)
    for step in range(steps - 1, -1, -1):
        last[ended[step]] = reward[step][ended[step]]
        over |= ended[step]
        returns[step], known[step] = last[np.arange(games), asked[step]], over
    flat = steps * games
    return Lesson(
        observations.reshape(flat, -1),
        masks.reshape(flat, -1),
        actions.reshape(-1),
        returns.reshape(-1),
        known.reshape(-1),
    )


def clone(params: Params, lesson: Lesson, matrix: Any, keeps: tuple[int, int], seed: int) -> tuple[Params, float]:
    """The network after the lesson, and how often it then does what the planner did. `keeps`: where actions keep."""
    rng = np.random.default_rng(seed)
    params = fit_inputs(params, lesson.observations[rng.choice(len(lesson.actions), SAMPLE)])
    moments = begin_adam(params)
    rows = rng.permutation(len(lesson.actions))
    held_back, rows = rows[: len(rows) // 20], rows[len(rows) // 20 :]

    @jax.jit
    def follow(params: Params, moments: Params, rows: tuple[Any, ...], rate: Any) -> tuple[Params, Params, Any]:
        def loss(params: Params) -> tuple[Any, Any]:
            observations, masks, actions, returns, known = rows
            chances, value = look(params, matrix, observations, masks)
            keeping = masks[:, keeps[0] : keeps[1]].any(1)
            doubt = jnp.where(keeping, DOUBT_KEEP, DOUBT)
            any_action = jnp.where(masks > 0, chances, 0).sum(1) / masks.sum(1)
            same = jnp.take_along_axis(chances, actions[:, None], 1)[:, 0]
            error = (known * (value - returns) ** 2).mean()
            return 0.5 * error - ((1 - doubt) * same + doubt * any_action).mean(), (chances.argmax(1) == actions).mean()

        (_, agrees), slope = jax.value_and_grad(loss, has_aux=True)(params)
        params, moments = adam(params, moments, slope, rate, 1.0)
        return params, moments, agrees

    def pick(some: NDArray[np.int64]) -> tuple[Any, ...]:
        parts = (lesson.observations, lesson.masks, lesson.actions, lesson.returns, lesson.known)
        return tuple(part[some] for part in parts)

    for some, rate in batches(rows, BATCH, ROUNDS, RATE, rng):
        params, moments, _ = follow(params, moments, pick(some), rate)
    chances, _ = look(params, matrix, lesson.observations[held_back], lesson.masks[held_back])
    return params, float((np.asarray(chances).argmax(1) == lesson.actions[held_back]).mean())
