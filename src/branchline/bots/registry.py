"""Which bots there are, and how one is found: by name, as `module.py:Class`, or in BRANCHLINE_BOTS."""

import importlib
import importlib.util
import os
import sys
from collections.abc import Callable
from pathlib import Path

from branchline.bots.base import Bot
from branchline.bots.expert import ExpertBot
from branchline.bots.novice import Novice
from branchline.bots.random_bot import RandomBot
from branchline.bots.regular import RegularBot
from branchline.bots.styles import Hoarder, Hungry, LongRoute, OneStep, PathBot

HOUSE: dict[str, Callable[[], Bot]] = {
    "random": RandomBot,
    "novice": Novice,
    "one-step": OneStep,
    "long-route": LongRoute,
    "path": PathBot,
    "hungry": Hungry,
    "hoarder": Hoarder,
    "regular": RegularBot,
    "expert": ExpertBot,
}
"""The bots of the house, by name."""

LITERATURE = ("one-step", "long-route", "path", "hungry", "hoarder")
"""Those written after the research literature."""


def names() -> list[str]:
    """Every bot that `load` finds by name: the house's, then BRANCHLINE_BOTS (`name=file.py:Class`, commas)."""
    return [*HOUSE, *added()]


def load(spec: str) -> Bot:
    """A bot by its name, by `path/to/file.py:Class` or by `package.module:Class`; ValueError if there is none."""
    spec = added().get(spec, spec)
    if spec in HOUSE:
        return HOUSE[spec]()
    source, colon, name = spec.rpartition(":")
    if not colon:
        raise ValueError(f"no bot {spec!r}: the names are {', '.join(names())}; or give file.py:Class")
    try:
        module = _from_file(Path(source)) if source.endswith(".py") else importlib.import_module(source)
        bot = getattr(module, name)()
    except (ImportError, OSError, AttributeError, TypeError) as error:
        raise ValueError(f"bot {spec!r}: {error}") from error
    if not isinstance(bot, Bot):
        raise ValueError(f"bot {spec!r}: {name} has no method choose(view, rng, budget)")
    return bot


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
