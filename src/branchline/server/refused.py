"""Refused: why the server did not do something."""

from typing import cast

from branchline.engine.refusals import IllegalAction
from branchline.server.messages import Code, Problem


class Refused(Exception):
    """Nothing happened. `code` is a word that a program can compare, `text` a sentence for people."""

    def __init__(self, code: Code, text: str, rule: str | None = None, status: int = 409) -> None:
        """`status` is what HTTP calls it."""
        super().__init__(code)
        self.code = code
        self.text = text
        self.rule = rule
        self.status = status

    @classmethod
    def illegal(cls, error: IllegalAction) -> "Refused":
        """What the rules refuse."""
        return cls(cast(Code, error.reason), error.message, error.rule, 422)

    def problem(self) -> Problem:
        """As a message."""
        return {"code": self.code, "text": self.text, "rule": self.rule}


def cannot_store(unsure: bool = False) -> Refused:
    """The database is full, locked, read-only or damaged; or lost on the way, and `unsure` whether it stored."""
    if unsure:
        text = "the server cannot reach its database just now; send it again later, what was done is not done twice"
    else:
        text = "the server cannot store just now; nothing was done, try again later"
    return Refused("cannot-store", text, status=503)


def stale() -> Refused:
    """The question was answered or has changed."""
    return Refused("stale", "the table has moved on; look at it again")


def id_of_another() -> Refused:
    """An id that comes again is for the same message: what is asked now was not done."""
    return Refused("malformed", "id: you have sent something else under it; each message has its own")


def not_found(what: str) -> Refused:
    """There is no such thing, or not for the one who asks."""
    return Refused("not-found", f"there is no such {what}", status=404)


def not_yours() -> Refused:
    """A seat of somebody else, whether or not there is such a seat."""
    return Refused("not-yours", "this is not your seat", status=403)


def too_many() -> Refused:
    """A rate limit."""
    return Refused("too-many", "too much at once; wait a moment", status=429)
