"""Settings: flags and `BRANCHLINE_*` variables as one frozen record."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from platformdirs import user_data_path

from branchline.server import secret


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything a host can set. The help of each flag is its line here."""

    host: str = "127.0.0.1"
    """Address to listen on; 0.0.0.0 for all."""
    port: int = 8000
    """Port to listen on; 0 for any that is free."""
    database: str = field(default="", repr=False)
    """Where games are kept: sqlite:////var/lib/branchline/tables.db, postgresql://db.example.org/trains for several
    servers, or if not given in the user's data folder."""
    bus: str = field(default="", repr=False)
    """How several servers of one database hear of each other's changes at once (redis://cache.example.org:6379)."""
    secret: str = field(default="", repr=False)
    """What identities are signed with, at least 32 characters; made and kept beside the database if not given."""
    public_url: str = ""
    """The address people use (https://trains.example.org); needed behind a reverse proxy."""
    proxies: tuple[str, ...] = ()
    """Addresses of reverse proxies, separated by commas, whose X-Forwarded-For and -Proto headers are believed."""
    hosts: tuple[str, ...] = ()
    """Further host names, separated by commas, that the server answers to; localhost and the public one always."""
    log_level: str = "info"
    """How much is logged: debug, info, warning or error. No level logs a secret."""
    log: Literal["text", "json"] = "text"
    """How it is logged: text, or json with one object on each line."""
    metrics_token: str = field(default="", repr=False)
    """What Prometheus has to show to read /metrics, at least 32 characters; if not given, nobody can."""
    drain: float = 5.0
    """Seconds over which SIGTERM closes the sockets of a crowd, with a bus, so that they go elsewhere one by one."""
    bot_workers: int = 0
    """Processes in which bots think; 0 for one less than there are cores."""
    bot_budget: float = 1.0
    """Seconds a bot may think about one action when nothing else waits; shrinks under load."""
    bot_pace: float = 1.0
    """How slowly bots act, as a multiple of a natural pace; 0 for at once, when how long they thought shows."""
    rate_limits: float = 1.0
    """Limits on requests, messages and chat, as a multiple of what is normal; 0 for none."""
    connections: int = 0
    """Connections in all; 0 for as many as the system's limit of open files allows, less some for the server itself."""
    connections_per_address: int = 250
    """Connections from one address, for IPv6 from one /64; 0 for any number. Proxies' own are not counted."""
    request_seconds: float = 10.0
    """Seconds within which a request's head has to come; its body may take three times as long."""
    upload_seconds: float = 2.0
    """Seconds of processor time for looking at a record that somebody sends."""
    sockets_per_person: int = 5
    """Sockets that one person may have open at one table; a further one closes the oldest."""
    sockets_per_table: int = 400
    """Sockets that one table takes in all."""
    queue: int = 64
    """Messages that may wait for a socket; who reads more slowly is dropped."""
    heartbeat: float = 10.0
    """Seconds between heartbeats; a socket is closed when two of them and a half go unanswered."""
    absence: float = 300.0
    """Seconds without a socket after which a seat may be handed to a bot, at a table without a clock."""
    integrity: Literal["quick", "full", "none"] = "quick"
    """How the database is checked at the start: quick, full (indexes too) or none. A damaged one is refused."""
    data: str = ""
    """The folder for database and secret; the user's data folder if not given."""

    @property
    def folder(self) -> Path:
        """Where the database and the secret are, unless they are named."""
        return Path(self.data) if self.data else user_data_path("branchline", appauthor=False)

    @property
    def database_url(self) -> str:
        """The database, the default spelled out."""
        return self.database or f"sqlite:///{(self.folder / 'tables.db').absolute()}"

    @property
    def secure(self) -> bool:
        """Whether people come over TLS."""
        return self.public_url.startswith("https://")

    def signing_key(self) -> bytes:
        """The secret, made at the first start; ValueError if there is none to be had, or it is too short."""
        return secret.given(self.secret) if self.secret else secret.kept(self.folder / "secret")

    def __post_init__(self) -> None:
        """ValueError for a token that could be guessed."""
        if self.metrics_token and len(self.metrics_token) < secret.SHORTEST:
            raise ValueError(f"metrics_token: at least {secret.SHORTEST} characters")

    @classmethod
    def read(cls, given: Mapping[str, Any], environment: Mapping[str, str]) -> "Settings":
        """Settings from flags (None where not given) and, below them, `BRANCHLINE_*` variables."""
        values: dict[str, Any] = {}
        for entry in fields(cls):
            value = given.get(entry.name)
            if value is None:
                value = environment.get(f"BRANCHLINE_{entry.name.upper()}")
            if value is not None:
                values[entry.name] = _typed(entry.name, entry.type, value)
        return cls(**values)


def _typed(name: str, type_: object, value: Any) -> Any:
    try:
        if type_ is int:
            return int(value)
        if type_ is float:
            return float(value)
    except ValueError:
        raise ValueError(f"{name}: expected a number, not {value!r}") from None
    choices = get_args(type_) if get_origin(type_) is Literal else ()
    if choices and value not in choices:
        raise ValueError(f"{name}: expected {', '.join(choices[:-1])} or {choices[-1]}, not {value!r}")
    if type_ == tuple[str, ...] and isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    return value
