"""A person at the page: plays by clicks, taps or keys, looking only at what the page shows."""

import re
from collections.abc import Callable

from playwright.sync_api import Page

STEPS = 400
"""Things done by one player in the longest game."""


def play_to_the_end(page: Page, *, step: Callable[[Page], bool] | None = None, seconds: float = 150) -> int:
    """Act whenever the page asks, until the scores are shown; returns how many things were done."""
    done = 0
    act = step or by_clicks
    for _ in range(STEPS):
        page.wait_for_function(
            "() => document.querySelector('section.end, [data-first], .popup .buttons, .can, .tools .main')",
            timeout=seconds * 1000,
        )
        if page.locator("section.end").count():
            return done
        done += act(page)
    raise AssertionError("the game did not end")


def by_clicks(page: Page, press: Callable[[Page, str], None] | None = None, *, touch: bool = False) -> bool:
    """One thing: what is asked for, else a route if one can be claimed, else cards."""
    press = press or (lambda page, where: page.locator(where).first.click())
    turn = page.evaluate(_LOOK)
    match turn["what"]:
        case "tickets":
            for n in range(turn["least"]):
                press(page, f".ticket >> nth={n}")
            press(page, ".popup .go:not([disabled])")
            page.wait_for_function("() => !document.querySelector('.ticket')")
        case "tunnel":
            press(page, ".popup .buttons .button >> nth=0")
            page.wait_for_function("() => !document.querySelector('.popup .buttons')")
        case "pass":
            press(page, ".tools .main")
        case "claim":
            claim(page, turn["route"], press, touch)
        case "draw":
            press(page, turn["where"])
            page.wait_for_timeout(30)
        case _:
            page.wait_for_timeout(50)
            return False
    return True


def by_keys(page: Page) -> bool:
    """One thing without a pointer: letters for cards and decks, the list of routes for claims."""

    def press(page: Page, where: str) -> None:
        page.locator(where).first.focus()
        page.keyboard.press("Enter")

    turn = page.evaluate(_LOOK)
    match turn["what"]:
        case "claim":
            page.keyboard.press("r")
            page.wait_for_selector("dialog[open]")
            press(page, f'[data-list-route="{turn["route"]}"]')
            page.wait_for_selector(".popup .go")
            press(page, ".popup .go")
            page.wait_for_function("() => !document.querySelector('.popup .go')")
        case "draw":
            keys = {"[data-spot=deck].can": "d", "[data-spot=tickets].can": "t"}
            if turn["where"] in keys:
                page.keyboard.press(keys[turn["where"]])
            else:
                press(page, turn["where"])
            page.wait_for_timeout(30)
        case _:
            return by_clicks(page, press)
    return True


def claim(page: Page, route: str, press: Callable[[Page, str], None], touch: bool = False) -> None:
    """Point at the middle of a route on the board, then pay as is proposed."""
    point_at(page, route, touch=touch)
    page.wait_for_selector(".popup .go")
    press(page, ".popup .go")
    page.wait_for_function("() => !document.querySelector('.popup .go')")


def point_at(page: Page, route: str, *, touch: bool = False) -> None:
    """Click or tap the middle of a route on the board."""
    # The board may still be fitting itself into its frame: nobody points at what moves.
    spot, still = page.evaluate(_MIDDLE, route), 0
    for _ in range(100):
        page.wait_for_timeout(40)
        before, spot = spot, page.evaluate(_MIDDLE, route)
        still = still + 1 if spot == before else 0
        if still == 4:
            break
    (page.touchscreen.tap if touch else page.mouse.click)(*spot)


_MIDDLE = """id => {
          const cars = document.querySelector(`[data-route="${CSS.escape(id)}"] .spaces`)
          const count = (cars.getAttribute('d').match(/M/g) ?? []).length
          const which = Math.floor(count / 2), length = cars.getTotalLength() / count
          const sum = [0, 0]
          for (let i = 0; i < 20; i++) {
            const at = cars.getPointAtLength(length * (which + (i + 0.5) / 20))
            sum[0] += at.x / 20
            sum[1] += at.y / 20
          }
          const on = new DOMPoint(...sum).matrixTransform(cars.getScreenCTM())
          return [on.x, on.y]
        }"""

_LOOK = """() => {
  const seen = (s) => document.querySelector(s)
  const tickets = document.querySelectorAll('.ticket')
  if (tickets.length) {
    const need = Number(seen('.popup .go').textContent.replace(/\\D+/g, '')) || 1
    return { what: 'tickets', least: need }
  }
  if (seen('.popup .buttons')) return { what: 'tunnel' }
  const claimable = [...document.querySelectorAll('.route.claimable')]
  const routes = claimable.map((r) => [r.querySelectorAll('use').length, r.dataset.route])
  if (seen('.tools .main')) return { what: 'pass' }
  if (routes.length && !seen('.popup')) {
    routes.sort((a, b) => b[0] - a[0])
    return { what: 'claim', route: routes[0][1] }
  }
  if (seen('[data-spot=deck].can')) return { what: 'draw', where: '[data-spot=deck].can' }
  if (seen('.place.can')) return { what: 'draw', where: '.place.can' }
  if (seen('[data-spot=tickets].can')) return { what: 'draw', where: '[data-spot=tickets].can' }
  return { what: '' }
}"""


def code_of(page: Page) -> str:
    """The table's id, from the address."""
    found = re.search(r"/table/([^/#?]+)", page.url)
    assert found is not None
    return found[1]
