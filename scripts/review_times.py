"""How long reviews take, by processor time: `python -m scripts.review_times`.

Games of `regular` bots, from seeds that follow each other, each reviewed whole at the default depth on one core. The
processor's time does not count what else the machine does, though that slows it a little too.
"""

import argparse
import os
import sys
import time

from branchline import Game, Record
from branchline.bots import load, play_on
from branchline.review import Review, review

KINDS = (("new-york", 2), ("europe", 4))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=3)
    args = parser.parse_args()
    for map, seats in KINDS:
        for seed in range(args.games):
            game = Game.new(map, seats, seed)
            play_on(game, [load("regular")] * seats)
            begun = time.process_time()
            *_, found = review(Record.of(game))
            assert isinstance(found, Review)
            took = time.process_time() - begun
            load_now = os.getloadavg()[0]
            sys.stdout.write(f"{map}, {seats} seats, seed {seed}: {len(game.log)} log entries, {took:.1f} s")
            sys.stdout.write(f" (load {load_now:.0f}; {found.judge})\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
