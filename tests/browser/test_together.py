"""Playing together, in real browsers: names, passing the device on, people who stop, leave or talk too much."""

import re
from collections.abc import Callable

from playwright.sync_api import Error, Page, Route, expect

from branchline.server.head import BOT_NAMES
from tests.browser.desk import Desk
from tests.browser.players import by_clicks, code_of, open_table, play_to_the_end, point_at, resize, settle, sit_down
from tests.builder import Position

Sit = Callable[..., Page]
Visit = Callable[..., Page]


_BETWEEN = """(one, other) => {
  const [a, b] = [one, other].map((part) => document.querySelector(part).getBoundingClientRect())
  const x = (Math.max(a.left, b.left) + Math.min(a.right, b.right)) / 2
  const y = (Math.max(a.top, b.top) + Math.min(a.bottom, b.bottom)) / 2
  const inside = (box) => x > box.left && x < box.right && y > box.top && y < box.bottom
  if (!inside(a) || !inside(b)) return 'apart'
  const hit = document.elementFromPoint(x, y)
  return [one, other].find((part) => document.querySelector(part).contains(hit)) ?? hit.className
}"""


def two_players(visit: Visit, **how: object) -> tuple[Page, Page]:
    ann, ben = visit("/new", **how), visit(**how)
    open_table(ann, "Ann")
    ben.goto(ann.url)
    sit_down(ben, "Ben")
    ann.get_by_role("button", name="Start the game").click()
    for page in (ann, ben):
        page.wait_for_selector(".ticket")
    return ann, ben


def pressed_between(page: Page, one: str, other: str) -> str:
    """Which of two parts of the page somebody presses who presses where both are."""
    found: str = page.evaluate(f"([one, other]) => ({_BETWEEN})(one, other)", [one, other])
    return found


def menu(page: Page, entry: str) -> None:
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("dialog").get_by_role("button", name=entry).click()


def test_everybody_has_a_name(visit: Visit) -> None:
    page = visit("/new")
    open_table(page, "Ann", players=4, bots=2)
    sit_down(page, "Ben")
    names = page.locator(".seats li b").all_inner_texts()
    assert names[:2] == ["Ann", "Ben"]
    assert len(set(names)) == 4
    assert set(names[2:]) <= set(BOT_NAMES)


def test_the_owner_names_who_begins_and_hands_the_table_on(visit: Visit) -> None:
    ann, ben = visit("/new"), visit()
    open_table(ann, "Ann")
    ben.goto(ann.url)
    sit_down(ben, "Ben")
    ann.get_by_label("Who begins").select_option("Ben")
    ben.get_by_text("Who begins: Ben").wait_for()
    ann.get_by_role("button", name="More for Ben").click()
    ann.get_by_role("button", name="Make Ben the host").click()
    ann.keyboard.press("Escape")
    ben.get_by_role("button", name="Start the game").click()
    for page in (ann, ben):
        page.wait_for_selector(".ticket")
        by_clicks(page)
    expect(ben.locator(".status strong")).to_have_text("Your turn")


def test_a_device_shares_a_table_in_its_own_way(visit: Visit) -> None:
    stub = "navigator.share = async (what) => void (window.shared = what)"
    page = visit("/new", size=(390, 844), touch=True, script=stub)
    open_table(page, "Ann")
    page.get_by_role("button", name="Share").tap()
    shared = page.evaluate("window.shared")
    assert shared["url"] == page.get_by_label("Invite").and_(page.locator("input")).input_value()
    assert shared["text"] == "Play New York with me"


def test_a_hand_is_seen_until_it_is_passed_on_and_covered_while_others_act(visit: Visit) -> None:
    page = visit("/new")
    open_table(page, "Ann")
    sit_down(page, "Ben")
    page.get_by_label("Who begins").select_option("Ann")
    page.get_by_role("button", name="Start the game").click()
    for name in ("Ann", "Ben"):
        page.get_by_role("button", name=f"I am {name}").click()
        page.wait_for_selector(".ticket")
        by_clicks(page)
        page.get_by_role("button", name="Pass on").click()
    page.get_by_role("button", name="I am Ann").click()
    for n in (3, 4):
        page.locator("[data-spot=deck].can").click()
        expect(page.locator(".hand small")).to_have_text(str(n))
    # Both cards are seen, and nobody else's turn has begun on this screen.
    page.locator(".status").get_by_text("That was your turn").wait_for()
    page.get_by_role("button", name="Pass on").click()
    curtain = page.get_by_role("dialog", name="Pass the device to Ben")
    curtain.wait_for()
    assert page.locator(".hand .card").count() == 0


