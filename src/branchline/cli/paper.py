"""What games are printed on: a terminal that shows each card's colour beside its word, or a plain file."""

from collections.abc import Sequence
from typing import ClassVar

from rich.console import Console
from rich.highlighter import RegexHighlighter
from rich.theme import Theme

_STYLES = {
    "purple": "magenta",
    "blue": "bright_blue",
    "orange": "dark_orange",
    "white": "bold",
    "green": "green",
    "yellow": "yellow",
    "black": "grey50",
    "red": "red",
    "pink": "hot_pink",
    "wild": "bold underline",
}


class _Colours(RegexHighlighter):
    base_style = "card."
    highlights: ClassVar[list[str]] = [rf"\b(?P<{colour}>{colour})\b" for colour in _STYLES]


class Paper:
    """Prints lines, and whole lines only: long ones are the terminal's business."""

    def __init__(self) -> None:
        theme = Theme({f"card.{colour}": style for colour, style in _STYLES.items()})
        self._console = Console(highlighter=_Colours(), theme=theme, soft_wrap=True, markup=False, emoji=False)

    def print(self, *lines: str) -> None:
        """Print lines; without any, an empty one."""
        for line in lines or ("",):
            self._console.print(line)

    def rule(self, title: str) -> None:
        """Print a heading."""
        self._console.print()
        self._console.print(f"── {title} {'─' * max(2, 70 - len(title))}", style="bold", highlight=False)

    def table(self, rows: Sequence[Sequence[str]], indent: str = "  ") -> None:
        """Print rows with their columns under each other."""
        widths = [max(len(row[i]) for row in rows if len(row) > i) for i in range(max(map(len, rows), default=0))]
        for row in rows:
            self.print(indent + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=False)).rstrip())
