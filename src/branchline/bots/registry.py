"""Which bots there are, and how one is found: by name, as `module.py:Class`, or in BRANCHLINE_BOTS."""

import importlib
import importlib.util
import os
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from branchline.bots.advanced import Advanced
from branchline.bots.amateur import Amateur
from branchline.bots.base import Bot
from branchline.bots.expert import ExpertBot
from branchline.bots.learner import LearnedBot
from branchline.bots.novice import Novice
from branchline.bots.policies import read_bytes
from branchline.bots.random_bot import RandomBot
from branchline.bots.regular import RegularBot
from branchline.bots.rivals.blocker import Blocker
from branchline.bots.rivals.rusher import Rusher
from branchline.bots.rivals.striker import Striker
from branchline.bots.styles import Hoarder, Hungry, LongRoute, OneStep, PathBot

BUNDLED: dict[str, Callable[[], Bot]] = {
    "random": RandomBot,
    "novice": Novice,
    "one-step": OneStep,
    "long-route": LongRoute,
    "path": PathBot,
    "hungry": Hungry,
    "hoarder": Hoarder,
    "amateur": Amateur,
    "regular": RegularBot,
    "blocker": Blocker,
    "rusher": Rusher,
    "striker": Striker,
    "advanced": Advanced,
    "learned": LearnedBot,
    "expert": ExpertBot,
}
"""The bots of the house, by name."""

LITERATURE = ("one-step", "long-route", "path", "hungry", "hoarder")
"""Those written after the research literature."""

RIVALS = ("blocker", "rusher", "striker")
"""Sparring partners: planners of other styles than `regular`, and no levels."""


def names() -> list[str]:
    """Every bot that `load` finds by name: the house's, then BRANCHLINE_BOTS (`name=file.py:Class`, commas)."""
    return [*BUNDLED, *added()]


def load(spec: str) -> Bot:
    """A bot by its name, by `path/to/file.py:Class` or by `package.module:Class`; ValueError if there is none."""
    spec = added().get(spec, spec)
    if spec in BUNDLED:
        return BUNDLED[spec]()
    source, colon, name = spec.rpartition(":")
    if not colon:
        raise ValueError(f"no bot {spec!r}: the names are {', '.join(names())}; or give file.py:Class")
    try:
        module = _from_file(Path(source)) if source.endswith(".py") else importlib.import_module(source)
        bot = getattr(module, name)()
    except Exception as error:  # a module may raise anything while it is imported
        raise ValueError(f"bot {spec!r}: {type(error).__name__}: {error}") from error
    if not isinstance(bot, Bot):
        raise ValueError(f"bot {spec!r}: {name} has no method choose(view, rng, budget)")
    return bot


def fingerprint(spec: str) -> str:
    """A hash of the code that a bot is made of: results of other code are not the same bot's.

    For a bot of the house that is the whole of the engine and the bots, with what was learned.
    """
    spec = added().get(spec, spec)
    source = spec.rpartition(":")[0]
    policy = b""
    if spec in BUNDLED:
        here = Path(__file__).parent
        files = sorted(
            path for room in (here, here.parent / "engine", here.parent / "observation") for path in room.rglob("*")
        )
        files = [path for path in files if path.suffix in (".py", ".json", ".policy")]
        if named := os.environ.get("BRANCHLINE_POLICY"):
            policy = read_bytes(Path(named))
    elif source.endswith(".py"):
        files = [Path(source)]
    else:
        found = importlib.util.find_spec(source)
        files = [Path(found.origin)] if found is not None and found.origin is not None else []
    digest = sha256()
    for path in files:
        digest.update(path.read_bytes())
    digest.update(policy)
    return digest.hexdigest()[:12]


def _from_file(path: Path) -> object:
    name = f"branchline_bot_{path.stem}"
    found = importlib.util.spec_from_file_location(name, path)
    if found is None or found.loader is None:
        raise ImportError(f"{path} is no Python file")
    module = importlib.util.module_from_spec(found)
    sys.modules[name] = module  # dataclasses look themselves up there
    found.loader.exec_module(module)
    return module


def added() -> dict[str, str]:
    """What BRANCHLINE_BOTS names, and where it is found."""
    entries = (entry.strip() for entry in os.environ.get("BRANCHLINE_BOTS", "").split(","))
    out = {}
    for entry in entries:
        name, equals, spec = entry.partition("=")
        if equals:
            out[name.strip()] = spec.strip()
        elif entry:
            out[entry.rpartition(":")[2]] = entry
    return out
