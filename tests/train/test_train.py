"""Training: each part against its plain definition, and a whole small run that is killed and goes on."""

import json
import pickle
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from branchline import Game, Rng, load_map
from branchline.bots.base import Budget
from branchline.bots.learned.heads import Heads
from branchline.bots.learner import LearnedBot
from branchline.bots.policies import MOST_SEATS
from branchline.bots.registry import load as load_bot
from branchline.cli import main
from branchline.cli.train import parser, settings_of
from branchline.engine.shuffle import Shuffler
from branchline.observation.spaces import COLOURED, Space
from branchline.train.checkpoint import Progress, load, save
from branchline.train.curve import as_csv, as_svg
from branchline.train.evaluate import FRESH, evaluate
from branchline.train.export import export, taken_up
from branchline.train.net import begin, begin_adam, look, spread
from branchline.train.ppo import advantages, collect, update
from branchline.train.run import ENTERS_LEAGUE, Training, deals_from, exploit, exploit_bot
from branchline.train.settings import SHARES, Settings
from branchline.train.tables import LEARNER, PAST, Tables, mix, rewards
from branchline.views import View

NEW_YORK = load_map("new-york")
SMALL = Settings("new-york", (2, 3), hidden=8, tables=12, steps=16, batch=64, clone=0)


def test_tables_seat_the_learner_everywhere_and_in_the_asked_shares() -> None:
    tables = mix((2, 2, 3, 4), 400, {PAST: 0.25, "regular": 0.1})
    assert all(LEARNER in table for table in tables)
    assert sum(len(table) == 3 for table in tables) == 100
    assert sum(PAST in table for table in tables) == 100
    assert sum("regular" in table for table in tables) == 40
    among = [table.index(LEARNER) for table in tables if PAST in table and len(table) == 4]
    assert set(among) == {0, 1, 2, 3}


def test_rewards_are_for_winning_and_for_the_lead() -> None:
    nobody = -np.inf
    points = np.array([[30, 20, nobody], [25, 25, 5]], np.float32)
    wins = np.array([[1, 0, 0], [0.5, 0.5, 0]], np.float32)
    got = rewards(points, wins, 0.6, 20.0)
    assert got[0, :2] == pytest.approx([0.6 + 0.4 * 0.5, -0.6 - 0.4 * 0.5])
    assert got[1] == pytest.approx([0, 0, -0.6 - 0.4])


def test_advantages_are_those_of_the_definition() -> None:
    """One game, two seats in turn, then its end; and a decision of the next game that cannot be judged yet."""
    values = np.array([[0.1], [0.2], [0.4], [0.3], [0.9]], np.float32)
    asked = np.array([[0], [1], [0], [1], [0]])
    ended = np.array([[False], [False], [False], [True], [False]])
    reward = np.zeros((5, 1, MOST_SEATS), np.float32)
    reward[3, 0, :2] = 1, -1
    gains, whole = advantages(values, asked, ended, reward, 0.5)
    third, fourth = 1 - 0.4, -1 - 0.3
    assert whole[:, 0].tolist() == [True, True, True, True, False]
    assert gains[:4, 0] == pytest.approx([0.4 - 0.1 + 0.5 * third, 0.3 - 0.2 + 0.5 * fourth, third, fourth])


def test_the_network_gives_masked_actions_no_chance_and_sums_heads() -> None:
    tables = Tables(NEW_YORK, [[LEARNER] * 2] * 3, 5)
    heads = Heads(Space(tables.sets[0].board, COLOURED))
    params = begin(jax.random.PRNGKey(0), tables.observations.shape[1], 8, heads)
    chances, value = look(params, spread(heads), tables.observations, tables.masks)
    chances = np.exp(np.asarray(chances))
    assert chances.sum(1) == pytest.approx(np.ones(3), abs=1e-5)
    assert not chances[tables.masks == 0].any()
    assert value.shape == (3,)


