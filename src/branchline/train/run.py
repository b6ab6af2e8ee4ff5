"""A training run: clone, then improve by self-play against a league, until the time is up; it goes on after a kill."""

import os
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import jax
import numpy as np

from branchline.bots.keeper import BotFault
from branchline.bots.learned.heads import Heads
from branchline.bots.registry import fingerprint
from branchline.files import aside
from branchline.maps import Map, load_map
from branchline.names import names_of
from branchline.observation.layout import Layout
from branchline.observation.spaces import COLOURED, Space
from branchline.spread import Cluster, Processes, WorkerDied
from branchline.train.belief import begin_belief, gather, learn
from branchline.train.checkpoint import Progress, check_network, load, save
from branchline.train.clone import clone, listen
from branchline.train.crew import Crew
from branchline.train.curve import as_csv, as_svg
from branchline.train.distil import distil, forget
from branchline.train.distil import gather as gather_findings
from branchline.train.evaluate import evaluate
from branchline.train.export import export, taken_up
from branchline.train.net import Params, begin, begin_adam, fit_inputs, spread
from branchline.train.ppo import update
from branchline.train.settings import Settings
from branchline.train.tables import PAST, Tables, mix

CURVES = ("curve.csv", "curve.svg")
ENTERS_LEAGUE = 15
"""After so many updates the present self joins the league."""
SAVES, SAVE_SECONDS = 10, 60
"""After so many a checkpoint is written, or when the last one is so old."""

DISTILLED = -2
"""The part of a run whose deals the search plays that teaches it."""

FINDINGS = "findings"
"""The folder in a run's where a search that teaches keeps what it found until the run has begun."""

SEEN = 80
"""Steps that tell what observations are like: the planner's, or random ones."""


