"""Proximal policy optimisation with masks: play with the policy as it is, then make what did well likelier.

Every seat is a player of its own: the value is what that seat expects, and an advantage looks from one decision of a
seat to the next decision of the same seat.
"""

from dataclasses import dataclass
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from branchline.bots.policies import MOST_SEATS
from branchline.train.net import Params, adam, look
from branchline.train.settings import Settings
from branchline.train.tables import Tables, rewards


@jax.jit
def choose(params: Params, matrix: Any, observations: Any, masks: Any, key: Any) -> tuple[Any, Any, Any]:
    """An action for each game as the policy would have it, its log probability, and the value."""
    chances, value = look(params, matrix, observations, masks)
    action = jnp.argmax(chances + jax.random.gumbel(key, chances.shape), 1)
    return action, jnp.take_along_axis(chances, action[:, None], 1)[:, 0], value


@dataclass(slots=True)
class Batch:
    """Decisions of the learner, one a row."""

    observations: NDArray[np.uint8]
    masks: NDArray[np.uint8]
    actions: NDArray[np.int64]
    chances: NDArray[np.float32]
    """The log probability of the action when it was chosen."""
    advantages: NDArray[np.float32]
    returns: NDArray[np.float32]
    games: int
    """Games that ended meanwhile."""
    elsewhere: float = 0.0
    """Seconds of processor time that other processes took for it."""


def collect(tables: Tables, params: Params, past: Params, matrix: Any, key: Any, settings: Settings) -> Batch:
    """Play on at all tables for so many steps."""
    steps, games = settings.steps, tables.games
    observations = np.zeros((steps, *tables.observations.shape), np.uint8)
    masks = np.zeros((steps, *tables.masks.shape), np.uint8)
    actions = np.zeros((steps, games), np.int64)
    chances = np.zeros((steps, games), np.float32)
    values = np.zeros((steps, games), np.float32)
    asked = np.zeros((steps, games), np.int64)
    learner = np.zeros((steps, games), bool)
    ended = np.zeros((steps, games), bool)
    reward = np.zeros((steps, games, MOST_SEATS), np.float32)
    for step in range(steps):
        observations[step], masks[step] = tables.observations, tables.masks
        asked[step], learner[step] = tables.asked, tables.learner
        key, now = jax.random.split(key)
        chosen, chances[step], values[step] = choose(params, matrix, observations[step], masks[step], now)
        actions[step] = chosen
        if len(tables.past):
            theirs, _, _ = choose(past, matrix, observations[step][tables.past], masks[step][tables.past], now)
            turns = ~tables.learner[tables.past]
            actions[step][tables.past[turns]] = np.asarray(theirs)[turns]
        tables.answer(actions[step])
        ended[step], points, wins = tables.step(actions[step])
        reward[step] = rewards(points, wins, settings.win, settings.margin)
    gains, whole = advantages(values, asked, ended, reward, settings.trace)
    rows = np.flatnonzero(whole & learner)
    flat = gains.reshape(-1)[rows]
    return Batch(
        observations.reshape(steps * games, -1)[rows],
        masks.reshape(steps * games, -1)[rows],
        actions.reshape(-1)[rows],
        chances.reshape(-1)[rows],
        (flat - flat.mean()) / (flat.std() + 1e-6),
        flat + values.reshape(-1)[rows],
        int(ended.sum()),
    )


def advantages(
    values: NDArray[np.float32],
    asked: NDArray[np.int64],
    ended: NDArray[np.bool_],
    reward: NDArray[np.float32],
    trace: float,
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """How much better than expected each decision turned out (GAE), and whether that can be told yet.

    It can't for a seat's last decision of the batch: neither its next value nor the game's end is known.
    """
    steps, games = values.shape
    every = np.arange(games)
    following = np.zeros((games, MOST_SEATS), np.float32)
    gain = np.zeros((games, MOST_SEATS), np.float32)
    known = np.zeros((games, MOST_SEATS), bool)
    gains = np.zeros((steps, games), np.float32)
    whole = np.zeros((steps, games), bool)
    for step in range(steps - 1, -1, -1):
        over = ended[step]
        following[over], gain[over], known[over] = reward[step][over], 0, True
        seat = asked[step]
        whole[step] = known[every, seat]
        surprise = following[every, seat] - values[step] + trace * gain[every, seat]
        gains[step] = np.where(whole[step], surprise, 0)
        following[every, seat], gain[every, seat], known[every, seat] = values[step], gains[step], True
    return gains, whole


@partial(jax.jit, static_argnames=("clip", "entropy"))
def improve(
    params: Params, moments: Params, rows: tuple[Any, ...], matrix: Any, rate: Any, clip: float, entropy: float
) -> tuple[Params, Params, Any]:
    """One step on a minibatch; also its policy loss, value loss and entropy, and how far the policy moved."""

    def loss(params: Params) -> tuple[Any, Any]:
        observations, masks, actions, before, gains, returns = rows
        chances, value = look(params, matrix, observations, masks)
        chance = jnp.take_along_axis(chances, actions[:, None], 1)[:, 0]
        ratio = jnp.exp(chance - before)
        policy = -jnp.minimum(ratio * gains, jnp.clip(ratio, 1 - clip, 1 + clip) * gains).mean()
        error = ((value - returns) ** 2).mean()
        undecided = -(jnp.exp(chances) * jnp.where(masks > 0, chances, 0)).sum(1).mean()
        moved = (before - chance).mean()
        return policy + 0.5 * error - entropy * undecided, jnp.stack([policy, error, undecided, moved])

    (_, told), slope = jax.value_and_grad(loss, has_aux=True)(params)
    params, moments = adam(params, moments, slope, rate, 0.5)
    return params, moments, told


def update(
    params: Params,
    moments: Params,
    batch: Batch,
    matrix: Any,
    rate: float,
    rng: np.random.Generator,
    settings: Settings,
) -> tuple[Params, Params, NDArray[np.float64]]:
    """Go over a batch in minibatches, and over again."""
    told = []
    rows = np.arange(len(batch.actions))
    for _ in range(settings.epochs):
        rng.shuffle(rows)
        for at in range(0, len(rows) - settings.batch + 1, settings.batch):
            some = rows[at : at + settings.batch]
            mini = (
                batch.observations[some], batch.masks[some], batch.actions[some], batch.chances[some],
                batch.advantages[some], batch.returns[some],
            )  # fmt: skip
            params, moments, one = improve(params, moments, mini, matrix, rate, settings.clip, settings.entropy)
            told.append(one)
    return params, moments, np.mean(np.array(told), 0) if told else np.zeros(4)