def test_advised_tables_end_with_what_the_planner_would_do() -> None:
    tables = Tables(NEW_YORK, [[LEARNER] * 2] * 3 + [[LEARNER] * 3] * 2, 5, advised=True)
    heads = tables.heads
    plain = tables.observations.shape[1] - int(heads.outputs)
    params = begin(jax.random.PRNGKey(0), tables.observations.shape[1], 8, heads, True)
    agreed = 0
    for _ in range(40):
        advice = tables.advice()
        for game, action in enumerate(advice):
            said = [one for one in (int(heads.first[action]), int(heads.second[action])) if one >= 0]
            assert np.flatnonzero(tables.observations[game, plain:]).tolist() == sorted(said)
        chances, _ = look(params, spread(heads), tables.observations, tables.masks)
        agreed += (np.asarray(chances).argmax(1) == advice).sum()
        tables.step(advice)
    assert agreed == 40 * 5  # untaught, it trusts the planner


def test_an_update_makes_likelier_what_did_well() -> None:
    tables = Tables(NEW_YORK, mix(SMALL.seats, SMALL.tables, {PAST: 0.25}), 7)
    heads = Heads(Space(tables.sets[0].board, COLOURED))
    matrix = spread(heads)
    params = begin(jax.random.PRNGKey(0), tables.observations.shape[1], 16, heads)
    batch = collect(tables, params, params, matrix, jax.random.PRNGKey(1), SMALL)
    assert len(batch.actions) >= 64
    after, _, _ = update(params, begin_adam(params), batch, matrix, 3e-3, np.random.default_rng(0), SMALL)
    chances, _ = look(after, matrix, batch.observations, batch.masks)
    moved = np.asarray(chances)[np.arange(len(batch.actions)), batch.actions] - batch.chances
    assert np.corrcoef(moved, batch.advantages)[0, 1] > 0.3


@pytest.mark.parametrize("advised", [False, True])
def test_what_is_exported_chooses_like_the_network(tmp_path: Path, advised: bool) -> None:
    tables = Tables(NEW_YORK, [[LEARNER] * 2] * 2, 5, advised=advised)
    heads = Heads(Space(tables.sets[0].board, COLOURED))
    params = begin(jax.random.PRNGKey(3), tables.observations.shape[1], 24, heads, advised)
    params = {**params, "w3": params["w3"] * 100, "mean": params["mean"] + 1.5, "scale": params["scale"] / 3}
    export(tmp_path / "a.policy", NEW_YORK, params, {})
    bot, matrix, rng = LearnedBot(tmp_path / "a.policy"), spread(heads), Rng(4)
    same = seen = 0
    game = Game.new(NEW_YORK, seats=3, seed=2)
    while not game.over:
        seat = game.to_act[0]
        view = game.view(seat)
        chosen = bot.choose(view, rng, Budget())
        policy = bot.policy(view)
        assert policy is not None
        observation, mask = np.array(list(policy.inputs))[None], np.zeros((1, int(heads.actions)))
        mask[0, list(policy.allowed)] = 1
        chances, value = look(params, matrix, jnp.asarray(observation), jnp.asarray(mask))
        assert int(policy.value()) / 256 == pytest.approx(float(value[0]), abs=0.05)
        best = np.asarray(chances)[0].argmax()
        assert np.asarray(chances)[0].max() - np.asarray(chances)[0][int(policy.best())] < 0.1
        same += best == int(policy.best())
        seen += 1
        game.play_index(seat, chosen)
    assert same >= 0.9 * seen


def test_a_checkpoint_comes_back_and_what_is_none_is_refused(tmp_path: Path) -> None:
    params = {"w1": np.ones((2, 3), np.float32), "mean": np.zeros(2), "scale": np.ones(2)}
    moments = begin_adam(params)
    curve = [{"minutes": 0.1, "processor": 0.1, "games": 4, "decisions": 100, "results": []}]
    progress = Progress(SMALL, params, moments, [params, params], 3, 100, 4, 1.5, 0.7, curve)
    save(tmp_path / "c.npz", progress)
    again = load(tmp_path / "c.npz")
    assert (again.settings, again.updates, again.games, again.seconds, again.processor) == (SMALL, 3, 4, 1.5, 0.7)
    assert again.curve == progress.curve
    assert len(again.past) == 2
    assert (again.params["w1"] == params["w1"]).all()
    (tmp_path / "x.npz").write_bytes(b"nothing")
    with pytest.raises(ValueError, match="no checkpoint"):
        load(tmp_path / "x.npz")


