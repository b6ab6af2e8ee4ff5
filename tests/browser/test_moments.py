"""Moments of a game that seldom come by themselves, laid out on a table and looked at."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from branchline.server.head import BOT_NAMES
from tests.browser.desk import Desk
from tests.browser.players import point_at, resize, settle
from tests.builder import Position

Sit = Callable[..., Page]
Visit = Callable[..., Page]

EARS = """
  window.heard = []
  const param = () => ({ value: 0, setValueAtTime() {}, linearRampToValueAtTime(v) { this.top = v },
                         exponentialRampToValueAtTime() {} })
  const node = (what) => Object.assign(what, { connect(next) { what.next = next; return next } })
  window.AudioContext = class {
    state = 'running'; currentTime = 0; sampleRate = 8000; destination = {}
    resume() {}
    createGain() { return node({ gain: param() }) }
    createBiquadFilter() { return node({ frequency: param() }) }
    createBuffer(_, length) { return { getChannelData: () => new Float32Array(length) } }
    createOscillator() {
      const made = node({ frequency: param(), stop() {},
        start() { heard.push({ pitch: made.frequency.value, loud: made.next.gain.top }) } })
      return made
    }
    createBufferSource() {
      const made = node({
        start() { heard.push({ rustle: made.next.frequency.value, loud: made.next.next.gain.value }) } })
      return made
    }
  }
"""
"""An AudioContext that writes down what would be heard."""

HIDDEN = """
  window.away = false
  Object.defineProperty(document, 'hidden', { get: () => window.away })
  window.notes = []
  window.Notification = class { static permission = 'granted'
    constructor(title, { body }) { notes.push(`${title}: ${body}`) } close() {} }
