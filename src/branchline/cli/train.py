"""`branchline train`: a policy learns a map by playing against itself."""

import argparse
import json
import os
import sys
from contextlib import suppress
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from branchline.bots.keeper import BotFault
from branchline.bots.planner.weights import is_short
from branchline.bots.registry import RIVALS, names
from branchline.cli.parser import Parser, Trouble, games, map_for, natural, positive, processes
from branchline.files import alone
from branchline.spread import Cluster, NoCluster, Processes, WorkerDied, interrupts_held

if TYPE_CHECKING:
    from branchline.train.settings import Settings

LONG_GAME = {"trace": 0.96, "win": 0.7, "margin": 60.0, "steps": 80, "entropy": 0.001}
"""What a game of many cars wants otherwise: looking further ahead, and points that count for less."""
TEST_GAMES = 400
TEACHES, EXPLOITED = 60, 20
"""Playouts a decision of a search that teaches, and of a bot that is exploited; with fewer it hardly searches."""
ONE_THREAD = ("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
"""What tells JAX to use one core."""
PARTS = 8
"""Parts of the tables on a cluster: the same ones whatever its size, so that a run stays the same."""


def parser() -> Parser:
    """What `branchline train` takes."""
    parser = Parser(
        "branchline train",
        "Let a policy learn by self-play: it clones the planner, then plays itself, past selves and the planner, and\n"
        "makes likelier what did well (PPO). Stopped or killed, the same command goes on where it was.",
        "branchline train new-york --minutes 15",
        "branchline train new-york --minutes 60 --from-nothing --out runs/nothing",
        "branchline train europe --seats 2,2,3,4,5 --minutes 600",
        "branchline train europe --minutes 30 --begin-with europe.policy --distil 4000",
        "branchline train new-york --minutes 15 --exploit runs/new-york",
        "branchline train new-york --minutes 60 --exploit expert --nodes 20 --begin-with new-york.policy",
        "branchline train europe --minutes 60 --ray 10.0.0.1:6379",
        notes="It leaves checkpoint.npz, curve.csv, curve.svg and MAP.policy; a bot plays the last:\n"
        "  BRANCHLINE_POLICY=runs/new-york/new-york.policy branchline arena new-york learned one-step",
    )
    parser.add_map()
    parser.add_argument(
        "--minutes", type=positive, default=15, metavar="N", help="whole minutes of learning in all (15)"
    )
    parser.add_argument("--seats", metavar="N,N", help="seat counts, each as often as it is to be played (2)")
    parser.add_argument(
        "--out", type=Path, metavar="DIR", help="where the run is kept (runs/MAP, runs/MAP-exploits-WHOM)"
    )
    parser.add_argument("--seed", type=natural, default=1, metavar="N", help="of deals, choices and first weights (1)")
    parser.add_argument("--hidden", type=positive, default=192, metavar="N", help="cells of a hidden layer (192)")
    parser.add_argument("--rate", metavar="A,B", help="the learning rate, from the beginning to the end (3e-4,1e-4)")
    parser.add_argument("--entropy", type=float, metavar="X", help="what being undecided is worth (by map)")
    parser.add_argument(
        "--win",
        type=float,
        metavar="X",
        help="which part of the reward is for winning; the rest is for the lead (by map)",
    )
    parser.add_argument(
        "--against", metavar="WHO=X,…",
        help="which part of the tables is played against whom: past selves, varied planners, a bot by name "
        "(past=0.15,regular=0.15,varied=0.1)",
    )  # fmt: skip
    parser.add_argument("--from-nothing", action="store_true", help="do not clone the planner first")
    parser.add_argument(
        "--advice", action=argparse.BooleanOptionalAction, default=None,
        help="tell the network what the planner would do (yes on a map of many cars)",
    )  # fmt: skip
    parser.add_argument(
        "--begin-with",
        type=Path,
        metavar="FILE",
        help="begin a new run with this weights file instead of cloning; a wider network takes it up too",
    )
    parser.add_argument(
        "--distil", type=games, default=0, metavar="N",
        help="games that the search plays first, guided by that file, to teach it what it finds (0)",
    )  # fmt: skip
    parser.add_argument(
        "--exploit", metavar="DIR|BOT",
        help="learn to beat the policy of this run as it stands, or this bot, and nobody else",
    )  # fmt: skip
    parser.add_argument(
        "--nodes",
        type=positive,
        metavar="N",
        help="playouts a decision for a bot that searches (1; 20 to exploit it), or for the search that teaches (60)",
    )
    parser.add_argument(
        "--cores", type=processes, default=1, metavar="N",
        help="processes that play the tables, and for a search that teaches; threads for the network (1)",
    )  # fmt: skip
    parser.add_argument("--ray", metavar="ADDRESS", help="play the tables on this Ray cluster (auto finds one here)")
    parser.add_argument(
        "--parts",
        type=processes,
        metavar="N",
        help="parts of the tables, each for a core (as many as --cores; 8 with --ray)",
    )
    parser.add_argument("--every", type=positive, default=3, metavar="N", help="whole minutes between evaluations (3)")
    parser.add_argument(
        "--belief", type=games, default=120_000, metavar="N",
        help="decisions from which it learns in the end what others hold; 0 leaves that out (120000)",
    )  # fmt: skip
    parser.add_json()
    return parser


def run(options: argparse.Namespace) -> int:
    """Learn until the time is up: 0; 130 after Ctrl-C, with what there is."""
    for module in ("jax", "numpy"):
        if find_spec(module) is None:
            raise Trouble(f"training needs {module}: pip install 'branchline[train]'")
    settings = settings_of(options)
    if options.cores == 1:
        os.environ.setdefault(*ONE_THREAD)
    with interrupts_held():  # an import that was broken off can't be begun again
        from branchline.train.heeding import heeding
        from branchline.train.run import Training, about, exploit, exploit_bot
        from branchline.train.tables import PAST

    told = sys.stderr if options.json else sys.stdout
    bot = _exploited(options)
    name = Path(settings.map).stem
    if options.exploit is not None:
        name += f"-exploits-{bot or Path(options.exploit).resolve().name}"
    folder = options.out or Path("runs") / name
    counts = sorted(set(settings.seats))
    tests = [
        *((counts[0], style, TEST_GAMES) for style in ("one-step", "varied")),
        *((count, "regular", TEST_GAMES) for count in counts),
    ]
    if options.exploit is not None:
        tests = [(count, bot or PAST, TEST_GAMES) for count in counts]
    others: Cluster | Processes | None = None
    new = not folder.exists()
    try:
        others = _others(options)
        folder.mkdir(parents=True, exist_ok=True)
        with alone(folder / "checkpoint.npz"), heeding():
            if bot is not None:
                settings = exploit_bot(bot, settings)
            elif options.exploit is not None:
                settings = exploit(Path(options.exploit), folder, settings)
            say = partial(print, file=told, flush=True)
            training = Training(settings, folder, say, others, options.begin_with, options.cores)
            training.run(options.minutes, options.every, tests)
            if options.belief:
                training.believe(options.belief)
            path = training.write()
    except OSError as error:
        raise Trouble(f"{error.filename}: {error.strerror}" if error.filename else str(error)) from error
    except (NoCluster, ValueError) as error:
        raise Trouble(str(error)) from error
    except (BotFault, WorkerDied) as died:
        raise Trouble(f"{died}; the same command goes on from {folder}") from died
    except KeyboardInterrupt:
        print(f"stopped; the same command goes on from {folder}", file=told)
        return 130
    finally:
        if others is not None:
            others.close()
        if new:
            with suppress(OSError):  # something is kept there
                folder.rmdir()
    print(f"{path}: {training.progress.games:,} games", file=told)
    if options.json:
        print(json.dumps(about(training.progress), indent=1))
    return 0


def _others(options: argparse.Namespace) -> Cluster | Processes | None:
    """Who plays the tables, if not this process."""
    if options.ray is not None:
        return Cluster(options.ray)
    if options.cores == 1:
        return None
    name, flags = ONE_THREAD
    told = name in os.environ
    os.environ.setdefault(name, flags)
    try:
        return Processes(options.cores)  # one thread each, and all of them for this one while they wait
    finally:
        if not told:
            del os.environ[name]


def settings_of(options: argparse.Namespace) -> "Settings":
    """What the options ask for."""
    from branchline.train.settings import SHARES, Settings

    try:
        seats = tuple(positive(part) for part in (options.seats or "2").split(","))
    except argparse.ArgumentTypeError as error:
        raise Trouble(f"--seats: {error}") from None
    map = map_for(options.map, max(seats))
    map_for(options.map, min(seats))
    is_long = not is_short(map.rules)
    told: dict[str, Any] = dict(LONG_GAME) if is_long else {}
    if options.rate is not None:
        told["rate"], told["rate_end"] = _rates(options.rate)
    if options.entropy is not None:
        if not 0 <= options.entropy < 1:
            raise Trouble(f"--entropy: from 0 to less than 1, not {options.entropy:g}")
        told["entropy"] = options.entropy
    if options.win is not None:
        if not 0 <= options.win <= 1:
            raise Trouble(f"--win: between 0 and 1, not {options.win:g}")
        told["win"] = options.win
    if options.against is not None:
        told["shares"] = {**SHARES, **_shares(options.against)}
        if sum(told["shares"].values()) > 1:
            raise Trouble("--against: the parts, and those of others that were not named, are more than the whole")
    advice = is_long if options.advice is None else options.advice
    parts = options.parts or (options.cores if options.ray is None else PARTS)
    clone = {"clone": 0} if options.from_nothing else {}
    if options.from_nothing and options.begin_with is not None:
        raise Trouble("--from-nothing: a run begins with nothing or with a weights file, see --begin-with")
    if options.distil and options.begin_with is None:
        raise Trouble("--distil: a search needs a policy that guides it, see --begin-with")
    nodes = options.nodes or (TEACHES if options.distil else EXPLOITED if options.exploit is not None else 1)
    told |= {**clone, "distil": options.distil, "parts": parts, "advice": advice, "nodes": nodes}
    try:
        return Settings(options.map, seats, options.hidden, options.seed, **told)
    except ValueError as error:
        raise Trouble(str(error).replace("settings: ", "--", 1)) from None


def _exploited(options: argparse.Namespace) -> str | None:
    """The bot that is to be beaten, if it is one and not the policy of a run."""
    asked: str | None = options.exploit
    if asked is None:
        return None
    if options.against is not None:
        raise Trouble("--against: who exploits somebody meets nobody else, see --exploit")
    if asked in names():
        return asked
    if not (asked and os.path.isdir(asked)):
        raise Trouble(f"--exploit: no run and no bot {asked!r:.100}; the bots are {', '.join(names())}")
    if options.begin_with is not None:
        raise Trouble("--begin-with: who exploits a run begins where that run stands, see --exploit")
    return None


def _rates(text: str) -> tuple[float, float]:
    try:
        begin, end = (float(part) for part in text.split(","))
    except ValueError:
        raise Trouble(f"--rate: two numbers, as 3e-4,1e-4, not {text!r}") from None
    if not (0 < begin < 1 and 0 < end < 1):
        raise Trouble(f"--rate: both between 0 and 1, not {text}")
    return begin, end


def _shares(text: str) -> dict[str, float]:
    from branchline.train.settings import SHARES

    known = (*SHARES, *RIVALS)
    shares = {}
    for part in text.split(","):
        name, _, share = part.partition("=")
        if name not in known:
            raise Trouble(f"--against: {name!r} does not train with anybody; {', '.join(known)} do")
        try:
            shares[name] = float(share)
        except ValueError:
            raise Trouble(f"--against: WHO=X, as regular=0.25, not {part!r}") from None
        if not 0 <= shares[name] <= 1:
            raise Trouble(f"--against: {name} has a part between 0 and 1, not {share}")
    return shares