class Training:
    """One run in a folder: `checkpoint.npz`, `curve.csv`, `curve.svg` and the policy itself."""

    def __init__(
        self,
        settings: Settings,
        folder: Path,
        say: Callable[[str], None] = print,
        others: Cluster | Processes | None = None,
        weights: Path | None = None,
        workers: int = 1,
    ) -> None:
        """Begin a run, or go on with the one in `folder`, also with other settings; ValueError if they don't fit it.

        A new run begins with the policy of a weights file, if one is given, instead of a lesson. `workers`: processes
        in which search plays the games that are distilled.

        Where `others` are given they play the tables; what that teaches is learned here.
        """
        self.folder = folder
        self.others = others
        self.say = say
        self.map: Map = load_map(settings.map)
        self.checkpoint = folder / "checkpoint.npz"
        space = Space(names_of(self.map).board, COLOURED)
        self.heads = Heads(space)
        self.keeps = (int(space.keep_at), int(space.take_back_at))
        self.matrix = spread(self.heads)
        self.belief: Params | None = None
        """What the policy thinks that others hold, once it has learned to."""
        self.reliability: dict[str, Any] = {}
        if self.checkpoint.exists():
            self.progress = load(self.checkpoint)
            self._take_up(settings)
            if weights is not None:
                self.say(f"{folder} holds a run that has begun: it does not begin with {weights.name} now")
            self.say(f"going on after {self.progress.updates} updates, {self.progress.games:,} games")
        else:
            check_empty(folder, self.map)
            folder.mkdir(parents=True, exist_ok=True)
            self.progress = self._begin(settings, weights, workers)

    def _take_up(self, settings: Settings) -> None:
        """Go on with these settings, and keep in mind which they were before; what has begun is not distilled again."""
        progress, before = self.progress, self.progress.settings
        if settings.distil not in (0, before.distil):
            self.say(f"{self.folder} holds a run that has begun: no search teaches it now")
        settings = replace(settings, distil=before.distil)
        if _shape(before) != _shape(settings):
            advised = "with" if before.advice else "without"
            raise ValueError(
                f"{self.folder} holds a run on {before.map} for {before.places} seats at most, {before.hidden} cells, "
                f"{advised} the planner's advice; name another folder"
            )
        if before.exploits != settings.exploits:
            met = before.exploits or "nobody alone"
            raise ValueError(f"{self.folder} holds a run against {met}; name another folder")
        check_map(self.checkpoint, progress, self.map)
        check_network(self.checkpoint, progress, shapes(self.map, settings))
        if before != settings:
            progress.earlier.append({"updates": progress.updates, "settings": before.to_dict()})
            progress.settings = settings

    def _begin(self, settings: Settings, weights: Path | None, workers: int) -> Progress:
        began, worked = perf_counter(), _worked()
        sitting = mix(settings.seats, settings.tables, {})
        tables = Tables(
            self.map, sitting, deals_from(settings.seed, 0), advised=settings.advice, places=settings.places
        )
        inputs = tables.observations.shape[1]
        params = begin(jax.random.PRNGKey(settings.seed), inputs, settings.hidden, self.heads, settings.advice)
        earlier: list[dict[str, Any]] = []
        if weights is not None:
            seen = listen(tables, replace(settings, clone=SEEN)).observations
            params, head = taken_up(weights, self.map, tables.sets[0].layout, seen, params)
            earlier.append({name: head.get(name) for name in ("sha256", "training", "earlier", "games", "decisions")})
            self.say(f"begins with {weights}, which had {head.get('games', 0):,} games")
            if settings.distil:
                params, told = self._distil(params, weights, settings, workers)
                earlier.append(told)
        elif settings.clone:
            lesson = listen(tables, settings)
            params, agrees = clone(params, lesson, self.matrix, self.keeps, settings.seed)
            self.say(f"cloned the planner from {len(lesson.actions):,} decisions: {100 * agrees:.1f} % agree")
        else:
            params = fit_inputs(params, _random_play(tables, settings.seed))
        progress = Progress(settings, params, begin_adam(params), [params], earlier=earlier, map_hash=self.map.hash)
        progress.seconds, progress.processor = perf_counter() - began, _worked() - worked
        save(self.checkpoint, progress)
        forget(self.folder / FINDINGS)  # also those of a run that was ended before
        return progress

    def _distil(self, params: Params, weights: Path, settings: Settings, workers: int) -> tuple[Params, dict[str, Any]]:
        """The network that a search has taught what it finds, and what is to be known of that."""
        folder = self.folder / FINDINGS
        found = gather_findings(weights, settings, deals_from(settings.seed, DISTILLED), workers, folder, self.say)
        params, gained = distil(params, found, self.matrix, settings.seed)
        self.say(
            f"taught by {len(found.game):,} decisions of a search: {100 * gained[0]:.2f} to {100 * max(gained):.2f} "
            "hundredths of a win a decision in games held back"
        )
        return params, {"distilled": {"games": settings.distil, "decisions": len(found.game), "gained": gained}}

    def run(self, minutes: float, every: float, tests: list[tuple[int, str, int]]) -> Progress:
        """Learn until the run has had so many minutes in all; evaluate `every` so many, by (seats, rival, games).

        Ctrl-C, and that a process or a bot failed, is raised again when what was learned is written down, and the
        policy with it.
        """
        try:
            return self._run(minutes, every, tests)
        except (KeyboardInterrupt, WorkerDied, BotFault):
            save(self.checkpoint, self.progress)
            self.write()
            raise

    def _run(self, minutes: float, every: float, tests: list[tuple[int, str, int]]) -> Progress:
        progress, settings = self.progress, self.progress.settings
        part = 1 + progress.updates
        seats = mix(settings.seats, settings.tables, settings.shares)
        crew = Crew(self.map, seats, deals_from(settings.seed, part), settings, self.others)
        rng = np.random.default_rng(settings.seed + part)
        key = jax.random.PRNGKey(settings.seed + part)
        if not progress.curve:
            self._evaluate(tests)
        unsaved = 0.0
        while progress.seconds < 60 * minutes:
            began, worked = perf_counter(), process_time()
            key, now = jax.random.split(key)
            past = progress.past[rng.integers(len(progress.past))]
            done = min(1.0, progress.seconds / (60 * minutes))
            rate = settings.rate + (settings.rate_end - settings.rate) * done
            batch = crew.collect(progress.params, past, self.matrix, now)
            progress.params, progress.moments, told = update(
                progress.params, progress.moments, batch, self.matrix, rate, rng, settings
            )
            progress.updates += 1
            progress.games += batch.games
            progress.decisions += len(batch.actions)
            progress.seconds += perf_counter() - began
            progress.processor += process_time() - worked + batch.elsewhere
            if progress.updates % ENTERS_LEAGUE == 0 and settings.league:
                progress.past = [*progress.past, progress.params][-settings.league :]
            unsaved += perf_counter() - began
            if progress.updates % SAVES == 0 or unsaved > SAVE_SECONDS:
                unsaved = 0.0
                save(self.checkpoint, progress)
                speed = progress.decisions / progress.seconds
                self.say(
                    f"{progress.seconds / 60:.1f} min, {progress.games:,} games: value off by {told[1]:.3f}, "
                    f"entropy {told[2]:.2f}, moved {told[3]:.4f}, {speed:,.0f} decisions/s"
                )
            if progress.seconds >= 60 * every + 60 * progress.curve[-1]["minutes"] or progress.seconds >= 60 * minutes:
                self._evaluate(tests)
        return progress

    def _evaluate(self, tests: list[tuple[int, str, int]]) -> None:
        progress, settings = self.progress, self.progress.settings
        frozen = None if settings.league else progress.past[0]
        results = [
            evaluate(
                self.map, progress.params, self.matrix, *test,
                past=frozen, places=settings.places, nodes=settings.nodes,
            )
            for test in tests
        ]  # fmt: skip
        progress.curve.append(
            {
                "minutes": round(progress.seconds / 60, 2),
                "processor": round(progress.processor / 60, 2),
                "games": progress.games,
                "decisions": progress.decisions,
                "results": results,
            }
        )
        save(self.checkpoint, progress)
        self.write()
        for one in results:
            self.say(
                f"{progress.games:,} games: {100 * one['win']:.1f} % ({100 * one['low']:.1f}-{100 * one['high']:.1f}) "
                f"of {one['games']} against {one['rival']}, {one['seats']} seats, {one['points']} to {one['others']}"
            )

    def believe(self, rows: int) -> dict[str, Any]:
        """Learn what others hold, from so many decisions of games that the policy plays now; how true that is."""
        progress, settings = self.progress, self.progress.settings
        seats = mix(settings.seats, settings.tables, settings.shares)
        tables = Tables(
            self.map,
            seats,
            deals_from(settings.seed, -1),
            advised=settings.advice,
            places=settings.places,
            nodes=settings.nodes,
        )
        truths = gather(tables, progress.params, self.matrix, settings, rows)
        board = tables.sets[0].board
        belief = begin_belief(progress.params, settings.places, int(board.tickets), int(board.kinds), settings.seed)
        self.belief, told = learn(belief, truths, settings.seed)
        self.reliability = {"rows": rows, "held_back": told}
        before, after = told["tickets_nats"]
        self.say(f"tickets of others: {before} nats a decision dealt evenly, {after} as believed")
        return told

    def write(self) -> Path:
        """Write the curve and the policy as they are now; where the policy is."""
        progress = self.progress
        title = f"{self.map.id}, learning by self-play"
        for name, text in zip(CURVES, (as_csv(progress.curve), as_svg(progress.curve, title)), strict=True):
            with aside(self.folder / name) as file:
                file.write(text.encode())
        path = self.folder / f"{self.map.id}.policy"
        told = about(progress)
        if self.belief is not None:
            told["belief"] = self.reliability
        export(path, self.map, progress.params, told, progress.settings.places, self.belief)
        return path


