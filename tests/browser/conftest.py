"""A real server, a real Chromium."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.desk import Desk, desk
from tests.browser.players import settle
from tests.builder import Position

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "src/branchline/server/static/index.html"
AXE = ROOT / "web/node_modules/axe-core/axe.min.js"
HOME = "home.lan"
"""A name as on a home network: plain http, and no secure context as localhost is."""
ADDRESSES = (f"10.{a}.{b}.1" for a in range(256) for b in range(256))
PATIENCE = 60_000
"""Milliseconds a slow machine may take for anything."""
CHROMIUM = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None
)


def _missing() -> str | None:
    if CHROMIUM is None:
        return "the browser tests did not run: no Chromium (apt install chromium fonts-noto-cjk)"
    if not STATIC.exists():
        return "the browser tests did not run: the client is not built (scripts/web)"
    return None


@pytest.fixture(scope="session", autouse=True)
def _ready() -> None:
    missing = _missing()
    if missing and os.environ.get("CI") == "true":
        pytest.fail(missing)
    if missing:
        pytest.skip(missing)


@pytest.fixture(scope="session")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server of its own for these tests, its bots without delay."""
    data = tmp_path_factory.mktemp("browser")
    command = [sys.executable, "-m", "branchline.cli", "serve", "--port", "0", "--data", str(data)]
    command += ["--hosts", HOME, "--bot-pace", "0", "--proxies", "127.0.0.1", "--log-level", "warning"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        yield line.split()[-1]
    finally:
        process.terminate()
        process.wait(20)
        if process.stdout:
            process.stdout.close()


@pytest.fixture(scope="session")
def browser(_ready: None) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", f"--host-resolver-rules=MAP {HOME} 127.0.0.1"]
        )
        yield found
        found.close()


@pytest.fixture(scope="session")
def at_desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """A server whose tables can be laid out."""
    with desk(tmp_path_factory.mktemp("desk")) as found:
        yield found


@pytest.fixture
def visit(browser: Browser, url: str) -> Iterator[Callable[..., Page]]:
    """Opens a window of somebody new; what goes wrong in it fails the test."""
    errors: list[str] = []
    contexts = []

    def open_(
        path: str | None = "/",
        *,
        language: str = "en-GB",
        size: tuple[int, int] = (1280, 800),
        touch: bool = False,
        dark: bool = False,
        lan: bool = False,
        moving: bool = False,
        base: str = url,
        script: str = "",
        **kept: Any,
    ) -> Page:
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            locale=language,
            has_touch=touch,
            is_mobile=touch,
            reduced_motion="no-preference" if moving else "reduce",
            color_scheme="dark" if dark else "light",
            # Everybody comes from an address of their own: limits are on, and count as they do for real people.
            extra_http_headers={"X-Forwarded-For": next(ADDRESSES)},
        )
        contexts.append(context)
        settings = json.dumps({"guided": True, "map": "new-york", "bots": 1, "level": "regular", "muted": True, **kept})
        # What a person set here stays set when the page is loaded again.
        context.add_init_script(
            f"localStorage.getItem('branchline') ?? localStorage.setItem('branchline', {json.dumps(settings)})"
        )
        context.add_init_script(script)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: errors.append(str(error)))
        if path is not None:
            page.goto((base.replace("127.0.0.1", HOME) if lan else base) + path)
        return page

    yield open_
    for context in contexts:
        context.close()
    assert not errors, errors


@pytest.fixture
def sit(visit: Callable[..., Page], at_desk: Desk) -> Callable[..., Page]:
    """Opens a window at seat 0 of a table in a given position, bots in the other seats."""

    def open_(position: Position, **how: Any) -> Page:
        page = visit(None, **how)
        api = f"{at_desk.url}/api"
        page.request.put(f"{api}/me", data={"name": "Traveller", "language": "en"})
        bots = [{"who": "bot", "level": "regular"}] * (position.game().seats - 1)
        seats = {"map": position.map.id, "seats": [{"who": "open"}, *bots]}
        table = page.request.post(f"{api}/tables", data=seats).json()["id"]
        page.request.post(f"{api}/tables/{table}/seats/0/sit", data={"nonce": "0" * 64})
        page.request.post(f"{api}/tables/{table}/start")
        at_desk.lay(table, position)
        page.goto(f"{at_desk.url}/table/{table}")
        page.wait_for_selector(".names text")
        return page

    return open_


@pytest.fixture
def axe() -> Callable[..., list[str]]:
    """What axe-core finds wrong and serious on a page, or in a part of it where the rest was looked at before."""
    if not AXE.exists():
        pytest.skip("axe-core is not installed: npm ci in web/")
    script = AXE.read_text()

    def look(page: Page, part: str | None = None) -> list[str]:
        # Evaluated by the test, not by the page: the page's own policy stays as strict as it is.
        if not page.evaluate("() => 'axe' in window"):
            page.evaluate(script)
        # A button that is just becoming one is pale for a moment, which nobody reads it in.
        settle(page)
        # Only what is wrong is written out, and no style sheet is fetched once more: half the time.
        wanted = "{ resultTypes: ['violations'], preload: false }"
        found = page.evaluate(f"async part => (await axe.run(part ?? document, {wanted})).violations", part)
        return [
            f"{rule['id']}: {rule['help']}: {[node['html'][:160] for node in rule['nodes'][:3]]}"
            for rule in found
            if rule["impact"] in ("serious", "critical")
        ]

    return look
