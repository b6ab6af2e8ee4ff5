"""Puzzles: positions of bots' games in which one action is clearly best (docs/puzzles.md)."""

from branchline.review.puzzles.format import KINDS, Kind, Puzzle
from branchline.review.puzzles.shipped import by_id, of_the_day, shipped

__all__ = ["KINDS", "Kind", "Puzzle", "by_id", "of_the_day", "shipped"]
