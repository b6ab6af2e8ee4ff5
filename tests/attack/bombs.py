"""Records that are small to send and dear to look at."""

import itertools
from typing import Any

from branchline import Game
from branchline.codec import to_line
from branchline.maps import load_map
from branchline.record import Player, Record
from tests.maps.islands import islands


def everywhere(cities: int, stations: int = 0) -> dict[str, Any]:
    """A map on which every city is joined to every other, as large as maps may be: nothing has more trails."""
    names = [f"c{n:02}" for n in range(cities)]
    routes = len(names) * (len(names) - 1) // 2
    data = islands(
        seats_min=2,
        seats_max=2,
        cars=min(routes + 3, 40),
        stations=stations,
        opening_long=0,
        opening_tickets=1,
        tunnel_cards=0,
    )
    data["cards"] = {"red": 60, "blue": 60, "wild": 10}
    data["points"] = {"1": 1}
    data["cities"] = [
        {
            "id": name,
            "name": {"en": name, "zh-Hant": name, "zh-Hans": name},
            "x": 10 + 30 * n,
            "y": 10 + 7 * n * n % 200,
            "attraction": False,
        }
        for n, name in enumerate(names)
    ]
    data["routes"] = [
        {"id": f"{a}-{b}", "a": a, "b": b, "length": 1, "colour": "grey", "kind": "track", "wilds": 0, "bends": []}
        for a, b in itertools.combinations(names, 2)
    ]
    data["tickets"] = [{"a": names[0], "b": name, "points": 1, "long": False} for name in names[1:]]
    return data


def claimed(data: dict[str, Any]) -> dict[str, Any]:
    """A record in which one seat claims all it can, to the end; whoever looks at it has to count, we do not."""
    seed = b"b" * 32
    game = Game.new(load_map(data), 2, seed)
    while True:
        seat = game.to_act[0]
        actions = game.legal_actions(seat)
        claims = [action for action in actions if type(action).__name__ == "ClaimRoute" and seat == 0]
        action = claims[0] if claims else actions[0]
        after = game.copy()
        after.play(seat, action)
        if after.over:
            break
        game = after
    record = Record.of(game, [Player("Ada"), Player("Bea")], seed=seed).to_dict()
    record["log"].append([seat, to_line(action)])
    return record
