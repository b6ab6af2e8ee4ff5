"""The learned bot: whole numbers that are the network's, weights that are refused in words, choices that are legal."""

import json
import math
import os
import tracemalloc
import zlib
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis.strategies import booleans
from librt.vecs import vec
from mypy_extensions import i64

from branchline import Game, Rng, View, load_map, sample_world
from branchline.bots.advanced import Advanced
from branchline.bots.base import Budget
from branchline.bots.expert import ExpertBot
from branchline.bots.learned.layer import Layer, Outputs
from branchline.bots.learned.policy import Policy, Reward, Thought, noise
from branchline.bots.learner import LearnedBot
from branchline.bots.policies import EARLIER, LARGEST, Packed, learned_with, load_policy, of_map, save, shipped
from branchline.bots.registry import fingerprint
from branchline.bots.regular import RegularBot
from branchline.maps import BUNDLED, Map
from branchline.observation.layout import Layout
from branchline.observation.observer import observing
from branchline.observation.spaces import COLOURED, Space
from branchline.observation.witness import recall
from tests.properties.tables import Table, examples, tables

HIDDEN = 6


def sizes(map: Map) -> tuple[int, int]:
    """Inputs, and outputs with the value, for a map."""
    board = Game.new(map, seats=2, seed=1).state.board
    space = Space(board, COLOURED)
    own = int(space.size) - int(space.build_at - space.claim_at)
    return int(Layout(board, map.rules.seats_max, True).size), own + len(map.routes) + len(map.cards) + 1


def untaught(map: Map, seed: int = 1, advised: bool = False) -> list[Packed]:
    """Layers of random whole numbers; for an advised policy the trust comes last."""
    random = Random(seed)
    inputs, outputs = sizes(map)
    named = outputs - 1 if advised else 0

    def layer(before: int, cells: int, shift: int) -> Packed:
        weights = b"".join(random.randint(-400, 400).to_bytes(2, "little", signed=True) for _ in range(before * cells))
        biases = b"".join(random.randint(-9999, 9999).to_bytes(8, "little", signed=True) for _ in range(cells))
        return Packed(cells, shift, weights, biases)

    layers = [layer(inputs + named, HIDDEN, 4), layer(HIDDEN, HIDDEN, 11), layer(HIDDEN, outputs, 9)]
    return [*layers, layer(1, named, 0)] if advised else layers


def written(path: Path, map: Map, advised: bool = False, **more: object) -> Path:
    head = {"map": map.id, "map_hash": map.hash, "places": map.rules.seats_max, "advised": advised, **more}
    save(path, head, untaught(map, advised=advised))
    return path


def numbers(data: bytes, size: int) -> list[int]:
    return [int.from_bytes(data[i : i + size], "little", signed=True) for i in range(0, len(data), size)]


def slowly(layers: list[Packed], observation: list[int]) -> list[int]:
    """The outputs by the definition, in Python's own ints."""
    values = observation
    for number, layer in enumerate(layers):
        weights, biases = numbers(layer.weights, 2), numbers(layer.biases, 8)
        sums = [
            bias + sum(value * weights[i * layer.cells + cell] for i, value in enumerate(values))
            for cell, bias in enumerate(biases)
        ]
        values = [(max(0, total) if number < 2 else total) >> layer.shift for total in sums]
    return values


@examples(12, 3)
@given(tables(), booleans())
def test_a_policy_is_its_definition_in_whole_numbers(table: Table, advised: bool) -> None:
    layers = untaught(table.map, advised=advised)
    trust = numbers(layers.pop().weights, 2) if advised else []
    board = table.deal().state.board
    first, second, last = ((one.cells, one.shift, one.weights, one.biases) for one in layers)
    places = table.map.rules.seats_max
    policy = Policy(board, places, Layer(*first), Layer(*second), Outputs(*last), Reward(154, 25), vec[i64](trust))
    thoughts = [Thought(policy.first) for _ in range(table.seats)]
    for game in table.positions(apart=41):
        if game.over:
            continue
        seat = game.to_act[0]
        view = game.view(seat)
        index = int(policy.choose(view.sight))
        assert index in view.legal_indices()
        inputs = list(policy.inputs)
        outputs = slowly(layers, inputs)
        assert int(policy.value()) == outputs[-1]
        heads = policy.heads
        said = set(advice(policy, view)) if advised else set()
        assert {i for i, named in enumerate(inputs[int(policy.layout.size) :]) if named} == said
        for output in said:
            outputs[output] += trust[output]
        logits = list(policy.logits)
        for action, logit in zip(policy.allowed, logits, strict=True):
            colour = heads.second[action]
            assert logit == outputs[heads.first[action]] + (outputs[colour] if colour >= 0 else 0)
        # What a seat has thought before only saves work.
        policy.look(observing(policy.layout, recall(view.sight)), seat, thoughts[seat])
        assert list(policy.logits) == logits
        twin = sample_world(view, Rng(table.seed))
        assert int(policy.choose(twin.view(seat).sight)) == index


