"""Players for tests: careless, and quick to bring about what rarely happens."""

from collections.abc import Iterator
from random import Random

from branchline import Event, Game
from branchline.engine import board as kinds
from branchline.names import names_of

STYLES = ("random", "claimer", "builder", "hoarder", "traveller")
"""`claimer` claims what it can, `builder` builds stations too, `hoarder` draws blind, `traveller` draws tickets."""

_LIKES = {
    "random": (),
    "claimer": (kinds.CLAIM, kinds.PAY),
    "builder": (kinds.BUILD, kinds.CLAIM, kinds.PAY),
    "hoarder": (kinds.DRAW_DECK,),
    "traveller": (kinds.DRAW_TICKETS, kinds.KEEP),
}


def choose(game: Game, seat: int, rng: Random, style: str) -> int:
    """The index of a legal action: most often one of the kind that this style likes."""
    board = names_of(game.map).board
    indices = game.legal_indices(seat)
    for kind in _LIKES[style]:
        liked = [index for index in indices if board.action_kind[index] == kind]
        if liked and rng.random() < 0.8:
            if kind == kinds.CLAIM and rng.random() < 0.7:
                return max(liked, key=lambda index: board.length[board.action_what[index]])
            return rng.choice(liked)
    return rng.choice(indices)


def steps(game: Game, rng: Random, styles: tuple[str, ...], turns: int = 400) -> Iterator[tuple[int, int, list[Event]]]:
    """Play on to the end or for so many turns, handing out after each action who did what and what happened."""
    while not game.over and game.turn <= turns:
        seat = rng.choice(game.to_act)
        index = choose(game, seat, rng, styles[seat % len(styles)])
        yield seat, index, game.play_index(seat, index)
