"""What others hold: learned from games of the policy, in which the truth is known afterwards.

A network of one hidden layer tells, from what a seat sees, for every other seat and ticket how much likelier than in an
even deal it is that the seat holds it, and the same for every card of its hand by colour; as logarithms. A sampled
world is weighed by their sum over all that others hold in it (`bots.learned.belief`).
"""

from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from branchline.observation.layout import Layout
from branchline.train.batches import batches
from branchline.train.net import Params, adam, begin_adam
from branchline.train.ppo import choose
from branchline.train.settings import Settings
from branchline.train.tables import Tables

HIDDEN = 64
BATCH, ROUNDS, RATE = 1024, 8, 1e-3
EVERY = 7
"""Of the decisions of a game each so many-th is learned from: those beside each other are much alike."""
DECAY = 1e-5
"""What a weight costs by its square: rare tickets are not to be learned by heart."""
HELD_BACK = 10
"""One table of so many is not learned from."""
BINS = 10


@dataclass(slots=True)
class Truths:
    """What was seen and what was true, one decision a row; `others` and `hands` are by place after the own one."""

    observations: NDArray[np.uint8]
    others: NDArray[np.uint8]
    """(rows, places - 1, tickets): whether that seat held it."""
    hands: NDArray[np.uint8]
    """(rows, places - 1, kinds): cards of each colour in that hand that nobody had seen."""
    prior: NDArray[np.float32]
    """(rows, places - 1, tickets): the logarithm of the odds in an even deal; far below 0 where it can't be."""
    fresh: NDArray[np.uint8]
    """(rows, kinds): cards that the seat has not seen, by colour."""
    table: NDArray[np.int64]
    """At which table it was: those of one game are alike, and are learned from or held back together."""


NEVER = -30.0


def gather(tables: Tables, params: Params, matrix: Any, settings: Settings, rows: int) -> Truths:
    """Let the policy play, and take down what was true, until there are so many rows."""
    layout = tables.sets[0].layout
    key = jax.random.PRNGKey(settings.seed + 99)
    seen, others, hands, where = [], [], [], []
    found = step = 0
    while found < rows:
        key, now = jax.random.split(key)
        if step % EVERY == 0:
            # Nobody knows anything in the opening.
            for game in np.flatnonzero(tables.learner & (tables.observations[:, int(layout.stage)] == 0)):
                one, row = tables.find(int(game))
                held, hand = _truth(one.state(row), int(tables.asked[game]), int(layout.places))
                seen.append(tables.observations[game])
                others.append(held)
                hands.append(hand)
                where.append(game)
                found += 1
        chosen = np.array(choose(params, matrix, tables.observations, tables.masks, now)[0])
        tables.answer(chosen)
        tables.step(chosen)
        step += 1
    observations = np.array(seen)
    known = _part(layout, observations, "known")
    unknown = np.maximum(np.array(hands, np.int16) - known, 0).astype(np.uint8)
    return Truths(
        observations, np.array(others), unknown, prior(layout, observations), _part(layout, observations, "fresh"),
        np.array(where),
    )  # fmt: skip


