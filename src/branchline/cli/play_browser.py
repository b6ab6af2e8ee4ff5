"""`branchline play`: the server on this machine, and the browser opened on it."""

import threading
import webbrowser
from argparse import Namespace

from branchline.cli.serve import local_address, start
from branchline.server.settings import Settings


def play(args: Namespace) -> int:
    """Serve until interrupted; returns the exit code."""
    given: dict[str, object] = {"port": args.port or _free_port()}
    if args.lan:
        given["host"] = "0.0.0.0"

    def ready(settings: Settings, port: int) -> None:
        here = f"http://localhost:{port}"
        print(f"Branchline is at {here}", flush=True)
        if args.lan:
            _show(f"http://{local_address() or 'localhost'}:{port}")
        if not args.no_browser and _has_browser():
            threading.Timer(1.0, webbrowser.open, (here,)).start()

    return start(given, ready)


def _free_port() -> str:
    import socket

    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", 8000))
        except OSError:
            return "0"
    return "8000"


def _has_browser() -> bool:
    try:
        webbrowser.get()
    except webbrowser.Error:
        return False
    return True


def _show(url: str) -> None:
    import segno

    print(f"Friends on the same network: {url}", flush=True)
    segno.make(url).terminal(compact=True)
