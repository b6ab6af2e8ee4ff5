"""Each fault of a map file is named, with its line."""

import json
from itertools import combinations
from typing import Any, NamedTuple

import pytest

from branchline.maps import check
from branchline.maps.check import check_data
from tests.maps.islands import islands_text


class Slip(NamedTuple):
    """A slip of the author: `old` written as `new`, and what the checker says about it."""

    old: str
    new: str
    where: str
    message: str
    line: str = ""
    """Words from the line at fault, where that is not the one with the slip."""
    also: tuple[str, str] = ("", "")
    """A second slip without which the first would do no harm."""

    def make(self, text: str) -> str:
        assert self.old in text
        return text.replace(self.old, self.new, 1).replace(*self.also, 1)

    def __str__(self) -> str:
        return f"{self.where}: {self.message}"[:70]


HILL = '{"id": "hill", "name": {"en": "Hill", "zh-Hant": "山丘", "zh-Hans": "山丘"}, "x": 150, "y": 80}'
TUNNEL = (
    '{"id": "harbour-hill", "a": "harbour", "b": "hill", "length": 2, "colour": "red", "kind": "tunnel", "wilds": 0}'
)
FERRY = '"length": 3, "colour": "grey", "kind": "ferry", "wilds": 1}'
TICKET = '{"a": "harbour", "b": "hill", "points": 2}'

TEXT = [
    Slip('"stations": 1,', '"stations": 1', "file", "expected ','"),
    Slip('"stations": 1,', '"stations" 1,', "file", "expected ':'"),
    Slip('"stations": 1,', "stations: 1,", "file", "expected a key in double quotes"),
    Slip('"attraction_points": 1', '"attraction_points": 1,', "file", "a comma with nothing after it"),
    Slip('"stations": 1,', '"stations": ,', "file", "expecting value"),
    Slip('"stations": 1,', '"stations": NaN,', "file", "NaN is not a number in JSON"),
    Slip('"stations": 1,', '"stations": -Infinity,', "file", "-Infinity is not a number in JSON"),
    Slip('"stations": 1,', '"stations": 1' + "0" * 5000 + ",", "file", "a number of more than 15 digits"),
    Slip('"stations": 1,', '"stations": ' + "[" * 5000 + ",", "file", "the text is nested too deeply"),
    Slip('"群岛"}', '"群岛}', "file", "invalid control character"),
    Slip('"Islands"', '"\\ud800"', "file", "half a surrogate pair is not text"),
]