def exploit_bot(name: str, settings: Settings) -> Settings:
    """The settings of a run that learns to beat a bot of the house as it stands, and meets nobody else."""
    return replace(settings, shares={name: 1.0}, league=0, exploits=f"{name} ({fingerprint(name)})")


def exploit(run: Path, folder: Path, settings: Settings) -> Settings:
    """The settings of a run in `folder` that learns to beat the policy of another run, and nobody else.

    It begins where that policy stands; how well it does tells how far the other can be exploited. ValueError if there
    is no such run, or it is one on another map.
    """
    path, map = run / "checkpoint.npz", load_map(settings.map)
    other = load(path)
    if other.settings.map != settings.map:
        raise ValueError(f"{run} is a run on {other.settings.map}, not on {settings.map}")
    if settings.places > other.settings.places:
        raise ValueError(f"{run} is a run for up to {other.settings.places} seats, not {settings.places}")
    check_map(path, other, map)
    check_network(path, other, shapes(map, other.settings))
    places, hidden, advice = other.settings.places, other.settings.hidden, other.settings.advice
    settings = replace(
        settings, places=places, hidden=hidden, advice=advice, shares={PAST: 1.0}, league=0, clone=0, distil=0,
        exploits=f"{run.resolve().name} ({sha256(str(run.resolve()).encode()).hexdigest()[:8]})",
    )  # fmt: skip
    if not (folder / "checkpoint.npz").exists():
        check_empty(folder, map)
        folder.mkdir(parents=True, exist_ok=True)
        progress = Progress(settings, other.params, begin_adam(other.params), [other.params], map_hash=map.hash)
        save(folder / "checkpoint.npz", progress)
    return settings


