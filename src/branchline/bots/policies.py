"""Weights files: a learned policy with all that tells whether it may be used, and where it came from.

The first line is JSON: format, map and its hash, versions of observation and actions, sizes, how it was trained, its
learning curve, and the SHA-256 of the rest. The rest, compressed, is the numbers: see `save`.
"""

import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from struct import iter_unpack
from typing import Any

from librt.vecs import vec
from mypy_extensions import i64

from branchline.bots.learned.belief import Belief
from branchline.bots.learned.layer import Layer, Outputs
from branchline.bots.learned.policy import ONE, Policy, Reward
from branchline.engine.board import Board
from branchline.files import aside
from branchline.observation.layout import OBSERVATION_VERSION
from branchline.observation.spaces import COMPACT_VERSION

FORMAT = "branchline-policy-1"
SUFFIX = ".policy"
LARGEST = 16 << 20
"""Bytes that a weights file may have, and its numbers unpacked."""
WIDE, LONG = 1 << 12, 1 << 16
"""Cells that a layer may have, and inputs: more than any board asks for."""
BIAS = 1 << 48
"""Sums are far smaller than this, and whatever is added to it still has room in 64 bits."""
FEWEST_SEATS, MOST_SEATS = 2, 8
"""Of the games that a map file may be for."""
WIDEST = 1_000_000
"""Points; no training asks for a lead that is larger."""


@dataclass(frozen=True, slots=True)
class Packed:
    """One layer as bytes: weights of 16 bits, input by input; biases of 64."""

    cells: int
    shift: int
    weights: bytes
    biases: bytes