def advice(policy: Policy, view: View) -> list[int]:
    """The outputs that name what the bot `regular` would do."""
    index = RegularBot().choose(view, Rng(1), Budget())
    action = policy.space.action(recall(view.sight).state, view.sight.seat, index)
    return [int(one) for one in (policy.heads.first[action], policy.heads.second[action]) if one >= 0]


def test_noise_is_the_same_whole_numbers_everywhere() -> None:
    assert sha256(repr([int(x) for x in noise()]).encode()).hexdigest()[:16] == "3034ec26289ef5f9"


def test_a_reward_is_mostly_for_winning() -> None:
    reward = Reward(128, 20)
    assert [int(reward.of(*end)) for end in ((256, 40), (256, 10), (128, 0), (0, -20))] == [4096, 3072, 0, -4096]


def test_weights_come_back_from_their_file(tmp_path: Path) -> None:
    map = load_map("new-york")
    path = written(tmp_path / "a.policy", map, training={"seed": 1})
    view = Game.new(map, seats=2, seed=3).view(0)
    bot, again = LearnedBot(path), LearnedBot(path)
    assert bot.choose(view, Rng(1), Budget()) == again.choose(view, Rng(2), Budget())
    assert json.loads(path.read_bytes().partition(b"\n")[0])["training"] == {"seed": 1}


def test_boundless_trust_is_the_planner(tmp_path: Path) -> None:
    """An advised policy whose network says nothing does what the planner does."""
    map = load_map("europe")
    layers = [
        Packed(one.cells, one.shift, bytes(len(one.weights)), bytes(len(one.biases))) for one in untaught(map, 1, True)
    ]
    layers[3] = Packed(layers[3].cells, 0, (1000).to_bytes(2, "little") * layers[3].cells, layers[3].biases)
    path = tmp_path / "a.policy"
    save(path, {"map": map.id, "map_hash": map.hash, "places": map.rules.seats_max, "advised": True}, layers)
    bot, planner, rng = LearnedBot(path), RegularBot(), Rng(1)
    game = Game.new(map, seats=3, seed=8)
    while not game.over:
        seat = game.to_act[0]
        view = game.view(seat)
        index = planner.choose(view, rng, Budget())
        policy = bot.policy(view)
        assert policy is not None
        state = recall(view.sight).state
        policy.look(observing(policy.layout, recall(view.sight, policy.layout.start)), seat, Thought(policy.first))
        assert policy.best() == policy.space.action(state, seat, index)
        game.play_index(seat, index)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"format": "something"}, "no weights file"),
        ({"observation": 0}, "observations of version 0"),
        ({"actions": 99}, "actions of version 99"),
        ({"map_hash": "0"}, "another map"),
        ({"sha256": "0"}, "checksum"),
        ({"layers": [[6, 4, 10**6]]}, "damaged"),
        ({"layers": "x"}, "damaged: it does not say what layers it has"),
        ({"layers": None}, "damaged: it does not say what layers it has"),
        ({"layers": [[6, 4, 797], 7]}, "damaged: it does not say what layers it has"),
        ({"layers": [[6.0, 4, 797]]}, "damaged: it does not say what layers it has"),
        ({"layers": [[1 << 13, 4, 797]]}, "damaged: it does not say what layers it has"),
        ({"layers": [[6, 4, 1 << 17]]}, "damaged: it does not say what layers it has"),
        ({"layers": [[1, 0, 1]] * 999}, "damaged: .*layers that nothing is known of"),
        ({"places": 2}, "damaged"),
        ({"places": 1}, "damaged: .* seats"),
        ({"places": "4"}, "damaged: .* seats"),
        ({"places": None}, "damaged: .* seats"),
        ({"places": True}, "damaged: .* seats"),
        ({"places": 10**30}, "damaged: .* seats"),
        ({"advised": True}, "damaged: .* trust"),
        ({"advised": "yes"}, "damaged: .* advice"),
        ({"games": None}, "damaged: .* games"),
        ({"games": "many"}, "damaged: .* games"),
        ({"games": -1}, "damaged: .* games"),
        ({"games": 1.5}, "damaged: .* games"),
        ({"training": None}, "damaged: .* trained"),
        ({"training": {"margin": math.inf}}, "damaged: .* margin"),
        ({"training": {"margin": math.nan}}, "damaged: .* margin"),
        ({"training": {"margin": 1e300}}, "damaged: .* margin"),
        ({"training": {"margin": "wide"}}, "damaged: .* margin"),
        ({"training": {"win": -math.inf}}, "damaged: .* win"),
        ({"training": {"win": None}}, "damaged: .* win"),
    ],
)
def test_what_cannot_be_played_is_refused_in_words(tmp_path: Path, change: dict[str, object], words: str) -> None:
    map = load_map("new-york")
    path = written(tmp_path / "a.policy", map)
    head, _, body = path.read_bytes().partition(b"\n")
    path.write_bytes(json.dumps({**json.loads(head), **change}).encode() + b"\n" + body)
    board = Game.new(map, seats=2, seed=1).state.board
    with pytest.raises(ValueError, match=words):
        load_policy(path, board, map.hash, 2)


