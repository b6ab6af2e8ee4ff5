"""The client's types and docs/protocol.md are what server/messages says, and views are what it says too."""

import subprocess
from random import Random

import orjson
import pytest
from pydantic import TypeAdapter

from branchline import Game
from branchline.codec import to_json
from branchline.server.messages import ActionJson, EventJson, ViewJson
from tests.server.client import ROOT

VIEW = TypeAdapter(ViewJson)
ACTION: TypeAdapter[dict[str, object]] = TypeAdapter(ActionJson)
EVENT: TypeAdapter[dict[str, object]] = TypeAdapter(EventJson)


def test_what_is_made_from_the_messages_is_up_to_date() -> None:
    done = subprocess.run([ROOT / "scripts/wire", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(("map", "seats"), [("europe", 3), ("new-york", 2)])
def test_views_actions_and_events_have_the_shapes_they_are_told_to_have(map: str, seats: int) -> None:
    game, random = Game.new(map, seats, 3), Random(3)
    while not game.over:
        seat = game.to_act[0]
        action = random.choice(game.legal_actions(seat))
        ACTION.validate_json(orjson.dumps(to_json(action)))
        for event in game.play(seat, action):
            EVENT.validate_json(orjson.dumps(to_json(event)))
        for looking in (None, seat):
            VIEW.validate_json(orjson.dumps(game.view(looking).to_dict(memory=False)))
