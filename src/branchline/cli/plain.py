"""Text that others wrote, fit for a terminal: what would steer it is shown and not sent."""

import json
import re

_STEERS = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
"""Control characters, line and paragraph separators, and marks that turn the direction of reading."""


def plain(text: str) -> str:
    """One line of text, with an escape for each character that a terminal would obey."""
    return _STEERS.sub(lambda found: ascii(found[0])[1:-1], text)


def plain_json(data: object, indent: int | None = None) -> str:
    """Data as JSON that can be read on a terminal, too: the same characters are escaped as JSON allows."""
    text = json.dumps(data, ensure_ascii=False, indent=indent)
    return re.sub("[\x7f-\x9f\u2028-\u202e\u2066-\u2069]", lambda found: f"\\u{ord(found[0]):04x}", text)
