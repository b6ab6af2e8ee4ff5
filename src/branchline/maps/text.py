"""Reads JSON text and remembers on which line each value stands."""

import json
import re
from bisect import bisect_left
from typing import NoReturn

from branchline.maps.fault import Fault, Place, words

DEPTH = 20
"""Deeper than any map; what is nested further would exhaust Python's stack."""

DIGITS = 15
SPACE = frozenset(" \t\n\r")


class TextError(ValueError):
    """Text that is not JSON, from this line on."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


def read(text: str | bytes) -> tuple[object, dict[Place, int], list[Fault]]:
    """The data of a JSON text, the line of every place in it, and the keys that are given twice."""
    reader = _Reader(_decoded(text) if isinstance(text, bytes) else text)
    data, at = reader.value(reader.skip(0), ())
    if reader.skip(at) < len(reader.text):
        reader.fail(reader.skip(at), "there is more text after the end of the map")
    return data, reader.lines, reader.repeated


def _decoded(content: bytes) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise TextError(content.count(b"\n", 0, error.start) + 1, "is not UTF-8 text") from None


class _Reader:
    """Walks objects and arrays itself and leaves strings and numbers to the standard decoder."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines: dict[Place, int] = {}
        self.repeated: list[Fault] = []
        self._breaks = [match.start() for match in re.finditer("\n", text)]
        self._decoder = json.JSONDecoder(parse_int=_whole, parse_constant=_constant)

    def value(self, at: int, place: Place) -> tuple[object, int]:
        """The value that begins at this character, and where it ends."""
        self.lines.setdefault(place, self._line(at))
        if len(place) > DEPTH:
            self.fail(at, "the text is nested too deeply")
        if self._sees("{", at):
            return self._object(at + 1, place)
        if self._sees("[", at):
            return self._array(at + 1, place)
        return self._scalar(at)

    def skip(self, at: int) -> int:
        """Where the white space that begins at this character ends."""
        while self.text[at : at + 1] in SPACE:
            at += 1
        return at

    def fail(self, at: int, message: str) -> NoReturn:
        raise TextError(self._line(at), message)

    def _object(self, at: int, place: Place) -> tuple[dict[str, object], int]:
        data: dict[str, object] = {}
        more, at = self._enter("}", at)
        while more:
            if not self._sees('"', at):
                self.fail(at, "expected a key in double quotes")
            start = at
            key, at = self._scalar(start)
            name = str(key)
            member = (*place, name)
            if name in data:
                self.repeated.append(Fault(self._line(start), words(member), "the key is given twice"))
            self.lines.setdefault(member, self._line(start))
            data[name], at = self.value(self._pass(":", at), member)
            more, at = self._next("}", at)
        return data, at

    def _array(self, at: int, place: Place) -> tuple[list[object], int]:
        data: list[object] = []
        more, at = self._enter("]", at)
        while more:
            value, at = self.value(at, (*place, len(data)))
            data.append(value)
            more, at = self._next("]", at)
        return data, at

    def _enter(self, close: str, at: int) -> tuple[bool, int]:
        at = self.skip(at)
        return (False, at + 1) if self._sees(close, at) else (True, at)

    def _next(self, close: str, at: int) -> tuple[bool, int]:
        end = self.skip(at)
        if self._sees(close, end):
            return False, end + 1
        start = self._pass(",", at)
        if self._sees(close, start):
            self.fail(end, "a comma with nothing after it")
        return True, start

    def _pass(self, sign: str, at: int) -> int:
        end = self.skip(at)
        if not self._sees(sign, end):
            # The line that lacks the sign is the one it should end, not the next one.
            self.fail(at, f"expected '{sign}'")
        return self.skip(end + 1)

    def _scalar(self, at: int) -> tuple[object, int]:
        try:
            value: tuple[object, int] = self._decoder.raw_decode(self.text, at)
        except json.JSONDecodeError as error:
            self.fail(error.pos, error.msg[:1].lower() + error.msg[1:].removesuffix(" at").removesuffix(" starting"))
        except ValueError as error:
            self.fail(at, str(error))
        if isinstance(value[0], str) and not value[0].isascii():
            try:
                value[0].encode()
            except UnicodeEncodeError:
                self.fail(at, "half a surrogate pair is not text")
        return value

    def _sees(self, sign: str, at: int) -> bool:
        return self.text.startswith(sign, at)

    def _line(self, at: int) -> int:
        return bisect_left(self._breaks, at) + 1


def _whole(digits: str) -> int:
    if len(digits) > DIGITS:
        raise ValueError(f"a number of more than {DIGITS} digits")
    return int(digits)


def _constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number in JSON")
