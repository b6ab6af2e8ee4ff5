"""The published schema says what the checker says."""

import json

import jsonschema
import pytest

from branchline.engine.ruleset import FIELDS
from branchline.maps import BUNDLED, check, load_map
from branchline.maps.shape import Schema, schema
from tests.maps.islands import islands_text
from tests.maps.test_faults import BOARD, RULESET, SHAPE, Slip

KEYWORDS = {
    *("$ref", "type", "const", "enum", "title", "description"),
    *("properties", "required", "additionalProperties", "propertyNames", "maxProperties"),
    *("items", "minItems", "maxItems", "pattern", "maxLength", "minimum", "maximum"),
}


@pytest.fixture(scope="module")
def validator() -> jsonschema.Draft202012Validator:
    jsonschema.Draft202012Validator.check_schema(schema())
    return jsonschema.Draft202012Validator(schema())


@pytest.mark.parametrize("id", BUNDLED)
def test_the_bundled_maps_fit(validator: jsonschema.Draft202012Validator, id: str) -> None:
    data = load_map(id).to_dict()
    assert validator.is_valid(data)
    assert check(json.dumps(data)) == []


# To JSON Schema 8.0 is a whole number, and Python's patterns let a line break follow the end.
LENIENT = ('"cars": 8.0', '"id": "hill\\n"')


@pytest.mark.parametrize("slip", [slip for slip in SHAPE if slip.new not in LENIENT], ids=str)
def test_the_schema_refuses_what_is_misshapen(validator: jsonschema.Draft202012Validator, slip: Slip) -> None:
    assert not validator.is_valid(json.loads(slip.make(islands_text())))


@pytest.mark.parametrize("slip", RULESET + BOARD, ids=str)
def test_the_schema_leaves_sense_to_the_checker(validator: jsonschema.Draft202012Validator, slip: Slip) -> None:
    assert validator.is_valid(json.loads(slip.make(islands_text())))


def test_the_ruleset_of_the_schema_is_the_engine_s() -> None:
    assert tuple(schema()["$defs"]["ruleset"]["properties"]) == FIELDS
    assert tuple(schema()["$defs"]["ruleset"]["required"]) == FIELDS


def test_the_checker_knows_every_word_of_the_schema() -> None:
    assert {word for rule in rules(schema()) for word in rule} <= KEYWORDS | {"$schema", "$id", "$defs"}


def rules(rule: Schema) -> list[Schema]:
    inner = [*rule.get("properties", {}).values(), *rule.get("$defs", {}).values()]
    inner += [rule[word] for word in ("items", "additionalProperties", "propertyNames") if rule.get(word)]
    return [rule, *(deeper for one in inner for deeper in rules(one))]
