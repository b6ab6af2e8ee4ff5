"""A person at the page: plays by clicks, taps or keys, looking only at what the page shows."""

import re
from collections.abc import Callable

from playwright.sync_api import Page

STEPS = 400
"""Things done by one player in the longest game."""


def open_table(page: Page, name: str, *, players: int = 2, bots: int = 0) -> None:
    """Fill in the form for a new table, which asks who one is."""
    page.get_by_label("Your name").fill(name)
    page.get_by_label("Players").select_option(str(players))
    page.get_by_label("Bots").select_option(str(bots))
    page.get_by_role("button", name="Open the table").click()
    page.locator(".seats li").first.wait_for()


def sit_down(page: Page, name: str) -> None:
    """Take the first free seat, and say who sits there."""
    page.get_by_role("button", name=re.compile("Sit here|Another player here")).first.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill(name)
    dialog.get_by_role("button", name="Sit down").click()
    page.locator(".seats li").get_by_text(name, exact=True).wait_for()


def settle(page: Page) -> None:
    """Wait until nothing on the page moves or comes any more; the names on the board are the last, a few at a time."""
    page.evaluate(SETTLED)


def resize(page: Page, width: int, height: int) -> None:
    """Another size of window, and everything in its place there."""
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_function("width => innerWidth === width", arg=width)
    settle(page)


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


def hurry_to_the_end(page: Page) -> None:
    """The rest of the game over a wire of its own, without looking: for tests that are about what comes after it."""
    page.evaluate(HURRY, code_of(page))
    page.locator("section.end").wait_for()


def by_clicks(page: Page, press: Callable[[Page, str], None] | None = None, *, touch: bool = False) -> bool:
    """One thing: what is asked for, else a route if one can be claimed, else cards."""
    press = press or (lambda page, where: page.locator(where).first.click())
    turn = page.evaluate(LOOK)
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
            press(page, turn["where"])  # what it asked for is no longer open, until the answer is there
        case _:
            page.evaluate(NEXT_FRAME)
            return False
    return True


def by_keys(page: Page) -> bool:
    """One thing without a pointer: letters for cards and decks, the list of routes for claims."""

    def press(page: Page, where: str) -> None:
        page.locator(where).first.focus()
        page.keyboard.press("Enter")

    turn = page.evaluate(LOOK)
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
    spot = page.evaluate(SPOT, route)
    assert spot, (
        f"{route} does not lie still, or something covers it: {page.locator('.popup, .notice').all_inner_texts()}"
    )
    if not touch:
        page.mouse.click(*spot)
        return
    for _ in range(5):
        page.evaluate(FEEL)
        page.touchscreen.tap(*spot)
        if page.evaluate("() => window.rested") < LONG_PRESS:
            return
    raise AssertionError(f"this machine is too busy for a tap of less than {LONG_PRESS} ms")


LONG_PRESS = 450
"""Milliseconds after which a finger has asked what this is: one that a busy machine lifts late taps once more."""

FEEL = """() => {
  addEventListener('pointerdown', ({ timeStamp: from }) =>
    addEventListener('pointerup', ({ timeStamp: to }) => { window.rested = to - from }, { once: true }), { once: true })
}"""
"""Measures how long the next finger rests."""

HURRY = """table => new Promise((done, fail) => {
  const wire = new WebSocket(`ws://${location.host}/api/tables/${table}/socket?seat=0`)
  const pay = ([colour, cards, wilds]) => ({ colour, cards, wilds })
  const choose = ({ choices, own }) => {
    const [claim] = Object.entries(choices.claims)
    if (choices.keep > 0) return { is: 'keep', tickets: own.offer.slice(0, choices.keep) }
    if (choices.pay.length > 0) return { is: 'pay', payment: pay(choices.pay[0]) }
    if (choices.take_back) return { is: 'take-back' }
    if (claim) return { is: 'claim', route: claim[0], payment: pay(choices.payments[claim[1]][0]) }
    if (choices.deck) return { is: 'draw', slot: null }
    if (choices.row.length > 0) return { is: 'draw', slot: choices.row[0] }
    return { is: choices.tickets ? 'tickets' : 'pass' }
  }
  let asked = -1, act = null
  // At a pace that no limit minds, and slower where one does.
  const say = (wait) => {
    const text = JSON.stringify({ is: 'act', seat: 0, act, ask: asked, id: `hurry-${asked}` })
    setTimeout(() => wire.send(text), wait)
  }
  wire.onclose = ({ code }) => fail(`closed: ${code}`)
  wire.onmessage = ({ data }) => {
    const message = JSON.parse(data)
    if (message.is === 'beat') wire.send(data)
    // The page's own last action may still be on its way: the view that comes with "stale" is answered instead.
    if (message.is === 'refused' && message.problem.code === 'stale') asked = -1
    else if (message.is === 'refused') message.problem.code === 'too-many' ? say(500) : fail(data)
    if (message.is !== 'view') return
    if (message.view.stage === 'over') {
      wire.onclose = null
      wire.close()
      done()
    } else if (message.ask !== null && message.ask !== asked) {
      asked = message.ask
      act = choose(message.view)
      say(60)
    }
  }
})"""

SETTLED = """() => new Promise((done) => {
  const look = () => {
    const parts = [...document.querySelectorAll('main, .sheet, .popup, dialog')]
    const boxes = parts.map((part) => part.getBoundingClientRect())
    return JSON.stringify([innerWidth, innerHeight, document.querySelectorAll('*').length, boxes])
  }
  const ends = (motion) => motion.playState === 'running' && motion.effect?.getComputedTiming().endTime !== Infinity
  let before = '', still = 0
  const step = () => {
    const now = look()
    still = now === before && !document.getAnimations().some(ends) ? still + 1 : 0
    before = now
    if (still > 9) done(true)
    else requestAnimationFrame(step)
  }
  step()
})"""

MIDDLE = """id => {
          const cars = document.querySelector(`[data-route="${CSS.escape(id)}"] .spaces`)
          const count = (cars.getAttribute('d').match(/M/g) ?? []).length
          const which = Math.floor(count / 2), length = cars.getTotalLength() / count
          const sum = [0, 0]
          for (let i = 0; i < 20; i++) {
            const at = cars.getPointAtLength(length * (which + (i + 0.5) / 20))
            sum[0] += at.x / 20
            sum[1] += at.y / 20
          }
          // By the sheet's box: WebKit's getScreenCTM leaves out how the sheet is moved and scaled.
          const sheet = cars.ownerSVGElement, box = sheet.getBoundingClientRect(), view = sheet.viewBox.baseVal
          const across = (sum[0] - view.x) / view.width, down = (sum[1] - view.y) / view.height
          return [box.x + across * box.width, box.y + down * box.height]
        }"""

STILL = """find => new Promise((done) => {
  let before = '', still = 0
  const step = (frames) => {
    const spot = find()
    still = spot && String(spot) === before ? still + 1 : 0
    before = String(spot)
    if (still > 1 || frames === 0) done(still > 1 ? spot : null)
    else requestAnimationFrame(() => step(frames - 1))
  }
  step(300)
})"""
"""A spot that has been the same for some frames: nobody points at what moves. None if none comes for seconds."""

SPOT = f"""route => ({STILL})(() => {{
  const spot = ({MIDDLE})(route)
  return document.elementFromPoint(...spot)?.closest('.board') ? spot : null
}})"""
"""The middle of a route, when it lies still and nothing covers it."""

NEXT_FRAME = "() => new Promise((done) => requestAnimationFrame(() => done(true)))"

LOOK = """() => {
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