"""
"""A page that can be put behind another, and remembers its notifications."""

SPEAK = """lang => localStorage.setItem('branchline',
  JSON.stringify({ ...JSON.parse(localStorage.getItem('branchline')), lang }))"""
"""Another language from the next load on."""


@pytest.fixture
def europe3() -> Position:
    return Position.on("europe").seats(3)


def draw_twice(page: Page) -> None:
    deck = page.locator("[data-spot=deck].can")
    before = int(page.locator(".hand small").inner_text())
    deck.click()
    page.wait_for_function(f"() => Number(document.querySelector('.hand small').textContent) === {before + 1}")
    deck.click()


def speak(page: Page, language: str) -> None:
    """Read the end of a game in another language."""
    page.locator("section.end").wait_for()
    if page.evaluate("document.documentElement.lang") != language:
        page.evaluate(SPEAK, language)
        page.reload()
    page.locator(f"html[lang={language}] section.end .total").first.wait_for()


def heard(page: Page, key: str) -> list[Any]:
    found: list[Any] = page.evaluate("key => heard.flatMap((sound) => key in sound ? [sound[key]] : [])", key)
    return found


def test_the_tab_shows_my_turn(sit: Sit, europe: Position) -> None:
    page = sit(europe.last_turns(1))
    expect(page).to_have_title("● Your turn – Europe – Branchline")
    icon = "() => document.querySelector('link[rel=icon]').href"
    mine = page.evaluate(icon)
    draw_twice(page)
    expect(page).to_have_title("Europe – Branchline")
    assert page.evaluate(icon) != mine


def test_sounds_for_turn_cards_and_cars(sit: Sit, europe: Position) -> None:
    page = sit(europe.hand(0, green=4), script=EARS, muted=False, volume=0.4)
    page.wait_for_function("() => heard.length === 2")
    assert heard(page, "pitch") == [659, 880]
    assert heard(page, "loud") == pytest.approx([0.25 * 0.4, 0.22 * 0.4])
    page.evaluate("() => { heard.length = 0 }")
    page.locator("[data-spot=deck].can").click()
    page.wait_for_function("() => heard.length === 1")
    assert heard(page, "rustle") == [3200]
    page.evaluate("() => { heard.length = 0 }")
    page.locator("[data-spot=deck].can").click()
    # The bot has played and it is my turn again.
    page.wait_for_function("() => heard.some(({ pitch }) => pitch === 880)")
    page.evaluate("() => { heard.length = 0 }")
    point_at(page, "riga-wilno")
    page.locator(".popup .go").click()
    page.wait_for_function("() => heard.filter(({ rustle }) => rustle === 700).length >= 4")


@pytest.mark.parametrize("quiet", [{"muted": True}, {"volume": 0}])
def test_mute_and_no_volume_are_silent(sit: Sit, europe: Position, quiet: dict[str, Any]) -> None:
    page = sit(europe, script=EARS, **{"muted": False, **quiet})
    draw_twice(page)
    page.wait_for_selector("[data-spot=deck].can")
    assert page.evaluate("() => heard.length") == 0


def test_a_hidden_page_notifies_when_it_is_allowed(sit: Sit, europe: Position) -> None:
    for allowed, told in ((True, ["Branchline: It is your turn on Europe."]), (False, [])):
        page = sit(europe, script=HIDDEN, notify=allowed)
        assert page.evaluate("() => notes.length") == 0
        page.evaluate("() => { away = true }")
        draw_twice(page)
        page.locator(".logchat .turn").nth(1).wait_for()
        page.wait_for_selector("[data-spot=deck].can")
        assert page.evaluate("() => notes") == told


def test_three_wilds_are_seen_going(sit: Sit, europe: Position) -> None:
    row = europe.row("wild wild red blue green").top("wild red blue black white yellow")
    page = sit(row, moving=True)
    page.locator("[data-spot=row-2]").click()
    swept = page.locator(".row.swept")
    swept.get_by_text("Three locomotives: a new row").wait_for()
    assert swept.get_by_role("button", name="locomotive").count() == 3
    # Nothing of the old row can be taken while it is shown.
    assert page.locator(".place.can").count() == 0
    swept.wait_for(state="detached")
    cards = [place.get_attribute("aria-label") for place in page.locator(".place").all()]
    assert cards == [f"Take the {colour} card" for colour in ("red", "blue", "black", "white", "yellow")]


@pytest.mark.parametrize(
    ("language", "why"),
    [
        ("en-GB", "A face-up locomotive cannot be your second card. Rule R3.4"),
        ("zh-TW", "面朝上的彩色車票卡不能當第二張拿。規則 R3.4"),
        ("zh-CN", "面朝上的彩虹票不能作为第二张拿。规则 R3.4"),
    ],
)
def test_a_second_wild_is_refused_in_words(sit: Sit, europe: Position, language: str, why: str) -> None:
    page = sit(europe.row("wild red red blue green").second_draw(), language=language)
    page.locator("[data-spot=row-0]").click(force=True)
    assert page.get_by_role("alert").inner_text() == why


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
def test_a_station_shows_what_it_would_borrow(sit: Sit, europe3: Position, size: tuple[int, int]) -> None:
    position = europe3.hand(0, red=4).tickets(0, "paris-wien").owns(0, "munchen-wien", "munchen-zurich")
    page = sit(position.owns(1, "paris-zurich", "bruxelles-frankfurt"), size=size, touch=size[0] < 500)
    page.get_by_role("button", name="Build a station").click()
    page.get_by_label("or from the list").select_option("paris")
    card = page.get_by_role("dialog", name="Build a station in Paris")
    card.get_by_text("If the game ended now it would use Paris – Zürich.").wait_for()
    lit = page.locator("[data-lit=paris-zurich]")
    lit.wait_for(state="attached")
    # The city's name is there, and the card does not lie on what it speaks of.
    page.locator("[data-name=paris].lit").wait_for(state="attached")
    settle(page)
    there, card_box = lit.bounding_box(), card.bounding_box()
    assert there is not None
    assert card_box is not None
    beside = there["x"] + there["width"] <= card_box["x"] or card_box["x"] + card_box["width"] <= there["x"]
    assert beside or there["y"] + there["height"] <= card_box["y"] or card_box["y"] + card_box["height"] <= there["y"]
    page.get_by_label("or from the list").select_option("moskva")
    page.get_by_text("If the game ended now it would be of no use.").wait_for()
    assert page.locator("[data-lit]").count() == 0


def told(page: Page) -> list[tuple[str, set[str], set[str]]]:
    """The count as it is told: the words, the routes and the cities that are lit meanwhile."""
    steps = []
    teller = page.locator(".teller")
    teller.wait_for()
    while teller.count():
        text = re.sub(r"\s+", " ", teller.locator("p").inner_text()).strip()
        routes = page.evaluate("() => [...document.querySelectorAll('[data-lit]')].map((path) => path.dataset.lit)")
        cities = page.evaluate(
            "() => [...document.querySelectorAll('.city.highlighted')].map((city) => city.dataset.city)"
        )
        steps.append((text, set(routes), set(cities)))
        teller.get_by_role("button", name="Next").click()
        page.wait_for_function(
            "text => document.querySelector('.teller p')?.textContent.replace(/\\s+/g, ' ').trim() !== text", arg=text
        )
    return steps


def test_the_count_draws_what_it_tells(sit: Sit, europe3: Position) -> None:
    position = europe3.tickets(0, "paris-wien").owns(0, "munchen-wien", "munchen-zurich").station(0, "paris")
    position = position.owns(1, "paris-zurich").tickets(2, "roma-smyrna").owns(2, "palermo-roma", "palermo-smyrna")
    page = sit(position.last_turns(1), moving=True)
    draw_twice(page)
    steps = told(page)
    assert steps[1] == ("Traveller: the station in Paris uses Paris – Zürich", {"paris-zurich"}, {"paris"})
    way = {"paris-zurich", "munchen-zurich", "munchen-wien"}
    assert steps[2] == ("Traveller: Paris – Wien completed +8", way, {"paris", "wien"})
    winner, _, what = steps[-1][0].partition(": ")
    assert (what, *steps[-1][1:]) == ("the longest trail, 10 cars +10", {"palermo-roma", "palermo-smyrna"}, set[str]())
    assert winner in BOT_NAMES
    page.get_by_role("heading", name=f"{winner} wins!").wait_for()
    # Whoever comes back sees the points at once, and is told again only for the asking.
    page.reload()
    page.locator("section.end").wait_for()
    assert page.locator(".teller").count() == 0
    page.get_by_role("button", name="Tell the count again").click()
    assert told(page) == steps


def test_sights_are_lit_in_the_count(sit: Sit, new_york: Position) -> None:
    mine = new_york.owns(0, "lincoln-center-central-park", "lincoln-center-midtown-west", "midtown-west-chelsea")
    page = sit(mine.last_turns(1), moving=True)
    draw_twice(page)
    assert ("Traveller: 2 sights reached +2", set[str](), {"central-park", "chelsea"}) in told(page)


TIES: dict[str, tuple[Callable[[Position], Position], tuple[str, str, str]]] = {
    "tickets": (
        lambda europe: (
            europe.owns(0, "rostov-sochi", "erzurum-sochi")
            .tickets(0, "rostov-erzurum")
            .owns(1, "berlin-essen", "amsterdam-essen", "brest-paris", "dieppe-paris")
        ),
        ("Equal points; more tickets completed decides.", "同分，完成較多任務卡者勝。", "同分，完成任务牌多者胜。"),
    ),
    "stations": (
        lambda europe: europe.owns(0, "amsterdam-essen").owns(1, "berlin-wien", "brest-paris").station(1, "athina"),
        (
            "Equal points and tickets; fewer stations built decides.",
            "同分且任務數相同，建造較少火車站者勝。",
            "同分且任务数相同，剩余火车站多者胜。",
        ),
    ),
    "trail": (
        lambda europe: (
            europe.owns(0, "amsterdam-bruxelles", "bruxelles-paris-yellow")
            .owns(1, "angora-constantinople", "athina-smyrna", "barcelona-madrid", "berlin-essen", "brindisi-roma")
            .owns(1, "bucuresti-sofia", "budapest-wien-white")
        ),
        (
            "Equal so far; the longest trail decides.",
            "其他都相同，最長路線決定勝負。",
            "其余都相同，最长路线决定胜负。",
        ),
    ),
    "shared": (lambda europe: europe, ("Equal in everything that counts.", "所有項目都相同。", "所有项目都相同。")),
}


@pytest.mark.parametrize("tie", TIES)
def test_a_tie_says_what_decided(sit: Sit, europe: Position, tie: str) -> None:
    lay, words = TIES[tie]
    position = lay(europe.last_turns(1))
    assert position.scores().decided_by == tie
    page = sit(position)
    draw_twice(page)
    for language, said in zip(("en", "zh-Hant", "zh-Hans"), words, strict=True):
        speak(page, language)
        expect(page.locator("section.end p").first).to_have_text(said)


_CUT = """() => {
  const { left, right } = document.querySelector('section.end').getBoundingClientRect()
  return [...document.querySelectorAll('section.end :is(th, td, li)')].filter((cell) => {
    const box = cell.getBoundingClientRect()
    return box.left < left || box.right > right - 8
  }).map((cell) => cell.innerText)
}"""
_TALL = """() => [...document.querySelectorAll('section.end thead th')].filter((cell) => {
  const text = document.createRange()
  text.selectNodeContents(cell)
  return new Set([...text.getClientRects()].map(({ top }) => Math.round(top))).size > 2
}).map((cell) => cell.innerText)"""


def test_the_result_of_five_fits_a_phone(sit: Sit, europe: Position) -> None:
    page = sit(europe.seats(5).last_turns(1).owns(1, "petrograd-stockholm"), size=(390, 844), touch=True)
    draw_twice(page)
    for language in ("en", "zh-Hant", "zh-Hans"):
        speak(page, language)
        for width, height in ((360, 740), (390, 844)):
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_function("width => innerWidth === width", arg=width)
            assert page.evaluate(_CUT) == [], (language, width)
            assert page.evaluate(_TALL) == [], "one sign below the other"


PEOPLE = ("Maximilian Fairweather", "最愛坐火車的阿強同學", "Konstantin Papadopoulos", "Bartholomew Featherstone")
_CLIPPED = """() => [...document.querySelectorAll('section.end .name')].filter((name) => {
  const text = document.createRange()
  text.selectNodeContents(name)
  const [box, said] = [name.getBoundingClientRect(), text.getBoundingClientRect()]
  return name.scrollWidth > name.clientWidth || said.right > box.right + 1 || said.bottom > box.bottom + 1
}).map((name) => name.textContent)"""


@pytest.mark.parametrize("size", [(360, 640), (390, 844), (1280, 800)])
def test_names_are_whole_in_the_result(visit: Visit, at_desk: Desk, europe: Position, size: tuple[int, int]) -> None:
    page = visit(None, size=size, touch=size[0] < 500)
    api = f"{at_desk.url}/api"
    page.request.put(f"{api}/me", data={"name": PEOPLE[0], "language": "en"})
    wanted = {"map": "europe", "seats": [{"who": "open"}] * len(PEOPLE)}
    table = page.request.post(f"{api}/tables", data=wanted).json()["id"]
    for seat, name in enumerate(PEOPLE):
        page.request.post(f"{api}/tables/{table}/seats/{seat}/sit", data={"nonce": f"{seat:064}", "name": name})
    page.request.post(f"{api}/tables/{table}/start")
    far = europe.seats(len(PEOPLE)).owns(0, "petrograd-stockholm", "cadiz-lisboa", "lisboa-madrid")
    at_desk.lay(table, far.tickets(1, "berlin-roma", "frankfurt-kobenhavn").over())
    page.goto(f"{at_desk.url}/table/{table}")
    page.locator("section.end .total").first.wait_for()
    names = page.locator("section.end tbody th .name").all_inner_texts()
    assert sorted(names) == sorted(PEOPLE)
    assert page.evaluate(_CLIPPED) == []
    assert page.evaluate(_CUT) == []


@pytest.mark.parametrize(
    ("confirm", "touch", "asks"), [("touch", False, False), ("touch", True, True), ("never", True, False)]
)
def test_confirmation_as_it_is_set(sit: Sit, europe: Position, confirm: str, touch: bool, asks: bool) -> None:
    # Green alone pays for Riga - Wilno; red or blue for grey Danzig - Berlin, and Zürich - Venezia is a tunnel.
    position = europe.hand(0, green=6, red=4, blue=4)
    page = sit(position, confirm=confirm, touch=touch, size=(390, 844) if touch else (1280, 800))
    # A tunnel always says its odds first.
    point_at(page, "venezia-zurich", touch=touch)
    page.get_by_role("button", name="Lay down and turn 3 cards").wait_for()
    page.get_by_role("button", name="Close").click()
    owned = page.locator('[data-route="riga-wilno"] .car')
    point_at(page, "riga-wilno", touch=touch)
    if asks:
        page.locator(".popup .go").wait_for()
        assert owned.count() == 0
        return
    owned.first.wait_for(state="attached")
    page.wait_for_selector("[data-spot=deck].can")
    # Where there is a choice of cards it is asked for, and the choice is the claim.
    point_at(page, "berlin-danzig", touch=touch)
    page.locator(".popup [role=radio]").nth(1).click()
    page.locator('[data-route="berlin-danzig"] .car').first.wait_for(state="attached")


def test_a_ticket_names_its_cities_on_a_phone(sit: Sit, europe3: Position) -> None:
    page = sit(europe3.tickets(0, "paris-wien", "berlin-roma", "zurich-budapest"), size=(390, 844), touch=True)
    page.get_by_role("tab", name="Your tickets").tap()
    for name, cities in (
        ("Paris", ("paris", "wien")),
        ("Berlin", ("berlin", "roma")),
        ("Zürich", ("zurich", "budapest")),
    ):
        page.locator(".tickets button", has_text=name).tap()
        for city in cities:
            page.locator(f"[data-name={city}].lit").first.wait_for(state="attached")


def test_the_first_visit_is_quiet(visit: Visit) -> None:
    page = visit("/nowhere")
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.goto(page.url.replace("/nowhere", "/"))
    page.locator(".big:not([disabled])").wait_for()
    page.wait_for_load_state("networkidle")
    assert said == []


def test_the_board_stays_where_it_was_put(sit: Sit, europe: Position) -> None:
    page = sit(europe)
    scale = "() => new DOMMatrix(getComputedStyle(document.querySelector('.sheet')).transform).a"
    page.mouse.move(500, 400)
    whole = page.evaluate(scale)
    page.mouse.wheel(0, -400)
    page.wait_for_function(f"whole => ({scale})() > whole * 1.2", arg=whole)
    settle(page)
    near = page.evaluate(scale)
    assert near > whole * 1.2
    page.locator("[data-spot=deck].can").click()
    page.wait_for_selector(".what:text('second card')")
    assert page.evaluate(scale) == near
    # Who looks a route up is brought to it, no nearer and no farther.
    page.get_by_role("button", name="List of routes").click()
    page.get_by_role("radio", name="All").click()
    page.locator('[data-list-route="erzurum-sochi"]').click()
    page.wait_for_function(
        """() => {
          const [route, board] = ['[data-route=erzurum-sochi]', '.board'].map((found) =>
            document.querySelector(found).getBoundingClientRect())
          return route.left > board.left && route.right < board.right && route.top > board.top
        }"""
    )
    assert page.evaluate(scale) == near
    page.keyboard.press("Escape")
    # A device that is turned round goes on; what goes wrong in the page fails the test.
    for width, height in ((844, 390), (390, 844), (844, 390), (1024, 768)):
        resize(page, width, height)
    page.locator("[data-spot=deck].can").click()
    page.locator(".logchat .turn").nth(1).wait_for()


@pytest.fixture
def in_the_east(europe: Position) -> Position:
    """A phone opens at one's tickets in the west; the last points are in the east, whatever the tunnel asks."""
    there = europe.owns(0, "cadiz-lisboa", "lisboa-madrid").tickets(0, "edinburgh-paris").hand(0, white=11)
    return there.last_turns(1)


