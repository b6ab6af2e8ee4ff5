"""Writes the client's types and docs/protocol.md from server/messages; `--check` only compares."""

import ast
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from branchline import actions, events, explain, scores, views
from branchline.server import messages

ROOT = Path(__file__).parent.parent
TYPESCRIPT = ROOT / "web/src/wire/messages.ts"
PROTOCOL = ROOT / "docs/protocol.md"
Schema = dict[str, Any]

HTTP = (
    messages.Myself,
    messages.NewTable,
    messages.Sit,
    messages.SeatPlan,
    messages.First,
    messages.BotTempo,
    messages.NewOwner,
    messages.Ban,
    messages.Silence,
    messages.Agreement,
    messages.DeviceToken,
    messages.Me,
    messages.DeviceLink,
    messages.Session,
    messages.MapLine,
    messages.BotLine,
    messages.TableLine,
    messages.Moves,
    messages.Looked,
    messages.NewChallenge,
    messages.PlayChallenge,
    messages.ChallengeInfo,
    messages.ChallengeLine,
    messages.MyGames,
    messages.Forgotten,
    messages.PuzzleList,
    messages.PuzzleInfo,
    messages.TryPuzzle,
    messages.PuzzleAnswer,
    messages.AskReview,
    messages.ReviewState,
    messages.Practise,
    messages.Health,
    messages.Ready,
)


def definitions() -> Schema:
    """Every type by name, and the two unions."""
    found: Schema = {}
    shapes: tuple[tuple[str, Any], ...] = (
        ("ActionJson", messages.ActionJson),
        ("EventJson", messages.EventJson),
        ("ClientMessage", messages.ClientMessage),
        ("ServerMessage", messages.ServerMessage),
        *((shape.__name__, shape) for shape in HTTP),
    )
    for name, type_ in shapes:
        schema = TypeAdapter(type_).json_schema(mode="serialization" if name == "ServerMessage" else "validation")
        found |= schema.pop("$defs", {})
        found[name] = schema
    for name, lines in field_lines().items():
        for shape in (name, f"{name}Json"):
            for field, line in lines.items():
                if field in found.get(shape, {}).get("properties", {}):
                    found[shape]["properties"][field].setdefault("description", line)
    return dict(sorted(found.items()))


def field_lines() -> dict[str, dict[str, str]]:
    """The line under each field, by class. Pydantic can read them too, but does so anew for every use of a type."""
    found: dict[str, dict[str, str]] = {}
    faces = [Path(str(module.__file__)) for module in (actions, events, explain, scores, views)]
    for path in (*sorted(Path(messages.__path__[0]).glob("*.py")), *faces):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                found[node.name] = {
                    name: str(line.value.value)
                    for field, line in pairwise(node.body)
                    if (name := _assigned(field))
                    and isinstance(line, ast.Expr)
                    and isinstance(line.value, ast.Constant)
                }
    return found


def _assigned(node: ast.stmt) -> str:
    target = (
        node.target if isinstance(node, ast.AnnAssign) else node.targets[0] if isinstance(node, ast.Assign) else None
    )
    return target.id if isinstance(target, ast.Name) else ""


def typescript(schema: Schema) -> str:
    """A schema as a TypeScript type."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    for union in ("oneOf", "anyOf"):
        if union in schema:
            return " | ".join(dict.fromkeys(typescript(part) for part in schema[union]))
    if "const" in schema:
        return f"'{schema['const']}'"
    if "enum" in schema:
        return " | ".join(f"'{value}'" for value in schema["enum"])
    kind = schema.get("type")
    if kind == "array":
        if "prefixItems" in schema and schema.get("maxItems") == len(schema["prefixItems"]):
            return f"[{', '.join(typescript(item) for item in schema['prefixItems'])}]"
        inner = typescript(schema.get("items", {}))
        return f"readonly ({inner})[]" if " | " in inner or inner.startswith("readonly ") else f"readonly {inner}[]"
    if kind == "object":
        more = schema.get("additionalProperties")
        return f"Readonly<Record<string, {typescript(more)}>>" if isinstance(more, dict) else "Record<string, unknown>"
    return {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}.get(
        str(kind), "unknown"
    )


def interface(name: str, schema: Schema) -> str:
    """One exported type with its comments."""
    about = _sentence(schema)
    head = f"/** {about} */\n" if about else ""
    if "properties" not in schema and schema.get("type") == "object" and "additionalProperties" not in schema:
        return f"{head}export interface {name} {{}}\n"
    if "properties" not in schema:
        return f"{head}export type {name} = {typescript(schema)}\n"
    required = set(schema.get("required") or schema["properties"])
    lines = []
    for field, about in schema["properties"].items():
        if "description" in about:
            lines.append(f"  /** {_sentence(about)} */")
        lines.append(f"  readonly {field}{'' if field in required else '?'}: {typescript(about)}")
    return f"{head}export interface {name} {{\n" + "\n".join(lines) + "\n}\n"


def protocol(found: Schema) -> str:
    """docs/protocol.md."""
    parts = [PREFACE]
    for title, union in (("What a client sends", "ClientMessage"), ("What the server sends", "ServerMessage")):
        parts.append(f"## {title}\n")
        parts += [described(found, typescript(part)) for part in found[union]["oneOf"]]
    parts.append("## Close codes\n\n| code | | |\n|---|---|---|")
    parts += [
        f"| {close.value} | {'final' if close in messages.FINAL else ''} | {about} |" for close, about in _closes()
    ]
    parts.append("\n## Codes of refusals\n\n" + ", ".join(f"`{code}`" for code in messages.CODES) + "\n")
    parts.append("## Actions\n")
    parts += [described(found, typescript(part)) for part in found["ActionJson"]["oneOf"]]
    parts.append("## Events\n\nWhat the one who looks may not see is `null`.\n")
    parts += [described(found, typescript(part)) for part in found["EventJson"]["oneOf"]]
    unions = {"ClientMessage", "ServerMessage", "ActionJson", "EventJson"}
    told = unions | {typescript(part) for union in unions for part in found[union]["oneOf"]}
    parts.append("## Everything else\n")
    parts += [described(found, name) for name in found if name not in told]
    return "\n".join(parts)


def constants() -> str:
    """What the client compares with: codes of refusals, rules they name, close codes."""
    codes = "\n".join(f"  '{code}'," for code in messages.CODES)
    rules = "\n".join(f"  '{rule}'," for rule in messages.RULES)
    closes = "\n".join(f"  /** {about} */\n  {close.name}: {close.value}," for close, about in _closes())
    final = ", ".join(f"Close.{close.name}" for close in messages.FINAL)
    return f"""/** Every code a `Problem` may have. */
