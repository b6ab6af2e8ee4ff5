"""Charts of many games: points by part, claims as a heat map on the board, tickets, turn order, length."""

from collections.abc import Iterable
from contextlib import suppress
from math import sqrt
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING

from branchline.drawing import framed
from branchline.drawing.board import Scene, heat_colour
from branchline.drawing.ink import THEMES
from branchline.drawing.picture import EXTRA, Picture
from branchline.drawing.words import FONTS, WORDS
from branchline.maps import Map
from branchline.simulate import PARTS, Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = ("pdf", "png", "svg")
CHARTS = ("parts", "claims", "tickets", "order", "length")
ALWAYS = "DejaVu Sans"
"""The font that comes with Matplotlib."""
Z = 1.96
"""Of a 95 % interval."""
PART_PAINT = {
    "routes": "#2f78cc",
    "tickets": "#3f9a57",
    "stations": "#e8862e",
    "trail": "#7a3b8a",
    "attractions": "#e8862e",
}


class Tally:
    """What the charts show, gathered a game at a time: memory does not grow with the number of games."""

    def __init__(self, map: Map, seats: int) -> None:
        self.map = map
        self.seats = seats
        self.games = 0
        self.parts: dict[str, dict[str, Moments]] = {}
        """For each bot and part the points of a seat."""
        self.claims = [0] * len(map.routes)
        self.kept = [0] * len(map.tickets)
        self.done = [0] * len(map.tickets)
        self.places = [Moments() for _ in range(seats)]
        """Wins of the seat that has the first turn, the second, ..."""
        self.turns: dict[int, int] = {}

    def add(self, result: Result) -> None:
        """Take one more game into account; one that was broken off shows nothing."""
        if not result.ended:
            return
        self.games += 1
        winners = sum(seat.rank == 1 for seat in result.seats)
        for bot in dict.fromkeys(result.bots):
            own = [seat for seat, name in zip(result.seats, result.bots, strict=True) if name == bot]
            parts = self.parts.setdefault(bot, {part: Moments() for part in (*PARTS, "total")})
            for part, moments in parts.items():
                # The seats of one game are not independent; its mean is one number.
                moments.add(fmean(getattr(seat, part) for seat in own))
        for number, seat in enumerate(result.seats):
            self.places[(number - result.first) % self.seats].add(1 / winners if seat.rank == 1 else 0)
        for route, owner in enumerate(result.owners):
            self.claims[route] += owner >= 0
        for ticket, holder in enumerate(result.holders):
            self.kept[ticket] += holder >= 0
            self.done[ticket] += result.done[ticket]
        self.turns[result.turns] = self.turns.get(result.turns, 0) + 1


class Moments:
    """A mean, and how sure it is."""

    def __init__(self) -> None:
        self.n = 0
        self._sum = 0.0
        self._squares = 0.0

    def add(self, value: float) -> None:
        self.n += 1
        self._sum += value
        self._squares += value * value

    @property
    def mean(self) -> float:
        return self._sum / self.n if self.n else 0.0

    @property
    def half(self) -> float:
        """Half of the mean's 95 % interval, from independent games."""
        if self.n < 2:
            return 0.0
        spread = max(0.0, self._squares / self.n - self.mean**2) * self.n / (self.n - 1)
        return Z * sqrt(spread / self.n)


def plot(tally: Tally, folder: str | Path, *, language: str = "en", kind: str = "pdf") -> list[Path]:
    """Write all charts into a folder, and say where they are."""
    if kind not in FORMATS:
        raise ValueError(f"format: there is {', '.join(FORMATS)}, not {kind!r}")
    if language not in WORDS:
        raise ValueError(f"language: there is {', '.join(WORDS)}, not {language!r}")
    if not tally.games:
        raise ValueError("there is no finished game to be shown")
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    out = []
    for chart in CHARTS:
        path = folder / f"{chart}.{kind}"
        if chart == "claims":
            _claims(tally, language).save(path)
        else:
            _save(_CHARTS[chart](tally, language), path)
        out.append(path)
    return out


def _fonts(language: str) -> list[str]:
    """Fonts of this machine for a language. Matplotlib keeps a list of them, which knows none that came later."""
    from matplotlib import font_manager

    manager = font_manager.fontManager
    wanted = {*FONTS[language]} - {ALWAYS}
    if not any(font.name in wanted for font in manager.ttflist):
        known = {font.fname for font in manager.ttflist}
        for path in font_manager.findSystemFonts():
            if path not in known:
                with suppress(OSError, RuntimeError):  # what it can't read
                    manager.addfont(path)
    there = {font.name for font in manager.ttflist}
    return [font for font in FONTS[language] if font in there]


def _figure(language: str, width: float, height: float) -> tuple["Figure", "Axes"]:
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError:
        raise ModuleNotFoundError(f"charts are drawn with matplotlib: {EXTRA}", name="matplotlib") from None
    matplotlib.rcParams["font.family"] = [*_fonts(language), ALWAYS]
    matplotlib.rcParams["pdf.fonttype"] = 42  # real letters, which a journal wants and a reader can search for
    matplotlib.rcParams["svg.fonttype"] = "none"
    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.subplots()
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def _save(figure: "Figure", path: Path) -> None:
    # Nothing of the day and the machine in a file: the same games give the same picture.
    figure.savefig(path, dpi=200, metadata={"pdf": {"CreationDate": None}, "svg": {"Date": None}}.get(path.suffix[1:]))