def ask(page: Page, hint: str) -> None:
    """Ask for a hint that says so."""
    page.get_by_role("button", name="Hint").click()
    page.locator(".note").get_by_text(hint).wait_for()
    settle(page)


def test_a_hint_brings_its_route_into_sight(sit: Sit, in_the_east: Position) -> None:
    page = sit(in_the_east, size=(390, 844), touch=True)
    route = page.locator("[data-route=petrograd-stockholm]")
    assert not sees(page, route)
    ask(page, "It brings no ticket nearer, but scores 21 points.")
    assert sees(page, route)
    assert page.locator("[data-lit=petrograd-stockholm]").count() == 1


@pytest.mark.parametrize("size", [(1280, 800), (1024, 768), (844, 390), (390, 844), (360, 640)])
def test_a_hint_never_lies_on_its_route(sit: Sit, in_the_east: Position, size: tuple[int, int]) -> None:
    """At the upper edge of the board, at the lower one, and where both ends of a small board would cover it."""
    page = sit(in_the_east, size=size, touch=size[0] < 900)
    route = page.locator("[data-route=petrograd-stockholm]")
    ask(page, "21 points")
    assert sees(page, route)
    assert page.locator(".zoom").count() == 0 or apart(page, ".zoom", ".note")
    board = page.locator(".board").bounding_box()
    assert board
    for edge in ("top", "bottom"):
        pan(page, edge, route)
        assert sees(page, route), edge
    # Near enough, and both ends would lie on it: asked again, the map moves and shows as much as fits.
    page.mouse.move(board["x"] + board["width"] / 2, board["y"] + board["height"] / 2)
    for _ in range(4):
        page.mouse.wheel(0, -300)
        settle(page)
    ask(page, "21 points")
    assert sees(page, route)


