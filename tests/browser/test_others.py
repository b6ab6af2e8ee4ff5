"""A whole game in Firefox and in WebKit, played by what the page shows."""

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from tests.browser.others import FIREFOX, WEBKIT, Firefox, WebKit, Window, firefox, press, until, webkit
from tests.browser.players import LOOK, SPOT, STEPS

ASKED = "document.querySelector('section.end, [data-first], .popup .buttons, .can, .tools .main') && true"


def open_game(window: Window, url: str) -> None:
    """Press the one button that starts a game against a bot."""
    window.go(url)
    kept = {"guided": True, "map": "new-york", "bots": 1, "level": "regular", "muted": True}
    window.evaluate(f"localStorage.setItem('branchline', {json.dumps(json.dumps(kept))})")
    window.go(url)
    press(window, "main button.button, main button")


def act(window: Window) -> None:
    """One thing: what is asked for, else a route if one can be claimed, else cards."""
    turn: dict[str, Any] = window.evaluate(f"({LOOK})()")
    match turn["what"]:
        case "tickets":
            for n in range(turn["least"]):
                press(window, f".ticket:nth-of-type({n + 1}), :nth-child({n + 1} of .ticket)")
            press(window, ".popup .go:not([disabled])")
            until(window, "!document.querySelector('.ticket')")
        case "tunnel":
            press(window, ".popup .buttons .button")
            until(window, "!document.querySelector('.popup .buttons')")
        case "pass":
            press(window, ".tools .main")
        case "claim":
            claim(window, turn["route"])
        case "draw":
            press(window, turn["where"])


def claim(window: Window, route: str) -> None:
    window.click(*until(window, f"({SPOT})({json.dumps(route)})"))
    press(window, ".popup .go")
    until(window, "!document.querySelector('.popup .go')")


def play_to_the_end(window: Window) -> int:
    for done in range(STEPS):
        until(window, ASKED)
        if window.evaluate("!!document.querySelector('section.end')"):
            return done
        act(window)
    raise AssertionError("the game did not end")


def check_game(window: Firefox | WebKit, url: str) -> None:
    open_game(window, url)
    assert play_to_the_end(window) > 10
    assert window.evaluate("document.querySelectorAll('section.end tbody tr').length") == 2
    assert window.log == []


Open = Callable[[], AbstractContextManager[Firefox | WebKit]]


@pytest.fixture
def others(tmp_path: Path) -> dict[str, Open]:
    (tmp_path / "firefox").mkdir()
    return {"firefox": lambda: firefox(tmp_path / "firefox"), "webkit": webkit}


@pytest.mark.parametrize(("name", "there"), [("firefox", FIREFOX), ("webkit", WEBKIT)])
def test_a_whole_game_in_another_browser(others: dict[str, Open], url: str, name: str, there: str | None) -> None:
    if there is None:
        pytest.skip(f"no {name} here: apt install firefox-esr webkit2gtk-driver xvfb")
    with others[name]() as window:
        check_game(window, url)
