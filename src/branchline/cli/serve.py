"""`branchline serve`: the server that people play on."""

import ast
import inspect
import os
import socket
from argparse import Namespace
from collections.abc import Callable, Sequence
from dataclasses import fields

from branchline.cli.parser import Parser, Trouble
from branchline.server.settings import Settings

_SHOWN = (
    "host",
    "port",
    "database",
    "bus",
    "secret",
    "public_url",
    "proxies",
    "hosts",
    "log_level",
    "log",
    "metrics_token",
    "drain",
    "data",
    "integrity",
    "bot_workers",
    "bot_budget",
    "bot_pace",
    "rate_limits",
    "connections",
    "connections_per_address",
    "request_seconds",
    "upload_seconds",
    "sockets_per_person",
    "sockets_per_table",
    "queue",
    "heartbeat",
    "absence",
)


def parser() -> Parser:
    """What `branchline serve` takes: a flag for each setting, whose help is the setting's own line."""
    parser = Parser(
        "branchline serve",
        "Run the server that people play on, until interrupted. docs/hosting.md says more.",
        "branchline serve --port 8080",
        "branchline serve --public-url https://trains.example.org --proxies 127.0.0.1",
        "branchline serve --database postgresql://db.example.org/trains --bus redis://cache.example.org",
    )
    add_settings(parser, _SHOWN)
    return parser


def add_settings(parser: Parser, names: Sequence[str]) -> None:
    """A flag for each of some settings, whose help is the setting's own line."""
    lines = explained()
    defaults = {entry.name: entry.default for entry in fields(Settings)}
    for name in names:
        default = defaults[name]
        shown = f" [{default}]" if default not in ("", ()) else ""
        parser.add_argument(
            f"--{name.replace('_', '-')}",
            metavar=name.upper().rpartition("_")[2],
            help=f"{lines[name]}{shown} (BRANCHLINE_{name.upper()})".replace("%", "%%"),
        )


def run(args: Namespace) -> int:
    """Serve until interrupted."""
    return start(vars(args), lambda settings, port: print(f"Branchline is at {address(settings, port)}", flush=True))


def start(given: dict[str, object], ready: Callable[[Settings, int], None]) -> int:
    """Read the settings, listen, say so, and serve."""
    from branchline.server import serving  # late: --help need not wait for the web framework

    try:
        settings = Settings.read(given, os.environ)
        listening = serving.bind(settings)
        server = serving.server(settings)
        listening.listen(serving.WAITING)
    except OSError as error:
        raise Trouble(f"{error.strerror or error}: {given.get('host') or 'this address'}") from None
    except ValueError as error:
        raise Trouble(str(error)) from None
    with listening:
        ready(settings, listening.getsockname()[1])
        serving.run(server, listening)
    return 0


def address(settings: Settings, port: int) -> str:
    """Where people find the server."""
    if settings.public_url:
        return settings.public_url
    host = settings.host
    if host in ("0.0.0.0", "::", ""):
        host = local_address() or "localhost"
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def local_address() -> str | None:
    """This machine's address in the local network; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return None


def explained() -> dict[str, str]:
    """The line under each setting."""
    body = ast.parse(inspect.getsource(Settings)).body[0]
    assert isinstance(body, ast.ClassDef)
    lines: dict[str, str] = {}
    for field, line in zip(body.body, body.body[1:], strict=False):
        if (
            isinstance(field, ast.AnnAssign)
            and isinstance(field.target, ast.Name)
            and isinstance(line, ast.Expr)
            and isinstance(line.value, ast.Constant)
        ):
            lines[field.target.id] = str(line.value.value)
    return lines
