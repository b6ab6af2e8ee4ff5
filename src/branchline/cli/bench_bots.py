"""`branchline bench bots`: how long decisions and playouts take."""

import json
from argparse import Namespace

TABLES = (("europe", 2), ("europe", 4), ("new-york", 2), ("new-york", 4))
GAMES = 5
"""Games of each where no number is given."""


def run(args: Namespace) -> int:
    """Measure, and print."""
    from branchline.bots.bench import bench  # late: the engine's bench need not wait for it
    from branchline.bots.learner import LearnedBot
    from branchline.cli.named_bots import check_policies
    from branchline.maps import load_map

    for map, seats in TABLES:
        check_policies([LearnedBot()], load_map(map), seats)
    results = [bench(map, seats, args.games or GAMES) for map, seats in TABLES]
    if args.json:
        print(json.dumps(results, indent=2))
        return 0
    print("".ljust(34) + "".join(f"{result['map']}, {result['seats']} seats".rjust(20) for result in results))
    for name in results[0]:
        if name not in ("map", "seats"):
            print(name.replace("_", " ").ljust(34) + "".join(f"{result[name]:>20,}" for result in results))
    return 0