@pytest.mark.parametrize(
    ("at", "inputs", "words"),
    [
        (1, HIDDEN + 1, "layers do not fit"),
        (2, HIDDEN - 1, "layers do not fit"),
        (3, 2, "trust does not fit"),
        (4, 5, "belief does not fit"),
        (5, 5, "belief does not fit"),
        (6, HIDDEN, "layers that nothing is known of"),
    ],
)
def test_layers_that_do_not_fit_each_other_are_refused(tmp_path: Path, at: int, inputs: int, words: str) -> None:
    map = load_map("new-york")
    layers = untaught(map, advised=True)
    if at > 3:
        layers += [layers[0], layers[2]]  # as wide as those of a belief
    cells = layers[at].cells if at < len(layers) else HIDDEN
    layers[at : at + 1] = [Packed(cells, 0, bytes(2 * cells * inputs), bytes(8 * cells))]
    path = tmp_path / "a.policy"
    save(path, {"map": map.id, "map_hash": map.hash, "places": map.rules.seats_max, "advised": True}, layers)
    with pytest.raises(ValueError, match=f"a.policy is damaged: .*{words}"):
        load_policy(path, Game.new(map, seats=2, seed=1).state.board, map.hash, 2)


@pytest.mark.parametrize(
    "data",
    [b"", b"\n", b"{}\n", b"[1]\nxyz", b"\xff\xfe", b"[" * 200_000 + b"\n", b'{"places": ' + b"9" * 5000 + b"}\n"],
    ids=["empty", "line", "object", "list", "binary", "nested", "digits"],
)
def test_no_weights_at_all_are_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "a.policy"
    path.write_bytes(data)
    map = load_map("new-york")
    with pytest.raises(ValueError, match="no weights file"):
        load_policy(path, Game.new(map, seats=2, seed=1).state.board, map.hash, 2)


def test_a_file_that_is_too_large_is_not_read_to_its_end(tmp_path: Path) -> None:
    map = load_map("new-york")
    path = tmp_path / "a.policy"
    path.touch()
    os.truncate(path, 16 * LARGEST)
    board = Game.new(map, seats=2, seed=1).state.board
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match="larger than a weights file may be"):
            load_policy(path, board, map.hash, 2)
        assert tracemalloc.get_traced_memory()[1] < 4 * LARGEST
    finally:
        tracemalloc.stop()


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="nothing here is without an end")
def test_a_file_without_an_end_is_refused() -> None:
    map = load_map("new-york")
    with pytest.raises(ValueError, match="zero is no file"):
        load_policy(Path("/dev/zero"), Game.new(map, seats=2, seed=1).state.board, map.hash, 2)


