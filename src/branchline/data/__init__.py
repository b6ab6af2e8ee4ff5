"""Games as Parquet, for polars, DuckDB, pandas and `branchline plot`: a folder of parts, whole at every moment.

A part holds a run of games and is named by its first one. It is written aside and then renamed, so that a run that is
stopped leaves whole parts behind, and the same command goes on after them. `docs/research.md` has the columns.
"""

from branchline.data.decisions import DecisionFolder, Recorder, simulate_decisions
from branchline.data.games import Games, NoArrow, NotThisSeries, header, read, write_games

__all__ = [
    "DecisionFolder",
    "Games",
    "NoArrow",
    "NotThisSeries",
    "Recorder",
    "header",
    "read",
    "simulate_decisions",
    "write_games",
]