def test_a_claim_may_be_undone_before_the_device_is_passed_on(visit: Visit, at_desk: Desk, new_york: Position) -> None:
    page = visit("/new", base=at_desk.url)
    open_table(page, "Ann")
    sit_down(page, "Ben")
    page.get_by_role("button", name="Start the game").click()
    page.get_by_role("dialog", name="Pass the device").wait_for()
    at_desk.lay(code_of(page), new_york.hand(0, blue=3, red=2))
    page.reload()
    page.get_by_role("button", name="I am Ann").click()
    page.locator(".route.claimable").first.wait_for(state="attached")
    by_clicks(page)
    page.locator(".car").first.wait_for(state="attached")
    # All of the map is seen meanwhile.
    page.locator(".status").get_by_text("That was your turn").wait_for()
    expect(page.locator(".notice")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    page.locator(".route.claimable").first.wait_for(state="attached")
    expect(page.locator(".car")).to_have_count(0)
    expect(page.locator(".hand small")).to_have_text("5")


def test_stopping_is_asked_of_everybody_at_once(visit: Visit) -> None:
    ann, ben = two_players(visit, size=(1024, 768))
    menu(ann, "Abandon the game")
    ann.get_by_role("button", name="I agree").click()
    ann.get_by_text("Waiting for Ben").wait_for()
    ben.get_by_text("Ann would like to stop here").wait_for()
    # Whoever would rather go on meanwhile sees all of the map, and has their card.
    by_clicks(ben)
    point_at(ben, "chinatown-brooklyn-red")
    ben.locator(".popup").wait_for()
    for width, height in ((1024, 768), (844, 390), (390, 844)):
        resize(ben, width, height)
        for part in (".board", ".popup"):
            assert pressed_between(ben, part, ".notice") == "apart", (width, part)
    ben.locator(".popup").get_by_role("button", name="Close").click()
    ben.get_by_role("button", name="Play on").click()
    ann.get_by_text("Somebody wants to play on").wait_for()
    menu(ben, "Abandon the game")
    ben.get_by_role("button", name="I agree").click()
    ann.get_by_text("Ben would like to stop here").wait_for()
    ann.get_by_role("button", name="I agree").click()
    for page in (ann, ben):
        page.get_by_role("dialog", name="This game was abandoned").wait_for()
    with ann.expect_download():
        ann.get_by_role("link", name="Download the record").click()
    ben.get_by_role("button", name="Play again").click()
    ben.wait_for_url(re.compile("/table/(?!" + code_of(ann) + ")"))
    ann.get_by_role("link", name="Watch the replay").click()
    ann.wait_for_selector(".replay")


def test_handing_my_seat_to_a_bot_asks_first(visit: Visit) -> None:
    page = visit()
    page.get_by_role("button", name="Play now").click()
    page.wait_for_selector(".ticket")
    menu(page, "Let a bot play for me")
    page.get_by_role("button", name="Cancel").click()
    assert page.locator(".ticket").count()
    menu(page, "Let a bot play for me")
    page.get_by_role("button", name="Let the bot play").click()
    page.locator("section.end").wait_for()
    assert page.get_by_text("A bot is playing for you.").count() == 0
    assert page.get_by_role("button", name="Take over again").count() == 0


def test_somebody_away_is_offered_a_stand_in_and_their_seat_to_others(visit: Visit, at_desk: Desk) -> None:
    """The others are asked by themselves; the owner may free the seat, and a newcomer sits down in it."""
    ann, ben = two_players(visit, base=at_desk.url)
    ben.context.close()
    at_desk.impatient(code_of(ann))
    ann.get_by_text("Ben has been away for a while.").wait_for()
    ann.get_by_role("button", name="Let a bot play for Ben").click()
    ann.get_by_role("button", name="Let a bot play for Ben").wait_for(state="detached")
    seat = ann.locator("aside [data-spot=seat-1] .name")
    expect(seat).to_have_text(re.compile("Ben.*bot plays"))
    menu(ann, "People at the table")
    ann.get_by_role("button", name="Free this seat").click()
    ann.keyboard.press("Escape")
    expect(seat).to_contain_text("Free")
    eve = visit(f"/table/{code_of(ann)}", base=at_desk.url)
    eve.get_by_text("seat is free. Take it over").wait_for()
    # Whoever looks on has no hand, and need not sit down.
    expect(eve.locator(".hand")).to_have_count(0)
    eve.get_by_role("button", name="Just watch").click()
    menu(eve, "People at the table")
    eve.get_by_role("button", name="Sit down here").click()
    dialog = eve.get_by_role("dialog", name="What should the others call you?")
    dialog.get_by_label("Name").fill("Eve")
    dialog.get_by_role("button", name="Sit down").click()
    expect(seat).to_have_text("Eve")
    expect(eve.locator(".tickets li, .ticket")).not_to_have_count(0)


def test_a_host_who_is_away_is_followed_by_another(visit: Visit, at_desk: Desk) -> None:
    """Else nobody could free that seat."""
    ann, ben = two_players(visit, base=at_desk.url)
    ann.context.close()
    at_desk.impatient(code_of(ben))
    ben.get_by_text("Ann has been away for a while.").wait_for()
    menu(ben, "People at the table")
    people = ben.get_by_role("dialog", name="People at the table")
    expect(people.get_by_role("button", name="Free this seat")).to_have_count(0)
    people.get_by_role("button", name="Be the host").click()
    people.get_by_role("button", name="Free this seat").click()
    expect(people.get_by_role("button", name="Be the host")).to_have_count(0)
    ben.keyboard.press("Escape")
    expect(ben.locator("aside [data-spot=seat-0] .name")).to_contain_text("Free")


def test_chat_that_was_refused_stays_and_muted_people_come_back(visit: Visit) -> None:
    ann, ben = two_players(visit)
    for page in (ann, ben):
        page.get_by_role("tab", name="Chat").click()
    box = ben.get_by_placeholder("Say something")
    said = -1
    # How many are allowed follows from the clock: on a slow machine the limit refills meanwhile.
    while not ben.locator(".refused").count() and said < 99:
        said += 1
        box.fill(f"line {said}")
        box.press("Enter")
        ben.wait_for_function(
            "() => !document.querySelector('.logchat input').value || document.querySelector('.refused')"
        )
    ben.locator(".refused").wait_for()
    expect(box).to_have_value(f"line {said}")
    saying = ann.locator(".saying").filter(has_text=re.compile(rf"line {said - 1}\b"))
    saying.get_by_role("button", name="Mute Ben").click()
    expect(ann.locator(".saying")).to_have_count(0)
    ann.get_by_role("button", name="People at the table").click()
    ann.get_by_role("button", name="Hear Ben again").click()
    ann.keyboard.press("Escape")
    expect(ann.locator(".saying")).to_have_count(said)


def test_unread_chat_shows_on_a_phone_and_has_room(visit: Visit) -> None:
    ann, ben = two_players(visit, size=(390, 844), touch=True)
    by_clicks(ann, lambda page, where: page.locator(where).first.tap(), touch=True)
    ben_chat = ben.get_by_role("tab", name="Chat")
    by_clicks(ben, lambda page, where: page.locator(where).first.tap(), touch=True)
    ben_chat.tap()
    ben.get_by_placeholder("Say something").fill("hello")
    ben.get_by_role("button", name="Send").tap()
    expect(ann.get_by_role("tab", name="Chat")).to_contain_text("1")
    ann.get_by_role("tab", name="Chat").tap()
    ann.get_by_text("hello").wait_for()
    ann.wait_for_function("() => document.querySelector('.drawer .page').clientHeight >= 200")
    # Cars left stand in the strip.
    expect(ann.locator(".seats.strip .facts").first).to_be_visible()
    # Held sideways, log and chat are one tap away.
    ann.set_viewport_size({"width": 844, "height": 390})
    ann.get_by_role("tab", name=re.compile("Chat")).first.tap()
    ann.get_by_role("tab", name="Chat", exact=True).tap()
    ann.get_by_text("hello").wait_for()


def test_a_card_that_came_between_leaves_log_and_chat_open(sit: Sit, europe: Position) -> None:
    """Upright and sideways a card takes the place of what one reads; it gives it back as it was."""
    mine = europe.seats(3).tickets(0, "paris-wien").hand(0, green=5, wild=3)
    page = sit(mine, size=(390, 844), touch=True)
    page.get_by_role("tab", name="Chat").tap()
    point_at(page, "munchen-zurich", touch=True)
    page.locator(".dock .popup").get_by_role("button", name="Close").tap()
    expect(page.get_by_placeholder("Say something")).to_be_visible()
    resize(page, 844, 390)
    page.get_by_role("tab", name=re.compile("Chat")).first.tap()
    point_at(page, "munchen-zurich", touch=True)
    page.locator(".dock .popup").get_by_role("button", name="Close").tap()
    expect(page.get_by_role("tab", name="Chat", exact=True)).to_be_visible()


def test_bots_skip_to_my_turn(visit: Visit, at_desk: Desk) -> None:
    page = visit(base=at_desk.url, bots=3)
    at_desk.tempo(100.0)
    try:
        page.get_by_role("button", name="Play now").click()
        page.wait_for_selector(".ticket")
        by_clicks(page)
        page.get_by_role("button", name="Skip to my turn").click()
        # At their own pace three bots would take minutes.
        page.wait_for_selector("[data-spot=deck].can")
        expect(page.locator(".logchat .turn").first).to_be_visible()
    finally:
        at_desk.tempo(0.0)


def test_a_completed_ticket_is_celebrated_and_all_tickets_lie_open_at_the_end(sit: Sit, europe: Position) -> None:
    mine = europe.seats(3).tickets(0, "paris-wien").owns(0, "munchen-wien", "munchen-zurich").hand(0, green=8, wild=4)
    page = sit(mine.tickets(1, "roma-smyrna").tickets(2, "berlin-moskva").last_turns(3))
    point_at(page, "paris-zurich")
    page.locator(".popup .go").click()
    page.wait_for_function("() => document.querySelector('.joy, .popup .buttons')")
    if page.locator(".popup .buttons").count():
        page.locator(".popup .buttons .button").first.click()
    joy = page.locator(".joy")
    joy.wait_for()
    assert "Paris – Wien" in joy.inner_text()
    page.locator("section.end").wait_for()
    tickets = page.get_by_role("region", name="Tickets of all players")
    for ticket in ("Paris – Wien", "Roma – Smyrna", "Berlin – Moskva"):
        expect(tickets).to_contain_text(ticket)


def test_what_is_celebrated_is_in_nobodys_way(sit: Sit, europe: Position) -> None:
    """It lies for seconds over the board, and over what one wants to press next: that is what is pressed."""
    mine = europe.seats(3).tickets(0, "paris-wien").owns(0, "munchen-wien", "munchen-zurich")
    page = sit(mine.hand(0, green=8, wild=4).top("red red red"))
    point_at(page, "paris-zurich")
    page.locator(".popup .go").click()
    page.locator(".joy").wait_for()
    assert pressed_between(page, ".joy", ".board") == ".board"


def test_the_last_turn_says_so_and_letters_may_be_switched_off(sit: Sit, europe: Position) -> None:
    page = sit(europe.last_turns(1), keys=False)
    page.get_by_text("This is your last turn").wait_for()
    page.keyboard.press("d")
    page.keyboard.press("r")
    page.get_by_role("dialog", name="Routes").wait_for()
    page.keyboard.press("Escape")
    assert page.locator(".hand small").inner_text() == "0"


def test_a_hint_names_the_tickets_to_keep(visit: Visit) -> None:
    page = visit()
    page.get_by_role("button", name="Play now").click()
    page.wait_for_selector(".ticket")
    page.get_by_role("button", name="Hint").click()
    page.locator(".note").get_by_text(re.compile("A bot would keep .+ – .+")).wait_for()
    # It is about this question alone.
    by_clicks(page)
    page.wait_for_selector("[data-spot=deck].can")
    assert page.locator(".note").count() == 0


def test_what_one_keeps_is_flagged_while_others_still_choose(visit: Visit) -> None:
    ann, _ = two_players(visit)
    by_clicks(ann)
    ann.get_by_text("Waiting for the others").wait_for()
    expect(ann.locator(".flag")).to_have_count(2)


def test_a_device_link_has_a_picture_and_tells_what_it_costs(visit: Visit) -> None:
    page = visit()
    page.get_by_role("button", name="Play now").click()
    page.wait_for_selector(".ticket")
    other = visit()
    other.get_by_role("button", name="Play now").click()
    other.wait_for_selector(".ticket")
    page.goto(page.url.split("/table")[0])
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name="Make a link").click()
    page.get_by_role("img", name="QR code of the link").wait_for()
    link = page.get_by_label("Play on another device").and_(page.locator("input")).input_value()
    other.goto(link)
    other.get_by_role("button", name="Use this device too").click()
    other.get_by_text("with tables of its own").wait_for()
    other.get_by_role("button", name="Be the other person instead").click()
    other.wait_for_url(re.compile("/$"))
    # Also where the settings are opened before the page knows whose they are.
    held: list[Route] = []
    page.route("**/api/me", lambda route: held.append(route))
    with page.expect_request("**/api/me"):
        page.reload()
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name="Make a link").wait_for()
    for route in held:
        route.continue_()
    page.unroute("**/api/me")
    page.get_by_role("button", name="Sign out all others").click()
    page.get_by_role("button", name="Sign out all others").wait_for(state="detached")


