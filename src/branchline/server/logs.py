"""Logs: one place for all of them, as lines for people or as JSON for whoever collects them."""

import logging
from datetime import UTC, datetime
from typing import Any, Literal

import orjson

Form = Literal["text", "json"]


def to_stderr(level: str, form: Form) -> dict[str, Any]:
    """All logs to one place, ours and uvicorn's."""
    logger = {"handlers": ["stderr"], "level": level.upper(), "propagate": False}
    # That the database is away the store says itself, once a minute; its driver would each time, with a traceback.
    quiet = {**logger, "level": "CRITICAL"}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"ours": {"()": _Ours}},
        "formatters": {
            "text": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"},
            "json": {"()": JsonLines},
        },
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": form, "filters": ["ours"]}},
        "loggers": dict.fromkeys(("branchline", "uvicorn", "uvicorn.error", "uvicorn.access"), logger)
        | {"asyncpg": quiet},
    }


class JsonLines(logging.Formatter):
    """One object on one line for each record, whatever it says: nobody can write a second line."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "text": record.getMessage(),
            "process": record.process,
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return orjson.dumps(line, default=str).decode()


_COMMON = (
    "Invalid HTTP",
    "Invalid UTF-8",
    "Unsupported upgrade",
    '%s - "WebSocket',
    "connection open",
    "connection closed",
    "connection rejected",
    "HTTP response sent",
)


class _Ours(logging.Filter):
    """Leaves out what anybody can make the server say as often as they like."""

    def filter(self, record: logging.LogRecord) -> bool:
        return record.levelno <= logging.DEBUG or not str(record.msg).startswith(_COMMON)
