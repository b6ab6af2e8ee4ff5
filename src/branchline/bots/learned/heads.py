"""What a network's outputs mean: each action of the coloured space is the sum of one or two of them.

An action has an output of its own, but for claims: a route has one, and so has each colour to pay a grey route in.
Which colour to spend is learned once for all routes.
"""

from librt.vecs import append, vec
from mypy_extensions import i64

from branchline.engine.board import GREY, NONE
from branchline.observation.spaces import Space


class Heads:
    """The outputs for one action space."""

    def __init__(self, space: Space) -> None:
        board = space.board
        self.actions: i64 = space.size
        self.first = vec[i64]()
        """The output that each action begins with: an action of its own, or a route."""
        self.second = vec[i64]()
        """The output of the colour that is added; NONE where there is none."""
        self.routes_at: i64 = space.size - (space.build_at - space.claim_at)
        """Where the routes begin; then come the colours."""
        colours_at = self.routes_at + board.routes
        self.outputs: i64 = colours_at + board.kinds
        own: i64 = 0
        action: i64 = 0
        while action < space.size:
            if space.claim_at <= action < space.build_at:
                claim = action - space.claim_at
                route = space.route[claim]
                grey = board.colour[route] == GREY
                self.first = append(self.first, self.routes_at + route)
                self.second = append(self.second, colours_at + space.colour[claim] if grey else NONE)
            else:
                self.first = append(self.first, own)
                self.second = append(self.second, NONE)
                own += 1
            action += 1
