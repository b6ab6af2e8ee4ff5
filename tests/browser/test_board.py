"""The map at a glance: its names, what is lit on it, and what a finger or a key means there."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.players import by_clicks, point_at, settle
from tests.builder import Position

Sit = Callable[..., Page]
Visit = Callable[..., Page]
SIZES = ((1024, 768), (1280, 800), (1366, 768))
_UNNAMED = """() => {
  const named = new Set([...document.querySelectorAll('.names text')].map((text) => text.dataset.name))
  return [...document.querySelectorAll('.city')].map((city) => city.dataset.city).filter((id) => !named.has(id))
}"""
_UNSEEN = """() => {
  const frame = document.querySelector('.board').getBoundingClientRect()
  return [...document.querySelectorAll('.names text')].filter((text) => {
    const box = text.getBoundingClientRect()
    const across = box.left > frame.left - 1 && box.right < frame.right + 1
    return !across || box.top < frame.top - 1 || box.bottom > frame.bottom + 1
  }).map((text) => text.dataset.name)
}"""
_GROUND = """() => {
  const frame = document.querySelector('.board').getBoundingClientRect()
  const sheet = document.querySelector('.sheet').getBoundingClientRect()
  const across = Math.min(sheet.right, frame.right) - Math.max(sheet.left, frame.left)
  const down = Math.min(sheet.bottom, frame.bottom) - Math.max(sheet.top, frame.top)
  return (across * down) / (frame.width * frame.height)
}"""


_UNDER = """() => {
  const button = document.querySelector('.zoom').getBoundingClientRect()
  return [...document.querySelectorAll('.city')].filter((city) => {
    const { left, right, top, bottom } = city.getBoundingClientRect()
    return right > button.left && left < button.right && bottom > button.top && top < button.bottom
  }).map((city) => city.dataset.city)
}"""


def every_name_is_seen(page: Page) -> None:
    """Wait until all names are set, which they are a few at a time, and none is cut off by the edge."""
    page.wait_for_function(f"() => ({_UNNAMED})().length === 0 && ({_UNSEEN})().length === 0")


@pytest.mark.parametrize("map", ["europe", "new-york"])
@pytest.mark.parametrize("language", ["en-GB", "zh-TW", "zh-CN"])
def test_every_name_is_there_also_while_tickets_are_chosen(visit: Visit, language: str, map: str) -> None:
    page = visit(language=language, map=map, bots=3, size=SIZES[0])
    page.locator(".big").click()
    page.wait_for_selector(".ticket")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        every_name_is_seen(page)
    by_clicks(page)
    page.wait_for_selector("[data-spot=deck].can")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        every_name_is_seen(page)


def test_a_phone_opens_near_and_one_tap_shows_all(sit: Sit, europe: Position) -> None:
    page = sit(europe.seats(3).tickets(0, "roma-smyrna").hand(0, red=2), size=(390, 844), touch=True)
    assert page.evaluate(_GROUND) > 0.99
    for city in ("roma", "smyrna"):
        box = page.locator(f'[data-city="{city}"]').bounding_box()
        assert box is not None
        assert 0 <= box["x"] <= 390
    whole = page.get_by_role("button", name="Whole map")
    assert page.evaluate(_UNDER) == []
    whole.tap()
    page.wait_for_function(f"() => ({_GROUND})() < 0.8")
    # Hubs and the ends of one's tickets keep their names when there is no room for all.
    for city in ("paris", "frankfurt", "roma", "smyrna"):
        page.wait_for_selector(f'.names text[data-name="{city}"]', state="attached")
    whole.tap()
    page.wait_for_function(f"() => ({_GROUND})() > 0.99")


def test_what_shows_the_whole_map_lies_on_no_city(sit: Sit, europe: Position) -> None:
    """At the western end of the map it lay on Lisboa."""
    page = sit(europe.owns(0, "cadiz-lisboa"), size=(390, 844), touch=True)
    assert page.evaluate(_UNDER) == []


def test_a_map_that_is_whole_on_a_phone_needs_no_button_for_it(sit: Sit, new_york: Position) -> None:
    page = sit(new_york, size=(390, 844), touch=True)
    whole = page.get_by_role("button", name="Whole map")
    expect(whole).to_have_count(0)
    page.locator(".board").dispatch_event("wheel", {"deltaY": -300, "clientX": 150, "clientY": 300})
    whole.tap()
    expect(whole).to_have_count(0)


def test_an_offer_says_how_many_cars_it_takes(visit: Visit) -> None:
    page = visit(map="europe")
    page.locator(".big").click()
    page.wait_for_selector("[data-cars]")
    offers = page.locator(".ticket")
    assert offers.count() == 4
    for n in range(4):
        assert re.search(r"takes \d+ cars", offers.nth(n).inner_text())


def test_an_offer_out_of_reach_says_what_a_kept_ticket_would(sit: Sit, europe: Position) -> None:
    """Between two players one half of London – Edinburgh closes the other; a station might still do."""
    cut = (
        europe.owns(1, "edinburgh-london-black").cars(0, 6).offer(0, "edinburgh-paris", "berlin-moskva", "paris-zagrab")
    )
    said = sit(cut).locator(".ticket")
    expect(said.nth(0)).to_contain_text("only with a station, if at all")
    expect(said.nth(1)).to_contain_text(re.compile(r"\d+ cars to go, you have 6"))


@pytest.mark.parametrize("size", [(1024, 768), (390, 844)])
def test_the_board_lies_still_from_turn_to_turn(sit: Sit, europe: Position, size: tuple[int, int]) -> None:
    """What may be done now is said in as many lines as what another does."""
    page = sit(europe.hand(0, red=1), size=size, touch=size[0] < 500)
    ground = page.locator("main")
    mine = ground.bounding_box()
    page.locator("[data-spot=deck].can").click()
    page.locator(".what:text('second card')").wait_for()
    assert ground.bounding_box() == mine
    page.evaluate("() => document.querySelector('.what').remove()")
    assert ground.bounding_box() == mine


def test_tickets_stay_on_the_map_and_a_click_keeps_their_way(sit: Sit, europe: Position) -> None:
    page = sit(europe.tickets(0, "paris-wien", "brest-marseille").owns(0, "brest-paris").hand(0, red=1))
    flags = page.locator(".flag")
    flags.first.wait_for(state="attached")
    assert flags.count() == 4
    ticket = page.get_by_role("button", name=re.compile("Paris to Wien"))
    ticket.click()
    page.mouse.move(400, 400)
    lit = page.locator("[data-lit]")
    lit.first.wait_for(state="attached")
    assert ticket.get_attribute("aria-pressed") == "true"
    ticket.click()
    page.mouse.move(400, 400)
    lit.first.wait_for(state="detached")


def test_a_player_and_a_colour_light_their_routes(sit: Sit, europe: Position) -> None:
    page = sit(europe.owns(1, "brest-dieppe", "paris-zurich").owns(0, "munchen-wien").hand(0, green=2, wild=1))

    def lit() -> set[str]:
        return set(page.evaluate("() => [...document.querySelectorAll('[data-lit]')].map((p) => p.dataset.lit)"))

    page.locator("[data-spot=seat-1] button").hover()
    page.wait_for_selector("[data-lit]", state="attached")
    assert lit() == {"brest-dieppe", "paris-zurich"}
    # Its figures are told in words, not in hover titles.
    assert "cards in hand" in page.locator("main.ground").inner_text()
    page.locator("[data-spot=hand-green] button").click()
    page.wait_for_selector('[data-lit="athina-sarajevo"]', state="attached")
    greens = {route.id for route in europe.map.routes if route.colour == "green"}
    assert lit() == greens - {"brest-dieppe", "paris-zurich", "munchen-wien"}


@pytest.mark.parametrize("touch", [False, True])
def test_the_chosen_route_is_lit_and_its_card_has_the_other_half(sit: Sit, europe: Position, touch: bool) -> None:
    hand = europe.seats(4).hand(0, white=3, orange=3)
    page = sit(hand, touch=touch, size=(390, 844) if touch else (1280, 800))
    point_at(page, "frankfurt-paris-white", touch=touch)
    halves = page.get_by_role("radiogroup", name="double route").get_by_role("radio")
    halves.first.wait_for()
    settle(page)  # the card finds its place beside the route
    assert halves.count() == 2
    picked = page.locator('[data-half][aria-checked="true"]').get_attribute("data-half")
    other = ({"frankfurt-paris-white", "frankfurt-paris-orange"} - {picked}).pop()
    assert page.locator(f'[data-lit="{picked}"]').count() == 1
    page.locator(f'[data-half="{other}"]').click()
    page.wait_for_selector(f'[data-lit="{other}"]', state="attached")
    assert page.locator("[data-lit]").count() == 1
    page.get_by_role("button", name="Claim", exact=True).click()
    page.wait_for_selector(f'[data-route="{other}"] .car', state="attached")


def test_building_a_station_takes_no_route(sit: Sit, europe: Position) -> None:
    page = sit(europe.hand(0, red=3, green=4))
    page.get_by_role("button", name="Build a station").click()
    page.get_by_role("dialog", name="Choose a city").wait_for()
    # Any city may be meant: nothing lies on the board.
    board, card = page.locator(".board").bounding_box(), page.locator(".popup").bounding_box()
    assert board is not None
    assert card is not None
    assert card["x"] >= board["x"] + board["width"]
    point_at(page, "kyiv-smolensk")
    point_at(page, "berlin-wien")
    assert page.get_by_role("dialog").count() == 1
    assert page.get_by_role("dialog", name="Choose a city").is_visible()


def test_what_others_did_stays_marked_until_one_acts(sit: Sit, europe: Position) -> None:
    # A bot with such a hand claims before long.
    page = sit(europe.seats(2).hand(0, red=8).hand(1, blue=8, wild=6).tickets(1, "essen-kyiv"))
    for _ in range(12):
        page.locator("[data-spot=deck].can").click()
        page.wait_for_selector("[data-spot=deck].can, .place.can, .tools .main")
        page.locator("[data-spot=deck].can").click()
        page.wait_for_function("() => document.querySelector('[data-spot=deck].can')")
        if page.locator("[data-fresh]").count():
            break
    fresh = page.locator("[data-fresh]").first.get_attribute("data-fresh")
    assert page.locator(f'[data-route="{fresh}"] .car').count() > 0
    assert page.locator(".box .new").count() > 0
    # A line of the log lights what it tells of.
    page.locator(".box .new .place").last.click()
    page.wait_for_selector(f'[data-lit="{fresh}"]', state="attached")
    page.locator("[data-spot=deck].can").click()
    page.wait_for_function("() => !document.querySelector('[data-fresh]')")


@pytest.mark.parametrize("dark", [False, True])
def test_keyboard_focus_is_seen_on_brass(sit: Sit, europe: Position, dark: bool) -> None:
    page = sit(europe.tickets(0, "berlin-roma").hand(0, green=4, wild=2), dark=dark)
    page.locator(".route.wanted").first.wait_for(state="attached")
    page.keyboard.press("Tab")
    page.locator(".route.wanted").first.focus()
    page.keyboard.press("Shift")
    ring, brass = page.evaluate(
        """() => {
          const route = document.activeElement
          const halo = getComputedStyle(route.querySelector('.halo'))
          const other = document.querySelector('.route.wanted:not(:focus) .halo')
          return [halo.stroke, other ? getComputedStyle(other).stroke : null]
        }"""
    )
    assert ring != brass
    main = page.locator("[data-spot=deck]")
    main.focus()
    outline, edge = main.evaluate("(e) => [getComputedStyle(e).outlineColor, getComputedStyle(e).borderTopColor]")
    assert outline != edge


def test_what_is_read_aloud_has_full_stops_of_its_language(visit: Visit) -> None:
    page = visit(language="zh-TW", map="europe")
    page.locator(".big").click()
    page.wait_for_selector(".ticket")
    by_clicks(page)
    page.wait_for_selector("[data-spot=deck].can")
    page.locator("[data-spot=deck].can").click()
    page.wait_for_function(
        "() => document.querySelector('p.visually-hidden[aria-live=polite]').textContent.includes('抽了')"
    )
    for said in page.locator("[aria-live].visually-hidden").all_inner_texts():
        assert not re.search(r"[\u4e00-\u9fff][.,:]|[.,:] ?[\u4e00-\u9fff]", said), said
        assert not re.search(r"[\u4e00-\u9fff][A-Za-z0-9]|[A-Za-z0-9][\u4e00-\u9fff]", said), said


@pytest.mark.parametrize(
    ("map", "words"), [("europe", ("45 cars", "tunnel", "longest trail")), ("new-york", ("15 taxis", "sights"))]
)
def test_how_to_play_is_of_the_map_that_is_played(visit: Visit, map: str, words: tuple[str, ...]) -> None:
    page = visit(f"/rules?map={map}")
    page.wait_for_selector(".lesson .car", state="attached")
    page.wait_for_selector("[id='R4.1']")
    said = page.locator("main").inner_text().lower()
    for word in words:
        assert word in said
    assert ("locomotive" in said.split("rules by number")[0]) == (map == "europe")
    # Numbers lead to the rule, and no rule has two places.
    ids = page.evaluate("() => [...document.querySelectorAll('main [id^=R]')].map((e) => e.id)")
    assert len(ids) == len(set(ids))
    for href in page.evaluate("() => [...document.querySelectorAll('.numbers a')].map((a) => a.getAttribute('href'))"):
        assert href[1:] in ids


def test_a_phones_strip_of_five_shows_every_figure(sit: Sit, europe: Position) -> None:
    page = sit(europe.seats(5).owns(0, "petrograd-stockholm", "palermo-smyrna"), size=(390, 844), touch=True)
    plates = page.locator(".strip .plate")
    assert plates.count() == 5
    assert plates.first.locator(".points").inner_text() == "36"
    hidden = """() => [...document.querySelectorAll('.strip .plate')].flatMap((plate) => {
      const points = plate.querySelector('.points'), box = plate.getBoundingClientRect()
      points.textContent = '108'
      const [facts, total] = [plate.querySelector('.facts'), points].map((part) => part.getBoundingClientRect())
      const cars = plate.querySelector('.facts span').getBoundingClientRect()
      return total.right > box.right || cars.right > total.left || facts.left < box.left ? [plate.innerText] : []
    })"""
    assert page.evaluate(hidden) == []
