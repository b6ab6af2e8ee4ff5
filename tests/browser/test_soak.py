"""Whole games of Europe in a browser, one in each language: `make soak`. A game takes minutes, so CI plays New York."""

import os
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.players import play_to_the_end

LANGUAGES = [
    ("en-GB", "en", "Play now", "Total"),
    ("zh-TW", "zh-Hant", "馬上開始", "總分"),
    ("zh-CN", "zh-Hans", "开始游戏", "总分"),
]


@pytest.mark.skipif("BRANCHLINE_SOAK" not in os.environ, reason="make soak plays whole games of Europe")
@pytest.mark.parametrize(("locale", "language", "start", "total"), LANGUAGES)
def test_a_whole_game_of_europe(visit: Callable[..., Page], locale: str, language: str, start: str, total: str) -> None:
    page = visit(language=locale, map="europe", bots=1)
    page.get_by_role("button", name=start).click()
    page.wait_for_selector(".ticket")
    assert page.evaluate("document.documentElement.lang") == language
    assert play_to_the_end(page, seconds=600) > 40
    result = page.locator("section.end")
    assert result.locator("tbody tr").count() == 2
    assert total in result.inner_text()
