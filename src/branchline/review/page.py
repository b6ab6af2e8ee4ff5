"""A review as one HTML file that needs nothing else: the chart to click in, the board beside it, the costly moments."""

import json
import re
from collections.abc import Sequence
from html import escape
from importlib.resources import files
from typing import Any

from branchline.actions import Action, BuildStation, ClaimRoute
from branchline.drawing import draw
from branchline.drawing.ink import SEATS
from branchline.events import RouteClaimed, StationBuilt
from branchline.game import Game
from branchline.record import Record
from branchline.review.chart import INKS, chart
from branchline.review.format import Decision, Review
from branchline.review.words import Words

MOMENTS = 12
"""Costly moments listed, the costliest."""


def page(record: Record, review: Review, language: str = "en") -> str:
    """The review of a record as HTML."""
    words = Words(record.map, language)
    names = [
        player.name or (f"{player.bot}" if player.bot else words("seat", n=seat + 1))
        for seat, player in enumerate(record.players)
    ]
    rows, pieces, last = _replayed(record)
    title = f"{words('title', map=words.map_name())} · {' – '.join(names)}"
    entries = [_entry(words, names, review, n, rows) for n in range(len(review.series))]
    told = {"entries": entries, "pieces": pieces}
    return _TEMPLATE.format(
        language=language,
        title=escape(title),
        style=_asset("page.css"),
        script=_asset("page.js"),
        data=json.dumps(told, ensure_ascii=False).replace("<", "\\u003c"),
        chart=chart(review, names, words),
        board=_board(record, last, language),
        table=_table(words, names, review),
        moments=_moments(words, names, review, rows),
        heading=escape(words("moments")),
        result=escape(words("result")),
        chances=escape(words("chances")),
        click=escape(words("click")),
        method=escape(words("method", judge=review.judge, depth=review.depth, seed=review.seed)),
        last=len(review.series) - 1,
    )


def costly(review: Review) -> list[Decision]:
    """The decisions that were graded, the costliest first."""
    graded = [decision for decision in review.decisions if decision.grade != "none"]
    return sorted(graded, key=lambda decision: -decision.cost.value)


def _replayed(record: Record) -> tuple[list[tuple[str | None, ...]], dict[str, int], Game]:
    """The row before each log entry, at which entry each piece was laid, and the game at its end."""
    rows: list[tuple[str | None, ...]] = [()]
    pieces: dict[str, int] = {}
    game = record.deal()
    row = game.view(None).row
    for n, (game, _, _, events) in enumerate(record.replay()):
        for event in events:
            if isinstance(event, RouteClaimed):
                pieces[f"route-{event.route}"] = n
            elif isinstance(event, StationBuilt):
                pieces[f"city-{event.city}"] = n
        if n:
            rows.append(row)
        row = game.view(None).row
    return rows, pieces, game


def _entry(
    words: Words, names: Sequence[str], review: Review, n: int, rows: Sequence[tuple[str | None, ...]]
) -> dict[str, Any]:
    """What is told when one entry is looked at."""
    chances = [f"{name} {100 * chance:.0f} %" for name, chance in zip(names, review.series[n], strict=True)]
    luck = next((event for event in review.luck if event.n == n), None)
    lucky = ""
    if luck is not None and max(map(abs, luck.change)) >= 0.005:
        changes = ", ".join(
            f"{name} {100 * change:+.0f} %"
            for name, change in zip(names, luck.change, strict=True)
            if abs(change) >= 0.005
        )
        lucky = words("lucky", cause=words(f"luck.{luck.cause}"), change=changes)
    if n == 0:
        return {"when": words("deal"), "lines": [lucky], "chances": chances, "grade": "none", "marks": []}
    decision = review.decisions[n - 1]
    when = words("turn", n=decision.turn) if decision.turn else words("opening")
    lines = [f"{names[decision.seat]}: {words.did(decision.action, rows[n])}"]
    if decision.grade != "none":
        lines += _judged(words, decision, rows[n])
    elif not decision.forced:
        lines.append(words("grade.none"))
    return {
        "when": when,
        "lines": [*lines, lucky],
        "chances": chances,
        "grade": decision.grade,
        "marks": _marks(decision.best if decision.grade != "none" else decision.action),
    }