def _parts(tally: Tally, language: str) -> "Figure":
    words = WORDS[language]
    rules = tally.map.rules
    worth = {"stations": rules.stations, "trail": rules.trail_points, "attractions": rules.attraction_points}
    parts = [part for part in PARTS if worth.get(part, 1)]
    figure, axes = _figure(language, 6.4, 1.4 + 0.5 * len(tally.parts))
    for y, moments in enumerate(tally.parts.values()):
        ahead, below = 0.0, 0.0
        for part in parts:
            mean = moments[part].mean
            start = ahead if mean >= 0 else below
            label = words[part] if y == 0 else None
            axes.barh(y, mean, left=start, color=PART_PAINT[part], label=label, height=0.6)
            if mean >= 0:
                ahead += mean
            else:
                below += mean
        total = moments["total"]
        axes.errorbar(total.mean, y, xerr=total.half, fmt="D", color="#1e2935", markersize=5, capsize=3)
        axes.annotate(f"{total.mean:.1f}", (max(ahead, total.mean), y), (8, -4), textcoords="offset points")
    axes.set_yticks(range(len(tally.parts)), list(tally.parts))
    axes.invert_yaxis()
    axes.axvline(0, color="#56616d", linewidth=0.8)
    axes.margins(x=0.12)
    axes.set_xlabel(words["points"])
    _title(axes, words["parts"], tally, language)
    figure.legend(loc="outside lower center", ncols=len(parts), frameon=False)
    return figure


def _tickets(tally: Tally, language: str) -> "Figure":
    words = WORDS[language]
    cities = {city.id: city.name.get(language, city.id) for city in tally.map.cities}
    rows = [
        (done / kept, kept / tally.games, f"{cities[ticket.a]}–{cities[ticket.b]} ({ticket.points})")
        for ticket, kept, done in zip(tally.map.tickets, tally.kept, tally.done, strict=True)
        if kept
    ]
    rows.sort()
    figure, axes = _figure(language, 6.4, 1.2 + 0.19 * len(rows))
    names = [name for _, _, name in rows]
    axes.barh(names, [kept for _, kept, _ in rows], color="#d8d2c4", label=words["kept"])
    axes.barh(names, [kept * done for done, kept, _ in rows], color="#3f9a57", label=words["completed"])
    axes.tick_params(axis="y", labelsize=7)
    axes.margins(y=0.01)
    axes.set_xlabel(words["share"])
    axes.xaxis.set_major_formatter("{x:.0%}")
    axes.legend(frameon=False, loc="lower right")
    _title(axes, words["completion"], tally, language)
    return figure


def _order(tally: Tally, language: str) -> "Figure":
    words = WORDS[language]
    figure, axes = _figure(language, 4.2, 3.2)
    places = range(1, tally.seats + 1)
    means = [moments.mean for moments in tally.places]
    axes.bar(places, means, color="#2f78cc", width=0.6)
    errors = [moments.half for moments in tally.places]
    axes.errorbar(places, means, yerr=errors, fmt="none", color="#1e2935", capsize=4)
    axes.axhline(1 / tally.seats, color="#56616d", linestyle="--", linewidth=1, label=words["even"])
    axes.set_xticks(list(places))
    axes.set_xlabel(f"{words['place']} ({words['lines']})")
    axes.yaxis.set_major_formatter("{x:.0%}")
    axes.legend(frameon=False, loc="lower right")
    _title(axes, words["order"], tally, language)
    return figure


def _length(tally: Tally, language: str) -> "Figure":
    words = WORDS[language]
    figure, axes = _figure(language, 4.8, 3.2)
    turns = sorted(tally.turns)
    axes.bar(turns, [tally.turns[n] for n in turns], color="#2f78cc", width=1.0)
    mean = sum(n * count for n, count in tally.turns.items()) / tally.games
    axes.axvline(mean, color="#1e2935", linestyle="--", linewidth=1)
    axes.annotate(f"{mean:.1f}", (mean, 1), (4, -10), xycoords=("data", "axes fraction"), textcoords="offset points")
    axes.set_xlabel(words["turns"])
    axes.set_ylabel(words["games"])
    _title(axes, words["length"], tally, language)
    return figure


_CHARTS = {"parts": _parts, "tickets": _tickets, "order": _order, "length": _length}


def _title(axes: "Axes", title: str, tally: Tally, language: str) -> None:
    where = tally.map.name.get(language, tally.map.id)
    axes.set_title(f"{title} · {where} · {WORDS[language]['of'].format(n=tally.games)}", fontsize=10, loc="left")


def _claims(tally: Tally, language: str) -> Picture:
    """The board, each route painted by how often it was claimed, with the scale under it."""
    words, theme = WORDS[language], THEMES["day"]
    shares = {route.id: claims / tally.games for route, claims in zip(tally.map.routes, tally.claims, strict=True)}
    steps = "".join(
        f'<rect x="{340 + 6 * n}" y="14" width="6.5" height="18" fill="{heat_colour(n / 99)}"/>' for n in range(100)
    )
    ticks = "".join(
        f'<text x="{340 + 150 * n}" y="50" font-size="14" text-anchor="middle" fill="{theme.ink}">{25 * n} %</text>'
        for n in range(5)
    )
    where = tally.map.name.get(language, tally.map.id)
    text = f"{where} · {words['claims']} · {words['of'].format(n=tally.games)}"
    title = f'<text x="24" y="76" font-size="16" fill="{theme.ink}">{text}</text>'
    return framed(Scene(tally.map, heat=shares), language, "day", (steps + ticks + title, 92.0))


def gathered(map: Map, seats: int, results: Iterable[Result]) -> Tally:
    """All results together."""
    tally = Tally(map, seats)
    for result in results:
        tally.add(result)
    return tally
