"""What the page says is so: tickets, refusals, the connection, uploaded records. The server's rate limits are on."""

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.cable import cable
from tests.browser.players import by_clicks, point_at
from tests.builder import Position

Sit = Callable[..., Page]
Visit = Callable[..., Page]
RECORDS = Path(__file__).parents[1] / "records"


def refusal(page: Page) -> str:
    alert = page.locator(".ground [role=alert]")
    alert.wait_for()
    text = alert.inner_text()
    alert.get_by_role("button", name="Close").click()
    return text


def test_twelve_tickets_in_three_tabs(sit: Sit, europe: Position) -> None:
    """More questions than a person may ask in a second; no ticket is ever said to be lost that is not."""
    many = [ticket.id for ticket in europe.map.tickets if not ticket.long][:11]
    done = europe.tickets(0, "paris-wien", *(id for id in many if id != "paris-wien"))
    page = sit(done.owns(0, "munchen-wien", "munchen-zurich", "paris-zurich"))
    tabs = [page, page.context.new_page(), page.context.new_page()]
    for tab in tabs[1:]:
        tab.goto(page.url)
    for tab in tabs:
        tickets = tab.locator(".tickets li")
        expect(tickets).to_have_count(12)
        expect(tickets.filter(has_text=re.compile("no way|station"))).to_have_count(0)
        expect(tickets.filter(has_text="Paris")).to_contain_text(["done"])
        expect(tickets.filter(has_text=re.compile(r"\d+ cars? to go"))).to_have_count(11)
    page.locator("[data-spot=deck].can").click()
    for tab in tabs:
        tab.locator(".logchat").get_by_text("from the deck").wait_for()
        expect(tab.locator(".tickets li").filter(has_text="no way")).to_have_count(0)


def test_a_ticket_that_a_station_completes_is_done(sit: Sit, europe: Position) -> None:
    mine = europe.seats(3).tickets(0, "berlin-roma").owns(0, "berlin-wien", "munchen-wien", "munchen-venezia")
    page = sit(mine.owns(1, "roma-venezia").station(0, "venezia"))
    ticket = page.locator(".tickets button")
    expect(ticket).to_contain_text("done: your station borrows Roma – Venezia")
    ticket.hover()
    lit = page.locator("[data-lit]")
    expect(lit).to_have_count(4)


def test_a_way_longer_than_the_cars_left_says_so(sit: Sit, europe: Position) -> None:
    page = sit(europe.tickets(0, "edinburgh-athina").cars(0, 6))
    expect(page.locator(".tickets button")).to_contain_text("to go, you have 6")


def test_refusals_say_what_is_so(sit: Sit, europe: Position) -> None:
    page = sit(europe.row("red blue green yellow white"))
    page.get_by_role("button", name="Build a station").click(force=True)
    assert "Your next station costs 1 card; you do not have it." in refusal(page)
    page.locator("[data-spot=row-0]").click()
    page.locator(".what:text('second card')").wait_for()
    for place in ("[data-spot=tickets]", ".deck:has-text('Station')"):
        page.locator(place).click(force=True)
        assert "Take your second card first." in refusal(page)
    point_at(page, "riga-wilno")
    page.locator(".popup").get_by_text("Take your second card first.").wait_for()


def test_a_double_click_takes_one_card_and_scolds_nobody(sit: Sit, europe: Position) -> None:
    page = sit(europe.row("red blue green yellow white"))
    page.locator("[data-spot=row-1]").dblclick()
    page.locator(".what:text('second card')").wait_for()
    assert page.locator(".hand small").inner_text() == "1"
    assert page.locator(".ground [role=alert]").count() == 0


def test_a_refusal_leads_to_its_rule(sit: Sit, europe: Position) -> None:
    page = sit(europe.row("red blue green yellow white"))
    page.get_by_role("button", name="Build a station").click(force=True)
    with page.context.expect_page() as opened:
        page.locator(".ground [role=alert]").get_by_role("link", name="Rule R6.2").click()
    rule = opened.value.locator("#R6\\.2")
    expect(rule).to_be_in_viewport()
    expect(rule).to_have_class(re.compile("marked"))


def test_an_uploaded_record_of_five_opens_all_their_hands(visit: Visit) -> None:
    page = visit("/replay")
    page.set_input_files("input[type=file]", RECORDS / "europe-5.json")
    page.locator(".replay .ok").wait_for()
    expect(page.locator(".replay .seat")).to_have_count(5)
    expect(page.locator(".replay .seat .tickets")).to_have_count(5)


def test_six_tabs_do_not_evict_each_other_for_ever(visit: Visit) -> None:
    page = visit()
    page.get_by_role("button", name="Play now").click()
    page.wait_for_selector(".ticket")
    tabs = [page]
    for _ in range(5):
        tabs.append(page.context.new_page())
        tabs[-1].goto(page.url)
        tabs[-1].wait_for_selector(".ticket")
    page.get_by_text("You opened this table in another window").wait_for()
    for tab in tabs[1:]:
        assert tab.locator(".ticket").count()
    page.get_by_role("button", name="Play here instead").click()
    page.wait_for_selector(".ticket")


def test_a_wire_that_is_cut_silently(visit: Visit, url: str) -> None:
    with cable(url) as wire:
        page = visit(base=wire.url)
        page.get_by_role("button", name="Play now").click()
        page.wait_for_selector(".ticket")
        by_clicks(page)
        page.wait_for_selector("[data-spot=deck].can")
        before = page.locator(".hand small").inner_text()
        wire.cut()
        page.locator("[data-spot=deck].can").click()
        sign = page.locator(".sign")
        sign.wait_for(timeout=3_000)
        assert "No answer yet" in sign.inner_text()
        # It tries another wire, and says that nothing is lost.
        sign.get_by_text("What you did last is sent again").wait_for()
        assert page.locator(".hand small").inner_text() == before
        wire.mend()
        page.wait_for_function("before => document.querySelector('.hand small')?.textContent !== before", arg=before)
        sign.wait_for(state="detached")
        assert int(page.locator(".hand small").inner_text()) == int(before) + 1


def test_a_device_without_a_network_says_so_at_once(visit: Visit) -> None:
    page = visit()
    page.get_by_role("button", name="Play now").click()
    page.wait_for_selector(".ticket")
    page.context.set_offline(True)
    page.locator(".sign").get_by_text("You are offline").wait_for(timeout=1_000)
    page.context.set_offline(False)
    page.locator(".sign").wait_for(state="detached")
