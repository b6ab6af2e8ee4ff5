"""One's own games: what they came to, as a page and as files; forgotten for good when the person says so."""

import csv
import io
from typing import cast

import orjson

from branchline.server.head import head_from_json
from branchline.server.lobby import Lobby
from branchline.server.messages import Forgotten, GameLine, MyGames
from branchline.server.store import Store
from branchline.server.study.results import Results

MOST = 500
"""Games of a person that are shown, the latest."""
PARTS = ("routes", "ticket_points", "stations", "bonus", "attractions", "total", "rank")


class Games:
    """Everybody's finished games, each person's for that person alone."""

    def __init__(self, store: Store, lobby: Lobby, results: Results) -> None:
        """`results` counts what nobody has counted yet."""
        self._store = store
        self._lobby = lobby
        self._results = results

    async def of(self, person: str) -> MyGames:
        """The finished games of a person, the latest first, without practice."""
        found = [(one, head_from_json(one.head)) for one in await self._store.finished_of(person, MOST)]
        played = [(one, head) for one, head in found if head.practice is None and head.seats_of(person)]
        counted = await self._results.of([one for one, _ in played])
        accuracies = await self._store.accuracies(list(counted))
        games: list[GameLine] = []
        for outcome, head in played:
            summary = counted.get(outcome.table)
            if summary is None:
                continue
            mine = head.seats_of(person)[0]
            accuracy = accuracies.get(outcome.table)
            games.append(
                {
                    "table": outcome.table,
                    "map": head.map,
                    "ended": outcome.updated,
                    "turns": summary["turns"],
                    "mine": mine,
                    "names": [sitter.name or sitter.level or "" for sitter in head.sitters],
                    "levels": [sitter.level if sitter.who == "bot" else None for sitter in head.sitters],
                    "scores": summary["scores"]["seats"],
                    "winners": summary["scores"]["winners"],
                    "routes": summary["routes"][mine],
                    "challenge": head.challenge,
                    "accuracy": None if accuracy is None else cast(float, orjson.loads(accuracy)[mine]),
                }
            )
        return {"games": games, "counting": len(played) - len(games)}

    async def table(self, person: str) -> str:
        """The same as CSV, a row a game."""
        out = io.StringIO()
        rows = csv.writer(out)
        rows.writerow(
            ["table", "map", "ended", "seats", "turns", *PARTS, "tickets", "completed", "won", "accuracy", "opponents"]
        )
        for game in (await self.of(person))["games"]:
            score = game["scores"][game["mine"]]
            parts = cast(dict[str, object], score)
            others = [name for seat, name in enumerate(game["names"]) if seat != game["mine"]]
            rows.writerow(
                [
                    game["table"],
                    game["map"],
                    int(game["ended"]),
                    len(game["names"]),
                    game["turns"],
                    *(parts[part] for part in PARTS),
                    len(cast(list[object], parts["tickets"])),
                    parts["completed"],
                    int(game["mine"] in game["winners"]),
                    "" if game["accuracy"] is None else game["accuracy"],
                    " · ".join(map(_tame, others)),
                ]
            )
        return out.getvalue()

    async def forget(self, person: str) -> Forgotten:
        """Delete a person's finished games; from those that others played too, the person is taken out."""
        count, gone = await self._store.forget_games(person)
        for id in gone:
            self._lobby.forget(id)
        return {"games": count}


def _tame(name: str) -> str:
    """A name that no spreadsheet takes for a formula."""
    return f"'{name}" if name[:1] in ("=", "+", "-", "@") else name