def test_the_first_game_is_led_move_by_move(visit: Visit) -> None:
    """Following the guide, a newcomer draws, claims and is done; New York has neither tunnels nor ferries."""
    page = visit(guided=False)
    page.get_by_role("button", name="Play now").click()
    guide = page.get_by_role("complementary", name="Your first game")
    guide.get_by_text(re.compile("Keep .+ – .+")).wait_for()
    by_clicks(page)
    for _ in range(60):
        page.wait_for_function("() => document.querySelector('.can, .ticket, .popup .buttons, .tools .main')")
        if "you know how it goes" in guide.inner_text():
            break
        follow(page)
    guide.get_by_role("button", name="Done").click()
    guide.wait_for(state="detached")
    page.reload()
    page.wait_for_selector(".names text")
    assert guide.count() == 0


def test_the_guide_ends_with_a_tunnel(sit: Sit, europe: Position) -> None:
    """Somebody who has drawn and claimed is led to what is special about Europe."""
    ready = europe.seats(3).tickets(0, "paris-wien").owns(0, "munchen-wien", "munchen-zurich").hand(0, green=5, wild=3)
    page = sit(ready.top("red red red"), guided=False, learned=["drawn", "claimed"])
    guide = page.get_by_role("complementary", name="Your first game")
    guide.get_by_text("Paris – Zürich is a tunnel").wait_for()
    follow(page)
    guide.get_by_text("paid for something special").wait_for()


