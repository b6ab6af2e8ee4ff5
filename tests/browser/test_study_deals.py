"""The same deal for two people, puzzles, and one's own games."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from branchline import explain
from branchline.codec import to_line
from branchline.review.puzzles import Puzzle, shipped
from tests.browser.players import by_clicks, hurry_to_the_end, settle

Visit = Callable[..., Page]
Axe = Callable[[Page], list[str]]


def test_two_people_play_one_deal_and_compare(visit: Visit, axe: Axe) -> None:
    ann = visit("/challenge", level="random")
    ann.get_by_role("combobox", name="Bots").select_option("1")
    ann.get_by_label("Title").fill("Friday")
    assert axe(ann) == []
    ann.get_by_role("button", name="Make the challenge").click()
    ann.get_by_role("heading", name="Friday").wait_for()
    assert axe(ann) == []
    link = ann.url
    ann.get_by_role("button", name="Play this deal").click()
    ann.wait_for_selector(".ticket")
    tickets = ann.locator(".ticket").all_inner_texts()
    by_clicks(ann)
    hurry_to_the_end(ann)
    ann.get_by_role("link", name="Compare with the others").click()
    expect(ann.locator("tbody tr")).to_have_count(1)
    assert axe(ann) == []

    # The other one, on a phone, in another language, learns nothing before they have played it.
    path = "/challenge/" + link.rpartition("/")[2]
    bo = visit(path, language="zh-CN", size=(390, 844), touch=True)
    bo.get_by_text("已有 1 局玩完").wait_for()
    expect(bo.locator("tbody tr")).to_have_count(0)
    settle(bo)
    assert axe(bo) == []
    assert bo.evaluate("document.documentElement.scrollWidth <= innerWidth")
    bo.get_by_role("button", name="开始挑战").click()
    bo.wait_for_selector(".ticket")
    assert len(bo.locator(".ticket").all_inner_texts()) == len(tickets)
    assert [text.split()[-1] for text in bo.locator(".ticket").all_inner_texts()] == [t.split()[-1] for t in tickets]
    by_clicks(bo, touch=True)
    hurry_to_the_end(bo)
    bo.get_by_role("link", name="和大家比较").click()
    expect(bo.locator("tbody tr")).to_have_count(2)
    assert axe(bo) == []
    assert bo.evaluate("document.documentElement.scrollWidth <= innerWidth")
    bo.get_by_text("这副牌的指纹").click()
    bo.get_by_text("秘密数字与指纹一致。").wait_for()
    ann.reload()
    expect(ann.locator("tbody tr")).to_have_count(2)
    ann.get_by_role("link", name="Replay of").first.click()
    ann.get_by_role("heading", name="Replay").wait_for()

    # Both have it in their own games, and nobody else's.
    ann.goto(link.split("/challenge")[0] + "/games")
    ann.get_by_text("1 game").wait_for()
    assert axe(ann) == []
    ann.get_by_role("button", name="Delete my finished games").click()
    ann.get_by_role("button", name="Yes, delete them for good").click()
    ann.get_by_text("1 game is deleted.").wait_for()


def test_a_club_says_who_may_still_sit_down_where(visit: Visit, axe: Axe, url: str) -> None:
    ann, bo = visit("/rules"), visit("/rules", language="zh-TW", size=(390, 844), touch=True)
    for page, name in ((ann, "Ann"), (bo, "Bo")):
        page.request.put(f"{url}/api/me", data={"name": name, "language": "en"})
    seats = [{"who": "open"}, {"who": "open"}, {"who": "bot", "level": "novice"}, {"who": "bot", "level": "novice"}]
    club = {"map": "new-york", "seats": seats, "tables": 2, "title": "Tuesday"}
    made = ann.request.post(f"{url}/api/challenges", data=club).json()
    ann.request.post(f"{url}/api/tables/{made['tables'][0]['table']}/seats/0/sit", data={"nonce": "0" * 64})
    for page in (ann, bo):
        page.goto(f"{url}/challenge/{made['id']}")
    ann.get_by_role("link", name="To my table").wait_for()
    assert ann.get_by_role("link", name="Sit down").count() == 0
    ann.get_by_text("4 players: 2 people and Novice bot × 2").wait_for()
    expect(bo.get_by_role("link", name="入座")).to_have_count(2)
    bo.get_by_text("1 個空位").wait_for()
    assert axe(bo) == []


def test_the_deal_of_the_day_and_a_challenge_that_is_not_there(visit: Visit, axe: Axe) -> None:
    page = visit("/challenge/today", language="zh-TW", size=(390, 844), dark=True)
    page.get_by_role("button", name="開始挑戰").wait_for()
    assert axe(page) == []
    page.goto(page.url.replace("today", "nowhere"))
    page.get_by_role("alert").get_by_text("找不到").wait_for()


def _puzzle(kind: str) -> Puzzle:
    return next(puzzle for puzzle in shipped() if puzzle.kind == kind)


def _option(page: Page, puzzle: Puzzle, best: bool) -> int:
    """The place of the best option, or of another, in the order in which the page lists them."""
    options = page.evaluate("id => fetch(`/api/puzzles/${id}`).then((r) => r.json())", puzzle.id)["options"]
    return next(n for n, line in enumerate(options) if (line == to_line(puzzle.best)) == best)


def test_a_puzzle_is_solved_and_another_failed(visit: Visit, axe: Axe) -> None:
    puzzle = _puzzle("tickets")
    page = visit(f"/puzzles/{puzzle.id}", language="zh-TW", size=(390, 844), touch=True)
    page.locator(".options button").first.wait_for()
    settle(page)
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator(".options button").nth(_option(page, puzzle, best=True)).click()
    page.get_by_text("答對了！").wait_for()
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), "only what is told is scrolled"

    # Two halves of one double route among the options, and a ticket that is done.
    other = next(one for one in shipped() if one.id == "europe-0-118")
    page = visit(f"/puzzles/{other.id}", dark=True)
    page.locator(".options button").first.wait_for()
    options = page.locator(".options button").all_inner_texts()
    assert len(set(options)) == len(options)
    assert any("(white)" in option for option in options)
    done = sum(outlook.completed for outlook in explain.outlooks(other.view()))
    assert done > 0
    expect(page.locator(".tickets .done")).to_have_count(done)
    page.locator(".options button").nth(_option(page, other, best=False)).click()
    page.get_by_text("Not the best.").wait_for()
    page.get_by_text("Best:").wait_for()
    assert axe(page) == []
    page.get_by_role("link", name="All puzzles").click()
    page.get_by_text(f"0 solved, 1 failed, {len(shipped()) - 1} to go").wait_for()
    assert axe(page) == []
