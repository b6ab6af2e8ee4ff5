"""Record: a whole game as a file. It holds who did what and the key of the shuffles; everything else follows."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

from branchline.actions import Action
from branchline.codec import action_from_line, check_seed, shortened, to_line
from branchline.engine.refusals import IllegalAction
from branchline.engine.shuffle import Shuffler, game_key
from branchline.events import Event
from branchline.game import Game
from branchline.laws import KEY
from branchline.maps import BUNDLED, Map, MapError, load_map, map_from_data

T = TypeVar("T")

FORMAT = "branchline-record-1"
RULES = 1
"""The version of the rules: changes when the same log could lead to another game."""
LARGEST = 16_000_000
"""Bytes of a record: the longest games take a hundredth of that."""
NAME = 200
"""Letters of a player's name."""


@dataclass(frozen=True, slots=True)
class Player:
    """Who sat in a seat."""

    name: str = ""
    bot: str | None = None
    """The bot's name; None for a person."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was verified."""

    what: str
    ok: bool
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What verifying a record showed, and what it can't show."""

    checks: tuple[Check, ...]
    vouches: tuple[str, ...]
    """What holds if all checks do."""
    cannot: tuple[str, ...]
    """What no record can show."""

    @property
    def ok(self) -> bool:
        """Whether every check holds."""
        return all(check.ok for check in self.checks)


