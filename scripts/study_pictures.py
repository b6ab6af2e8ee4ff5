"""Pictures of what people learn from: a challenge, a review, a question, a puzzle, one's own games."""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

from playwright.sync_api import Browser, Page

from tests.browser.players import settle
from tests.server.client import Json, Person, play

BOTS = [{"who": "bot", "level": "regular"}, {"who": "bot", "level": "novice"}]
OPEN = {"who": "open"}
LOOKS = (("study-en", "desktop", "en-GB", False), ("study-zh-hant-phone", "phone", "zh-TW", True))


def study(browser: Browser, url: str, folder: Path, sizes: dict[str, tuple[int, int]]) -> None:
    """Play some games by the API, then look at what is made of them."""
    # Playwright has a loop in this thread already.
    with ThreadPoolExecutor(1) as thread:
        table, challenge, cookies = thread.submit(asyncio.run, _prepare(url.rstrip("/"))).result()
    puzzle = json.loads(browser.new_context().request.get(f"{url}/api/puzzles").text())["puzzles"][-1]["id"]
    for name, size, language, night in LOOKS:
        width, height = sizes[size]
        small = size == "phone"
        context = browser.new_context(
            viewport={"width": width, "height": height},
            device_scale_factor=2 if small else 1,
            locale=language,
            color_scheme="dark" if night else "light",
            reduced_motion="reduce",
            has_touch=small,
            is_mobile=small,
        )
        context.add_cookies([{"name": key, "value": value, "url": url} for key, value in cookies.items()])
        page = context.new_page()
        for stop, path, there in (
            ("challenge", f"/challenge/{challenge}", "tbody tr"),
            ("review", f"/replay/{table}#review", ".review tbody tr"),
            ("puzzle", f"/puzzles/{puzzle}", ".options button"),
            ("games", "/games", ".columns"),
        ):
            page.goto(url.rstrip("/") + path)
            page.wait_for_selector(there)
            if stop == "review" and page.locator(".review ol button").count():
                page.locator(".review ol button").last.click()
            settle(page)
            _save(page, folder / f"{name}-{stop}.jpg")
        context.close()


async def _prepare(url: str) -> tuple[str, str, dict[str, str]]:
    ada, bo, cy = [await Person(url, name).arrive() for name in ("Ada", "Bo", "Cy")]
    made = await ada.post("/api/challenges", map="new-york", seats=[OPEN, *BOTS])
    tables = []
    for person, seed in ((bo, 1), (cy, 2), (ada, 3)):
        table = (await person.post(f"/api/challenges/{made['id']}/play", bots="at-once"))["id"]
        async with person.socket(table, 0) as socket:
            await play(socket, Random(seed))
        tables.append(table)
    state: Json = await ada.post(f"/api/tables/{tables[-1]}/review", depth=1)
    while state["state"] in ("waiting", "running"):
        await asyncio.sleep(1)
        state = await ada.get(f"/api/tables/{tables[-1]}/review?depth=1")
    cookies: dict[str, Any] = dict(ada.http.cookies)
    return tables[-1], made["id"], cookies


def _save(page: Page, path: Path) -> None:
    page.screenshot(path=path, type="jpeg", quality=72)
    print(f"{path.name}  {path.stat().st_size // 1024} kB", flush=True)
