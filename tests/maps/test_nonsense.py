"""Whatever a file holds, the checker answers with faults, and what it passes can be loaded."""

import json
from typing import Any

import jsonschema
from hypothesis import given
from hypothesis import strategies as st

from branchline.maps import check, load_map
from branchline.maps.check import check_data
from branchline.maps.shape import schema
from tests.maps.islands import islands, islands_text

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(["harbour", "grey", "ferry"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every container of the data with each key or index in it."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    return [place for key in keys for place in [(value, key), *places(value[key])]]


@given(st.data())
def test_any_value_anywhere(data: st.DataObject) -> None:
    map = islands()
    container, key = data.draw(st.sampled_from(places(map)))
    container[key] = data.draw(VALUES)
    faults = check_data(map)
    if not jsonschema.Draft202012Validator(schema()).is_valid(map):
        assert faults
    if not faults:
        assert load_map(map).to_dict()["id"] == map["id"]


@given(st.data())
def test_any_damage_to_the_text(data: st.DataObject) -> None:
    text = islands_text()
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 40)))
    damaged = text[:start] + data.draw(st.text(alphabet='{}[]",:0.e-\\n \n山', max_size=5)) + text[end:]
    faults = check(damaged)
    assert all(1 <= fault.line <= damaged.count("\n") + 1 for fault in faults)
    if not faults:
        load_map(json.loads(damaged))


@given(st.binary(max_size=50) | st.text(max_size=50).map(str.encode) | VALUES.map(lambda v: json.dumps(v).encode()))
def test_any_bytes(content: bytes) -> None:
    assert check(content)