SHAPE = [
    Slip('"branchline-map-1"', '"branchline-map-2"', "format", 'must be "branchline-map-1", not "branchline-map-2"'),
    Slip('"id": "islands"', '"id": "The Islands"', "id", '"The Islands" is not an id'),
    Slip('"id": "islands"', '"id": 7', "id", "must be text, not 7"),
    Slip(', "zh-Hans": "群岛"', "", "name", "the key 'zh-Hans' is missing"),
    Slip('"zh-Hant": "燈塔"', '"zh-Hant": ""', "cities[2].name.zh-Hant", '"" is not a name'),
    Slip('"zh-Hant": "燈塔"', '"zh-Hant": "a\\nb"', "cities[2].name.zh-Hant", '"a\\nb" is not a name'),
    Slip('"width": 400', '"width": 0', "size.width", "must be from 1 to 100000, not 0"),
    Slip('"cars": 8', '"cars": 8.0', "ruleset.cars", "must be a whole number, not 8.0"),
    Slip('"cars": 8', '"cars": true', "ruleset.cars", "must be a whole number, not true"),
    Slip('"cars": 8', '"cars": "8"', "ruleset.cars", 'must be a whole number, not "8"'),
    Slip('"cars": 8', '"cars": 999999999', "ruleset.cars", "must be from 1 to 100, not 999999999"),
    Slip('"cars": 8', '"trains": 8', "ruleset.trains", "is not a key of a map file"),
    Slip('"seats_min": 2', '"seats_min": 1', "ruleset.seats_min", "must be from 2 to 8, not 1"),
    Slip('"opening_under": false', '"opening_under": 0', "ruleset.opening_under", "must be true or false, not 0"),
    Slip('"red": 6', '"Red": 6', "cards.Red", '"Red" is not a colour'),
    Slip('"red": 6', '"red": -1', "cards.red", "must be from 0 to 60, not -1"),
    Slip('"1": 1', '"0": 1', "points.0", '"0" is not a length from 1 to 12'),
    Slip('"x": 150', '"x": 1e999', "cities[1].x", "must be from -100000 to 100000, not Infinity"),
    Slip('"x": 150', '"x": false', "cities[1].x", "must be a number, not false"),
    Slip('"id": "hill"', '"id": "hill top"', "cities[1].id", '"hill top" is not an id'),
    Slip('"id": "hill"', '"id": "hill\\n"', "cities[1].id", '"hill\\n" is not an id'),
    Slip(HILL, '"hill"', "cities[1]", 'must be an object, not "hill"'),
    Slip('"length": 3', '"length": 0', "routes[4].length", "must be from 1 to 12, not 0"),
    Slip('"kind": "tunnel"', '"kind": "bridge"', "routes[0].kind", "must be one of track, tunnel, ferry"),
    Slip("[[145, 260]]", "[[145]]", "routes[2].bends[0]", "has fewer than 2 entries"),
    Slip("[[145, 260]]", "7", "routes[2].bends", "must be a list, not 7"),
    Slip('"points": 5', '"points": 0', "tickets[0].points", "must be from 1 to 1000, not 0"),
]

RULESET = [
    Slip('"seats_min": 2', '"seats_min": 3', "ruleset.seats_max", "is less than seats_min, 3", line='"seats_max"'),
    Slip('"opening_keep": 1', '"opening_keep": 3', "ruleset.opening_keep", "only 2 tickets are dealt"),
    Slip('"ticket_keep": 1', '"ticket_keep": 3', "ruleset.ticket_keep", "only 2 tickets are drawn"),
    Slip('"last_cars": 2', '"last_cars": 8', "ruleset.last_cars", "a seat starts with only 8 cars"),
    Slip('"red": 6, "blue": 6, "wild": 4', '"red": 2, "blue": 2, "wild": 2', "cards", "2 hands and the row take 7"),
    Slip('"wild": 4', '"wild": 4, "pink": 6', "cards.wild", "the wild must come last"),
    Slip('"wild": 4', '"grey": 6, "wild": 4', "cards.grey", "no card has it"),
    Slip('"red": 6', '"pink": 0, "red": 6', "cards.pink", "a colour without cards"),
    Slip(
        '"opening_tickets": 1',
        '"opening_tickets": 2',
        "tickets",
        "3 ordinary tickets, but the opening deals 4",
        line='"tickets"',
    ),
    Slip(
        '"opening_long": 1', '"opening_long": 2', "tickets", "2 long tickets, but the opening deals 4", line='"tickets"'
    ),
    Slip('"opening_long": 1', '"opening_long": 0', "tickets[0].long", "would never be dealt", line='"points": 5'),
]