def test_a_public_table_shows_its_pace_and_who_is_kept_away_is_told(visit: Visit) -> None:
    ann = visit("/new")
    ann.get_by_label("Clock").select_option("3 minutes a turn")
    ann.get_by_label("Anyone may join").check()
    open_table(ann, "Ann")
    ben = visit()
    line = ben.get_by_role("link").filter(has_text="Ann")
    expect(line).to_contain_text("3 min a turn")
    line.click()
    sit_down(ben, "Ben")
    ann.get_by_role("button", name="More for Ben").click()
    ann.get_by_role("button", name="Silence for everyone").click()
    ben.get_by_placeholder("Say something").fill("hello")
    ben.get_by_role("button", name="Send").click()
    ben.get_by_text("The host has silenced you").wait_for()
    ann.get_by_role("button", name="Remove and keep away").click()
    ben.get_by_text("The host does not let you sit at this table.").wait_for()


def follow(page: Page) -> None:
    """Do what the guide marks, or anything where it marks nothing."""
    hinted = page.locator(".hinted")
    lit = page.locator("[data-lit]")
    if lit.count():
        point_at(page, lit.first.get_attribute("data-lit") or "")
        try:
            page.locator(".popup .go").click(timeout=5_000)
        except Error:
            return  # it was lit for the question before; whoever follows looks again
        page.wait_for_function("() => !document.querySelector('.popup .go')")
    elif hinted.count():
        hinted.first.click()
        settle(page)
    else:
        by_clicks(page)


def test_a_whole_game_with_names(visit: Visit) -> None:
    page = visit(bots=2)
    page.get_by_role("button", name="Play now").click()
    play_to_the_end(page)
    names = page.locator("section.end tbody th").all_inner_texts()
    assert len({name.strip() for name in names}) == 3
