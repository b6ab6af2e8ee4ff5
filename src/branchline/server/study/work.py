"""What is made of finished games for those who learn, in the desk's process; it imports nothing of the web."""

import orjson

from branchline.engine.shuffle import Rng
from branchline.killable import Told
from branchline.maps import BUNDLED, load_map
from branchline.record import Record
from branchline.review import NotReviewed, game_hash, practice


def named(record: bytes) -> bytes:
    """Which game a record tells, and who sat there, as JSON; refused if it is no record."""
    read = _read(record)
    return orjson.dumps({"game": game_hash(read), "seats": len(read.players)})


def practised(record: bytes, at: int, seat: int, redeal: bool, seed: int) -> bytes:
    """The position after so many actions of a finished game, for a seat that goes on, as JSON."""
    read = _read(record)
    # By what is on it, not by its name: anybody can call a map of theirs europe.
    if read.map.id not in BUNDLED or read.map != load_map(read.map.id):
        raise Told("practice", "only maps that come with Branchline can be played on here", None, 422)
    try:
        game = practice(read, at, seat, redeal=redeal, rng=Rng(seed))
    except NotReviewed as error:
        raise Told("practice", str(error)[:300], None, 422) from None
    assert read.result is not None
    return orjson.dumps(
        {
            "map": read.map.id,
            "position": game.to_dict(),
            "turn": game.turn,
            "totals": [score["total"] for score in read.result["seats"]],
            "names": [player.name for player in read.players],
        }
    )


def _read(record: bytes) -> Record:
    try:
        read = Record.from_dict(orjson.loads(record))
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        raise Told("record", str(error)[:300] or "not a record", None, 422) from None
    if len(read.log) > MOVES:
        raise Told("record", f"log: more than {MOVES} actions", None, 422)
    return read


MOVES = 2_000
"""Actions of the longest record that is looked into."""
