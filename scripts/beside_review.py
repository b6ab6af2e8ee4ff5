"""How long people wait for each other while a review runs: `python -m scripts.beside_review game.json`.

The same tables on a new server, in turns without and with a deep review of a record, so that whatever else the machine
does meets both alike. Told are all latencies of each kind together, and the ratio.
"""

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path

from branchline.server.bench import Http, Load, Measured, Server, open_tables, play


def measured(load: Load, record: dict[str, object] | None) -> Measured:
    """One run; with a record, while it is reviewed."""
    found = Measured(load)
    with tempfile.TemporaryDirectory(prefix="branchline-bench-", ignore_cleanup_errors=True) as folder:
        server = Server(Path(folder))
        try:
            tables, _ = open_tables([server], load, lambda *_: None)
            game = "" if record is None else _ask(server.port, record)
            play([server], load, tables, found, lambda *_: None)
            if game:
                state = _state(server.port, game)
                assert state["state"] == "running", state["state"]
                sys.stdout.write(f"  the review was at {state['done']} of {state['total']}\n")
        finally:
            server.stop()
    return found


def _ask(port: int, record: dict[str, object]) -> str:
    """Have a record reviewed; returns when that has begun."""
    person = Http(port)
    person.call("PUT", "/api/me", {"name": "Ada"})
    game: str = person.call("POST", "/api/records/review?depth=3", record)["game"]
    person.close()
    while _state(port, game)["state"] != "running":
        time.sleep(0.1)
    return game


def _state(port: int, game: str) -> dict[str, int | str]:
    anybody = Http(port)
    state: dict[str, int | str] = anybody.call("GET", f"/api/reviews/{game}?depth=3")
    anybody.close()
    return state


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("record", type=Path)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=10.0)
    args = parser.parse_args()
    record = json.loads(args.record.read_text("utf-8"))
    load = Load(4, 2, "europe", args.seconds, 8.0)
    totals = {False: Measured(load), True: Measured(load)}
    for _ in range(args.rounds):
        for beside, total in totals.items():
            one = measured(load, record if beside else None)
            total.latencies += one.latencies
            total.actions += one.actions
    for beside, total in totals.items():
        total.summed_up()
        name = "beside a review" if beside else "quiet"
        sys.stdout.write(f"{name}: {total.actions} actions, p50 {total.p50_ms} ms, p99 {total.p99_ms} ms\n")
    ratio = [totals[True].p50_ms / totals[False].p50_ms, totals[True].p99_ms / totals[False].p99_ms]
    sys.stdout.write(f"ratio: p50 {ratio[0]:.2f}, p99 {ratio[1]:.2f}\n")


if __name__ == "__main__":
    main()
