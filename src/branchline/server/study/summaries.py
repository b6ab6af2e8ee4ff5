"""What a finished game came to, made once from its last state, in the desk's process; it imports nothing of the web."""

import orjson

from branchline.game import Game


def summed(state: bytes) -> bytes:
    """The scores of a finished game, and the routes of each seat, as JSON."""
    game = Game.from_dict(orjson.loads(state))
    view = game.view(None)
    routes: list[list[str]] = [[] for _ in range(game.seats)]
    for route, seat in view.owners.items():
        routes[seat].append(route)
    return orjson.dumps({"map": game.map.id, "scores": game.scores().to_dict(), "routes": routes, "turns": game.turn})