def _judged(words: Words, decision: Decision, row: tuple[str | None, ...]) -> list[str]:
    low, high = decision.interval
    told = words("cost", cost=f"{100 * decision.cost.value:.0f}", low=f"{100 * low:.0f}", high=f"{100 * high:.0f}")
    before, after = (f"{100 * chance.win.value:.0f}" for chance in (decision.before, decision.after))
    best = words("best", action=words.doing(decision.best, row))
    return [
        f"{words(f'grade.{decision.grade}')}: {told}",
        f"{best}. {words.why(decision.reason)}".rstrip(),
        words("chance.before", before=before, after=after),
    ]


def _marks(action: Action) -> list[str]:
    if isinstance(action, ClaimRoute):
        return [f"route-{action.route}"]
    return [f"city-{action.city}"] if isinstance(action, BuildStation) else []


def _moments(words: Words, names: Sequence[str], review: Review, rows: Sequence[tuple[str | None, ...]]) -> str:
    """The costly moments in words, to be clicked."""
    listed = costly(review)[:MOMENTS]
    if not listed:
        return f"<li>{escape(words('none'))}</li>"
    return "\n".join(
        f'<li class="{one.grade}"><button data-n="{one.n}"><b>{escape(names[one.seat])}</b> '
        f"<i>{escape(words(f'grade.{one.grade}'))}</i> {escape(words.moment(one, rows[one.n]))}</button></li>"
        for one in listed
    )


def _table(words: Words, names: Sequence[str], review: Review) -> str:
    """Each seat in all."""
    heads = ("player", "result", "accuracy", "inaccuracies", "mistakes", "blunders", "even", "luck", "own", "others")
    out = ["<tr>" + "".join(f"<th>{escape(words(head))}</th>" for head in heads) + "</tr>"]
    for seat, told in enumerate(review.seats):
        won = f" · {words('won')}" if seat in review.winners else ""
        cells = [
            f'<span class="key" style="background:{INKS[SEATS[seat]]}"></span>{escape(names[seat])}',
            f"{review.totals[seat]} {escape(words('points'))}{escape(won)}",
            f"{told.accuracy:.0f}",
            *(str(told.grades[grade]) for grade in ("inaccuracy", "mistake", "blunder")),
            f"{100 * told.even:.0f} %",
            *(f"{100 * part:+.0f} %" for part in (told.luck, told.own, told.others)),
        ]
        out.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
    return "\n".join(out)


def _board(record: Record, last: Game, language: str) -> str:
    """The empty board, with the pieces of the end beside the spaces they came to lie on."""
    empty = draw(record.map, language=language).svg
    full = draw(last.view(None), language=language, seats=False).svg
    for kind in ("route", "city"):
        owned = last.view(None).owners if kind == "route" else last.view(None).stations
        for id in owned:
            found = _group(full, f"{kind}-{id}")
            bare = _group(empty, f"{kind}-{id}")
            piece = found.replace(f'id="{kind}-{escape(id)}"', f'id="piece-{kind}-{escape(id)}" class="piece"', 1)
            empty = empty.replace(bare, bare + piece, 1)
    return empty


def _group(svg: str, id: str) -> str:
    found = re.search(rf'<g id="{re.escape(escape(id))}".*?</g>', svg, re.DOTALL)
    assert found is not None, id
    return found[0]


def _asset(name: str) -> str:
    return files("branchline.review.assets").joinpath(name).read_text("utf-8")


_TEMPLATE = """<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
<h1>{title}</h1>
<div class="wide" tabindex="0" role="region" aria-label="{result}"><table>
{table}
</table></div>
<section aria-label="{chances}">
<h2>{chances}</h2>
{chart}
<input id="at" type="range" min="0" max="{last}" value="{last}" aria-label="{click}">
<p class="quiet">{click}</p>
</section>
<main>
<section id="board">
{board}
</section>
<section id="told" aria-live="polite">
<h2 id="when"></h2><div id="lines"></div><p id="chances" class="quiet"></p>
</section>
<section>
<h2>{heading}</h2>
<ol>
{moments}
</ol>
</section>
</main>
<p class="quiet">{method}</p>
<script type="application/json" id="data">{data}</script>
<script>
{script}</script>
</body>
</html>
"""
