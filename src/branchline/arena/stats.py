"""What the games of a match show, and how sure that is."""

from collections.abc import Iterable, Mapping, Sequence
from math import log10, sqrt
from statistics import fmean, median, stdev
from typing import Any

from branchline.arena.match import Match
from branchline.arena.rows import PARTS

Z = 1.959964
"""Of a 95 % interval."""


def wilson(wins: float, games: int) -> tuple[float, float]:
    """A 95 % interval for a share of independent games (Wilson)."""
    if not games:
        return 0.0, 1.0
    share, z2 = wins / games, Z * Z / games
    middle = (share + z2 / 2) / (1 + z2)
    half = Z * sqrt(share * (1 - share) / games + z2 / (4 * games)) / (1 + z2)
    return max(0.0, middle - half), min(1.0, middle + half)


def paired(shares: Sequence[float]) -> tuple[float, float]:
    """A 95 % interval for the mean over deals, each a mean over its rotations: these games are not independent."""
    mean, n = fmean(shares), len(shares)
    spread = stdev(shares) if n > 1 else 0.0
    if spread == 0:
        return wilson(mean * n, n)
    half = Z * spread / sqrt(n)
    return max(0.0, mean - half), min(1.0, mean + half)


def summary(match: Match, rows: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Everything a report says, as JSON data; bots of the same name and budget are counted together.

    A game counts once, however often it was played: see `distinct`.
    """
    rows = distinct(match, rows)
    names = labels(match)
    out: dict[str, Any] = {"match": match.to_dict(), "games": len(rows), "bots": []}
    if not rows:
        return out
    out["turns"] = round(fmean(row["turns"] for row in rows) / match.seats, 2)
    for name in dict.fromkeys(names):
        places = [place for place, other in enumerate(names) if other == name]
        out["bots"].append(_one(name, places, rows, match.seats))
    return out


def distinct(match: Match, rows: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The rows without games played over again: equal bots that changed seats, or the same actions on the same deal."""
    seen: set[object] = set()
    out = []
    for row in rows:
        names = (row["deal"], row["rotation"] % match.rotations), row.get("game")
        if not seen.intersection(names):
            out.append(row)
        seen.update(name for name in names if name is not None)
    return out


def labels(match: Match) -> list[str]:
    """The bots' names, with their nodes where these differ."""
    if len(set(match.budgets)) > 1:
        return [f"{bot}@{nodes}" for bot, nodes in zip(match.bots, match.budgets, strict=True)]
    return [bot.rpartition("/")[2] for bot in match.bots]


def _one(name: str, places: list[int], rows: list[Mapping[str, Any]], seats: int) -> dict[str, Any]:
    players = [row["players"][place] for row in rows for place in places]
    by_deal: dict[int, list[float]] = {}
    for row in rows:
        by_deal.setdefault(row["deal"], []).append(sum(row["players"][place]["win"] for place in places))
    shares = [fmean(wins) for wins in by_deal.values()]
    low, high = paired(shares)
    decisions = sum(player["decisions"] for player in players)
    by_place = []
    for turn in range(seats):
        wins = [player["win"] for player in players if player["place"] == turn]
        by_place.append([round(fmean(wins), 4), *(round(x, 4) for x in wilson(sum(wins), len(wins)))] if wins else None)
    return {
        "name": name,
        "seats": len(places),
        "win": round(fmean(sum(row["players"][p]["win"] for p in places) for row in rows), 6),
        "low": round(low, 6),
        "high": round(high, 6),
        "by_place": by_place,
        "points": round(fmean(player["points"] for player in players), 4),
        "parts": {part: round(fmean(player[part] for player in players), 2) for part in PARTS},
        "tickets": round(fmean(player["tickets"] for player in players), 2),
        "completed": round(fmean(player["completed"] for player in players), 2),
        "ms": round(median(1000 * player["seconds"] / max(player["decisions"], 1) for player in players), 3),
        "slowest_ms": round(1000 * max(player["slowest"] for player in players), 1),
        "decisions": decisions,
        "faults": sum(player["faults"] for player in players),
        "fault": next((player["fault"] for player in players if player.get("fault")), None),
    }


def ratings(results: Iterable[tuple[str, str, float]]) -> dict[str, float]:
    """Elo-like ratings from (a, b, a's share of the points) over whole ladders: Bradley-Terry, the mean at 1500.

    Each pair that met is given one drawn game more, so that a bot without a win has a rating too.
    """
    wins: dict[str, float] = {}
    met: dict[tuple[str, str], float] = {}
    for a, b, share in results:
        for one, other, part in ((a, b, share), (b, a, 1 - share)):
            if (one, other) not in met:
                met[one, other] = 1.0
                wins[one] = wins.get(one, 0.0) + 0.5
            met[one, other] += 1
            wins[one] += part
    strength = dict.fromkeys(wins, 1.0)
    for _ in range(500):
        new = {}
        for one in strength:
            total = sum(n / (strength[one] + strength[b]) for (a, b), n in met.items() if a == one)
            new[one] = wins[one] / total
        scale = len(new) / sum(new.values())
        strength = {name: value * scale for name, value in new.items()}
    elo = {name: 400 * log10(value) for name, value in strength.items()}
    middle = fmean(elo.values()) if elo else 0
    return {name: round(1500 + value - middle, 1) for name, value in sorted(elo.items(), key=lambda item: -item[1])}


def meetings(match: Match, rows: Iterable[Mapping[str, Any]]) -> list[tuple[str, str, float]]:
    """Every two different bots of every game, with the share of the first: 1 if it ranks before the other."""
    names = labels(match)
    out = []
    for row in distinct(match, rows):
        ranks = [player["rank"] for player in row["players"]]
        for i, a in enumerate(names):
            out += [
                (a, names[j], 0.5 if ranks[i] == ranks[j] else float(ranks[i] < ranks[j]))
                for j in range(i + 1, len(names))
                if names[j] != a
            ]
    return out


def shares(met: Iterable[tuple[str, str, float]]) -> dict[tuple[str, str], float]:
    """How often the first of two bots ranked before the second."""
    found: dict[tuple[str, str], list[float]] = {}
    for a, b, share in met:
        found.setdefault((a, b), []).append(share)
        found.setdefault((b, a), []).append(1 - share)
    return {pair: fmean(values) for pair, values in found.items()}