def _truth(state: Any, seat: int, places: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    kinds, seats = int(state.board.kinds), int(state.seats)
    holder, cards = np.asarray(state.holder), np.asarray(state.hands).reshape(seats, kinds)
    held = np.zeros((places - 1, len(holder)), np.uint8)
    hand = np.zeros((places - 1, kinds), np.uint8)
    for place in range(1, seats):
        who = (seat + place) % seats
        held[place - 1] = holder == who
        hand[place - 1] = cards[who]
    return held, hand


def _part(layout: Layout, observations: NDArray[np.uint8], name: str) -> NDArray[np.uint8]:
    field = next(one for one in layout.fields if one.name == name)
    return observations[:, field.at : field.at + field.size].reshape(len(observations), *field.shape)


def prior(layout: Layout, observations: NDArray[np.uint8]) -> NDArray[np.float32]:
    """The logarithm of the odds of each ticket for each other seat, if all that is not known was dealt evenly.

    Every ticket of an offer is as likely to be kept as the others of it, as in `engine.ticket_worlds`. That a ticket
    which this seat returned may come up again for another is left out.
    """
    board = layout.board
    long = np.array([bool(board.rules.opening_long) and bool(flag) for flag in board.ticket_long])
    seen = np.zeros((len(observations), int(board.tickets)), bool)
    for name in ("kept", "returned", "offered"):
        seen |= _part(layout, observations, name) > 0
    held = _part(layout, observations, "held")[:, 1:].astype(np.float32)
    kept = _part(layout, observations, "opening_kept")[:, 1:].astype(np.float32)
    share = board.rules.opening_long / int(board.opening)
    out = np.full((*held.shape, int(board.tickets)), NEVER, np.float32)
    for of_long, count in ((True, kept * share), (False, held - kept * share)):
        those = (long == of_long)[None] & ~seen
        chance = np.clip(count / np.maximum(those.sum(1), 1)[:, None], 1e-6, 0.9)
        odds = np.log(chance / (1 - chance))
        out = np.where(those[:, None, :], odds[:, :, None], out)
    return np.where(held[:, :, None] > 0, out, NEVER).astype(np.float32)


def begin_belief(policy: Params, places: int, tickets: int, kinds: int, seed: int) -> Params:
    """A belief that takes everything to be dealt evenly; it sees inputs at the policy's scale."""
    inputs = len(policy["mean"])
    key = jax.random.PRNGKey(seed)
    outputs = (places - 1) * (tickets + kinds)
    return {
        "mean": jnp.asarray(policy["mean"]),
        "scale": jnp.asarray(policy["scale"]),
        "w1": jax.random.normal(key, (inputs, HIDDEN)) * np.sqrt(1 / inputs),
        "b1": jnp.zeros(HIDDEN),
        "w2": jnp.zeros((HIDDEN, outputs)),
        "b2": jnp.zeros(outputs),
    }


def ratios(params: Params, observations: Any, places: int, tickets: int) -> tuple[Any, Any]:
    """How much likelier than in an even deal: (rows, places - 1, tickets) and (rows, places - 1, kinds), logarithms."""
    x = (observations.astype(jnp.float32) - params["mean"]) * params["scale"]
    x = jax.nn.relu(x @ params["w1"] + params["b1"])
    out = (x @ params["w2"] + params["b2"]).reshape(len(observations), places - 1, -1)
    return out[:, :, :tickets], out[:, :, tickets:]


def learn(params: Params, truths: Truths, seed: int) -> tuple[Params, dict[str, Any]]:
    """The belief after going over the truths, and how true it is of those it was not shown."""
    _, others, tickets = truths.others.shape
    rng = np.random.default_rng(seed)
    some = rng.permutation(np.unique(truths.table))  # of every sort: a table's number tells who sits there
    back = np.isin(truths.table, some[: max(1, len(some) // HELD_BACK)])
    held_back, rows = np.flatnonzero(back), np.flatnonzero(~back)
    moments = begin_adam(params)

    def loss(params: Params, part: tuple[Any, ...]) -> Any:
        observations, held, hands, prior, fresh = part
        more, colours = ratios(params, observations, others + 1, tickets)
        logits = prior + more
        wrong = jnp.where(prior > NEVER, jax.nn.softplus(logits) - held * logits, 0).sum((1, 2)).mean()
        chances = jax.nn.log_softmax(jnp.log(fresh[:, None, :] + 0.05) + colours)
        weights = sum(jnp.sum(params[name] ** 2) for name in ("w1", "w2"))
        return wrong - (hands * chances).sum((1, 2)).mean() * 0.2 + DECAY * weights

    @jax.jit
    def follow(params: Params, moments: Params, part: tuple[Any, ...], rate: Any) -> tuple[Params, Params]:
        return adam(params, moments, jax.grad(loss)(params, part), rate, 5.0)

    def pick(some: NDArray[np.int64]) -> tuple[Any, ...]:
        whole = (truths.observations, truths.others, truths.hands, truths.prior, truths.fresh)
        return tuple(part[some] for part in whole)

    for some, rate in batches(rows, BATCH, ROUNDS, RATE, rng):
        params, moments = follow(params, moments, pick(some), rate)
    return params, reliability(params, truths, held_back)


def reliability(params: Params, truths: Truths, rows: NDArray[np.int64]) -> dict[str, Any]:
    """How often what was held to be so likely was so, tenth by tenth, and how much was learned beyond an even deal.

    `nats`: what a decision's truth surprises in the mean, before and after; less is better.
    """
    _, others, tickets = truths.others.shape
    more, colours = ratios(params, truths.observations[rows], others + 1, tickets)
    before, held = truths.prior[rows], truths.others[rows]
    there = before > NEVER
    logits = before + np.asarray(more)
    chance = (1 / (1 + np.exp(-logits)))[there]
    true = held[there]
    edges = np.linspace(0, 1, BINS + 1)
    which = np.clip(np.digitize(chance, edges) - 1, 0, BINS - 1)
    curve = []
    for n in range(BINS):
        here = which == n
        if here.any():
            said, was = float(chance[here].mean()), float(true[here].mean())
            curve.append({"said": round(said, 4), "was": round(was, 4), "of": int(here.sum())})

    def surprise(logits: NDArray[Any]) -> float:
        return float(np.where(there, np.logaddexp(0, logits) - held * logits, 0).sum((1, 2)).mean())

    def cards(more: NDArray[Any]) -> float:
        logits = np.log(truths.fresh[rows][:, None, :] + 0.05) + more
        chances = logits - np.log(np.exp(logits).sum(2, keepdims=True))
        return float(-(truths.hands[rows] * chances).sum((1, 2)).mean())

    return {
        "rows": len(rows),
        "curve": curve,
        "tickets_nats": [round(surprise(before), 3), round(surprise(logits), 3)],
        "cards_nats": [round(cards(np.zeros_like(np.asarray(colours))), 3), round(cards(np.asarray(colours)), 3)],
    }