def save(path: Path, head: Mapping[str, Any], layers: list[Packed]) -> None:
    """Write a policy: layer after layer, its weights and then its biases.

    After its three comes the trust of an advised one, then the two of a belief, if any.
    """
    body = zlib.compress(b"".join(layer.weights + layer.biases for layer in layers), 9)
    whole = {
        "format": FORMAT, "observation": OBSERVATION_VERSION, "actions": COMPACT_VERSION,
        "layers": [[layer.cells, layer.shift, len(layer.weights) // (2 * layer.cells)] for layer in layers],
        "sha256": sha256(body).hexdigest(), **head,
    }  # fmt: skip
    with aside(path) as file:
        file.write(json.dumps(whole).encode() + b"\n" + body)


def read_head(data: bytes, name: str) -> dict[str, Any]:
    """What a weights file says of itself; ValueError says why it can't be used here."""
    line, newline, body = data.partition(b"\n")
    try:
        head = json.loads(line)
    except (ValueError, RecursionError):
        head = None
    if not newline or not isinstance(head, dict) or head.get("format") != FORMAT:
        raise ValueError(f"{name} is no weights file of this format ({FORMAT})")
    for field, ours, what in (
        ("observation", OBSERVATION_VERSION, "observations"), ("actions", COMPACT_VERSION, "actions"),
    ):  # fmt: skip
        if head.get(field) != ours:
            theirs = f"{head.get(field)!r:.50}"
            raise ValueError(f"{name} was trained for {what} of version {theirs}; these are of version {ours}")
    if sha256(body).hexdigest() != head.get("sha256"):
        raise ValueError(f"{name} is damaged: its checksum is wrong")
    return head


Size = tuple[int, int, int]
"""A layer's cells, shift and inputs, as a head says them."""
LayerParts = tuple[int, int, bytes, bytes]
"""A layer's cells, shift, weights and biases."""


def read(source: Path | Traversable, map_hash: str) -> tuple[dict[str, Any], list[LayerParts]]:
    """Head and layers of a weights file; ValueError says why it is none for this map.

    What the head says makes sense, and the layers fit each other; whether they fit the board is not known here.
    """
    data = read_bytes(source)
    head = read_head(data, source.name)
    if head.get("map_hash") != map_hash:
        raise ValueError(f"{source.name} was trained on another map, or another version of it: {head.get('map')!r:.50}")
    try:
        _check(head)
        sizes = _sizes(head.get("layers"))
        _check_fit(sizes, head.get("advised", False))
        return head, _layers(sizes, _unpacked(data.partition(b"\n")[2]))
    except (ValueError, zlib.error) as error:
        raise ValueError(f"{source.name} is damaged: {error}") from error


def read_bytes(source: Path | Traversable) -> bytes:
    """What is in a weights file; ValueError if it is none by its size, or no file at all."""
    try:
        if not source.is_file():  # to open a pipe is to wait for somebody who writes
            raise ValueError(f"{source.name:.100} is no file")
        with source.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise ValueError(f"{source.name:.100}: {error.strerror}") from None
    if len(data) > LARGEST:
        raise ValueError(f"{source.name} is larger than a weights file may be")
    return data


def load_policy(source: Path | Traversable, board: Board, map_hash: str, seats: int) -> Policy:
    """The policy in a weights file; ValueError says why it is none for this board and so many seats."""
    head, layers = read(source, map_hash)
    if head["places"] < seats:
        raise ValueError(f"{source.name} was trained for at most {head['places']} seats, and here are {seats}")
    try:
        first, second, last, *more = layers
        trust = _trust(more.pop(0)) if head.get("advised") else vec[i64]()
        trained = {"win": 1, "margin": 1, **head.get("training", {})}
        reward = Reward(round(trained["win"] * int(ONE)), max(1, round(trained["margin"])))
        policy = Policy(board, head["places"], Layer(*first), Layer(*second), Outputs(*last), reward, trust)
        if more:
            hidden, output = more
            policy.belief = Belief(board, head["places"], Layer(*hidden), Outputs(*output))
        return policy
    except (OverflowError, ValueError) as error:
        raise ValueError(f"{source.name} is damaged: {error}") from error


def _trust(layer: LayerParts) -> "vec[i64]":
    return vec[i64](Outputs(*layer).weights)


def _check(head: Mapping[str, Any]) -> None:
    """ValueError if a head, of which the checksum says nothing, does not say what whoever reads it counts on."""
    places, games, training = head.get("places"), head.get("games", 0), head.get("training", {})
    if not isinstance(places, int) or not FEWEST_SEATS <= places <= MOST_SEATS:
        raise ValueError("it does not say for how many seats it has room")
    if not isinstance(head.get("advised", False), bool):
        raise ValueError("it does not say whether it asks for advice")
    if not isinstance(games, int) or games < 0:
        raise ValueError("it does not say how many games it has played")
    if not isinstance(training, dict):
        raise ValueError("it does not say how it was trained")
    for name, most in (("win", 1), ("margin", WIDEST)):
        number = training.get(name, 1)
        if not isinstance(number, int | float) or not 0 <= number <= most:
            raise ValueError(f"it was trained with a {name} that is not between 0 and {most:,}")


def _sizes(said: object) -> list[Size]:
    sizes: list[Size] = []
    for one in said if isinstance(said, list) else [None]:
        match one:
            case [int(cells), int(shift), int(inputs)] if cells <= WIDE and inputs <= LONG:
                sizes.append((cells, shift, inputs))
            case _:
                raise ValueError("it does not say what layers it has")
    return sizes


def _check_fit(sizes: list[Size], advised: bool) -> None:
    """ValueError if layers do not take in what those before them give out."""
    if len(sizes) < 3 + advised:
        raise ValueError("it lacks a layer, or the trust in the advice it asks for")
    (cells, _, inputs), (second, _, of_first), (outputs, _, of_second), *more = sizes
    if of_first != cells or of_second != second:
        raise ValueError("its layers do not fit each other")
    if advised:
        named, _, each = more.pop(0)
        if each != 1 or named != outputs - 1:  # the value, which comes last, is no action's
            raise ValueError("its trust does not fit its outputs")
    if len(more) not in (0, 2):
        raise ValueError("it has layers that nothing is known of")
    if more:
        (hidden, _, seen), (_, _, of_hidden) = more
        if seen != inputs or of_hidden != hidden:
            raise ValueError("its belief does not fit what it sees")


def _unpacked(body: bytes) -> bytes:
    unpack = zlib.decompressobj()
    numbers = unpack.decompress(body, LARGEST)
    if not unpack.eof:
        raise ValueError("its numbers do not end")
    return numbers


def _layers(sizes: list[Size], numbers: bytes) -> list[LayerParts]:
    layers, at = [], 0
    for cells, shift, inputs in sizes:
        middle = at + 2 * cells * inputs
        end = middle + 8 * cells
        if not (cells > 0 and inputs > 0 and 0 <= shift < 64 and end <= len(numbers)):
            raise ValueError("its layers are not those of its numbers")
        biases = numbers[middle:end]
        if any(abs(bias) > BIAS for (bias,) in iter_unpack("<q", biases)):
            raise ValueError("its biases are larger than any that was learned")
        layers.append((cells, shift, numbers[at:middle], biases))
        at = end
    if at != len(numbers):
        raise ValueError("it has more numbers than layers")
    return layers


EARLIER = "earlier"
"""The folder of weights that know less, beside those that come with the package for `learned` and `expert`."""


def shipped(map_hash: str, seats: int, folder: str = "") -> Traversable | None:
    """The weights file that comes with the package for a map and so many seats, if there is one.

    Of several the one that has learned with the fewest other numbers of seats. `folder`: "" or EARLIER.
    """
    fitting = [(file, head) for file, head in _heads(folder) if head["map_hash"] == map_hash and seats in _seats(head)]
    return min(fitting, key=lambda found: len(_seats(found[1])), default=(None, {}))[0]


def of_map(map_hash: str) -> list[Traversable]:
    """All weights files of a map that come with the package for `learned` and `expert`, by name."""
    return [file for file, head in _heads() if head["map_hash"] == map_hash]


def learned_with(source: Traversable) -> set[int]:
    """The numbers of seats with which what is shipped in a weights file was learned."""
    return next(_seats(head) for file, head in _heads() if file == source)


def _seats(head: Mapping[str, Any]) -> set[int]:
    return set(head["training"]["seats"])


@cache
def _heads(folder: str = "") -> list[tuple[Traversable, dict[str, Any]]]:
    found = []
    for file in sorted((files("branchline.bots.learned") / folder).iterdir(), key=lambda file: file.name):
        if file.name.endswith(SUFFIX):
            with file.open("rb") as opened:
                found.append((file, json.loads(opened.readline())))
    return found