BOARD = [
    Slip('{"id": "hill", ', '{"id": "harbour", ', "cities[1]", "harbour is already the id of cities[0]"),
    Slip('"harbour-market-2"', '"harbour-market-1"', "routes[2]", "harbour-market-1 is already the id of routes[1]"),
    Slip('"a": "hill", "b": "market", "l', '"a": "hull", "b": "market", "l', "routes[3].a", "there is no city hull"),
    Slip('"a": "hill", "b": "lig', '"a": "hull", "b": "lig', "tickets[1].a", "there is no city hull"),
    Slip('"b": "hill", "length"', '"b": "harbour", "length"', "routes[0].b", "leads from harbour to itself"),
    Slip('"b": "hill", "points"', '"b": "harbour", "points"', "tickets[2].b", "a ticket from harbour to itself"),
    Slip(
        '"a": "hill", "b": "market", "l', '"a": "market", "b": "harbour", "l', "routes[3]", "is a third route between"
    ),
    Slip(
        '2, "colour": "blue"',
        '1, "colour": "blue"',
        "routes[2].length",
        "but its twin harbour-market-1 has 1",
        line='"harbour-market-2"',
    ),
    Slip('"colour": "red"', '"colour": "pink"', "routes[0].colour", "there are no cards of colour pink"),
    Slip('"colour": "red"', '"colour": "wild"', "routes[0].colour", "there are no cards of colour wild"),
    Slip('"kind": "tunnel", "wilds": 0', '"kind": "tunnel", "wilds": 1', "routes[0].wilds", "only a ferry has wild"),
    Slip(FERRY, FERRY.replace("grey", "red"), "routes[4].colour", "is a ferry, and so must be grey"),
    Slip(FERRY, FERRY.replace("1}", "0}"), "routes[4].wilds", "is a ferry, and so needs a wild symbol"),
    Slip(FERRY, FERRY.replace("1}", "4}"), "routes[4].wilds", "has 4 wild symbols on 3 spaces"),
    Slip(
        '"tunnel_cards": 2',
        '"tunnel_cards": 0',
        "routes[0].kind",
        "cannot be a tunnel: tunnel_cards is 0",
        line='"tunnel"',
    ),
    Slip(', "3": 4', "", "routes[4].length", "points names no points for length 3", line='"ferry"'),
    Slip(
        '"cars": 8,',
        '"cars": 3,',
        "routes[0].length",
        "takes 4 cars, and a seat has 3",
        line='"tunnel"',
        also=('"length": 2, "colour": "red"', '"length": 4, "colour": "red"'),
    ),
    Slip('"wild": 4', '"wild": 0', "routes[4].wilds", "wants 1 wilds, and there are 0", line='"ferry"'),
    Slip(
        '"red": 6',
        '"red": 1',
        "routes[0].length",
        "takes 6 cards, and at most 5 can pay for it",
        line='"tunnel"',
        also=('"length": 2, "colour": "red"', '"length": 6, "colour": "red"'),
    ),
    Slip(
        '"a": "lighthouse", "b": "market", "l',
        '"a": "hill", "b": "harbour", "l',
        "tickets[0]",
        "no routes join",
        line='"points": 5',
    ),
    Slip(TICKET, '{"a": "lighthouse", "b": "hill", "points": 2}', "tickets[2]", "same cities as hill-lighthouse"),
    Slip(
        TICKET,
        '{"a": "harbour", "b": "market", "points": 9}',
        "tickets[3]",
        "is already the id of tickets[2]",
        line='"b": "market", "points": 2',
    ),
]


def line_of(text: str, part: str) -> int:
    return text[: text.index(part)].count("\n") + 1


@pytest.mark.parametrize("slip", TEXT + SHAPE + RULESET + BOARD, ids=str)
def test_each_fault_has_its_line(slip: Slip) -> None:
    good = islands_text()
    bad = slip.make(good)
    faults = [fault for fault in check(bad) if fault.where == slip.where and slip.message in fault.message]
    assert len(faults) == 1, [str(fault) for fault in check(bad)]
    assert faults[0].line == (line_of(bad, slip.line) if slip.line else line_of(good, slip.old))


def test_the_small_map_is_faultless() -> None:
    assert check(islands_text()) == []


@pytest.mark.parametrize(
    "key", ["format", "id", "name", "size", "ruleset", "cards", "points", "cities", "routes", "tickets"]
)
def test_every_section_is_needed(key: str) -> None:
    data = json.loads(islands_text())
    del data[key]
    assert [str(fault) for fault in check(json.dumps(data))] == [f"line 1: map: the key '{key}' is missing"]


