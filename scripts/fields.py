"""Writes engine/fields.py: copying, numbers and restoring, from the fields that Public, State and Sight declare.

`--check` only compares. A field is a line of `__init__`: `self.turn: i64 = 0` is a number, `self.row = vec[i64]()` a
table; what is given to `__init__`, or is neither, is none.
"""

import ast
import sys
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parent.parent
ENGINE = ROOT / "src/branchline/engine"
FIELDS = ENGINE / "fields.py"

HEAD = '''"""Made by scripts/fields from the fields of Public, State and Sight. Do not edit."""

from typing import TYPE_CHECKING

from branchline.engine.board import to_vec

if TYPE_CHECKING:
    from branchline.engine.public import Public
    from branchline.engine.sight import Sight
    from branchline.engine.state import State
'''

SHARING = "    old.shared = new.shared = True"


@dataclass
class Declared:
    """The fields of a class, in their order."""

    numbers: list[str] = field(default_factory=list)
    tables: list[str] = field(default_factory=list)

    def __add__(self, other: "Declared") -> "Declared":
        return Declared(self.numbers + other.numbers, self.tables + other.tables)


def parsed(file: str) -> ast.Module:
    """A file of the engine, which can't be imported while it is older than its source."""
    return ast.parse((ENGINE / file).read_text(encoding="utf-8"))


def listed(list: str) -> tuple[str, ...]:
    """Which tables stand in a list of public.py: WRITTEN or SHARED."""
    for line in parsed("public.py").body:
        match line:
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.Tuple() as names) if name == list:
                return tuple(ast.literal_eval(names))
    raise LookupError(f"public.py has no {list}")


def declared(file: str, name: str) -> Declared:
    """What a class declares itself."""
    tree = parsed(file)
    (class_,) = (node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name)
    (init,) = (node for node in class_.body if isinstance(node, ast.FunctionDef) and node.name == "__init__")
    given = {argument.arg for argument in init.args.args}
    found = Declared()
    for line in init.body:
        match line:
            case ast.AnnAssign(target=ast.Attribute(attr=attr), annotation=ast.Name(id="i64"), value=value):
                if not (isinstance(value, ast.Name) and value.id in given):
                    found.numbers.append(attr)
            case ast.Assign(targets=[ast.Attribute(attr=attr)], value=ast.Call(func=ast.Subscript())):
                found.tables.append(attr)
    return found


def copy(name: str, class_: str, fields: Declared, sentence: str, first: str = "") -> str:
    """A function that copies fields."""
    lines = [
        f'def {name}(old: "{class_}", new: "{class_}") -> None:',
        f'    """{sentence}"""',
        *([first] * bool(first)),
    ]
    lines += [f"    new.{field} = old.{field}" for field in fields.numbers]
    lines += [f"    new.{field} = old.{field}{'[:]' * (field in listed('WRITTEN'))}" for field in fields.tables]
    return "\n".join(lines)


def unshare() -> str:
    """A function that makes shared tables a state's own."""
    lines = [
        'def unshare(state: "State") -> None:',
        '    """Replace what copies and sights share with it, before the first write."""',
    ]
    lines += [f"    state.{field} = state.{field}[:]" for field in listed("SHARED")]
    return "\n".join([*lines, "    state.shared = False"])


def numbers(name: str, class_: str, fields: Declared) -> str:
    """A function that writes fields down."""
    lines = [f'def {name}_numbers({name}: "{class_}") -> list[list[int]]:', '    """All fields as lists of ints."""']
    lines += ["    return [", "        ["]
    lines += [f"            {name}.{field}," for field in fields.numbers]
    lines += ["        ],", *(f"        list({name}.{field})," for field in fields.tables), "    ]"]
    return "\n".join(lines)


def restore(name: str, class_: str, fields: Declared) -> str:
    """A function that reads them again."""
    lines = [f'def restore_{name}({name}: "{class_}", numbers: list[list[int]]) -> None:']
    lines += [f'    """Give it the fields that `{name}_numbers` wrote down."""', "    scalars = numbers[0]"]
    lines += [f"    {name}.{field} = scalars[{at}]" for at, field in enumerate(fields.numbers)]
    lines += [f"    {name}.{field} = to_vec(numbers[{at}])" for at, field in enumerate(fields.tables, 1)]
    return "\n".join(lines)


def text() -> str:
    """engine/fields.py."""
    public, own = declared("public.py", "Public"), declared("state.py", "State")
    state, sight = public + own, public + declared("sight.py", "Sight")
    parts = [
        HEAD,
        copy("copy_public", "Public", public, "What is open, from a state or a sight to another.", SHARING),
        copy("copy_state", "State", own, "All fields.", "    copy_public(old, new)"),
        unshare(),
        numbers("state", "State", state),
        restore("state", "State", state),
        numbers("sight", "Sight", sight),
        restore("sight", "Sight", sight),
    ]
    return "\n\n\n".join(part.rstrip() for part in parts) + "\n"


def main() -> int:
    """Write or compare; the exit code."""
    made = text()
    if FIELDS.exists() and FIELDS.read_text(encoding="utf-8") == made:
        return 0
    if "--check" in sys.argv:
        print("engine/fields.py is not what Public, State and Sight declare: run scripts/fields", file=sys.stderr)
        return 1
    FIELDS.write_text(made, encoding="utf-8")
    print(f"{FIELDS.relative_to(ROOT)} written")
    return 0


if __name__ == "__main__":
    sys.exit(main())
