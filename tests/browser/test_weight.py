"""What a first visit loads, counted on the wire."""

import gzip
import re
import urllib.request

LIMIT = 200_000
"""Bytes, compressed, without the map's data."""


def test_the_first_load_is_light(url: str) -> None:
    waiting, seen = ["/"], dict[str, int]()
    while waiting:
        path = waiting.pop()
        if path in seen:
            continue
        request = urllib.request.Request(url.rstrip("/") + path, headers={"Accept-Encoding": "gzip"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            body = answer.read()
            packed = answer.headers["Content-Encoding"] == "gzip"
        seen[path] = len(body)
        if packed:
            body = gzip.decompress(body)
        else:
            assert path == "/" or path.endswith(".woff2"), f"{path} is sent as it is"
        waiting += _needs(path, body.decode(errors="replace"))
    assert any(path.endswith(".js") for path in seen)
    assert any(path.endswith(".css") for path in seen)
    assert sum(seen.values()) < LIMIT, seen


def _needs(path: str, text: str) -> list[str]:
    """What the browser fetches for this file before anything is shown: not what is imported later, on demand."""
    if path == "/":
        return re.findall(r'(?:src|href)="(/assets/[^"]+)"', text)
    if path.endswith(".js"):
        return ["/assets/" + name for name in re.findall(r'(?:from|import)\s*"\./([^"]+)"', text)]
    if path.endswith(".css"):
        return re.findall(r"url\((/assets/[^)]+\.woff2)\)", text)
    return []
