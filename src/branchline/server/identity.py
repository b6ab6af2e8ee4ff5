"""People without accounts: a signed cookie says who it is; a name and a language are all that is known of them."""

import hashlib
import hmac
import unicodedata
from base64 import urlsafe_b64encode

import regex

from branchline.server.refused import Refused

COOKIE = "branchline"
COOKIE_SECONDS = 400 * 86_400
"""As long as browsers keep a cookie at most; renewed at each visit."""
LINK_SECONDS = 600.0
FIRST = "0"
"""The session of a cookie that names none: from before there were sessions."""

_GRAPHEME = regex.compile(r"\X")
_LONGEST = 24
_MARKS = 4
"""Marks above and below one character: every script does with fewer, and a tower of them covers what others say."""
_TOWER = regex.compile(rf"([\p{{Mn}}\p{{Me}}]{{{_MARKS}}})[\p{{Mn}}\p{{Me}}]+")
_INVISIBLE = {0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0}
"""Characters of other classes that show nothing: fillers and joiners."""


class Signer:
    """Signs who somebody is on which device, so that nobody can make it up."""

    def __init__(self, key: bytes) -> None:
        """`key` is the server's secret."""
        self._key = hashlib.sha256(b"branchline-identity-1" + key).digest()

    def sign(self, person: str, session: str) -> str:
        """The cookie of a person on a device."""
        signed = person if session == FIRST else f"{person}.{session}"
        return f"{signed}.{self._mark(signed)}"

    def read(self, cookie: str | None) -> tuple[str, str] | None:
        """The person and the session of a cookie, if the signature is ours."""
        signed, dot, mark = (cookie or "").rpartition(".")
        if not dot or not hmac.compare_digest(mark.encode(), self._mark(signed).encode()):
            return None
        person, _, session = signed.partition(".")
        return person, session or FIRST

    def mark(self, place: str) -> str:
        """A mark that is the same for the same place, and tells nobody which it is."""
        return hmac.digest(self._key, b"place " + place.encode(), "sha256")[:12].hex()

    def _mark(self, signed: str) -> str:
        return urlsafe_b64encode(hmac.digest(self._key, signed.encode(), "sha256")[:24]).decode()


def hashed(token: str) -> str:
    """What is kept of a device link: who reads the database can't use it."""
    return hashlib.sha256(token.encode()).hexdigest()


def clean_name(name: str) -> str:
    """A name as it is kept: NFC, single spaces. Refused if it is empty, too long, or holds what can't be seen."""
    name = " ".join(part for part in unicodedata.normalize("NFC", name).split(" ") if part)
    if not name or len(_GRAPHEME.findall(name)) > _LONGEST or len(name) > 4 * _LONGEST:
        raise Refused("name", f"a name has 1 to {_LONGEST} characters", status=422)
    if _TOWER.search(name):
        raise Refused("name", f"a name has no more than {_MARKS} marks on one character", status=422)
    if any(_is_hidden(character) for character in name):
        raise Refused("name", "a name has no control, invisible or direction characters", status=422)
    if not any(unicodedata.category(character)[0] in "LNSP" for character in name):
        raise Refused("name", "a name shows something", status=422)
    return name


def clean_text(text: str) -> str:
    """A line of chat as it is kept: without control and direction characters and towers, which can disguise others."""
    kept = (" " if character in "\n\t" else character for character in unicodedata.normalize("NFC", text))
    text = _TOWER.sub(r"\1", "".join(character for character in kept if not _is_hidden(character)).strip())
    if not text:
        raise Refused("empty", "there is nothing to say", status=422)
    return text


def _is_hidden(character: str) -> bool:
    """Control, format (bidi overrides, zero-width), private, unassigned, surrogate; line breaks; fillers."""
    category = unicodedata.category(character)
    return category[0] == "C" or category in ("Zl", "Zp") or ord(character) in _INVISIBLE
