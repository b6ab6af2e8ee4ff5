"""Actions and events as JSON and as one line of text, and back.

The JSON of a value is its fields, with its name under `is`; the notation is its name and its fields in order:
`claim palermo-smyrna 4 red 2 wild`, `claimed 0 palermo-smyrna 4 red 2 wild 15`. What is hidden or not there is `null`,
in the notation `?` (`draw ?` draws from the deck, of which nothing is seen).
"""

from collections.abc import Mapping
from dataclasses import fields
from types import NoneType
from typing import Any, TypeVar, get_args, get_origin

from branchline import actions, events
from branchline.actions import Action, Payment
from branchline.events import Event

WILD = "wild"
DIGITS = 4000
"""Digits of a seed: Python writes down no number that is much longer."""
LONGEST = 40
"""Letters of a wrong value that a sentence about it tells."""

T = TypeVar("T")

ACTIONS: dict[str, type[Action]] = {
    "draw": actions.DrawCard,
    "claim": actions.ClaimRoute,
    "pay": actions.PayTunnel,
    "take-back": actions.TakeBack,
    "tickets": actions.DrawTickets,
    "keep": actions.KeepTickets,
    "build": actions.BuildStation,
    "pass": actions.Pass,
}
"""The name of each kind of action in JSON and notation."""

EVENTS: dict[str, type[Event]] = {
    "dealt": events.CardsDealt,
    "offered": events.TicketsOffered,
    "answered": events.OpeningAnswered,
    "kept": events.TicketsKept,
    "turn": events.TurnBegan,
    "drawn": events.CardDrawn,
    "taken": events.CardTaken,
    "filled": events.RowFilled,
    "reset": events.RowReset,
    "reshuffled": events.DeckReshuffled,
    "laid": events.TunnelLaid,
    "turned": events.TunnelCardTurned,
    "owed": events.TunnelOwed,
    "taken-back": events.TunnelTakenBack,
    "claimed": events.RouteClaimed,
    "built": events.StationBuilt,
    "passed": events.Passed,
    "last-round": events.LastRoundBegan,
    "ended": events.GameEnded,
}
"""The name of each kind of event in JSON and notation."""

_NAMES: dict[type, str] = {kind: name for kinds in (ACTIONS, EVENTS) for name, kind in kinds.items()}


def to_json(value: Action | Event) -> dict[str, Any]:
    """An action or event as JSON data."""
    return {"is": _NAMES[type(value)], **{field.name: _plain(getattr(value, field.name)) for field in fields(value)}}


def action_from_json(data: object) -> Action:
    """The action that JSON data describes; ValueError names what is wrong with it."""
    return _from_json(ACTIONS, "action", data)


def event_from_json(data: object) -> Event:
    """The event that JSON data describes; ValueError names what is wrong with it."""
    return _from_json(EVENTS, "event", data)


def to_line(value: Action | Event) -> str:
    """An action or event in one line."""
    words = [_NAMES[type(value)]]
    for field in fields(value):
        words += _words(getattr(value, field.name))
    return " ".join(words)


def action_from_line(line: str) -> Action:
    """The action that a line describes; ValueError names what is wrong with it."""
    return _from_line(ACTIONS, "action", line)


def event_from_line(line: str) -> Event:
    """The event that a line describes; ValueError names what is wrong with it."""
    return _from_line(EVENTS, "event", line)


def payment_to_json(payment: Payment) -> dict[str, Any]:
    """A payment as JSON data."""
    return {"colour": payment.colour, "cards": payment.cards, "wilds": payment.wilds}


def payment_to_words(payment: Payment) -> list[str]:
    """A payment as words: `4 red 2 wild`."""
    words = [] if payment.colour is None else [str(payment.cards), payment.colour]
    if payment.wilds or payment.colour is None:
        words += [str(payment.wilds), WILD]
    return words


def _plain(value: object) -> object:
    if isinstance(value, Payment):
        return payment_to_json(value)
    return list(value) if isinstance(value, tuple) else value


def _from_json(kinds: Mapping[str, type[T]], what: str, data: object) -> T:
    if not isinstance(data, Mapping):
        raise ValueError(f"an {what} is an object with a field 'is'")
    name = data.get("is")
    kind = kinds.get(name) if isinstance(name, str) else None
    if kind is None:
        raise ValueError(f"is: no {what} is called {shortened(name)}; there are {', '.join(kinds)}")
    types = _types(kind)
    if set(data) != {"is", *types}:
        raise ValueError(f"{name}: has the fields {', '.join(['is', *types])} and no others")
    return kind(**{field: _read(types[field], data[field], f"{name}.{field}") for field in types})


