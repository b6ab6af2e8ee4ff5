"""The network: two hidden layers, one output for each thing an action can be made of, and the value."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from branchline.bots.learned.heads import Heads

Params = dict[str, Any]
"""Arrays by name: `mean` and `scale` of the inputs, which are not learned, weights `w…`, biases `b…`, and `trust`."""

TRUST = 4.0
"""What advice adds to its action in the beginning: e to the 4th, 55 times as likely as another."""


def begin(key: Any, inputs: int, hidden: int, heads: Heads, advised: bool = False) -> Params:
    """An untaught network: nearly all its actions are as likely as each other.

    An advised one has the planner's advice among its `inputs`, at their end, one for each output, and `trust` in it:
    what the advice adds to the output past all layers, so that doing as the planner does need not be learned.
    """
    keys = jax.random.split(key, 4)
    outputs = int(heads.outputs)
    trust = {"trust": jnp.full(outputs, TRUST)} if advised else {}
    return {
        **trust,
        "mean": jnp.zeros(inputs),
        "scale": jnp.ones(inputs),
        "w1": jax.random.normal(keys[0], (inputs, hidden)) * np.sqrt(1 / inputs),
        "b1": jnp.zeros(hidden),
        "w2": jax.random.normal(keys[1], (hidden, hidden)) * np.sqrt(2 / hidden),
        "b2": jnp.zeros(hidden),
        "w3": jax.random.normal(keys[2], (hidden, outputs)) * 0.01,
        "b3": jnp.zeros(outputs),
        "w4": jax.random.normal(keys[3], (hidden, 1)) * 0.01,
        "b4": jnp.zeros(1),
    }


def fit_inputs(params: Params, observations: NDArray[Any]) -> Params:
    """Centre the inputs on what observations are like. A rare flag is not blown up: its spread is taken as 1/4."""
    seen = observations.astype(np.float32)
    return {**params, "mean": jnp.asarray(seen.mean(0)), "scale": jnp.asarray(1 / np.maximum(seen.std(0), 0.25))}


def spread(heads: Heads) -> Any:
    """The matrix that makes logits of actions out of the outputs: each action is the sum of one or two of them."""
    matrix = np.zeros((int(heads.outputs), int(heads.actions)), np.float32)
    for action in range(heads.actions):
        matrix[heads.first[action], action] += 1
        if heads.second[action] >= 0:
            matrix[heads.second[action], action] += 1
    return jnp.asarray(matrix)


def look(params: Params, matrix: Any, observations: Any, masks: Any) -> tuple[Any, Any]:
    """The logarithm of each action's probability, and the value, for a batch."""
    x = (observations.astype(jnp.float32) - params["mean"]) * params["scale"]
    x = jax.nn.relu(x @ params["w1"] + params["b1"])
    x = jax.nn.relu(x @ params["w2"] + params["b2"])
    logits = x @ (params["w3"] @ matrix) + params["b3"] @ matrix
    if "trust" in params:
        logits += (observations[:, -len(params["trust"]) :] * params["trust"]) @ matrix
    value = (x @ params["w4"] + params["b4"])[:, 0]
    return jax.nn.log_softmax(jnp.where(masks > 0, logits, -1e9)), value


def begin_adam(params: Params) -> Params:
    """The moments that `adam` keeps."""
    noughts = jax.tree.map(jnp.zeros_like, params)
    return {"mean": noughts, "square": noughts, "steps": jnp.zeros(())}


def adam(params: Params, moments: Params, slope: Params, rate: Any, limit: float) -> tuple[Params, Params]:
    """One step of Adam down the slope, which is cut to length `limit`; the inputs' mean and scale stay."""
    slope = {**slope, "mean": jnp.zeros_like(slope["mean"]), "scale": jnp.zeros_like(slope["scale"])}
    length = jnp.sqrt(sum(jnp.sum(part * part) for part in slope.values()))
    slope = jax.tree.map(lambda part: part * jnp.minimum(1.0, limit / (length + 1e-8)), slope)
    steps = moments["steps"] + 1
    mean = jax.tree.map(lambda old, new: 0.9 * old + 0.1 * new, moments["mean"], slope)
    square = jax.tree.map(lambda old, new: 0.999 * old + 0.001 * new * new, moments["square"], slope)

    def moved(value: Any, first: Any, second: Any) -> Any:
        return value - rate * (first / (1 - 0.9**steps)) / (jnp.sqrt(second / (1 - 0.999**steps)) + 1e-5)

    return jax.tree.map(moved, params, mean, square), {"mean": mean, "square": square, "steps": steps}
