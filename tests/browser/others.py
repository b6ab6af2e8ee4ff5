"""Browsers that are not Chromium, driven over their own protocols: Firefox (WebDriver BiDi) and WebKit (WebDriver).

Half of the phones have nothing but WebKit. Each can load a page, evaluate a script in it and click at a point, which is
all that a player needs.
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol

from websockets.sync.client import ClientConnection, connect

from tests.browser.players import STILL

PATIENCE = 120.0
"""Seconds a slow machine may take for anything."""
FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
WEBKIT = shutil.which("WebKitWebDriver")
SIZE = (1280, 800)
SHOWN = """[...document.querySelectorAll('.status, .popup, .notice, .sign, .note, [role=alert]')]
  .map((part) => `${part.className}: ${part.innerText}`)"""
"""What a page says just now, for whoever has to find out why it does not go on."""


class Window(Protocol):
    """A window of some browser."""

    def go(self, url: str) -> None:
        """Load a page."""

    def evaluate(self, expression: str) -> Any:
        """The value of an expression in the page, or of what it promises, as JSON data."""

    def click(self, x: float, y: float) -> None:
        """Press and release the pointer there."""


def until(window: Window, expression: str, seconds: float = PATIENCE) -> Any:
    """The first true value that an expression has."""
    end = time.monotonic() + seconds
    while not (found := window.evaluate(expression)):
        assert time.monotonic() < end, f"never came true: {expression}; the page shows {window.evaluate(SHOWN)}"
        time.sleep(0.05)
    return found


def press(window: Window, selector: str) -> None:
    """Click the middle of what a selector finds, when it is there, lies still and is not covered."""
    middle = f"""() => {{
      const found = document.querySelector({json.dumps(selector)})
      if (!found || found.disabled) return null
      found.scrollIntoView({{ block: 'nearest', inline: 'nearest', behavior: 'instant' }})
      const box = found.getBoundingClientRect()
      const middle = [box.x + box.width / 2, box.y + box.height / 2]
      return found.contains(document.elementFromPoint(...middle)) ? middle : null
    }}"""
    window.click(*until(window, f"({STILL})({middle})"))


class Firefox:
    """A tab of Firefox, over WebDriver BiDi."""

    def __init__(self, line: ClientConnection) -> None:
        self._line = line
        self._asked = 0
        self.log: list[str] = []
        self._ask("session.new", capabilities={})
        self._tab = self._ask("browsingContext.getTree")["contexts"][0]["context"]
        self._ask("session.subscribe", events=["log.entryAdded"])
        self._ask("browsingContext.setViewport", context=self._tab, viewport={"width": SIZE[0], "height": SIZE[1]})

    def go(self, url: str) -> None:
        self._ask("browsingContext.navigate", context=self._tab, url=url, wait="complete")

    def evaluate(self, expression: str) -> Any:
        told = self._ask(
            "script.evaluate",
            expression=f"Promise.resolve({expression}).then((found) => JSON.stringify(found ?? null))",
            target={"context": self._tab},
            awaitPromise=True,
        )
        assert told["type"] == "success", told
        return json.loads(told["result"]["value"])

    def click(self, x: float, y: float) -> None:
        pointer = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": _click(x, y)}
        self._ask("input.performActions", context=self._tab, actions=[pointer])

    def _ask(self, method: str, **params: Any) -> Any:
        self._asked += 1
        self._line.send(json.dumps({"id": self._asked, "method": method, "params": params}))
        while True:
            told = json.loads(self._line.recv(PATIENCE))
            if told.get("method") == "log.entryAdded" and told["params"]["level"] == "error":
                self.log.append(str(told["params"].get("text")))
            if told.get("id") == self._asked:
                assert told["type"] == "success", told
                return told["result"]


class WebKit:
    """A window of WebKitGTK's MiniBrowser, over WebDriver."""

    def __init__(self, driver: str, browser: str) -> None:
        self._at = driver
        options = {"binary": browser, "args": ["--automation"]}
        wanted = {"alwaysMatch": {"webkitgtk:browserOptions": options}}
        self._at += f"/session/{self._ask('POST', '/session', capabilities=wanted)['sessionId']}"
        self.log: list[str] = []
        with suppress(AssertionError):
            self._ask("POST", "/window/rect", width=SIZE[0], height=SIZE[1])

    def go(self, url: str) -> None:
        self._ask("POST", "/url", url=url)

    def evaluate(self, expression: str) -> Any:
        script = f"Promise.resolve({expression}).then((found) => arguments[0](JSON.stringify(found ?? null)))"
        return json.loads(self._ask("POST", "/execute/async", script=script, args=[]))

    def click(self, x: float, y: float) -> None:
        pointer = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": _click(x, y)}
        self._ask("POST", "/actions", actions=[pointer])

    def close(self) -> None:
        with suppress(AssertionError, OSError):
            self._ask("DELETE", "")

    def _ask(self, method: str, path: str, **body: Any) -> Any:
        data = json.dumps(body).encode() if method == "POST" else None
        request = urllib.request.Request(self._at + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(error.read().decode()) from None


def _click(x: float, y: float) -> list[dict[str, Any]]:
    return [
        {"type": "pointerMove", "x": round(x), "y": round(y)},
        {"type": "pointerDown", "button": 0},
        {"type": "pointerUp", "button": 0},
    ]


@contextmanager
def firefox(profile: Path) -> Iterator[Firefox]:
    """A Firefox of its own."""
    assert FIREFOX is not None
    port = _free_port()
    command = [FIREFOX, "--headless", "--no-remote", "--profile", str(profile), f"--remote-debugging-port={port}"]
    with (
        _process([*command, "about:blank"], port),
        connect(f"ws://127.0.0.1:{port}/session", max_size=None, open_timeout=PATIENCE) as line,
    ):
        yield Firefox(line)


@contextmanager
def webkit() -> Iterator[WebKit]:
    """A WebKitGTK window on a screen of its own."""
    assert WEBKIT is not None
    browsers = sorted(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"))
    port = _free_port()
    with _process(["xvfb-run", "-a", "-s", "-screen 0 1400x1000x24", WEBKIT, f"--port={port}"], port):
        window = WebKit(f"http://127.0.0.1:{port}", str(browsers[-1]))
        try:
            yield window
        finally:
            window.close()


@contextmanager
def _process(command: list[str], port: int) -> Iterator[None]:
    """A process until it is no longer wanted, from when it listens."""
    # With a group of its own: xvfb-run leaves its screen and what runs on it behind.
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        end = time.monotonic() + PATIENCE
        while True:
            with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            assert process.poll() is None, f"{command[0]} ended"
            assert time.monotonic() < end, f"{command[0]} does not listen"
            time.sleep(0.1)
        yield
    finally:
        for end in (signal.SIGTERM, signal.SIGKILL):
            with suppress(ProcessLookupError):
                os.killpg(process.pid, end)
            with suppress(subprocess.TimeoutExpired):
                process.wait(20)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