def check_empty(folder: Path, map: Map) -> None:
    """ValueError if a run that begins there would write over what is there."""
    for name in (*CURVES, f"{map.id}.policy"):
        if (folder / name).exists():
            raise ValueError(f"{folder} holds {name}, and no run that could go on; name another folder")


def check_map(path: Path, progress: Progress, map: Map) -> None:
    """ValueError if a run was on another map of the same name."""
    if progress.map_hash not in ("", map.hash):
        raise ValueError(f"{path} is of a run on another version of {map.id}; name another folder")


def shapes(map: Map, settings: Settings) -> Params:
    """What the arrays of a run's network are like: as `begin` makes them, without their numbers."""
    board = names_of(map).board
    heads = Heads(Space(board, COLOURED))
    inputs = int(Layout(board, settings.places, True).size) + (int(heads.outputs) if settings.advice else 0)
    fresh = partial(begin, inputs=inputs, hidden=settings.hidden, heads=heads, advised=settings.advice)
    made: Params = jax.eval_shape(fresh, jax.random.PRNGKey(0))
    return made


def _shape(settings: Settings) -> tuple[str, int, int, bool]:
    """What a run cannot change on its way: the network's inputs and size follow from it."""
    return settings.map, settings.places, settings.hidden, settings.advice


def deals_from(seed: int, part: int) -> int:
    """Where the deals of a part of a run begin: one part is the lesson, and each time the run goes on begins another.

    All lie far below `evaluate.FRESH`.
    """
    return int.from_bytes(sha256(f"{seed} {part}".encode()).digest()[:6], "big")


def about(progress: Progress) -> dict[str, Any]:
    """How a policy was trained, for its head."""
    return {
        "training": progress.settings.to_dict(),
        "earlier": progress.earlier,
        "updates": progress.updates,
        "games": progress.games,
        "decisions": progress.decisions,
        "minutes": round(progress.seconds / 60, 1),
        "processor_minutes": round(progress.processor / 60, 1),
        "curve": progress.curve,
    }


def _worked() -> float:
    """Processor time so far, with that of processes that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _random_play(tables: Tables, seed: int) -> Any:
    """What observations are like when everybody plays at random."""
    rng = np.random.default_rng(seed)
    seen = []
    for _ in range(SEEN):
        seen.append(tables.observations)
        tables.step((rng.random(tables.masks.shape) * tables.masks).argmax(1))
    return np.concatenate(seen)
