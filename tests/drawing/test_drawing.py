"""Boards as pictures."""

import re
import xml.etree.ElementTree as ElementTree
from io import BytesIO
from itertools import pairwise
from pathlib import Path

import pytest
from PIL import Image

import branchline
from branchline import Game, Record, load_map
from branchline.drawing import draw
from branchline.drawing.ink import CARDS, CARS, MARKS, ON_CARDS, PATTERNS, SEATS, SIGNS, THEMES
from branchline.drawing.lettering import letter
from branchline.maps.layout import layout_of
from tests.drawing.write_layouts import PATH, text

SVG = "{http://www.w3.org/2000/svg}"
RECORDS = Path("tests/records")


def midgame(name: str) -> Game:
    record = Record.load(RECORDS / name)
    game = record.deal()
    for seat, action in record.log[: len(record.log) * 3 // 4]:
        game.play(seat, action)
    return game


def group(svg: str, id: str) -> ElementTree.Element:
    found = [element for element in ElementTree.fromstring(svg).iter() if element.get("id") == id]
    assert len(found) == 1, id
    return found[0]


@pytest.mark.parametrize("name", ["europe-4.json", "new-york-3.json"])
def test_a_claimed_route_carries_its_owners_cars_and_a_free_one_none(name: str) -> None:
    game = midgame(name)
    view, svg = game.view(None), draw(game).svg
    assert view.owners
    for route in game.map.routes:
        cars = [use.get("href") for use in group(svg, f"route-{route.id}").iter(f"{SVG}use")]
        cars = [href for href in cars if href and href.startswith("#car-")]
        owner = view.owners.get(route.id)
        assert cars == ([] if owner is None else [f"#car-{SEATS[owner]}"] * route.length)


def test_a_station_stands_in_its_city() -> None:
    game = midgame("europe-4.json")
    assert game.view(None).stations
    svg = draw(game).svg
    for city, seat in game.view(None).stations.items():
        assert [use.get("href") for use in group(svg, f"city-{city}").iter(f"{SVG}use")] == [f"#station-{SEATS[seat]}"]


@pytest.mark.parametrize("language", ["en", "zh-Hant", "zh-Hans"])
@pytest.mark.parametrize("map", ["europe", "new-york"])
def test_every_city_is_named(map: str, language: str) -> None:
    texts = {element.text for element in ElementTree.fromstring(draw(load_map(map), language=language).svg).iter()}
    assert {city.name[language] for city in load_map(map).cities} <= texts


@pytest.mark.parametrize("language", ["en", "zh-Hant", "zh-Hans"])
@pytest.mark.parametrize("map", ["europe", "new-york"])
def test_names_keep_clear_of_each_other_and_of_the_edge(map: str, language: str) -> None:
    board = load_map(map)
    names = letter(board, language)
    for n, name in enumerate(names):
        assert all(name.cost(other) == 0 for other in names[n + 1 :]), name
        assert name.width / 2 <= name.x <= board.size[0] - name.width / 2, name


def test_a_game_is_drawn_without_a_secret_and_a_view_with_its_own() -> None:
    game = Game.new("europe", 3, 7)
    words = "".join(ElementTree.fromstring(draw(game).svg).itertext())
    own = game.view(1).own
    assert own is not None
    offered = {ticket.id: ticket for ticket in game.map.tickets}[own.offer[0]]
    names = {city.id: city.name["en"] for city in game.map.cities}
    told = f"{names[offered.a]}–{names[offered.b]}"
    assert told not in words
    assert told in "".join(ElementTree.fromstring(draw(game.view(1)).svg).itertext())
    assert told not in "".join(ElementTree.fromstring(draw(game.view(0)).svg).itertext())


def test_names_of_people_are_text_and_nothing_else() -> None:
    svg = draw(Game.new("new-york", 2, 7), names=["<script>", "a & b"]).svg
    assert "<script" not in svg
    assert {"<script>", "a & b"} <= {element.text for element in ElementTree.fromstring(svg).iter()}


def test_a_picture_shows_itself_and_writes_itself(tmp_path: Path) -> None:
    picture = branchline.draw(midgame("new-york-2.json"), theme="night", language="zh-Hans")
    assert picture._repr_svg_().startswith("<svg ")
    for kind, magic in (("svg", b"<svg "), ("png", b"\x89PNG"), ("pdf", b"%PDF")):
        path = tmp_path / f"board.{kind}"
        picture.save(path)
        assert path.read_bytes().startswith(magic)
    image = Image.open(BytesIO(picture.png(1.0)))
    assert image.size == (round(picture.width), round(picture.height))
    assert len(image.convert("RGB").getcolors(1 << 20) or ()) > 50
    with pytest.raises(ValueError, match=r"a picture is written as \.svg, \.png or \.pdf"):
        picture.save(tmp_path / "board.bmp")


def test_wrong_words_are_named() -> None:
    with pytest.raises(ValueError, match="language: there is en, zh-Hant, zh-Hans, not 'de'"):
        draw(load_map("europe"), language="de")
    with pytest.raises(ValueError, match="theme: there is day and night, not 'dusk'"):
        draw(load_map("europe"), theme="dusk")
    with pytest.raises(ValueError, match="'atlantis' is no route or city of europe"):
        draw(load_map("europe"), marked=["atlantis"])


def test_marked_things_are_lit() -> None:
    svg = draw(load_map("europe"), marked=["paris", "paris-zurich"]).svg
    brass = THEMES["day"].brass
    assert brass in ElementTree.tostring(group(svg, "city-paris"), "unicode")
    assert brass in ElementTree.tostring(group(svg, "route-paris-zurich"), "unicode")
    assert brass not in ElementTree.tostring(group(svg, "city-wien"), "unicode")


def test_a_map_without_a_picture_is_drawn_on_plain_paper() -> None:
    europe = load_map("europe")
    other = load_map(europe.to_dict() | {"id": "elsewhere"})
    assert len(draw(other).svg) < len(draw(europe).svg) - 10_000
    assert group(draw(other).svg, "city-paris") is not None


@pytest.mark.parametrize("map", ["europe", "new-york"])
def test_the_spaces_of_a_route_lie_on_its_line_within_the_board(map: str) -> None:
    board = load_map(map)
    layout = layout_of(board)
    assert [laid.route for laid in layout.routes] == list(board.routes)
    for laid in layout.routes:
        assert len(laid.spaces) == laid.route.length
        for space in laid.spaces:
            assert 0 < space.x < board.size[0]
            assert 0 < space.y < board.size[1]
            assert 0.5 * layout.car_length < space.length < 1.2 * layout.car_length
            assert min((space.x - x) ** 2 + (space.y - y) ** 2 for x, y in _fine(laid.line)) < layout.car_width**2


def _fine(line: tuple[tuple[float, float], ...]) -> list[tuple[float, float]]:
    return [
        (a[0] + (b[0] - a[0]) * t / 20, a[1] + (b[1] - a[1]) * t / 20) for a, b in pairwise(line) for t in range(21)
    ]


def test_paint_signs_and_patterns_are_the_clients() -> None:
    day, _, night = Path("web/src/theme/tokens.css").read_text(encoding="utf-8").partition("[data-theme='night']")
    tokens, by_night = (dict(re.findall(r"--([a-z-]+): (#[0-9a-f]+);", css)) for css in (day, night))
    for names, paints in (("card", CARDS), ("on", ON_CARDS), ("seat", CARS), ("seat-mark", MARKS)):
        for name, paint in paints.items():
            assert tokens[f"{names}-{name}"] == paint, f"{names}-{name}"
    for name in ("paper", "ink", "sea", "land", "coast", "brass", "tunnel"):
        assert tokens[name] == getattr(THEMES["day"], name)
        assert by_night[name] == getattr(THEMES["night"], name)
    for seat in CARS:
        assert by_night.get(f"seat-{seat}", tokens[f"seat-{seat}"]) == THEMES["night"].cars[seat]
    seats = Path("web/src/board/seats.ts").read_text(encoding="utf-8")
    assert PATTERNS["red"] in seats
    symbols = Path("web/src/board/symbols.ts").read_text(encoding="utf-8")
    for colour in ("purple", "orange", "black", "red"):
        assert SIGNS[colour] in symbols


def test_the_layouts_that_the_client_is_tested_against_are_these() -> None:
    assert PATH.read_text(encoding="utf-8") == text(), "run .venv/bin/python -m tests.drawing.write_layouts"
