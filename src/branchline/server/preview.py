"""What a messenger shows of a link before anybody opens it: a title, a sentence and a picture."""

from html import escape

from branchline.maps import load_map
from branchline.server.head import Head

MARK = "<title>Branchline</title>"
"""Where the page's head says what it is."""
PICTURE = "/preview.png"
DEFAULT = ("Branchline", "Railways across Europe and taxis through New York, for two to five, in your browser.")


def described(head: Head, status: str) -> tuple[str, str]:
    """A table's title and what there is to know of it, no more than anybody with the link may see."""
    title = f"{load_map(head.map).name['en']} · Branchline"
    names = [sitter.name for sitter in head.sitters if sitter.who == "person" and sitter.name]
    free = sum(sitter.who == "open" for sitter in head.sitters)
    if status == "open":
        who = f"{' and '.join(names)} at the table. " if names else ""
        return (
            f"Play with us: {title}",
            f"{who}{free} free {'seat' if free == 1 else 'seats'}: open the link to sit down.",
        )
    said = {"playing": "A game under way", "over": "A finished game", "abandoned": "A game that was abandoned"}[status]
    return title, f"{said}: {', '.join(sitter.name or sitter.level or '' for sitter in head.sitters)}."


def with_preview(page: str, title: str, text: str, address: str, origin: str) -> str:
    """The client's page with its preview; names are people's own, so everything is escaped."""
    tags = {
        "og:type": "website",
        "og:site_name": "Branchline",
        "og:title": title,
        "og:description": text,
        "og:url": origin + address,
        "og:image": origin + PICTURE,
        "og:image:width": "1200",
        "og:image:height": "630",
    }
    made = "".join(f'<meta property="{name}" content="{escape(value)}">' for name, value in tags.items())
    made += (
        f'<meta name="description" content="{escape(text)}"><meta name="twitter:card" content="summary_large_image">'
    )
    return page.replace(MARK, f"<title>{escape(title)}</title>{made}", 1)
