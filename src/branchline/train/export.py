"""From a trained network to a weights file and back: everything becomes whole numbers (`bots.learned.policy`)."""

from pathlib import Path
from typing import Any

import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

from branchline.bots.learned.policy import PLACES
from branchline.bots.policies import LayerParts, Packed, read, save
from branchline.maps import Map
from branchline.observation.layout import Layout
from branchline.train.net import Params

ONE = 1 << int(PLACES)


def export(
    path: Path,
    map: Map,
    params: Params,
    about: dict[str, Any],
    places: int | None = None,
    belief: Params | None = None,
) -> None:
    """Write the policy down; `about` is what its head says beside what every head says.

    `places`: seats that its observations have room for, as many as the map's if it isn't said.
    """
    part = _whole(params)
    layers = [
        _first(part),
        pack(part["w2"], part["b2"], ONE),
        pack(np.hstack([part["w3"], part["w4"]]), np.hstack([part["b3"], part["b4"]]), ONE),
    ]
    advised = "trust" in part
    if advised:
        layers.append(Packed(len(part["trust"]), 0, _whole_trust(part["trust"]), bytes(8 * len(part["trust"]))))
    if belief is not None:
        part = _whole(belief)
        layers += [_first(part), pack(part["w2"], part["b2"], ONE)]
    head = {"map": map.id, "map_hash": map.hash, "places": places or map.rules.seats_max, "advised": advised}
    save(path, {**head, **about}, layers)


def _whole(params: Params) -> dict[str, NDArray[np.float64]]:
    return {name: np.asarray(value, np.float64) for name, value in params.items()}


def _whole_trust(trust: NDArray[np.float64]) -> bytes:
    return np.clip(np.rint(trust * ONE), -32767, 32767).astype("<i2").tobytes()


def _first(part: dict[str, NDArray[np.float64]]) -> Packed:
    """The inputs' mean and scale go into the first layer, which then takes bytes as they are."""
    first = part["w1"] * part["scale"][:, None]
    return pack(first, part["b1"] - part["mean"] @ first, 1)


def pack(weights: NDArray[Any], biases: NDArray[Any], scale: int) -> Packed:
    """A layer whose inputs are `scale` times as large as the network's own: weights as large as 16 bits allow."""
    bits = int(np.floor(np.log2(32767 / max(float(np.abs(weights).max()), 1e-9))))
    bits = max(min(bits, 14), int(PLACES))
    whole = np.clip(np.rint(weights * 2.0**bits), -32767, 32767).astype("<i2")
    sums = np.rint(biases * 2.0**bits * scale).astype("<i8")
    shift = bits if scale == ONE else bits - int(PLACES)
    return Packed(weights.shape[1], shift, whole.tobytes(), sums.tobytes())


def taken_up(
    path: Path, map: Map, layout: Layout, seen: NDArray[np.uint8], fresh: Params
) -> tuple[Params, dict[str, Any]]:
    """The network of a weights file, to go on learning, its belief aside, and its head; ValueError if it doesn't fit.

    `layout`: of the run's observations; a file with room for more seats leaves out what it knows of those. `seen`: such
    observations, for the inputs' mean and scale, which a weights file has inside its first layer. `fresh`: an untaught
    network of the run's size; where it is wider, it takes up what the file knows.
    """
    head, (first, second, last, *more) = read(path, map.hash)
    scale, mean = np.asarray(1 / np.maximum(seen.std(0), 0.25)), seen.mean(0)
    w1, b1 = _floats(first, 1)
    if head["places"] < layout.places:
        raise ValueError(f"{path.name} has room for {head['places']} seats, and this run wants {layout.places}")
    w2, b2 = _floats(second, ONE)
    w3, b3 = _floats(last, ONE)
    theirs, outputs = Layout(layout.board, head["places"], True), len(fresh["b3"])
    if len(b3) != outputs + 1:
        raise ValueError(f"{path.name} is damaged: it has {len(b3)} outputs, and its actions and value {outputs + 1}")
    wanted = int(theirs.size) + (outputs if head.get("advised") else 0)
    if len(w1) != wanted:
        raise ValueError(f"{path.name} is damaged: it has {len(w1)} inputs, and its observations {wanted}")
    if len(b1) != len(b2):
        raise ValueError(f"{path.name} has layers of {len(b1)} and of {len(b2)} cells, and a run's are equally wide")
    w1 = w1[_kept(theirs, layout, len(w1))]
    inputs, hidden = fresh["w1"].shape
    if w1.shape[0] != inputs or w1.shape[1] > hidden:
        raise ValueError(
            f"{path.name} has {w1.shape[1]} cells and {w1.shape[0]} inputs, and this run {hidden} and {inputs}: "
            "see --hidden and --advice"
        )
    part = {
        "mean": mean, "scale": scale, "w1": w1 / scale[:, None], "b1": b1 + mean @ w1, "w2": w2, "b2": b2,
        "w3": w3[:, :-1], "b3": b3[:-1], "w4": w3[:, -1:], "b4": b3[-1:],
    }  # fmt: skip
    if head.get("advised"):
        part["trust"] = np.frombuffer(more[0][2], "<i2") / ONE
    params = {name: jnp.asarray(value, jnp.float32) for name, value in part.items()}
    return widened(params, fresh), head


def _kept(wide: Layout, narrow: Layout, inputs: int) -> NDArray[np.int64]:
    """Which of the inputs of one layout another with fewer places has too; the advice, which comes last, stays."""
    kept = []
    for mine, theirs in zip(wide.fields, narrow.fields, strict=True):
        numbers = np.arange(mine.at, mine.at + mine.size).reshape(mine.shape)
        kept.append(numbers[tuple(slice(length) for length in theirs.shape)].reshape(-1))
    return np.concatenate([*kept, np.arange(int(wide.size), inputs)])


def widened(params: Params, fresh: Params) -> Params:
    """A network as wide as `fresh` that says what this one says: nothing listens yet to the cells it has more."""
    cells, out = len(params["b1"]), dict(params)
    for name in ("b1", "b2"):
        out[name] = jnp.concatenate([params[name], fresh[name][cells:]])
    for name in ("w1", "w2"):  # what the new cells listen to is untaught
        out[name] = jnp.concatenate([params[name], fresh[name][: len(params[name]), cells:]], 1)
    for name in ("w2", "w3", "w4"):
        out[name] = jnp.concatenate([out[name], jnp.zeros_like(fresh[name][cells:])])
    return out


def _floats(layer: LayerParts, scale: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Weights and biases as they were before `pack`, but for what it rounded away."""
    cells, shift, weights, biases = layer
    bits = shift if scale == ONE else shift + int(PLACES)
    whole = np.frombuffer(weights, "<i2").reshape(-1, cells)
    return whole / 2.0**bits, np.frombuffer(biases, "<i8") / 2.0**bits / scale