def checkpoint(path: Path) -> bytes:
    params = {"w1": np.ones((2, 3), np.float32), "mean": np.zeros(2), "scale": np.ones(2)}
    save(path, Progress(SMALL, params, begin_adam(params), [params]))
    return path.read_bytes()


@pytest.mark.parametrize("part", [0.0, 0.001, 0.1, 0.5, 0.9, 0.999])
def test_a_checkpoint_that_was_cut_is_refused(tmp_path: Path, part: float) -> None:
    path = tmp_path / "c.npz"
    data = checkpoint(path)
    path.write_bytes(data[: int(part * len(data))])
    with pytest.raises(ValueError, match="no checkpoint of a training run"):
        load(path)


@pytest.mark.parametrize("begins", range(4))
def test_a_checkpoint_with_a_wrong_byte_is_refused_or_the_same(tmp_path: Path, begins: int) -> None:
    """Some bytes mean nothing, as the time that an archive gives its parts; all others are found out."""
    path = tmp_path / "c.npz"
    data = checkpoint(path)
    refused = 0
    for at in range(begins, len(data), 8):
        path.write_bytes(data[:at] + bytes([data[at] ^ (1 << at // 8 % 8)]) + data[at + 1 :])
        try:
            again = load(path)
        except ValueError as error:
            assert "no checkpoint of a training run" in str(error)  # noqa: PT017 - not every byte is missed
            refused += 1
        else:
            assert (again.settings, again.updates, len(again.past)) == (SMALL, 0, 1)
            assert (again.params["w1"] == 1).all()
    assert refused > len(data) // 8 // 2


@pytest.mark.parametrize(
    "head", [b"", b"[1]", b"[" * 200_000, b"null", b"{}", {"settings": None}, {"settings": {}}, {"past": "x"}],
    ids=lambda head: str(head)[:20],
)  # fmt: skip
def test_a_checkpoint_that_tells_nothing_of_its_run_is_refused(tmp_path: Path, head: bytes | dict[str, object]) -> None:
    path = tmp_path / "c.npz"
    checkpoint(path)
    with np.load(path) as file:
        arrays = dict(file)
    if isinstance(head, dict):
        head = json.dumps({**json.loads(arrays["head"].tobytes()), **head}).encode()
    np.savez(path, **{**arrays, "head": np.frombuffer(head, np.uint8)})
    with pytest.raises(ValueError, match=r"no checkpoint of a training run|a checkpoint of another format"):
        load(path)


def test_an_array_alone_is_no_checkpoint(tmp_path: Path) -> None:
    np.save(tmp_path / "c.npy", np.ones(3))
    with pytest.raises(ValueError, match="no checkpoint of a training run"):
        load(tmp_path / "c.npy")


def test_guests_play_as_they_do_at_a_table() -> None:
    tables = Tables(NEW_YORK, [[LEARNER, "long-route"], ["one-step", LEARNER, "one-step"]], 9)
    asked = 0
    for _ in range(60):
        actions = np.array([np.flatnonzero(mask)[0] for mask in tables.masks])
        before = actions.copy()
        tables.answer(actions)
        assert (actions[tables.learner] == before[tables.learner]).all()
        assert all(tables.masks[game, action] for game, action in enumerate(actions))
        for game in np.flatnonzero(~tables.learner):
            one, row = tables.find(int(game))
            state, seat = one.state(row), int(tables.asked[game])
            assert tables.mirrors[int(game)].state.numbers() == state.numbers()
            bot = load_bot(str(tables.sitting[game, seat]))
            view = tables.mirrors[int(game)].view(seat)
            index = bot.choose(view, Rng(1), Budget())
            assert isinstance(index, int)
            assert one.space.index(state, seat, int(actions[game])) in view.legal_indices()
            assert actions[game] == one.space.action(state, seat, index)
            asked += 1
        tables.step(actions)
    assert asked > 20


def test_guests_do_not_think_about_games_that_no_longer_count() -> None:
    tables = Tables(NEW_YORK, [["one-step", LEARNER]] * 2, 9)
    actions = np.array([np.flatnonzero(mask)[-1] for mask in tables.masks])
    assert not tables.learner.any(), "the guests are asked first"
    asked: list[View] = []

    class Noted:
        def choose(self, view: View, rng: Rng, budget: Budget) -> int:
            asked.append(view)
            return view.legal_indices()[0]

    tables.guests["one-step"] = Noted()
    tables.answer(actions, np.array([False, True]))
    assert len(asked) == 1


def test_no_guest_sits_beside_a_compiled_player() -> None:
    with pytest.raises(ValueError, match="guests \\(novice\\) beside random or regular"):
        Tables(NEW_YORK, [[LEARNER, "regular", "novice"]], 9)


def test_a_guest_that_searches_remembers_the_whole_game() -> None:
    """What the tables keep for a guest is the game as it was played from its deal: view by view the same."""
    tables = Tables(NEW_YORK, [[LEARNER, "expert"], ["expert", LEARNER]], 21, nodes=8)
    games = [Game.dealt(NEW_YORK, 2, Shuffler(b"", 21 + (2 << 36) + number)) for number in range(2)]
    for step in range(40):
        actions = np.array([np.flatnonzero(mask)[-1 - step % 2 * (mask.sum() > 1)] for mask in tables.masks])
        tables.answer(actions)
        for number, game in enumerate(games):
            seat = int(tables.asked[number])
            assert tables.mirrors[number].view(seat) == game.view(seat)
            game.play_index(seat, int(tables.sets[0].index(number, int(actions[number]))))
        if tables.step(actions)[0].any():
            break
    assert step > 20


def test_guests_go_on_where_they_were_saved() -> None:
    sitting = [[LEARNER, "expert"], ["hoarder", LEARNER]]
    here, there = Tables(NEW_YORK, sitting, 4, nodes=4), Tables(NEW_YORK, sitting, 4, nodes=4)

    def played(tables: Tables, steps: int) -> list[list[int]]:
        out = []
        for _ in range(steps):
            actions = np.array([np.flatnonzero(mask)[0] for mask in tables.masks])
            tables.answer(actions)
            tables.step(actions)
            out.append(actions.tolist())
        return out

    played(here, 30)
    there.load(pickle.loads(pickle.dumps(here.save())))
    assert played(there, 60) == played(here, 60)


def test_an_exploiter_of_a_bot_meets_nobody_else(tmp_path: Path) -> None:
    settings = Settings("new-york", hidden=8, tables=4, steps=16, batch=16, clone=0, nodes=4)
    told = exploit_bot("expert", settings)
    assert {"expert", LEARNER} == {name for table in mix(told.seats, 4, told.shares) for name in table}
    training = Training(told, tmp_path / "run", lambda _: None)
    training.progress.seconds = 0
    progress = training.run(0.001, 1, [(2, "expert", 2)])
    assert progress.updates >= 1
    assert progress.curve[0]["results"][0]["rival"] == "expert"
    assert load(tmp_path / "run" / "checkpoint.npz").settings.nodes == 4


@pytest.mark.parametrize("advised", [False, True])
def test_a_run_goes_on_from_a_weights_file(tmp_path: Path, advised: bool) -> None:
    settings = Settings("new-york", hidden=16, tables=8, steps=16, batch=16, clone=0, advice=advised)
    training = Training(settings, tmp_path / "run", lambda _: None)
    params = {**training.progress.params, "w3": training.progress.params["w3"] * 100}
    export(tmp_path / "a.policy", NEW_YORK, params, {"games": 7, "training": settings.to_dict()}, settings.places)
    again = Training(settings, tmp_path / "more", lambda _: None, weights=tmp_path / "a.policy").progress
    assert again.earlier[0]["games"] == 7
    tables = Tables(NEW_YORK, [[LEARNER] * 2] * 20, 5, advised=advised, places=2)
    for _ in range(30):
        tables.step(tables.advice())
    was, value = look(params, training.matrix, tables.observations, tables.masks)
    now, expected = look(again.params, training.matrix, tables.observations, tables.masks)
    assert np.exp(np.asarray(now)) == pytest.approx(np.exp(np.asarray(was)), abs=0.02)
    assert np.asarray(expected) == pytest.approx(np.asarray(value), abs=0.02)
    with pytest.raises(ValueError, match="16 cells"):
        Training(replace(settings, hidden=8), tmp_path / "third", lambda _: None, weights=tmp_path / "a.policy")


def test_an_exploiter_meets_the_frozen_policy_and_nobody_else(tmp_path: Path) -> None:
    settings = Settings("new-york", hidden=8, tables=8, steps=16, batch=16, clone=0, advice=True)
    frozen = Training(settings, tmp_path / "run", lambda _: None).progress.params
    told = exploit(tmp_path / "run", tmp_path / "other", replace(settings, hidden=99, seed=5))
    training = Training(told, tmp_path / "other", lambda _: None)
    assert {PAST, LEARNER} == {name for table in mix(told.seats, 8, told.shares) for name in table}
    training.progress.updates = ENTERS_LEAGUE - 1
    progress = training.run(0.02, 1, [(2, PAST, 4)])
    assert progress.updates >= ENTERS_LEAGUE
    assert len(progress.past) == 1
    assert all((np.asarray(progress.past[0][name]) == np.asarray(part)).all() for name, part in frozen.items())
    assert (np.asarray(progress.params["w2"]) != np.asarray(frozen["w2"])).any()
    assert progress.curve[0]["results"][0]["rival"] == PAST
    assert exploit(tmp_path / "run", tmp_path / "other", settings) == replace(told, seed=settings.seed)
    assert load(tmp_path / "other" / "checkpoint.npz").updates == progress.updates  # it is not begun anew
    with pytest.raises(ValueError, match="a run on new-york, not on europe"):
        exploit(tmp_path / "run", tmp_path / "third", replace(settings, map="europe"))


def test_an_equal_policy_is_no_better_than_itself() -> None:
    tables = Tables(NEW_YORK, [[LEARNER] * 2], 5)
    params = begin(jax.random.PRNGKey(0), tables.observations.shape[1], 8, tables.heads)
    result = evaluate(NEW_YORK, params, spread(tables.heads), 2, PAST, 20, past=params)
    assert result["win"] == 0.5  # each deal from both sides


def test_settings_that_are_unknown_are_named() -> None:
    assert Settings.from_dict(SMALL.to_dict()) == SMALL
    with pytest.raises(ValueError, match="unknown speed"):
        Settings.from_dict({**SMALL.to_dict(), "speed": 1})


def test_no_seed_trains_on_the_deals_of_an_evaluation() -> None:
    begins = [deals_from(seed, part) for seed in (0, 1, 256, 10**9) for part in (0, 1, 2, 999)]
    assert len(set(begins)) == len(begins)
    assert max(begins) + (MOST_SEATS << 36) + 10**12 < FRESH


def test_an_evaluation_plays_every_deal_from_every_seat() -> None:
    tables = Tables(NEW_YORK, [[LEARNER] * 2], 5)
    heads = Heads(Space(tables.sets[0].board, COLOURED))
    params = begin(jax.random.PRNGKey(0), tables.observations.shape[1], 8, heads)
    result = evaluate(NEW_YORK, params, spread(heads), 3, "random", 7)
    assert result["games"] == 9
    assert 0 <= result["low"] <= result["win"] <= result["high"] <= 1
    point = {"minutes": 1.0, "processor": 0.5, "games": 10, "decisions": 200, "results": [result]}
    assert as_csv([point]).splitlines()[1].startswith("1.0,0.5,10,200,3,random,9,")
    assert "random, 3 seats" in as_svg([point], "test")


def test_a_run_clones_learns_and_leaves_a_policy_behind(tmp_path: Path) -> None:
    settings = Settings("new-york", hidden=8, tables=40, steps=16, batch=64, clone=20)
    said: list[str] = []
    training = Training(settings, tmp_path, said.append)
    assert any("agree" in line for line in said)
    training.progress.seconds = 0
    progress = training.run(0.02, 1, [(2, "random", 4)])
    assert progress.updates > 0
    assert len(progress.curve) == 2
    bot = LearnedBot(tmp_path / "new-york.policy")
    bot.choose(Game.new("new-york", seats=2, seed=1).view(0), Rng(1), Budget())
    head = json.loads((tmp_path / "new-york.policy").read_bytes().partition(b"\n")[0])
    assert head["training"] == settings.to_dict()
    assert head["curve"] == progress.curve
    again = Training(replace(settings, rate=1e-5), tmp_path, said.append).progress
    assert again.earlier == [{"updates": progress.updates, "settings": settings.to_dict()}]
    with pytest.raises(ValueError, match="2 seats at most, 8 cells"):
        Training(replace(settings, hidden=9), tmp_path, said.append)
    with pytest.raises(ValueError, match="without the planner's advice"):
        Training(replace(settings, advice=True), tmp_path, said.append)


def test_a_killed_run_goes_on_where_it_was(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from branchline.train.run import Training;"
        "from branchline.train.settings import Settings; import json;"
        "settings = Settings.from_dict(json.loads(sys.argv[1]));"
        "Training(settings, Path(sys.argv[2]), lambda line: print(line, flush=True)).run(9, 99, [])"
    )
    command = [sys.executable, "-c", program, json.dumps(SMALL.to_dict()), str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if "decisions/s" in line:  # ten updates, and a checkpoint
                break
        process.send_signal(signal.SIGKILL)
    before = load(tmp_path / "checkpoint.npz")
    assert before.updates >= 10
    said: list[str] = []
    again = Training(before.settings, tmp_path, said.append)
    assert f"after {before.updates} updates" in said[0]
    assert again.progress.games == before.games
    again.progress.seconds = 0
    again.run(0.001, 1, [])
    assert again.progress.updates > before.updates


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nowhere"], "nowhere"),
        (["new-york", "--seats", "9"], "seats"),
        (["new-york", "--seats", "x"], "--seats"),
        (["new-york", "--out", "/dev/null/x"], "branchline: /dev/null/x: Not a directory\n"),
    ],
)
def test_wrong_words_get_one_sentence(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", *words]) == 2
    assert message in capsys.readouterr().err


def test_who_is_played_against_can_be_said() -> None:
    options = parser().parse_args(["new-york", "--against", "regular=0.25,past=0.1"])
    shares = settings_of(options).shares
    assert (shares["regular"], shares["past"], shares["hungry"]) == (0.25, 0.1, 0.01)


def test_a_long_game_is_learned_otherwise_and_with_advice() -> None:
    long, short = (settings_of(parser().parse_args([map])) for map in ("europe", "new-york"))
    assert (long.trace, long.win, long.margin, long.steps, long.entropy) == (0.96, 0.7, 60.0, 80, 0.001)
    assert (short.trace, short.win, short.margin, short.steps, short.entropy) == (0.95, 0.6, 25.0, 64, 0.004)
    assert (long.advice, short.advice) == (True, False)
    assert settings_of(parser().parse_args(["europe", "--no-advice", "--win", "0.9"])).advice is False
    assert (long.clone, settings_of(parser().parse_args(["europe", "--from-nothing"])).clone) == (400, 0)


def test_the_league_keeps_the_latest_past_selves(tmp_path: Path) -> None:
    settings = replace(SMALL, league=2)
    training = Training(settings, tmp_path, lambda _: None)
    first = training.progress.params
    while training.progress.updates < 2 * ENTERS_LEAGUE:
        training.progress.seconds = 0
        training.run(0.0005, 99, [])
    kept = training.progress.past
    assert len(kept) == 2
    assert all((one["w1"] != first["w1"]).any() for one in kept), "the first has left"
    assert (kept[0]["w1"] != kept[1]["w1"]).any()


def test_rivals_are_guests_when_they_are_named() -> None:
    shares = settings_of(parser().parse_args(["new-york", "--against", "blocker=0.02,striker=0.02"])).shares
    assert shares == {**SHARES, "blocker": 0.02, "striker": 0.02}
    tables = Tables(NEW_YORK, mix((2,), 100, shares), 3)
    assert {"blocker", "striker"} <= set(tables.guests)
    assert "rusher" not in tables.guests


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--hidden", "5000"], "--hidden is from 1 to 1,024, not 5000"),
        (["--cores", "9999"], "--cores: expected a whole number from 1 to 256"),
        (["--from-nothing", "--begin-with", "nothing.policy"], "--from-nothing: a run begins with nothing or with"),
        (["--exploit", ""], "no run and no bot ''"),
        (["--exploit", "x" * 5000], "no run and no bot 'xxx"),
        (["--rate", "x"], "two numbers"),
        (["--win", "1.5"], "between 0 and 1"),
        (["--rate", "3e-4,0"], "between 0 and 1"),
        (["--against", "nobody=0.5"], "'nobody' does not train with anybody"),
        (["--against", "regular"], "as regular=0.25, not 'regular'"),
        (["--against", "regular=2"], "between 0 and 1"),
        (["--against", "regular=0.6,past=0.4"], "more than the whole"),
        (["--begin-with", "nothing.policy"], "nothing.policy"),
        (["--exploit", "nowhere"], "no run and no bot 'nowhere'; the bots are random, novice"),
        (["--exploit", "."], "no checkpoint"),
        (["--exploit", ".", "--begin-with", "nothing.policy"], "begins where that run stands"),
        (["--exploit", "regular", "--against", "past=0.1"], "meets nobody else"),
        (["--entropy", "nan"], "from 0 to less than 1"),
        (["--entropy", "-1"], "from 0 to less than 1"),
    ],
)
def test_bad_options_get_a_sentence(
    tmp_path: Path, options: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", "new-york", "--minutes", "1", "--out", str(tmp_path / "run"), *options]) == 2
    said = capsys.readouterr().err
    assert words in said
    assert "Traceback" not in said


@pytest.mark.parametrize("advised", [False, True])
def test_a_wider_network_takes_up_what_a_narrow_one_knows(tmp_path: Path, advised: bool) -> None:
    tables = Tables(NEW_YORK, [[LEARNER] * 2] * 8, 5, advised=advised)
    heads, inputs = Heads(Space(tables.sets[0].board, COLOURED)), tables.observations.shape[1]
    narrow = begin(jax.random.PRNGKey(3), inputs, 24, heads, advised)
    narrow = {**narrow, "w3": narrow["w3"] * 100, "w4": narrow["w4"] * 100}
    export(tmp_path / "a.policy", NEW_YORK, narrow, {})
    wide, _ = taken_up(
        tmp_path / "a.policy", NEW_YORK, tables.sets[0].layout, tables.observations,
        begin(jax.random.PRNGKey(4), inputs, 40, heads, advised),
    )  # fmt: skip
    assert wide["w1"].shape == (inputs, 40)
    assert wide["w2"].shape == (40, 40)
    matrix = spread(heads)
    chances, value = look(narrow, matrix, tables.observations, tables.masks)
    again, other = look(wide, matrix, tables.observations, tables.masks)
    assert np.exp(np.asarray(again)) == pytest.approx(np.exp(np.asarray(chances)), abs=0.01)
    assert np.asarray(other) == pytest.approx(np.asarray(value), abs=0.01)
    slope = jax.grad(lambda params: look(params, matrix, tables.observations, tables.masks)[1].sum())(wide)
    assert np.asarray(slope["w4"])[24:].any(), "the cells it has more can learn"
    with pytest.raises(ValueError, match="has 24 cells"):
        taken_up(
            tmp_path / "a.policy", NEW_YORK, tables.sets[0].layout, tables.observations,
            begin(jax.random.PRNGKey(4), inputs, 8, heads, advised),
        )  # fmt: skip


@pytest.mark.parametrize("advised", [False, True])
def test_a_policy_with_room_for_more_seats_is_taken_up_without_it(tmp_path: Path, advised: bool) -> None:
    many, few = (Tables(NEW_YORK, [[LEARNER] * 2] * 8, 5, advised=advised, places=places) for places in (4, 2))
    heads = many.heads
    wide = begin(jax.random.PRNGKey(3), many.observations.shape[1], 24, heads, advised)
    wide = {**wide, "w3": wide["w3"] * 100, "w4": wide["w4"] * 100}
    export(tmp_path / "a.policy", NEW_YORK, wide, {})
    fresh = begin(jax.random.PRNGKey(4), few.observations.shape[1], 24, heads, advised)
    params, _ = taken_up(tmp_path / "a.policy", NEW_YORK, few.sets[0].layout, few.observations, fresh)
    matrix = spread(heads)
    for _ in range(30):
        assert (many.masks == few.masks).all()
        chances, value = look(wide, matrix, many.observations, many.masks)
        again, other = look(params, matrix, few.observations, few.masks)
        assert np.exp(np.asarray(again)) == pytest.approx(np.exp(np.asarray(chances)), abs=0.02)
        assert np.asarray(other) == pytest.approx(np.asarray(value), abs=0.02)
        chosen = np.asarray(chances).argmax(1)
        many.step(chosen)
        few.step(chosen)
    export(tmp_path / "b.policy", NEW_YORK, params, {}, 2)
    two, three = (Game.new(NEW_YORK, seats=seats, seed=1).view(0) for seats in (2, 3))
    bot = LearnedBot(tmp_path / "b.policy")
    assert bot.choose(two, Rng(1), Budget()) in two.legal_indices()
    with pytest.raises(ValueError, match="at most 2 seats, and here are 3"):
        bot.choose(three, Rng(1), Budget())
    with pytest.raises(ValueError, match="has room for 2 seats"):
        taken_up(tmp_path / "b.policy", NEW_YORK, many.sets[0].layout, many.observations, wide)


@pytest.mark.parametrize("advised", [False, True])
@pytest.mark.parametrize(
    ("change", "told", "words"),
    [
        ({}, {"places": 10**30}, "seats"),
        ({}, {"places": 1}, "seats"),
        ({}, {"games": None}, "games"),
        ({}, {"games": "many"}, "games"),
        ({}, {"training": [1]}, "trained"),
        ({"trust": None}, {"advised": True}, "trust"),
        ({"trust": (7,)}, {"advised": True}, "trust"),
        ({"w2": (5, 12)}, {}, "layers do not fit"),
        ({"w2": (12, 9), "b2": (9,)}, {}, "layers do not fit"),
        ({"w3": (7, 63), "w4": (7, 1)}, {}, "layers do not fit"),
        ({"w3": (12, 70), "b3": (70,)}, {}, "outputs|trust"),
        ({"w1": (900, 12), "mean": (900,), "scale": (900,)}, {}, "inputs"),
        ({"w1": (9, 12), "mean": (9,), "scale": (9,)}, {}, "inputs"),
    ],
)  # fmt: skip
def test_a_damaged_policy_is_not_taken_up(
    tmp_path: Path, advised: bool, change: dict[str, tuple[int, ...] | None], told: dict[str, object], words: str
) -> None:
    """Its checksum is right: somebody has made it so."""
    tables = Tables(NEW_YORK, [[LEARNER] * 2] * 2, 5, advised=advised)
    fresh = begin(jax.random.PRNGKey(3), tables.observations.shape[1], 12, tables.heads, advised)
    shapes = {name: part.shape for name, part in fresh.items()} | change
    params = {name: fresh.get(name, np.ones(shape)) for name, shape in shapes.items() if shape is not None}
    params |= {name: np.ones(shape) for name, shape in change.items() if shape is not None}
    export(tmp_path / "a.policy", NEW_YORK, params, told)
    with pytest.raises(ValueError, match=f"a.policy is damaged: .*({words})"):
        taken_up(tmp_path / "a.policy", NEW_YORK, tables.sets[0].layout, tables.observations, fresh)


@pytest.mark.parametrize("hidden", [12, 20])
def test_a_policy_whose_layers_are_not_as_wide_as_each_other_is_not_taken_up(tmp_path: Path, hidden: int) -> None:
    """It can be played, but no run has such a network."""
    tables = Tables(NEW_YORK, [[LEARNER] * 2] * 2, 5)
    fresh = begin(jax.random.PRNGKey(3), tables.observations.shape[1], hidden, tables.heads)
    outputs = int(tables.heads.outputs)
    params = begin(jax.random.PRNGKey(3), tables.observations.shape[1], 12, tables.heads)
    params |= {"w2": np.ones((12, 9)), "b2": np.ones(9), "w3": np.ones((9, outputs)), "w4": np.ones((9, 1))}
    export(tmp_path / "a.policy", NEW_YORK, params, {})
    LearnedBot(tmp_path / "a.policy").choose(Game.new(NEW_YORK, seats=2, seed=1).view(0), Rng(1), Budget())
    with pytest.raises(ValueError, match="has layers of 12 and of 9 cells"):
        taken_up(tmp_path / "a.policy", NEW_YORK, tables.sets[0].layout, tables.observations, fresh)