def test_a_key_given_twice_is_named_where_it_stands_again() -> None:
    text = islands_text().replace('"stations": 1,', '"stations": 1,\n    "cars": 9,')
    assert [str(fault) for fault in check(text)] == ["line 11: ruleset.cars: the key is given twice"]


def test_all_faults_are_named_at_once_in_the_order_of_their_lines() -> None:
    text = islands_text().replace('"cars": 8', '"cars": "8"').replace('"a": "lighthouse"', '"a": "lighthaus"')
    text = text.replace('"points": {"1": 1,', '"points": {')
    assert [(fault.line, fault.where) for fault in check(text)] == [
        (9, "ruleset.cars"),
        (40, "routes[3].length"),
        (41, "routes[4].a"),
        (44, "tickets[0]"),
        (45, "tickets[1]"),
    ]


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"", "line 1: file: expecting value"),
        (b"[]", "line 1: map: must be an object, not []"),
        (b"{}\n\n{}", "line 3: file: there is more text after the end of the map"),
        (b'{\n"id": "\xff"}', "line 2: file: is not UTF-8 text"),
    ],
)
def test_what_is_no_map_at_all(content: bytes, fault: str) -> None:
    assert str(check(content)[0]) == fault


def test_two_tickets_that_read_the_same_are_one_too_many() -> None:
    data = json.loads(islands_text())
    data["cities"] += [dict(data["cities"][0], id=id) for id in ("hill-market", "market-hill")]
    data["tickets"] += [{"a": "hill-market", "b": "hill", "points": 1}, {"a": "hill", "b": "market-hill", "points": 1}]
    faults = [fault.message for fault in check(json.dumps(data))]
    assert "hill-market-hill is already the id of tickets[5]" in faults


def test_a_map_larger_than_the_engine_wants_is_refused() -> None:
    data = json.loads(islands_text())
    data["cities"] = [dict(data["cities"][0], id=f"c{n}") for n in range(101)]
    assert "has more than 100 entries" in [fault.message for fault in check(json.dumps(data))]


def complete(cities: int, **ruleset: int) -> dict[str, Any]:
    """A map with a route of length 1 between any two cities."""
    data: dict[str, Any] = json.loads(islands_text())
    names = [f"c{n}" for n in range(cities)]
    data["ruleset"].update(ruleset)
    data["cities"] = [dict(data["cities"][0], id=id) for id in names]
    data["routes"] = [
        {"id": f"{a}-{b}", "a": a, "b": b, "length": 1, "colour": "grey", "kind": "track", "wilds": 0}
        for a, b in combinations(names, 2)
    ]
    data["tickets"] = [{"a": names[0], "b": b, "points": 1, "long": b == "c1" or b == "c2"} for b in names[1:]]
    return data


def test_no_seat_may_own_more_routes_than_a_trail_is_looked_for_in() -> None:
    assert check_data(complete(9, cars=36)) == []
    assert check_data(complete(10, cars=40)) == []
    assert [str(fault) for fault in check_data(complete(10, cars=41))] == [
        "ruleset.cars: a seat could own more than 40 routes with 41 cars"
    ]
    twice = complete(8, cars=60)
    twice["routes"] += [route | {"id": f"{route['id']}-2"} for route in twice["routes"]]
    assert check_data(twice) == []  # 28 of these 56, for nobody owns both halves (R4.4)


def test_no_city_may_have_more_routes_than_a_station_is_to_choose_from() -> None:
    assert check_data(complete(17, cars=8)) == []
    assert next(str(fault) for fault in check_data(complete(18, cars=8))) == (
        "routes[16].a: more than 16 routes end in c0"
    )


def test_no_more_cards_than_are_shuffled_in_no_time() -> None:
    data = json.loads(islands_text())
    data["cards"] = {f"colour-{n}": 60 for n in range(6)} | {"red": 0, "blue": 20, "wild": 20}
    data["cards"]["red"] = 1
    assert [str(fault) for fault in check_data(data)] == ["cards: 401 cards, and 400 are the most"]
