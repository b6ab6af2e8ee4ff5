"""Each screen: found nothing serious by axe-core, nothing wider than its window."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.players import NEXT_FRAME, by_clicks, open_table, settle, sit_down
from tests.builder import Position

Sit = Callable[..., Page]
Visit = Callable[..., Page]
Axe = Callable[..., list[str]]
CARD = "dialog[open], [role=dialog]"
"""What lies over a board that was looked at before."""


@pytest.mark.parametrize("language", ["en-GB", "zh-TW", "zh-CN"])
def test_pages(visit: Visit, axe: Axe, url: str, language: str) -> None:
    page = visit(
        None, language=language, dark=language == "zh-CN", size=(390, 844) if language == "zh-TW" else (1280, 800)
    )
    for path in ("/", "/new", "/rules", "/replay", "/device", "/nowhere"):
        page.goto(url + path)
        page.wait_for_selector("main")
        settle(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        assert axe(page) == [], path


@pytest.mark.parametrize(
    ("size", "dark"),
    [((1280, 800), False), ((1280, 800), True), ((390, 844), True), ((820, 1180), False), ((844, 390), False)],
)
def test_play(visit: Visit, axe: Axe, size: tuple[int, int], dark: bool) -> None:
    page = visit(size=size, dark=dark, map="europe", bots=4)
    page.locator(".big").click()
    page.wait_for_selector(".ticket")
    settle(page)
    assert axe(page) == []
    by_clicks(page)
    page.wait_for_selector(".can")
    assert axe(page) == []
    page.get_by_role("button", name="Build a station").click()
    page.get_by_role("dialog", name="Choose a city").wait_for()
    assert axe(page, CARD) == []
    page.keyboard.press("Escape")
    page.get_by_role("button", name="List of routes").click()
    page.get_by_role("dialog", name="Routes").wait_for()
    assert axe(page, CARD) == []
    page.get_by_role("radio", name="All").click()
    page.locator("[data-list-route]").first.click()
    page.get_by_role("dialog", name="Amsterdam").wait_for()
    assert axe(page, CARD) == []
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("dialog", name="Menu").wait_for()
    assert axe(page, CARD) == []
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("dialog", name="Settings").wait_for()
    assert axe(page, CARD) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_focus_is_never_lost(visit: Visit) -> None:
    page = visit(map="europe")
    page.locator(".big").click()
    page.wait_for_selector(".ticket")
    by_clicks(page)
    page.wait_for_selector("[data-spot=deck].can")
    for opener in ("List of routes", "Menu", "Build a station"):
        button = page.get_by_role("button", name=opener)
        button.focus()
        page.keyboard.press("Enter")
        page.get_by_role("dialog").wait_for()
        assert page.evaluate("() => document.activeElement.closest('[role=dialog], dialog') !== null")
        for _ in range(8):
            page.keyboard.press("Tab")
            if opener != "Build a station":  # A card beside the board lets one go on to the board.
                # After the last control comes the browser's own bar, for which the page sees its body.
                behind = (
                    "() => document.activeElement.matches(':not(body)') && !document.activeElement.closest('dialog')"
                )
                assert not page.evaluate(behind), opener
        page.get_by_role("dialog").locator("button, select").first.focus()
        page.keyboard.press("Escape")
        page.get_by_role("dialog").wait_for(state="detached")
        assert button.evaluate("(element) => document.activeElement === element"), opener


def test_what_happens_is_announced(visit: Visit) -> None:
    page = visit(map="europe")
    page.locator(".big").click()
    page.wait_for_selector(".ticket")
    by_clicks(page)
    page.wait_for_selector("[data-spot=deck].can")
    heard = page.locator("[aria-live=polite].visually-hidden")
    assert "Your turn" in page.locator("[aria-live=assertive]").first.inner_text()
    page.locator("[data-spot=deck].can").click()
    page.wait_for_function(
        "() => document.querySelector('p.visually-hidden[aria-live=polite]').textContent.includes('You drew')"
    )
    assert heard.inner_text().endswith("from the deck.")


@pytest.mark.parametrize("dark", [False, True])
def test_table_before_the_start(visit: Visit, axe: Axe, dark: bool) -> None:
    page = visit("/join/NOBODY", dark=dark)
    page.get_by_text("No table has this code.").wait_for()
    assert axe(page) == []
    page.goto(page.url.replace("/join/NOBODY", "/new"))
    open_table(page, "Ann")
    start = page.get_by_role("button", name="Start the game")
    start.wait_for()
    assert axe(page) == []
    assert page.get_by_role("img", name="QR").is_visible()
    sit_down(page, "Ben")
    start.click()
    page.get_by_role("dialog", name="Pass the device").wait_for()
    assert axe(page) == []


@pytest.mark.parametrize(("size", "dark"), [((1280, 800), False), ((390, 844), True)])
def test_a_tunnel(sit: Sit, axe: Axe, europe: Position, size: tuple[int, int], dark: bool) -> None:
    page = sit(europe.hand(0, green=4, wild=1).top("green wild red"), dark=dark, size=size)
    page.get_by_role("button", name="List of routes").click()
    page.locator('[data-list-route="venezia-zurich"]').click()
    page.get_by_text("Chance of extra cards").wait_for()
    assert axe(page) == []
    page.get_by_role("button", name="Lay down and turn 3 cards").click()
    page.get_by_text("2 cards more").first.wait_for()
    assert axe(page) == []
    page.get_by_role("button", name="Pay").click()
    page.locator('[data-route="venezia-zurich"] .car').first.wait_for(state="attached")


@pytest.mark.parametrize("dark", [False, True])
def test_the_end_and_the_count(sit: Sit, axe: Axe, europe: Position, dark: bool) -> None:
    page = sit(europe.tickets(0, "paris-wien").owns(0, "paris-zurich").last_turns(1), dark=dark)
    page.locator("[data-spot=deck].can").click()
    page.wait_for_selector(".what:text('second card')")
    page.locator("[data-spot=deck].can").click()
    page.locator("section.end").wait_for()
    assert axe(page) == []
    page.get_by_role("button", name="Tell the count again").click()
    page.locator(".teller").wait_for()
    assert axe(page) == []


def test_the_guide_comes_once(visit: Visit) -> None:
    page = visit(guided=False)
    page.locator(".big").click()
    guide = page.get_by_role("complementary", name="Your first game")
    guide.wait_for()
    guide.get_by_role("button", name="Skip").click()
    page.reload()
    page.wait_for_selector(".ticket")
    assert guide.count() == 0


def test_plain_http_on_a_home_network(visit: Visit) -> None:
    page = visit("/new", lan=True)
    assert page.evaluate("() => !window.isSecureContext && !navigator.clipboard")
    page.get_by_role("button", name="Settings").click()
    page.get_by_text("only on secure (https) pages").wait_for()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    open_table(page, "Ann", bots=1)
    page.get_by_role("button", name="Copy").click()
    page.get_by_text(re.compile("^Copied$|copy it yourself")).wait_for()
    page.get_by_role("button", name="Start the game").click()
    page.wait_for_selector(".ticket")
    by_clicks(page)
    page.wait_for_selector("[data-spot=deck].can")


@pytest.mark.parametrize("language", ["en-GB", "zh-TW", "zh-CN"])
def test_nothing_is_cut_off_beside_the_board(sit: Sit, europe: Position, language: str) -> None:
    """A large hand, all there is to do, and the last round told as well."""
    hand = dict.fromkeys((*europe.map.colours, "wild"), 3)
    page = sit(
        europe.seats(5).hand(0, **hand).tickets(0, "paris-wien", "london-berlin").last_turns(4), language=language
    )
    for width, height in ((1440, 900), (1280, 800), (1024, 768), (844, 390), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function("width => innerWidth === width", arg=width)
        # What stands beside the board has its place after a few frames; the names on it are another matter, and last.
        for _ in range(4):
            page.evaluate(NEXT_FRAME)
        assert page.evaluate(_CUT) == [], (width, height)


_CUT = """() => [...document.querySelectorAll('.bar *, .supply *, .hand *')]
  .filter((part) => !part.closest('.visually-hidden') && part.getClientRects().length > 0)
  .filter((part) => {
    const box = part.getBoundingClientRect()
    const { display } = getComputedStyle(part)
    return box.right > innerWidth + 1 || box.bottom > innerHeight + 1
      || (display !== 'inline' && part instanceof HTMLElement && part.scrollWidth > part.clientWidth + 14)
      || (part.matches('.bar *') && box.bottom > document.querySelector('.bar').getBoundingClientRect().bottom + 1)
  })
  .map((part) => `${part.className}: ${part.textContent.trim().slice(0, 40)}`)"""
