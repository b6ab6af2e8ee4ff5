"""Loading a map by id, from a file and from data."""

import copy
import json
import pickle
from hashlib import sha256
from pathlib import Path

import pytest

from branchline.engine.ruleset import FIELDS
from branchline.maps import BUNDLED, City, MapError, Route, Ticket, check, load_map
from tests.maps.islands import islands, islands_text

MAPS = Path(__file__).parents[2] / "src/branchline/maps"


@pytest.mark.parametrize("id", BUNDLED)
def test_a_bundled_map_is_faultless_and_named_like_its_file(id: str) -> None:
    text = (MAPS / f"{id}.json").read_text(encoding="utf-8")
    assert check(text) == []
    assert load_map(id).id == id
    assert load_map(MAPS / f"{id}.json") == load_map(id)
    assert tuple(json.loads(text)["ruleset"]) == FIELDS


def test_every_map_file_is_bundled() -> None:
    assert sorted(path.stem for path in MAPS.glob("*.json") if path.name != "map.schema.json") == sorted(BUNDLED)


def test_the_example_of_the_docs_loads(tmp_path: Path) -> None:
    path = tmp_path / "islands.json"
    path.write_text(islands_text(), encoding="utf-8")
    map = load_map(str(path))
    assert map == load_map(path) == load_map(islands())
    assert map.name["en"] == "Islands"
    assert map.size == (400.0, 300.0)
    assert map.colours == ("red", "blue")
    assert list(map.cards) == ["red", "blue", "wild"]
    assert map.points == {1: 1, 2: 2, 3: 4}
    lighthouse = {"en": "Lighthouse", "zh-Hant": "燈塔", "zh-Hans": "灯塔"}
    assert map.cities[2] == City("lighthouse", lighthouse, 340, 90, attraction=True)
    assert map.routes[2] == Route("harbour-market-2", "harbour", "market", 2, "grey", "track", 0, bends=((145, 260),))
    assert map.routes[4] == Route("lighthouse-market", "lighthouse", "market", 3, "grey", "ferry", 1)
    assert map.tickets[1] == Ticket("hill", "lighthouse", 4, long=True)
    assert map.tickets[2].id == "harbour-hill"
    assert (map.rules.cars, map.rules.opening_under) == (8, False)


def test_a_bundled_map_is_loaded_once() -> None:
    assert load_map("europe") is load_map("europe")


def test_a_map_is_a_value() -> None:
    map = load_map(islands())
    assert map == load_map(islands())
    assert hash(map) == hash(load_map(islands()))
    assert map != load_map(islands(cars=9))
    assert len({*map.cities, *map.routes, *map.tickets}) == 14
    assert load_map(map.to_dict()) == map


def test_a_map_cannot_be_changed() -> None:
    map = load_map("europe")
    with pytest.raises(TypeError):
        map.cards["red"] = 0  # type: ignore[index]
    with pytest.raises(TypeError):
        map.cities[0].name["en"] = "?"  # type: ignore[index]
    with pytest.raises(AttributeError):
        map.id = "?"  # type: ignore[misc]


def test_pickles_are_small_and_come_back() -> None:
    europe = load_map("europe")
    assert pickle.loads(pickle.dumps(europe)) is europe
    assert len(pickle.dumps(europe)) < 100
    assert copy.deepcopy(europe) is europe
    map = load_map(islands())
    assert pickle.loads(pickle.dumps(map)) == map
    assert pickle.loads(pickle.dumps(map.cities)) == map.cities
    disguised = load_map(islands() | {"id": "europe"})
    assert pickle.loads(pickle.dumps(disguised)) == disguised


def test_the_hash_is_over_the_documented_text() -> None:
    data = islands()
    text = json.dumps(
        {
            "cards": [["red", 6], ["blue", 6], ["wild", 4]],
            "cities": [["harbour", False], ["hill", False], ["lighthouse", True], ["market", False]],
            "points": [[1, 1], [2, 2], [3, 4]],
            "routes": [[row[key] for key in list(row)[:7]] for row in data["routes"]],
            "ruleset": data["ruleset"],
            "tickets": [[row["a"], row["b"], row["points"], row.get("long", False)] for row in data["tickets"]],
        },
        sort_keys=True,
        separators=(",", ":"),
    )
    assert load_map(data).hash == sha256(text.encode()).hexdigest()


def test_the_hash_of_the_bundled_maps_stays() -> None:
    # Stored records name these: a change here needs a line in the CHANGELOG.
    assert load_map("europe").hash == "6ff7c21f16a16d88fe059da8a2486419a7b18e7414dde0fcecb3f3c9c824c163"
    assert load_map("new-york").hash == "a0e711cc9d5c9376fb2e7c9cdbafcecd23bdb609ebaa1519e0544c6543029e6d"


def test_painters_data_leaves_the_hash_alone() -> None:
    data = islands()
    data["cities"][0] |= {"x": 1, "y": 2.5, "name": {"en": "Port", "zh-Hant": "港", "zh-Hans": "港", "fr": "Port"}}
    data["routes"][0]["bends"] = [[1, 2]]
    data["size"]["width"] = 1000
    data["id"] = "other"
    assert load_map(data).hash == load_map(islands()).hash


@pytest.mark.parametrize("change", [{"cars": 9}, {"opening_under": True}])
def test_a_rule_changes_the_hash(change: dict[str, int]) -> None:
    assert load_map(islands(**change)).hash != load_map(islands()).hash


def test_a_map_that_cannot_be_played_tells_all_its_faults(tmp_path: Path) -> None:
    path = tmp_path / "bad.json"
    path.write_text(islands_text().replace('"b": "hill"', '"b": "hull"'), encoding="utf-8")
    with pytest.raises(MapError) as raised:
        load_map(path)
    assert str(raised.value).splitlines() == [
        "line 37: routes[0].b: there is no city hull",
        "line 46: tickets[2].b: there is no city hull",
    ]
    assert isinstance(raised.value, ValueError)
    assert pickle.loads(pickle.dumps(raised.value)).faults == raised.value.faults


def test_faults_of_data_have_no_line() -> None:
    with pytest.raises(MapError, match=r"^ruleset\.opening_keep: only 2 tickets"):
        load_map(islands(opening_keep=3))
    with pytest.raises(MapError, match=r"^map: the key 'format' is missing"):
        load_map({})


@pytest.mark.parametrize("source", ["atlantis", "", "a\0b", "."])
def test_a_map_that_is_not_there(source: str) -> None:
    with pytest.raises(MapError, match="the maps that come along are europe and new-york"):
        load_map(source)
