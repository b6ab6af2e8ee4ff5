"""What stands in a file of games, and whether it is what the arena wrote: anybody may have changed it since."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from branchline.arena.match import Match
from branchline.engine.scoring import DECIDED_BY
from branchline.files import is_text

PARTS = ("routes", "done", "failed", "trail", "stations", "attractions")
"""Parts of a seat's points; `done` and `failed` are ticket points."""
COUNTS = ("tickets", "completed", "decisions", "faults")
LATER = ("trail_length", "stations_built")
"""Counts that the first rows did not have."""
TIMES = ("seconds", "slowest")
MOST = 1 << 15
"""No number of a game comes near it, nor do its seconds in millions."""
MOST_GAMES = 1_000_000_000
"""Of a match."""
LONGEST = 1 << 16
"""Letters of a line."""
FAULT = 2000
"""Letters of what a bot raised, and where."""
GAME = re.compile(r"[0-9a-f]{16}", re.ASCII)


def read_line(line: str) -> dict[str, Any]:
    """The JSON object in a line; ValueError if there is none."""
    if len(line) > LONGEST:
        raise ValueError("that is longer than any game")
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        raise ValueError("that is no JSON") from None
    if not isinstance(data, dict):
        raise ValueError("that is no JSON object")
    return data


def read_row(match: Match, line: str) -> dict[str, Any]:
    """The game in a line; ValueError says what is wrong with it."""
    row = read_line(line)
    try:
        _check("deal", row["deal"], int, 0, MOST_GAMES)
        for name in ("rotation", "turns"):
            _check(name, row[name], int, 0)
        players = row["players"]
        if not (isinstance(players, list) and len(players) == match.seats):
            raise ValueError(f"it does not have {match.seats} players")
        for player in players:
            _check_player(player, match.seats)
        if sorted(player["seat"] for player in players) != list(range(match.seats)):
            raise ValueError("two players have one seat")
        if not GAME.fullmatch(str(row.get("game", "0" * 16))):
            raise ValueError(f"game can't be {row['game']!r:.50}")
        if "owners" in row:
            _check_marks(row)
    except KeyError as error:
        raise ValueError(f"it does not say {error}") from None
    return row


def _check_marks(row: Mapping[str, Any]) -> None:
    """How the game ended, and who has each route and each ticket: also what the first rows did not have."""
    for name in ("owners", "holders", "done"):
        if not (isinstance(row[name], str) and set(row[name]) <= {"-", *map(str, range(len(row["players"])))}):
            raise ValueError(f"{name} can't be {row[name]!r:.50}")
    if len(row["holders"]) != len(row["done"]):
        raise ValueError("it does not say of each ticket who has it and whether it is done")
    decided = row["decided_by"]
    if not (
        isinstance(row["ended"], bool) and (decided is None or (isinstance(decided, str) and decided in DECIDED_BY))
    ):
        raise ValueError("it does not say how it ended")
    for player in row["players"]:
        _check_counts(player, LATER)


def _check_player(player: object, seats: int) -> None:
    if not isinstance(player, dict):
        raise ValueError("a player is no JSON object")
    for name in (*PARTS, "points"):
        _check(name, player[name], int, -MOST)
    _check_counts(player, COUNTS)
    for name in TIMES:
        _check(name, player[name], int | float, 0, MOST * 1e6)
    _check("seat", player["seat"], int, 0, seats - 1)
    _check("place", player["place"], int, 0, seats - 1)
    _check("rank", player["rank"], int, 1, seats)
    _check("win", player["win"], int | float, 0, 1)
    fault = player.get("fault")
    if not (fault is None or (isinstance(fault, str) and len(fault) <= FAULT and is_text(fault))):
        raise ValueError("fault is no text that a bot may raise")


def _check_counts(player: Mapping[str, Any], names: Sequence[str]) -> None:
    for name in names:
        _check(name, player[name], int, 0)


def _check(name: str, value: object, sort: Any, least: float, most: float = MOST) -> None:
    if not isinstance(value, sort) or isinstance(value, bool) or not least <= value <= most:
        raise ValueError(f"{name} can't be {value!r:.50}")


def read_match(data: Mapping[str, Any]) -> Match:
    """The match that a file's first line names; ValueError if it names none."""
    try:
        match = Match.from_dict(data)
    except (KeyError, TypeError):
        raise ValueError("that is no match") from None
    if not (match.seats >= 1 and all(isinstance(bot, str) for bot in match.bots) and isinstance(match.map, str)):
        raise ValueError("that is no match")
    if match.budgets and len(match.budgets) != match.seats:
        raise ValueError("it does not have a budget for each bot")
    _check("games", match.games, int, 0, MOST_GAMES)
    return match
