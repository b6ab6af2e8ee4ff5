"""Play on from here: any moment of a finished game as a game of its own."""

from branchline.engine.shuffle import Rng
from branchline.game import Game, sample_world
from branchline.record import Record
from branchline.review.games import NotReviewed, check


def practice(record: Record, at: int, seat: int, *, redeal: bool, rng: Rng | None = None) -> Game:
    """The game after so many log entries, for somebody who goes on in `seat`.

    As it really was, or with everything that the seat did not know then dealt anew, by `rng`. Only of a game that has
    ended: NotReviewed says why not.
    """
    check(record)
    if not 0 <= seat < len(record.players):
        raise NotReviewed(f"seat: the game has the seats 0 to {len(record.players) - 1}")
    if not 0 <= at < len(record.log):
        raise NotReviewed(f"at: from 0, the deal, to {len(record.log) - 1}, before the last action")
    game = record.deal()
    for who, action in record.log[:at]:
        game.play(who, action)
    if not redeal:
        return game
    if rng is None:
        raise ValueError("rng: to deal anew takes a generator")
    return sample_world(game.view(seat), rng)
