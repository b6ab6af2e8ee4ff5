"""Any HTTP input and any socket input: a clear refusal at worst, never a 500, never a loop that stands still."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis import Case
from schemathesis.checks import not_a_server_error
from schemathesis.schemas import BaseSchema
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from branchline import Game
from branchline.record import Player, Record
from branchline.server.messages import from_client
from tests.server.client import Json, Person, Server, folder

PATIENCE = 300.0
"""Seconds for an answer, on a machine however busy."""
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with folder() as path, Server(Path(path)) as running:
        yield running


@pytest.fixture(scope="module")
def api(server: Server) -> BaseSchema:
    return schemathesis.openapi.from_url(f"{server.url}/openapi.json")


@pytest.fixture(scope="module")
def cookie(server: Server) -> str:
    async def arrive() -> str:
        ada = await Person(server.url, "Ada").arrive()
        await ada.post("/api/tables", map="europe", seats=[{"who": "open"}] * 2, public=True)
        return ada.cookie

    return asyncio.run(arrive())


any_request = schemathesis.pytest.from_fixture("api")


@any_request.parametrize()
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True, database=None)
def test_any_http_input(case: "Case[Any]", cookie: str) -> None:
    case.call_and_validate(headers={"Cookie": cookie}, checks=CHECKS, timeout=PATIENCE)


NASTY = [
    '"\\ud800"', '["\\ud800"]', '"\\u0000"', "NaN", "Infinity", "1e400", "-1", "1.5", "9" * 30, "9" * 5_000, "null",
    "true", '""', "[]", "{}", "[" * 200 + "]" * 200,
]  # fmt: skip


def nasty(data: Any, random: Random) -> str:
    """A record with something else in one place, as JSON."""
    copy = node = json.loads(json.dumps(data))
    while True:
        key = random.choice(list(node)) if isinstance(node, dict) else random.randrange(len(node))
        if not (isinstance(node[key], dict | list) and node[key]) or random.random() < 0.3:
            break
        node = node[key]
    node[key] = "in this place"
    return json.dumps(copy).replace('"in this place"', random.choice(NASTY))


def test_any_record(server: Server) -> None:
    game, random = Game.new("new-york", 2, b"s" * 32), Random(2)
    while not game.over:
        seat = game.to_act[0]
        game.play(seat, random.choice(game.legal_actions(seat)))
    record = Record.of(game, [Player("Ada"), Player("Bea")], seed=b"s" * 32).to_dict()

    def answer(body: str) -> int:
        return http.post("/api/records", content=body, headers={"content-type": "application/json"}).status_code

    with httpx.Client(base_url=server.url, timeout=60, trust_env=False) as http:
        assert answer(json.dumps(record)) == 200
        record["players"][0]["name"] = "\ud800"
        assert answer(json.dumps(record)) == 422
        record["players"][0]["name"] = "Ada"
        assert {answer(nasty(record, random)) for _ in range(60)} <= {200, 400, 422}
    assert "Traceback" not in server.complaints


def messages(schema: Json, random: Random) -> Any:
    """A value for a JSON schema: mostly right, often wrong."""
    if random.random() < 0.04:
        return random.choice(
            [None, True, -1, 1e308, 2**70, "", "\u0000", "é" * 50, [], {}, [[[]]], {"is": "act"}, "🚂"]
        )
    if "$ref" in schema:
        return messages(DEFINITIONS[str(schema["$ref"]).rpartition("/")[2]], random)
    for union in ("oneOf", "anyOf"):
        if union in schema:
            return messages(random.choice(schema[union]), random)
    if "const" in schema or "enum" in schema:
        return random.choice([schema["const"]] if "const" in schema else schema["enum"])
    match schema.get("type"):
        case "object":
            made = {name: messages(part, random) for name, part in schema.get("properties", {}).items()}
            if random.random() < 0.05 and made:
                made.pop(random.choice(list(made)))
            return made
        case "array":
            return [messages(schema.get("items", {}), random) for _ in range(random.randrange(4))]
        case "integer":
            return random.choice([0, 1, 2, 3, 4, 9, random.randrange(100)])
        case "boolean":
            return random.random() < 0.5
        case "string":
            return random.choice(
                [f"m{random.randrange(10**9)}", "red", "paris-zurich", "palermo-smyrna", "london-wien"]
            )
    return None


SCHEMA = from_client.json_schema()
DEFINITIONS = SCHEMA["$defs"]


def test_any_socket_input(server: Server) -> None:
    async def run() -> None:
        random = Random(4)
        ada = await Person(server.url, "Ada").arrive()
        table = (await ada.post("/api/tables", map="europe", seats=[{"who": "open"}] * 2))["id"]
        for seat in (0, 1):
            await ada.sit(table, seat)
        await ada.post(f"/api/tables/{table}/start")
        async with ada.socket(table, 0) as fuzzed, ada.socket(table, 0) as steady:
            await steady.until_view()
            for n in range(1_500):
                text = json.dumps(messages(SCHEMA, random))
                if random.random() < 0.1:
                    cut = random.randrange(len(text))
                    text = text[:cut] + random.choice(["", "\\ud800", "NaN", "\x00", '"', "}" * 50]) + text[cut:]
                await fuzzed.raw.send(text)
                if n % 25 == 0:
                    # An answer to a message that is right shows that the socket and the loop are alive.
                    answer = await fuzzed.ask("history", since=0)
                    assert answer["is"] == "entries"
            view = await steady.ask("history", since=0)
            assert view["is"] == "entries"
        assert (await ada.get("/api/health"))["ok"]

    asyncio.run(run())
    assert "Traceback" not in server.complaints