def pan(page: Page, edge: str, route: Locator) -> None:
    """Pull the map until a route lies just inside an edge of the board."""
    box, board = route.bounding_box(), page.locator(".board").bounding_box()
    assert box
    assert board
    inside = 16
    there = board["y"] + inside if edge == "top" else board["y"] + board["height"] - box["height"] - inside
    x, y = board["x"] + 30, board["y"] + board["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + there - box["y"], steps=4)
    page.mouse.up()
    settle(page)


def test_a_hint_tells_what_comes_nearer_by_a_detour(sit: Sit, europe: Position) -> None:
    """Kyiv - Warszawa is four cars long and brings the ticket nearer by three: not nothing, as was once said."""
    board = europe.seats(5).tickets(0, "warszawa-smolensk").hand(0, yellow=4)
    others = [r.id for r in europe.map.routes if r.length == 4 and r.colour in ("yellow", "grey")]
    others.remove("kyiv-warszawa")
    for n, route in enumerate(others):
        board = board.owns(n % 4 + 1, route)
    page = sit(board.last_turns(1))
    ask(page, "A bot would claim Kyïv – Warszawa. It scores 7 points.")
    said = "It also brings Warszawa – Smolensk nearer, by a detour."
    assert page.locator(".note").inner_text().strip().endswith(said)


def test_a_hint_stays_until_it_is_closed(sit: Sit, in_the_east: Position) -> None:
    page = sit(in_the_east.row("wild red red blue green"))
    page.clock.install()
    ask(page, "21 points")
    page.clock.fast_forward(20_000)
    note = page.locator(".note")
    expect(note).to_have_count(1)
    # The card that is asked for lies on the board in its stead.
    point_at(page, "petrograd-stockholm")
    page.locator(".popup .go").wait_for()
    expect(note).to_have_count(0)
    page.locator(".popup").get_by_role("button", name="Close").click()
    expect(note).to_have_count(1)
    note.get_by_role("button", name="Close").click()
    expect(note).to_have_count(0)
    # Whatever else is said goes by itself.
    page.locator("[data-spot=row-1]").click()
    page.get_by_text("Take a second card").first.wait_for()
    page.locator("[data-spot=row-0]").click(force=True)
    page.get_by_role("alert").wait_for()
    page.clock.fast_forward(7_000)
    expect(note).to_have_count(0)


@pytest.mark.parametrize("size", [(1280, 800), (1024, 768)])
def test_a_hint_on_what_a_tunnel_owes_can_be_read(sit: Sit, europe: Position, size: tuple[int, int]) -> None:
    """Beside a card that lies on the board no note is shown: so the card says it."""
    board = europe.tickets(0, "edinburgh-paris").hand(0, orange=5).top("orange red blue").last_turns(2)
    page = sit(board, size=size)
    point_at(page, "angora-smyrna")
    page.locator(".popup .go").click()
    page.get_by_role("button", name="Take my cards back").wait_for()
    page.get_by_role("button", name="Hint").click()
    said = page.get_by_text("A bot would pay for the tunnel.")
    said.wait_for()
    settle(page)
    assert said.count() == 1
    assert sees(page, said)


def test_a_claim_that_is_hinted_is_paid_as_the_bot_would_pay_it(sit: Sit, europe: Position) -> None:
    """The card's first payment would be four purple ones."""
    page = sit(europe.tickets(0, "edinburgh-paris").hand(0, purple=4, red=5).last_turns(1))
    chosen = page.locator(".popup [aria-checked=true]")
    point_at(page, "bucuresti-kyiv")
    expect(chosen).to_have_accessible_name(re.compile("4 purple"))
    page.locator(".popup").get_by_role("button", name="Close").click()
    ask(page, "A bot would claim")
    point_at(page, "bucuresti-kyiv")
    expect(chosen).to_have_accessible_name(re.compile("4 red"))


def test_the_guide_moves_no_map_and_makes_room_for_a_hint(sit: Sit, in_the_east: Position) -> None:
    page = sit(in_the_east, size=(390, 844), touch=True, guided=False, learned=["drawn", "special"])
    guide, route = page.locator(".guide"), page.locator("[data-route=petrograd-stockholm]")
    line = guide.get_by_text("Petrograd – Stockholm is a tunnel")
    line.wait_for()
    page.locator("[data-lit=petrograd-stockholm]").wait_for(state="attached")
    settle(page)
    assert not sees(page, route)
    board = page.locator(".board").bounding_box()
    ask(page, "21 points")
    assert sees(page, route)
    expect(line).to_be_hidden()
    expect(guide.get_by_text("You asked what a bot would do")).to_be_visible()
    assert page.locator(".board").bounding_box() == board
    page.locator(".note").get_by_role("button", name="Close").click()
    expect(line).to_be_visible()


def test_a_hint_lights_the_city_of_its_station(sit: Sit, europe: Position) -> None:
    """In the last turn a station finishes the ticket, and nothing else does."""
    mine = europe.owns(0, "berlin-frankfurt-red", "frankfurt-munchen", "roma-venezia").owns(1, "munchen-venezia")
    there = mine.tickets(0, "berlin-roma").hand(0, red=1).last_turns(1)
    page = sit(there, size=(390, 844), touch=True)
    page.get_by_role("button", name="Hint").click()
    page.locator(".note").get_by_text("A bot would build a station in").wait_for()
    assert page.locator(".city.highlighted").count() == 1


@pytest.mark.parametrize("language", ["en-GB", "zh-TW", "zh-CN"])
def test_choosing_a_level_moves_nothing(visit: Visit, language: str) -> None:
    for size in ((1280, 800), (360, 640)):
        page = visit("/", language=language, size=size)
        choice = page.locator("select[aria-describedby=level-means]")
        choice.locator("option").nth(1).wait_for(state="attached")
        settle(page)
        found = set()
        for n in range(choice.locator("option").count()):
            choice.select_option(index=n)
            expect(page.locator("#level-means")).not_to_be_empty()
            found.add((page.locator("#level-means").inner_text(), page.locator("main").bounding_box()["height"]))  # type: ignore[index]
        assert len({said for said, _ in found}) > 4
        assert len({height for _, height in found}) == 1


def sees(page: Page, place: Locator) -> bool:
    """Whether the board shows a place, whole, and no note lies on it."""
    box, board = place.bounding_box(), page.locator(".board").bounding_box()
    assert box
    assert board
    right, bottom = (board["x"] + board["width"], board["y"] + board["height"])
    within = board["x"] <= box["x"] and box["x"] + box["width"] <= right
    within = within and board["y"] <= box["y"] and box["y"] + box["height"] <= bottom
    note = page.locator(".note")
    return within and (note.count() == 0 or clear(box, note.bounding_box()))


def clear(one: Any, other: Any) -> bool:
    """Whether two boxes have nothing in common."""
    pairs = ((one, other), (other, one))
    return any(a[at] + a[size] <= b[at] for at, size in (("x", "width"), ("y", "height")) for a, b in pairs)


def apart(page: Page, one: str, other: str) -> bool:
    return clear(page.locator(one).bounding_box(), page.locator(other).bounding_box())
