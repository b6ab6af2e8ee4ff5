"""Plays a game in Chromium and writes pictures of the main screens, in each language and size, to docs/pictures."""

import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from scripts.study_pictures import study
from tests.browser.players import by_keys, play_to_the_end, settle

ROOT = Path(__file__).parents[1]
PICTURES = ROOT / "docs/pictures"
SIZES = {"desktop": (1280, 800), "tablet": (820, 1180), "phone": (390, 844), "sideways": (844, 390)}


@dataclass(frozen=True, slots=True)
class Shot:
    """One game, photographed on its way."""

    name: str
    size: str
    language: str
    night: bool
    map: str
    stops: tuple[str, ...]
    """At which moments: home, opening, play, claim, end, rules, table."""
    bots: int = 3
    steps: int = 24


SHOTS = (
    Shot("europe-en", "desktop", "en-GB", False, "europe", ("home", "opening", "play", "claim"), steps=44),
    Shot("europe-zh-hans-night", "desktop", "zh-CN", True, "europe", ("play",), steps=44),
    Shot("europe-zh-hant", "tablet", "zh-TW", False, "europe", ("play",)),
    Shot("europe-phone-zh-hant", "phone", "zh-TW", False, "europe", ("play",)),
    Shot("new-york-phone", "phone", "en-GB", True, "new-york", ("opening", "play", "end"), steps=9),
    Shot("new-york-zh-hans", "phone", "zh-CN", False, "new-york", ("home",)),
    Shot("new-york-end", "desktop", "en-GB", False, "new-york", ("end", "rules", "table"), bots=2),
    Shot("europe-sideways", "sideways", "en-GB", False, "europe", ("play",)),
)


def main(wanted: list[str]) -> None:
    """Take all pictures, or those of the games named."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    with _server() as url, sync_playwright() as playwright:
        chromium = shutil.which("chromium") or shutil.which("chromium-browser")
        if chromium is None:
            sys.exit("pictures: no Chromium here (apt install chromium fonts-noto-cjk)")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for shot in SHOTS:
            if not wanted or shot.name in wanted:
                _take(browser, url, shot)
        if not wanted or "study" in wanted:
            study(browser, url, PICTURES, SIZES)


def _take(browser: Browser, url: str, shot: Shot) -> None:
    width, height = SIZES[shot.size]
    small = shot.size in ("phone", "sideways")
    context = browser.new_context(
        viewport={"width": width, "height": height},
        device_scale_factor=2 if small else 1,
        locale=shot.language,
        color_scheme="dark" if shot.night else "light",
        reduced_motion="reduce",
        has_touch=small,
        is_mobile=small,
    )
    kept = json.dumps({"guided": True, "map": shot.map, "bots": shot.bots, "level": "regular", "muted": True})
    context.add_init_script(f"localStorage.setItem('branchline', {json.dumps(kept)})")
    page = context.new_page()
    page.goto(url)
    page.locator(".big:not([disabled])").wait_for()
    settle(page)
    if "home" in shot.stops:
        _save(page, shot, "home")
    page.locator(".big").click()
    page.wait_for_selector(".ticket")
    if "opening" in shot.stops:
        page.mouse.move(5, 5)
        settle(page)
        _save(page, shot, "opening")
    if "play" in shot.stops or "claim" in shot.stops:
        _play_on(page, shot.steps)
        if "play" in shot.stops:
            page.mouse.move(5, 5)
            settle(page)
            _save(page, shot, "play")
        if "claim" in shot.stops and page.locator(".route.claimable").count():
            page.evaluate("() => [...document.querySelectorAll('.route.claimable')].at(-1).focus()")
            page.keyboard.press("Enter")
            page.wait_for_selector(".popup")
            settle(page)
            _save(page, shot, "claim")
            page.keyboard.press("Escape")
    if "end" in shot.stops:
        play_to_the_end(page, step=by_keys)
        settle(page)
        _save(page, shot, "end")
    for path, stop in (("/rules", "rules"), ("/new", "table")):
        if stop in shot.stops:
            page.goto(url + path)
            if stop == "table":
                page.locator("form input.field").fill("Ada")
                page.locator("form .main").click()
                page.locator(".seats li").first.wait_for()
            settle(page)
            _save(page, shot, stop)
    context.close()


def _play_on(page: Page, steps: int) -> None:
    """Draw more than claim, as people do, so that there is a hand to look at."""
    waits = "() => document.querySelector('section.end, [data-first], .popup .buttons, .can')"
    for step in range(steps):
        page.wait_for_function(waits, timeout=60_000)
        deck = page.locator("[data-spot=deck].can")
        if page.locator(".ticket, .popup").count() or step % 5 == 4 or not deck.count():
            by_keys(page)
        else:
            deck.click()
    page.wait_for_function(waits, timeout=60_000)


def _save(page: Page, shot: Shot, stop: str) -> None:
    path = PICTURES / f"{shot.name}-{stop}.jpg"
    page.screenshot(path=path, type="jpeg", quality=72)
    print(f"{path.relative_to(ROOT)}  {path.stat().st_size // 1024} kB", flush=True)


@contextmanager
def _server() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as data:
        command = [sys.executable, "-m", "branchline.cli", "serve", "--port", "0", "--data", data]
        command += ["--bot-pace", "0", "--rate-limits", "0", "--log-level", "warning"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)
        try:
            assert process.stdout is not None
            found = re.search(r"http\S+", process.stdout.readline())
            assert found is not None
            yield found[0]
        finally:
            process.terminate()
            process.wait(20)


if __name__ == "__main__":
    main(sys.argv[1:])
