"""Learning from a game just finished: its review, what would you do, and practice to the end."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.players import by_clicks, code_of, play_to_the_end, settle

Visit = Callable[..., Page]
Axe = Callable[[Page], list[str]]
RECORD = Path(__file__).parents[1] / "records/new-york-2.json"
REVIEWED = 600_000
"""Milliseconds that a review may take on a machine that has much else to do: bots go first."""


def test_the_review_of_a_game_just_finished_and_what_would_you_do(visit: Visit, axe: Axe) -> None:
    page = visit(language="zh-TW", level="random")
    page.locator(".big").click()
    play_to_the_end(page)
    page.get_by_role("link", name="分析這場對局").click()
    panel = page.get_by_role("region", name="覆盤")
    panel.get_by_label("分析深度").select_option("1")
    assert axe(page) == []
    panel.get_by_role("button", name="分析這場對局").click()
    panel.locator("progress, figure").first.wait_for()
    # It can be left and found again.
    address = page.url
    page.goto(address.split("/replay")[0] + "/rules")
    page.goto(address)
    chart = page.get_by_role("slider", name="每一步的獲勝機率")
    chart.wait_for(timeout=REVIEWED)
    settle(page)
    assert axe(page) == []
    assert panel.locator("tbody tr").count() == 2
    box = chart.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    step, steps = (int(chart.get_attribute(f"aria-value{name}") or 0) for name in ("now", "max"))
    assert abs(step - steps / 2) < 2
    chart.focus()
    page.keyboard.press("ArrowRight")
    assert int(chart.get_attribute("aria-valuenow") or 0) == step + 1
    moments = panel.locator("ol button")
    if moments.count():  # who draws at random hardly plays without a mistake, but it is no law
        moments.first.click()
        expect(moments.first).to_have_class(re.compile("now"))
        panel.get_by_role("button", name="換作是你？").click()
        # The judgement is hidden until one has chosen.
        expect(page.get_by_role("slider", name="每一步的獲勝機率")).to_have_count(0)
        expect(panel.get_by_text("實戰中")).to_have_count(0)
        panel.locator(".options button").first.click()
        panel.get_by_text("實戰中").wait_for()
        assert axe(page) == []
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
        panel.get_by_role("button", name="顯示評斷").click()
        chart.wait_for()


def test_who_waits_for_a_review_of_a_server_that_dies_is_told(visit: Visit, axe: Axe, tmp_path: Path) -> None:
    server, address = _serve(tmp_path, 0)
    try:
        page = visit("/replay", base=address)
        page.locator("input[type=file]").set_input_files(RECORD)
        page.get_by_role("button", name="Review").click()
        panel = page.get_by_role("region", name="Review")
        panel.get_by_label("How deep").select_option("3")
        panel.get_by_role("button", name="Review this game").click()
        panel.get_by_text(re.compile("decisions judged")).wait_for()
        _kill(server)
        panel.get_by_role("alert").get_by_text("does not answer").wait_for()
        panel.locator("progress").wait_for()
        server, _ = _serve(tmp_path, int(address.rpartition(":")[2].strip("/")))
        panel.get_by_role("alert").get_by_text("it begins anew").wait_for()
        assert axe(page) == []
        panel.get_by_role("button", name="Try again").click()
        panel.get_by_text(re.compile("decisions judged")).wait_for()
        expect(panel.get_by_role("alert")).to_have_count(0)
    finally:
        _kill(server)


@pytest.mark.parametrize(
    ("language", "review", "ask", "word"),
    [("en-GB", "Review", "Review this game", "A quicker one"), ("zh-CN", "复盘", "分析这局", "换浅一点的深度")],
)
def test_why_a_review_failed_is_said_in_ones_own_words(
    visit: Visit, language: str, review: str, ask: str, word: str
) -> None:
    page = visit("/replay", language=language)
    told = {"game": "r-0", "depth": 2, "state": "failed", "done": 0, "total": 0, "ahead": 0, "problem": "too-much"}
    page.route("**/api/records/review**", lambda route: route.fulfill(json={**told, "review": None}))
    page.locator("input[type=file]").set_input_files(RECORD)
    page.get_by_role("button", name=review).click()
    panel = page.get_by_role("region", name=review)
    panel.get_by_role("button", name=ask).click()
    panel.get_by_role("alert").get_by_text(word).wait_for()


def _kill(server: "subprocess.Popen[str]") -> None:
    server.kill()
    server.communicate(timeout=20)


def _serve(data: Path, port: int) -> tuple["subprocess.Popen[str]", str]:
    """A server that may die, and its address."""
    command = [sys.executable, "-m", "branchline.cli", "serve", "--port", str(port), "--data", str(data)]
    server = subprocess.Popen([*command, "--log-level", "warning"], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    return server, server.stdout.readline().split()[-1]


def test_practice_from_a_record_to_the_end(visit: Visit, axe: Axe) -> None:
    page = visit("/replay")
    page.locator("input[type=file]").set_input_files(RECORD)
    page.get_by_role("button", name="Play on from here").wait_for()
    for _ in range(5):
        page.get_by_role("button", name="One step on").click()
    page.get_by_role("button", name="Play on from here").click()
    dialog = page.get_by_role("dialog", name="Play on from here")
    expect(dialog.get_by_role("button", name="Play on")).to_be_enabled()
    assert axe(page) == []
    dialog.get_by_label("Bots in the other seats").select_option("random")
    dialog.get_by_label("dealt anew").check()
    dialog.get_by_role("button", name="Play on").click()
    page.wait_for_url("**/table/*")
    play_to_the_end(page)
    compared = page.locator(".compared")
    compared.get_by_text("In the original").wait_for()
    assert axe(page) == []
    # What was not dealt has no record; its replay is there.
    expect(page.get_by_role("link", name="Download the record")).to_have_count(0)
    page.get_by_role("link", name="Watch the replay").click()
    page.get_by_text(re.compile("Step 1 of")).wait_for()


@pytest.mark.parametrize(
    ("change", "language", "word"),
    [
        ({"rules": 99}, "en-GB", "another version of the rules"),
        ({"map_hash": "0" * 64}, "zh-TW", "用的是另一張地圖，或這張地圖的另一個版本"),
        ({"result": {"seats": [], "winners": [1]}}, "zh-CN", "结果和里面的行动对不上"),
        ({"format": "another"}, "zh-TW", "這個檔案不是 Branchline 的對局紀錄"),
    ],
    ids=["rules", "map", "forged", "no record"],
)
def test_what_is_no_record_gets_a_clear_word(
    visit: Visit, tmp_path: Path, change: dict[str, Any], language: str, word: str
) -> None:
    file = tmp_path / "game.json"
    file.write_text(json.dumps(json.loads(RECORD.read_text("utf-8")) | change), "utf-8")
    page = visit("/replay", language=language)
    page.locator("input[type=file]").set_input_files(file)
    page.get_by_role("alert").get_by_text(word).wait_for()


def test_a_running_game_offers_no_practice(visit: Visit) -> None:
    page = visit()
    page.locator(".big").click()
    page.wait_for_selector(".ticket")
    by_clicks(page)
    answer = page.evaluate(
        """async (table) => {
          const how = { at: 0, seat: 0, levels: [null, 'random'] }
          const body = JSON.stringify(how), headers = { 'content-type': 'application/json' }
          return (await fetch(`/api/tables/${table}/practice`, { method: 'POST', body, headers })).json()
        }""",
        code_of(page),
    )
    assert (answer["code"], answer["rule"]) == ("running", "R8.3")
    page.goto(f"{page.url.split('/table')[0]}/replay/{code_of(page)}")
    page.get_by_text("That is told when the game is over.").wait_for()