@dataclass(frozen=True)
class Record:
    """A game from the deal to its end, or as far as it was played."""

    map: Map
    players: tuple[Player, ...]
    key: bytes
    """The key of the shuffles."""
    first: int | None
    """The first seat if it was named, None if the shuffle chose it."""
    log: tuple[tuple[int, Action], ...]
    result: Mapping[str, Any] | None
    """The scores as they were counted; None for a game that had not ended."""
    seed: int | str | bytes | None = None
    """What the key was made from, where that is told."""
    entropy: bytes = b""
    rules: int = RULES
    map_hash: str = ""
    """The hash of the map it was played on."""
    commitment: str = ""
    """The SHA-256, in hex, of a seed of bytes as it is, without its letter, where a server told it before the deal."""

    @classmethod
    def of(
        cls,
        game: Game,
        players: Sequence[Player] = (),
        *,
        seed: int | str | bytes | None = None,
        entropy: bytes = b"",
    ) -> "Record":
        """The record of a game that was dealt with a key."""
        if not game.was_dealt or not game.key:
            raise ValueError("only a game dealt with Game.new has a record: this one began from a position")
        if players and len(players) != game.seats:
            raise ValueError(f"players: one for each of the {game.seats} seats")
        return cls(
            game.map,
            tuple(players) or (Player(),) * game.seats,
            game.key,
            game.named_first,
            game.log,
            game.scores().to_dict() if game.over else None,
            seed,
            entropy,
            map_hash=game.map.hash,
        )

    def deal(self) -> Game:
        """The game as it was dealt, before the first action."""
        return Game.dealt(self.map, len(self.players), Shuffler(self.key), self.first)

    def replay(self) -> Iterator[tuple[Game, int | None, Action | None, list[Event]]]:
        """Play the game over again: the deal, then each action with who did it and what happened.

        The game handed out is the same one each time, and moves on.
        """
        game = self.deal()
        yield game, None, None, game.opening_events()
        for seat, action in self.log:
            yield game, seat, action, game.play(seat, action)

    def verify(self) -> Verdict:
        """Derive every shuffle, action and score again."""
        checks = [
            Check("rules", self.rules == RULES, f"version {self.rules}; this program knows {RULES}"),
            Check("map", self.map_hash == self.map.hash, f"{self.map.id} {self.map.hash}"),
        ]
        if self.seed is not None:
            checks.append(Check("seed", game_key(self.seed, self.entropy) == self.key, "the seed gives the key"))
        if self.commitment:
            kept = isinstance(self.seed, bytes) and commitment(self.seed) == self.commitment
            checks.append(Check("commitment", kept, "the seed is the one committed to before the deal"))
        game = self.deal()
        trouble = ""
        try:
            for seat, action in self.log:
                game.play(seat, action)
        except IllegalAction as error:
            trouble = f"; the next is refused, {error}"
        checks.append(Check("actions", not trouble, f"{len(game.log)} of {len(self.log)} legal{trouble}"))
        if not trouble:
            scores = _plain(game.scores().to_dict()) if game.over else None
            ended = "the scores follow" if game.over else "the game has not ended"
            checks.append(Check("result", scores == _plain(self.result), ended))
        return Verdict(tuple(checks), _VOUCHES, _CANNOT if self.seed is not None else (*_CANNOT, _NO_SEED))

    def to_dict(self) -> dict[str, Any]:
        """The record as JSON data."""
        bundled = self.map.id in BUNDLED and self.map == load_map(self.map.id)
        return {
            "format": FORMAT,
            "rules": self.rules,
            "map": self.map.id if bundled else self.map.to_dict(),
            "map_hash": self.map_hash,
            "players": [{"name": player.name, "bot": player.bot} for player in self.players],
            "first": self.first,
            "key": self.key.hex(),
            "seed": _seed_to_json(self.seed),
            "entropy": self.entropy.hex(),
            "commitment": self.commitment,
            "log": [[seat, to_line(action)] for seat, action in self.log],
            "result": _plain(self.result),
        }

    @classmethod
    def from_dict(cls, data: object, maps: Iterable[Map] = ()) -> "Record":
        """The record that data describes; ValueError names the field that is wrong.

        Its map is one of ours or of `maps`, by its id, or whole data; never a file.
        """
        if not isinstance(data, Mapping) or data.get("format") != FORMAT:
            raise ValueError(f"format: expected {FORMAT!r}")
        record = cls._read(data, maps)
        rules = record.map.rules
        if not rules.seats_min <= len(record.players) <= rules.seats_max:
            raise ValueError(f"players: {record.map.id} is for {rules.seats_min} to {rules.seats_max} seats")
        if record.first is not None and not 0 <= record.first < len(record.players):
            raise ValueError(f"first: there is no seat {record.first}")
        if len(record.key) != KEY:
            raise ValueError(f"key: has {KEY} bytes, not {len(record.key)}")
        return record

    @classmethod
    def _read(cls, data: Mapping[str, Any], maps: Iterable[Map]) -> "Record":
        return cls(
            map=_field(data, "map", lambda map: map_from_data(map, maps)),
            players=_field(data, "players", _players),
            key=_field(data, "key", _bytes),
            first=_field(data, "first", lambda first: None if first is None else _seat(first)),
            log=_field(data, "log", _log),
            result=_field(data, "result", _result),
            seed=_field(data, "seed", _seed_from_json, None),
            entropy=_field(data, "entropy", _bytes, ""),
            rules=_field(data, "rules", _number),
            map_hash=_field(data, "map_hash", _hash),
            commitment=_field(data, "commitment", _hash, ""),
        )

    def save(self, path: str | Path) -> None:
        """Write the record to a file, an action a line."""
        data = self.to_dict()
        log = data.pop("log")
        head = json.dumps(data, ensure_ascii=False, indent=1)
        lines = ",\n  ".join(json.dumps(entry, ensure_ascii=False) for entry in log)
        Path(path).write_text(f'{head[:-2]},\n "log": [\n  {lines}\n ]\n}}\n', encoding="utf-8")

    @classmethod
    def load(cls, path: str | Path, maps: Iterable[Map] = ()) -> "Record":
        """Read a record from a file; ValueError says what is wrong with it."""
        try:
            with Path(path).open("rb") as file:
                content = file.read(LARGEST + 1)
        except OSError as error:
            raise ValueError(f"{path}: {error.strerror}") from None
        except ValueError as error:  # a path with a null in it
            raise ValueError(f"{path!r}: {error}") from None
        if len(content) > LARGEST:
            raise ValueError(f"{path}: larger than {LARGEST // 1_000_000} MB")
        try:
            data = json.loads(content.decode())
        except ValueError as error:
            raise ValueError(f"{path}: not JSON: {error}") from None
        except RecursionError:
            raise ValueError(f"{path}: nested too deeply") from None
        try:
            return cls.from_dict(data, maps)
        except MapError:
            raise
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from None


