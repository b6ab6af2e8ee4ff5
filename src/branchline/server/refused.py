"""Refused: why the server did not do something."""

from branchline.server.messages import Problem


class Refused(Exception):
    """Nothing happened. `code` is a word that a program can compare, `text` a sentence for people."""

    def __init__(self, code: str, text: str, rule: str | None = None, status: int = 409) -> None:
        """`status` is what HTTP calls it."""
        super().__init__(code)
        self.code = code
        self.text = text
        self.rule = rule
        self.status = status

    def problem(self) -> Problem:
        """As a message."""
        return {"code": self.code, "text": self.text, "rule": self.rule}


def busy() -> Refused:
    """The database is full or locked."""
    return Refused("busy", "the server could not store this now; try again", status=503)


def stale() -> Refused:
    """The question was answered or has changed."""
    return Refused("stale", "the table has moved on; look at it again")


def not_found(what: str) -> Refused:
    """There is no such thing, or not for the one who asks."""
    return Refused("not-found", f"there is no such {what}", status=404)


def too_many() -> Refused:
    """A rate limit."""
    return Refused("too-many", "too much at once; wait a moment", status=429)
