"""Bots: programs that play from a view."""

from branchline.bots.base import Bot, Budget, to_index, why
from branchline.bots.check import Report, check_bot
from branchline.bots.playing import play_on
from branchline.bots.registry import load, names

__all__ = ["Bot", "Budget", "Report", "check_bot", "load", "names", "play_on", "to_index", "why"]