def test_a_body_that_unpacks_for_ever_is_refused(tmp_path: Path) -> None:
    map = load_map("new-york")
    path = written(tmp_path / "a.policy", map)
    head = json.loads(path.read_bytes().partition(b"\n")[0])
    body = zlib.compress(b"\0" * (64 << 20))
    path.write_bytes(json.dumps({**head, "sha256": sha256(body).hexdigest()}).encode() + b"\n" + body)
    with pytest.raises(ValueError, match="damaged"):
        load_policy(path, Game.new(map, seats=2, seed=1).state.board, map.hash, 2)


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.policy")
    map = load_map("new-york")
    with pytest.raises(ValueError, match=r"a\.policy is no file"):
        load_policy(tmp_path / "a.policy", Game.new(map, seats=2, seed=1).state.board, map.hash, 2)


def test_biases_that_would_overflow_are_refused(tmp_path: Path) -> None:
    map = load_map("new-york")
    layers = untaught(map)
    huge = (1 << 62).to_bytes(8, "little") * layers[2].cells
    save(
        tmp_path / "a.policy", {"map": map.id, "map_hash": map.hash, "places": map.rules.seats_max, "advised": False},
        [*layers[:2], replace(layers[2], biases=huge)],
    )  # fmt: skip
    with pytest.raises(ValueError, match="biases are larger"):
        load_policy(tmp_path / "a.policy", Game.new(map, seats=2, seed=1).state.board, map.hash, 2)


@pytest.mark.parametrize("bias", [-(1 << 47), 1 << 47])
def test_a_search_bears_a_policy_that_is_as_sure_as_can_be(tmp_path: Path, bias: int) -> None:
    map = load_map("new-york")
    layers = untaught(map)
    biases = bias.to_bytes(8, "little", signed=True) * layers[2].cells
    save(
        tmp_path / "a.policy", {"map": map.id, "map_hash": map.hash, "places": map.rules.seats_max, "advised": False},
        [*layers[:2], replace(layers[2], biases=biases)],
    )  # fmt: skip
    view = Game.new(map, seats=2, seed=1).view(0)
    assert ExpertBot(tmp_path / "a.policy").choose(view, Rng(1), Budget(nodes=30)) in view.legal_indices()


def test_on_a_map_it_never_saw_it_plays_like_the_planner() -> None:
    data = load_map("new-york").to_dict()
    other = load_map({**data, "id": "elsewhere", "points": {**data["points"], "1": 2}})
    assert shipped(other.hash, 3) is None
    view = Game.new(other, seats=3, seed=5).view(0)
    bot = LearnedBot()
    assert bot.choose(view, Rng(1), Budget()) == RegularBot().choose(view, Rng(1), Budget())
    assert bot.why is not None
    assert bot.why["reason"] == "keep-tickets"


def test_other_weights_are_another_bot_for_the_arena(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    without = fingerprint("learned")
    monkeypatch.setenv("BRANCHLINE_POLICY", str(written(tmp_path / "a.policy", load_map("new-york"))))
    assert fingerprint("learned") != without


@pytest.mark.parametrize("name", BUNDLED)
def test_every_number_of_seats_has_a_policy_that_learned_with_it(name: str) -> None:
    map = load_map(name)
    for seats in range(map.rules.seats_min, map.rules.seats_max + 1):
        source = shipped(map.hash, seats)
        assert source is not None
        assert seats in learned_with(source)
        assert len(learned_with(source)) == min(
            len(learned_with(one)) for one in of_map(map.hash) if seats in learned_with(one)
        )


@pytest.mark.parametrize("name", BUNDLED)
def test_advanced_plays_earlier_weights_whatever_policy_is_named(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    map = load_map(name)
    monkeypatch.setenv("BRANCHLINE_POLICY", str(written(tmp_path / "a.policy", load_map("new-york"))))
    for seats in range(map.rules.seats_min, map.rules.seats_max + 1):
        view = Game.new(map, seats=seats, seed=5).view(0)
        source, later = shipped(map.hash, seats, EARLIER), shipped(map.hash, seats)
        assert source is not None
        assert later is not None
        assert source.read_bytes() != later.read_bytes()
        policy = load_policy(source, view.sight.board, map.hash, seats)
        bot = Advanced()
        assert bot.choose(view, Rng(1), Budget()) == int(policy.choose(view.sight))
        assert bot.why is not None


def test_advanced_plays_like_the_planner_on_a_map_that_no_policy_knows() -> None:
    data = load_map("new-york").to_dict()
    other = load_map({**data, "id": "elsewhere", "points": {**data["points"], "1": 2}})
    view = Game.new(other, seats=3, seed=5).view(0)
    assert Advanced().choose(view, Rng(1), Budget()) == RegularBot().choose(view, Rng(1), Budget())