def commitment(seed: bytes) -> str:
    """What a server publishes before the deal: the SHA-256 of the seed's own bytes, in hex (docs/records.md).

    Not of the bytes with their letter in front: that hash is the secret that the key is made with.
    """
    return sha256(seed).hexdigest()


_VOUCHES = (
    "every shuffle follows from the key, by docs/records.md",
    "every action was legal when it was done",
    "the result is what the rules count",
)
_CANNOT = (
    "who the players were, and whether anybody knew the key while they played",
    "whether other games were dealt and thrown away before this one",
)
_NO_SEED = "where the key came from: the record does not tell its seed"


def _plain(data: object) -> Any:
    """Data as JSON would give it back."""
    return json.loads(json.dumps(data))


_MISSING = object()


def _field(data: Mapping[str, Any], name: str, read: Callable[[Any], T], default: object = _MISSING) -> T:
    """What one field says; what is wrong with it is said with its name."""
    value = data.get(name, default)
    if value is _MISSING:
        raise ValueError(f"{name}: is missing")
    try:
        return read(value)
    except MapError:
        raise
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def _number(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError(f"expected a number, not {shortened(value)}")
    return value


def _seat(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError(f"expected a seat, not {shortened(value)}")
    return value


def _bytes(value: object) -> bytes:
    try:
        return bytes.fromhex(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise ValueError("expected bytes in hex, two hexadecimal digits each") from None


def _hash(value: object) -> str:
    if not isinstance(value, str) or (value and not re.fullmatch("[0-9a-f]{64}", value)):
        raise ValueError("expected a SHA-256 in hex")
    return value


def _result(value: object) -> Mapping[str, Any] | None:
    if value is None:
        return None
    if not isinstance(value, Mapping):
        raise ValueError("expected the scores, or null for a game that had not ended")
    try:
        return dict(_plain(value))
    except (TypeError, ValueError, RecursionError):
        raise ValueError("is not JSON, or nested too deeply") from None


def _log(value: object) -> tuple[tuple[int, Action], ...]:
    if not isinstance(value, list | tuple):
        raise ValueError("expected a list of actions")
    log = []
    for entry in value:
        if not isinstance(entry, list | tuple) or len(entry) != 2 or not isinstance(entry[1], str):
            raise ValueError(f"an action is [seat, line], not {shortened(entry)}")
        log.append((_seat(entry[0]), action_from_line(entry[1])))
    return tuple(log)


def _players(value: object) -> tuple[Player, ...]:
    if not isinstance(value, list | tuple):
        raise ValueError("expected a list of players")
    players = []
    for entry in value:
        if not isinstance(entry, Mapping) or not {"name", "bot"} <= entry.keys():
            raise ValueError(f"a player has a name and a bot, or null for a person, not {shortened(entry)}")
        players.append(Player(_name(entry["name"]), None if entry["bot"] is None else _name(entry["bot"])))
    return tuple(players)


def _name(value: object) -> str:
    if not isinstance(value, str) or len(value) > NAME:
        raise ValueError(f"a name is text of at most {NAME} letters, not {shortened(value)}")
    return value


def _seed_to_json(seed: int | str | bytes | None) -> object:
    return {"bytes": seed.hex()} if isinstance(seed, bytes) else seed


def _seed_from_json(data: object) -> int | str | bytes | None:
    if isinstance(data, Mapping):
        return _bytes(data.get("bytes"))
    if data is None:
        return None
    if not isinstance(data, int | str):
        raise ValueError("a number, a text, or an object with bytes as hex")
    check_seed(data)
    return data
