"""`learned`: a policy that learned by playing against itself. It does not search: a choice takes a millisecond."""

import os
from functools import partial
from importlib.resources.abc import Traversable
from pathlib import Path

from branchline.bots.base import Budget, Telling
from branchline.bots.learned.ending import counted
from branchline.bots.learned.policy import Policy
from branchline.bots.planner.blind import seen_by
from branchline.bots.policies import load_policy, shipped
from branchline.bots.regular import RegularBot
from branchline.bots.stakes import Stakes
from branchline.engine.board import BUILD, CLAIM, DRAW_DECK, DRAW_ROW, DRAW_TICKETS, KEEP, NONE, PASS, PAY, TAKE_BACK
from branchline.engine.shuffle import Rng
from branchline.engine.stages import TURN
from branchline.names import names_of
from branchline.views import View

REASONS = {
    int(KEEP): "keep-tickets",
    int(CLAIM): "points",
    int(BUILD): "station",
    int(DRAW_TICKETS): "more-tickets",
    int(DRAW_DECK): "collect",
    int(DRAW_ROW): "collect",
    int(PAY): "tunnel",
    int(TAKE_BACK): "tunnel",
    int(PASS): "nothing-else",
}


class LearnedBot(Telling):
    """Does what its policy holds to be best; on maps it never saw it plays like `regular`."""

    def __init__(self, weights: Path | None = None) -> None:
        """Plays the weights that come with the package, or those of a file, which BRANCHLINE_POLICY may name too."""
        named = os.environ.get("BRANCHLINE_POLICY")
        self.weights = weights or (Path(named) if named else None)
        self._policies: dict[tuple[str, int], Policy | None] = {}
        """By map and number of seats."""
        self._planner = RegularBot()

    def policy(self, view: View) -> Policy | None:
        """The policy for a view's map and seats; None where none knows it. ValueError if a file can't be used."""
        map, seats = key = view.map.hash, int(view.sight.seats)
        if key not in self._policies:
            source = self.source(map, seats)
            self._policies[key] = None if source is None else load_policy(source, view.sight.board, map, seats)
        return self._policies[key]

    def source(self, map_hash: str, seats: int) -> Path | Traversable | None:
        """Where the policy for a map and so many seats is; None where there is none."""
        return self.weights or shipped(map_hash, seats)

    def choose(self, view: View, rng: Rng, budget: Budget) -> int:
        """The likeliest action; in the last turn, which can be counted out, nothing that leaves less than another."""
        policy = self.policy(view)
        if policy is None:
            index = self._planner.choose(view, rng, budget)
            self.told = self._planner.told
            return index
        index = int(policy.choose(view.sight))
        sight = view.sight
        if sight.stage == TURN and sight.last != NONE:
            index = int(counted(seen_by(sight), sight.seat, policy.weights, index))
        self.told = partial(reason, view, int(policy.value()), index)
        return index


def reason(view: View, expects: int, index: int) -> dict[str, object]:
    """What a choice does, as data that a client can word: a network has no reasons, but what it serves can be seen.

    `expects`: the policy's value. Which tickets the choice brings nearer and which by a detour, or that it brings none
    nearer, which route a card helps to pay, who comes near the route that it takes and what would be lost without it,
    which tickets stay open: all that is so on the board.
    """
    names, board, stakes = names_of(view.map), view.sight.board, Stakes(view)
    kind, what = board.action_kind[index], int(board.action_what[index])
    out: dict[str, object] = {"reason": REASONS[int(kind)], "expects": expects}
    tickets = stakes.serves(index)
    if kind == CLAIM:
        out |= {"route": names.routes[what], **stakes.fears(what)}
        if tickets:
            out["reason"] = "join-tickets"
        if detour := [ticket for ticket in stakes.along(what) if ticket not in tickets]:
            out["detour"] = detour
        if stakes.is_idle(what):
            out["idle"] = True
    elif kind == BUILD:
        out["city"] = names.cities[what]
    elif kind == DRAW_ROW and (wanted := stakes.collected_for(int(view.sight.row[what]))):
        out["route"], tickets = wanted
    if tickets:
        out["tickets"] = tickets
    if kind != KEEP:
        out["open"] = stakes.open(index)
    return out
