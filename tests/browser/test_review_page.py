"""The page that `branchline review --html` writes, in a real browser: the chart is clicked, the board follows."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from branchline import Record
from branchline.review import Review
from branchline.review.page import costly, page

RECORDS = Path(__file__).parent.parent / "records"
EXAMPLE = Path(__file__).parent.parent / "review" / "new-york-2.review.json"


@pytest.mark.parametrize(("language", "size"), [("en", (1024, 768)), ("zh-Hant", (390, 844))])
def test_clicking_through_a_review(
    browser: Browser, axe: Callable[[Page], list[str]], tmp_path: Path, language: str, size: tuple[int, int]
) -> None:
    found = Review.from_dict(json.loads(EXAMPLE.read_text("utf-8")))
    file = tmp_path / "review.html"
    file.write_text(page(Record.load(RECORDS / "new-york-2.json"), found, language), encoding="utf-8")
    window = browser.new_page(viewport={"width": size[0], "height": size[1]})
    errors: list[str] = []
    window.on("pageerror", lambda error: errors.append(str(error)))
    window.goto(file.as_uri())
    pieces = window.locator(".piece:not(.gone)")
    everything = pieces.count()
    assert everything == len(json_pieces(window))
    chart = window.locator("#chart")
    box = chart.bounding_box()
    assert box is not None
    chart.click(position={"x": box["width"] * 0.3, "y": box["height"] / 2})
    assert 0 < pieces.count() < everything, "the board as it was then"
    worst = costly(found)[0]
    window.locator(f'button[data-n="{worst.n}"]').click()
    expect(window.locator("#told")).to_have_class(worst.grade)
    window.keyboard.press("ArrowLeft")
    expect(window.locator("#at")).to_have_value(str(worst.n - 1))
    assert axe(window) == []
    assert window.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing runs out of the window"
    assert errors == []
    window.close()


def json_pieces(window: Page) -> dict[str, int]:
    pieces: dict[str, int] = json.loads(window.locator("#data").text_content() or "")["pieces"]
    return pieces
