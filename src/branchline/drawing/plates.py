"""What stands under a board: a plate for each seat, the row, and the hand and tickets of whoever looks."""

from collections.abc import Iterable, Sequence
from html import escape

from branchline.drawing import ink
from branchline.drawing.ink import Theme
from branchline.drawing.lettering import width_of
from branchline.drawing.words import WORDS
from branchline.maps.model import WILD
from branchline.views import View

LINE = 30.0
"""The height of a line, where a board is 1000 wide."""


def height_of(view: View) -> float:
    """How much room the plates take under a board that is 1000 wide."""
    return LINE * (2 + len(view.seats) + (2 if view.own is not None else 0))


def plates(view: View, theme: Theme, language: str, names: Sequence[str]) -> str:
    """The plates, 1000 wide, with their top at 0."""
    words = WORDS[language]
    parts = [_title(view, theme, language)]
    y = LINE * 1.9
    facts = ["points", "cars", "cards", "tickets"]
    if view.map.rules.stations:
        facts.insert(2, "stations")
    for n, seat in enumerate(view.seats):
        acts = n in view.to_act
        x = 24.0
        if acts:
            parts.append(f'<path d="M8 {y - 13:.0f}l9 6l-9 6Z" fill="{theme.brass}"/>')
        parts.append(f'<use href="#car-{ink.SEATS[n]}" transform="translate({x + 22} {y - 7:.0f}) scale(0.44)"/>')
        name = names[n] if n < len(names) and names[n] else words["seat"].format(n=n + 1)
        parts.append(_text(x + 54, y, name, theme.ink, bold=acts))
        x = 330.0
        for fact in facts:
            value = f"{getattr(seat, fact)} {words[fact]}"
            parts.append(_text(x, y, value, theme.ink if fact == "points" else theme.quiet))
            x += 134
        y += LINE
    if view.own is not None:
        parts += _own(view, theme, language, y)
    return "\n".join(parts)


def _title(view: View, theme: Theme, language: str) -> str:
    words = WORDS[language]
    when = words["over"] if view.over else words["turn"].format(n=view.turn) if view.turn else words["opening"]
    title = f"{view.map.name.get(language, view.map.id)} · {when}"
    parts = [_text(24, LINE * 0.8, title, theme.ink, bold=True)]
    if not view.over:
        deck = words["deck"].format(n=view.deck)
        x = 976.0 - width_of(deck, 16)
        parts.append(_text(x, LINE * 0.8, deck, theme.quiet))
        row = [card for card in view.row if card is not None]
        x -= 34 * len(row) + 16
        parts.append(_text(x - width_of(words["row"], 16) - 10, LINE * 0.8, words["row"], theme.quiet))
        parts += [_card(card, x + 34 * i, LINE * 0.8 - 19) for i, card in enumerate(row)]
    return "\n".join(parts)


def _own(view: View, theme: Theme, language: str, y: float) -> Iterable[str]:
    assert view.own is not None
    words = WORDS[language]
    yield _text(24, y + 4, words["hand"], theme.quiet)
    x = 330.0
    for colour, number in view.own.hand.items():
        if number:
            yield _card(colour, x, y - 15)
            yield _text(x + 32, y + 4, str(number), theme.ink)
            x += 66
    yield _text(24, y + LINE + 4, words["tickets"], theme.quiet)
    cities = {city.id: city.name.get(language, city.id) for city in view.map.cities}
    held = {ticket.id: ticket for ticket in view.map.tickets}
    shown = [held[id] for id in view.own.tickets or view.own.offer]
    text = " · ".join(f"{cities[ticket.a]}–{cities[ticket.b]} {ticket.points}" for ticket in shown)
    while width_of(text, 14) > 646 and "·" in text:
        text = text.rpartition(" · ")[0].removesuffix(" …") + " …"
    yield _text(330, y + LINE + 4, text, theme.ink, size=14)


def _card(colour: str, x: float, y: float) -> str:
    """A card 28 by 24."""
    paint = "#fffdf6" if colour == WILD else ink.CARDS.get(colour, ink.OTHER)
    sign = colour if colour == WILD or colour in ink.SIGNS else "other"
    fill = ink.ON_CARDS.get(colour, "#fff")
    return (
        f'<rect x="{x:.0f}" y="{y:.0f}" width="28" height="24" rx="4" fill="{paint}" stroke="#1f2328"/>'
        f'<use href="#sign-{sign}" fill="{fill}" transform="translate({x + 14:.0f} {y + 12:.0f}) scale(0.68)"/>'
    )


def _text(x: float, y: float, text: str, fill: str, *, bold: bool = False, size: int = 16) -> str:
    weight = ' font-weight="bold"' if bold else ""
    return f'<text x="{x:.0f}" y="{y:.0f}" font-size="{size}" fill="{fill}"{weight}>{escape(text)}</text>'