def _read(type_: object, value: object, where: str) -> object:
    """The value of one field, of its very type."""
    if type_ is Payment:
        return _read_payment(value, where)
    parts = get_args(type_)
    if value is None and NoneType in parts:
        return None
    if NoneType in parts:
        type_ = next(part for part in parts if part is not NoneType)
        parts = get_args(type_)
    if get_origin(type_) is tuple:
        if not isinstance(value, list | tuple):
            raise ValueError(f"{where}: expected a list")
        return tuple(_read(parts[0], item, where) for item in value)
    if type(value) is not type_:
        raise ValueError(f"{where}: expected {'a whole number' if type_ is int else 'text'}")
    return value


def _read_payment(value: object, where: str) -> Payment:
    if not isinstance(value, Mapping) or set(value) != {"colour", "cards", "wilds"}:
        raise ValueError(f"{where}: a payment has the fields colour, cards and wilds")
    types = _types(Payment)
    values: dict[str, Any] = {field: _read(types[field], value[field], f"{where}.{field}") for field in types}
    return Payment(**values)


def _types(kind: type) -> dict[str, Any]:
    return {field.name: field.type for field in fields(kind)}


def _words(value: object) -> list[str]:
    if isinstance(value, Payment):
        return payment_to_words(value)
    if isinstance(value, tuple):
        return ["?" if item is None else str(item) for item in value]
    return ["?" if value is None else str(value)]


def _from_line(kinds: Mapping[str, type[T]], what: str, line: str) -> T:
    name, *words = line.split() or [""]
    kind = kinds.get(name)
    if kind is None:
        raise ValueError(f"no {what} begins with {shortened(name)}; there are {', '.join(kinds)}")
    values: dict[str, object] = {}
    for field, type_ in _types(kind).items():
        values[field], words = _take(type_, words, f"{name}: {field}")
    if words:
        raise ValueError(f"{name}: too many words, from {shortened(words[0])} on")
    return kind(**values)


def _take(type_: object, words: list[str], where: str) -> tuple[object, list[str]]:
    """Read one field off the front of the words; lists take all the rest."""
    if type_ is Payment:
        return _take_payment(words, where)
    parts = get_args(type_)
    if get_origin(type_) is tuple:
        return tuple(None if word == "?" else word for word in words), []
    if not words:
        raise ValueError(f"{where} is missing")
    if NoneType in parts:
        if words[0] == "?":
            return None, words[1:]
        return _take(next(part for part in parts if part is not NoneType), words, where)
    if type_ is int:
        return _number(words[0], where), words[1:]
    return words[0], words[1:]


def _take_payment(words: list[str], where: str) -> tuple[Payment, list[str]]:
    colour: str | None = None
    cards = wilds = 0
    if len(words) >= 2 and words[1] != WILD:
        cards, colour = _number(words[0], where), words[1]
        words = words[2:]
    if len(words) >= 2 and words[1] == WILD:
        wilds = _number(words[0], where)
        words = words[2:]
    elif colour is None:
        raise ValueError(f"{where} is missing: cards are written as 4 red 2 wild")
    return Payment(colour, cards, wilds), words


def _number(word: str, where: str) -> int:
    if not word.isascii() or not word.isdigit() or len(word) > 9:
        raise ValueError(f"{where}: expected a number, not {shortened(word)}")
    return int(word)


def shortened(value: object) -> str:
    """A value as Python writes it, for a sentence about what is wrong with it; never long, however large it is."""
    if isinstance(value, str):
        return repr(value if len(value) <= LONGEST else value[:LONGEST] + "…")
    if value is None or isinstance(value, bool | float) or (isinstance(value, int) and abs(value) < 10**LONGEST):
        return repr(value)
    return {int: "so large a number", list: "a list", tuple: "a list", dict: "an object"}.get(type(value), "that")


def check_seed(seed: object) -> None:
    """Raise a ValueError for what is no seed: an int, a text or bytes is one."""
    if isinstance(seed, bool) or not isinstance(seed, int | str | bytes):
        raise ValueError(f"an int, a str or bytes, not {shortened(seed)}")
    if isinstance(seed, int) and abs(seed) >= 10**DIGITS:
        raise ValueError(f"a number of at most {DIGITS} digits")
    if isinstance(seed, str) and not seed.isascii():
        try:
            seed.encode()
        except UnicodeEncodeError:
            raise ValueError("is not text that UTF-8 can write") from None
