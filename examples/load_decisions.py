"""Plays a few games, and reads games and decisions with polars: win rates, and arrays ready for learning."""

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import polars
import pyarrow.parquet

with TemporaryDirectory() as folder:
    games, decisions = Path(folder, "games.parquet"), Path(folder, "decisions.parquet")
    command = [sys.executable, "-m", "branchline.cli", "simulate", "new-york", "--seats", "2", "--games", "20"]
    command += ["--bot", "novice", "--bot", "random", "--seed", "7", "--out", str(games), "--decisions", str(decisions)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

    seats = (
        polars.scan_parquet(games / "*.parquet")
        .select("game", "bots", "rank", "total")
        .explode("bots", "rank", "total")
    )
    wins = seats.group_by("bots").agg(
        games=polars.len(), won=(polars.col("rank") == 1).mean(), points=polars.col("total").mean()
    )
    print(wins.sort("won", descending=True).collect())

    rows = polars.scan_parquet(decisions / "*.parquet").filter(polars.col("win") == 1).collect()
    observations, masks, choices = (rows[name].to_numpy() for name in ("observation", "mask", "choice"))
    print(f"{len(rows)} decisions of winners: observations {observations.shape}, masks {masks.shape}")
    assert masks[range(len(rows)), choices].all()

    part = min(decisions.iterdir())
    told = json.loads(pyarrow.parquet.read_metadata(part).metadata[b"branchline"])
    name, at, shape = told["observation"][0]
    print(f"version {told['observation_version']}: an observation begins with {name}, of shape {shape}, at {at}")