export const CODES = [
{codes}
] as const
/** Every rule a `Problem` may name. */
export const RULES = [
{rules}
] as const
/** Why a socket was closed. */
export const Close = {{
{closes}
}} as const
/** After these nobody connects again by themselves. */
export const FINAL: readonly number[] = [{final}]
"""


def _closes() -> list[tuple[messages.Close, str]]:
    lines = field_lines()["Close"]
    return [(close, lines[close.name]) for close in messages.Close]


def described(found: Schema, name: str) -> str:
    """One type as a heading, a sentence and a table."""
    schema = found[name]
    tag = schema.get("properties", {}).get("is", {}).get("const")
    lines = [f"### `{tag}` ({name})" if tag else f"### {name}", "", schema.get("description", ""), ""]
    fields = {field: about for field, about in schema.get("properties", {}).items() if field != "is"}
    if fields:
        lines += ["| field | type | |", "|---|---|---|"]
        for field, about in fields.items():
            type_ = typescript(about).replace("|", "\\|")
            lines.append(f"| `{field}` | `{type_}` | {_sentence(about)} |")
        lines.append("")
    return "\n".join(lines)


def _sentence(schema: Schema) -> str:
    return " ".join(str(schema.get("description", "")).split())


PREFACE = """# The protocol

Made by `scripts/wire` from `src/branchline/server/messages`: change that, then run it.

A table's socket is at `/api/tables/{id}/socket`, with the cookie that `PUT /api/me` set; `?seat=1` asks for that
seat's view at once, and no seat's view is ever sent unasked. Frames are JSON texts of at most 64 kB. On connecting come
`hello`, `table`, `said` and, once the game has begun, `view`; after each action `view` again, whole, with what
happened as `entry`. The numbers `n` of views follow each other: after a gap, send `look`.

What changes something carries an `id` of the client's choice and is answered by `done` or `refused`. Until an answer
comes, after a reconnect too, send it again as it is: what was done already is not done twice and gets its old answer.
An action carries the `ask` of the view that put the question, so that an answer to an older question is refused as
`stale`, and a view follows.

The first word is `hello`: it tells how often the server sends `beat`, to be answered with `beat`, and after how many
seconds of silence either side is gone. Who is silent that long, or does not read, is cut off without a closing
handshake. On 1012 the server restarts; the other close codes are listed below. Reconnect with growing pauses on all but
the final ones.

The owner of a table removes somebody and keeps them away before the start with `PUT /api/tables/{id}/bans` (`Ban`), and
silences somebody at any time with `PUT /api/tables/{id}/silences` (`Silence`); the same calls undo it, and `TableInfo`
lists both. What a silenced person says is refused as `silenced`. The owner hands a table on with `PUT
/api/tables/{id}/owner` (`NewOwner`); whoever has a seat takes a running game on by naming themselves there, once the
owner is gone (`ownerless`). A person sees their devices with `GET
/api/me/sessions` (`Session`), signs one out with `DELETE /api/me/sessions/{id}` and all others with `DELETE
/api/me/sessions`; their sockets close with 4401. A device that redeems a link and knows somebody else, who has tables,
is refused as `somebody` until it says `instead` (`DeviceToken`). When nothing can be stored, everything that would have
to be is refused as `cannot-store` (HTTP 503): nothing was done, and the same may be tried again later. `/readyz` tells
the host.

The rest goes over HTTP, described at `/docs`; refusals are a `Problem` there too.
"""


def main() -> int:
    """Write or compare; the exit code."""
    found = definitions()
    note = "// Made by scripts/wire from src/branchline/server/messages. Do not edit.\n\n"
    made = {
        TYPESCRIPT: note + constants() + "\n" + "\n".join(interface(name, schema) for name, schema in found.items()),
        PROTOCOL: protocol(found).rstrip() + "\n",
    }
    stale = [path for path, text in made.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    if "--check" in sys.argv:
        for path in stale:
            print(f"{path.relative_to(ROOT)} is not what server/messages says: run scripts/wire", file=sys.stderr)
        return 1 if stale else 0
    for path in stale:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(made[path], encoding="utf-8")
        print(f"{path.relative_to(ROOT)} written")
    return 0


if __name__ == "__main__":
    sys.exit(main())
