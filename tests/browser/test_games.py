"""Whole games in a real browser, played by what the page shows."""

import json
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.cable import Cable, cable
from tests.browser.players import NEXT_FRAME, by_clicks, by_keys, open_table, play_to_the_end, sit_down

Visit = Callable[..., Page]
Axe = Callable[[Page], list[str]]


def test_a_stranger_finishes_a_game_by_clicks(visit: Visit, axe: Axe) -> None:
    page = visit()
    page.get_by_role("button", name="Play now").click()
    assert play_to_the_end(page) > 10
    result = page.locator("section.end")
    assert result.locator("tbody tr").count() == 2
    page.get_by_role("button", name="Check the shuffle").click()
    page.wait_for_function("() => document.querySelectorAll('.check .ok').length === 5")
    assert axe(page) == []
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the record").click()
    record = download.value.path()
    page.get_by_role("link", name="Watch the replay").click()
    page.wait_for_selector(".replay")
    page.get_by_role("button", name="To the end").click()
    assert page.locator(".replay .seats li").count() == 2
    assert axe(page) == []

    page = visit("/replay")
    page.set_input_files("input[type=file]", record)
    page.wait_for_selector(".replay .ok")


def test_the_same_in_chinese(visit: Visit, axe: Axe) -> None:
    page = visit(language="zh-TW", dark=True)
    page.get_by_role("button", name="馬上開始").click()
    page.wait_for_selector(".ticket")
    assert page.evaluate("document.documentElement.lang") == "zh-Hant"
    play_to_the_end(page)
    text = page.locator("section.end").inner_text()
    assert "總分" in text
    assert "Total" not in text
    assert axe(page) == []
    page.get_by_role("link", name="觀看重播").click()
    page.wait_for_selector(".replay")
    assert axe(page) == []
    page.go_back()
    page.wait_for_selector("section.end")
    page.get_by_role("link", name="首頁").click()
    page.get_by_label("語言").select_option("zh-Hans")
    page.get_by_role("button", name="开始游戏").wait_for()
    assert page.evaluate("document.documentElement.lang") == "zh-Hans"


def test_a_phone_in_the_hand(visit: Visit) -> None:
    page = visit(size=(390, 844), touch=True, moving=True)

    def tap(page: Page, where: str) -> None:
        page.locator(where).first.tap()

    tap(page, ".big")
    play_to_the_end(page, step=lambda page: by_clicks(page, tap, touch=True))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.get_by_role("button", name="Play again").is_visible()


def test_keys_alone(visit: Visit) -> None:
    page = visit()
    page.get_by_role("button", name="Play now").focus()
    page.keyboard.press("Enter")
    assert play_to_the_end(page, step=by_keys) > 10


def test_two_browsers_and_a_cut_wire(visit: Visit, url: str) -> None:
    with cable(url) as wire:
        _two_browsers(visit("/new"), visit(base=wire.url), wire)


def _two_browsers(one: Page, two: Page, wire: Cable) -> None:
    frames: dict[str, list[str]] = {"one": [], "two": []}

    def listen(page: Page, name: str) -> None:
        page.on("websocket", lambda wire: wire.on("framereceived", lambda text: frames[name].append(str(text))))

    listen(one, "one")
    listen(two, "two")
    open_table(one, "One")
    link = one.get_by_label("Invite").and_(one.locator("input")).input_value()
    two.goto(wire.url + link[link.index("/table") :])
    sit_down(two, "Two")
    one.get_by_role("button", name="Start the game").click()
    one.wait_for_selector(".ticket")
    two.wait_for_selector(".ticket")

    cut = undone = False
    acted = 0
    for _ in range(600):
        if one.locator("section.end").count() and two.locator("section.end").count():
            break
        for page in (one, two):
            asked = page.evaluate("() => !!document.querySelector('.ticket, .can, .popup .buttons, .tools .main')")
            if not asked:
                continue
            if page is two and acted > 12 and not cut:
                _cut_while_acting(page, wire)
                cut = True
            claims = page.locator(".route.claimable").count() > 0
            acted += by_clicks(page)
            if page is one and claims and not undone:
                undone = True
                page.get_by_role("button", name="Undo").click()
                page.wait_for_selector(".route.claimable")
        one.evaluate(NEXT_FRAME)
    assert one.locator("section.end").count()
    assert two.locator("section.end").count()
    assert cut
    assert undone
    assert _table(one) == _table(two)
    _no_foreign_cards(frames["one"], 0)
    _no_foreign_cards(frames["two"], 1)


def _cut_while_acting(page: Page, wire: Cable) -> None:
    """Nothing goes through, something is asked for, the page says so, and then the wire is back."""
    page.wait_for_function("() => document.querySelector('[data-spot=deck].can, .place.can')")
    before = page.locator(".hand small").inner_text()
    wire.cut()
    page.locator("[data-spot=deck].can, .place.can").first.click()
    page.locator(".sign").wait_for()
    wire.mend()
    page.wait_for_function("before => document.querySelector('.hand small')?.textContent !== before", arg=before)


def _table(page: Page) -> list[str]:
    return page.locator("section.end tbody tr td").all_inner_texts()


def _no_foreign_cards(frames: list[str], seat: int) -> None:
    """Whoever reads every frame of a browser finds nobody else's cards or tickets before the end."""
    views = 0
    for text in frames:
        message: dict[str, Any] = json.loads(text)
        if message.get("is") != "view" or message["view"]["stage"] == "over":
            continue
        views += 1
        assert message["seat"] in (seat, None)
        assert message["view"]["opened"] is None
        for entry in [message["entry"]] if message["entry"] else []:
            for event in entry["events"]:
                if event.get("seat") in (None, seat):
                    continue
                if event["is"] == "drawn":
                    assert event["card"] is None
                if event["is"] in ("dealt", "offered", "kept"):
                    assert all(hidden is None for hidden in event.get("cards", event.get("tickets")))
                if event["is"] == "answered":
                    assert event["tickets"] is None
    assert views > 10


def test_pass_and_play_hides_everything_between(visit: Visit) -> None:
    page = visit("/new")
    open_table(page, "Ann")
    sit_down(page, "Ben")
    page.get_by_role("button", name="Start the game").click()
    curtain = page.get_by_role("dialog", name="Pass the device to Ann")
    curtain.wait_for()
    assert page.locator(".ticket").count() == 0
    curtain.get_by_role("button", name="I am Ann").click()
    page.wait_for_selector(".ticket")
    by_clicks(page)
    # One may look at what one kept until one passes the device on.
    expect(page.locator(".tickets li")).not_to_have_count(0)
    page.get_by_role("button", name="Pass on").click()
    curtain = page.get_by_role("dialog", name="Pass the device to Ben")
    curtain.wait_for()
    assert page.locator(".ticket").count() == 0
    curtain.get_by_role("button").click()
    page.wait_for_selector(".ticket")


def test_a_refusal_says_why(visit: Visit) -> None:
    page = visit(level="regular")
    page.get_by_role("button", name="Play now").click()
    page.wait_for_selector(".ticket")
    by_clicks(page)
    page.wait_for_selector("[data-spot=deck].can")
    page.locator("[data-spot=deck]").click()
    page.wait_for_selector(".what:text('second card')")
    # Not disabled but marked so: who clicks it learns why.
    page.locator("[data-spot=tickets]").click(force=True)
    assert "Take your second card first" in page.get_by_role("alert").inner_text()
