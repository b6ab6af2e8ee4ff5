"""Small changes of a module, one at a time, each as new code for one of its functions."""

import ast
import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from types import CodeType

COMPARED: dict[type, type] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
RECKONED: dict[type, type] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv,
    ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip
COUNTER = re.compile(r"\w+ [+-]= 1")
"""A counter that does not count makes a loop without end, and only costs time."""


@dataclass(frozen=True)
class Change:
    """A function of a module, changed in one place."""

    module: str
    function: str
    """`look`, or `Sight.numbers` for a method."""
    line: int
    was: str
    now: str
    at: int
    """Which of the changes of its function this is."""
    code: CodeType

    @property
    def key(self) -> str:
        """What tells it from others, in this and in later runs."""
        return f"{self.module}.{self.function} {self.at}: {self.was} -> {self.now}"


def changes(module: str, source: str, path: str) -> Iterator[Change]:
    """All changes of a module."""
    tree = ast.parse(source)
    for at, node in enumerate(tree.body):
        if isinstance(node, ast.FunctionDef):
            yield from _of_function(module, tree, (at,), node.name, path)
        elif isinstance(node, ast.ClassDef):
            for n, method in enumerate(node.body):
                if isinstance(method, ast.FunctionDef):
                    yield from _of_function(module, tree, (at, n), f"{node.name}.{method.name}", path)


def _of_function(module: str, tree: ast.Module, where: tuple[int, ...], name: str, path: str) -> Iterator[Change]:
    function = _find(tree, where)
    for at, (place, change) in enumerate(_places(function)):
        changed = deepcopy(tree)
        copy = _find(changed, where)
        node = [*ast.walk(copy)][place]
        was = ast.unparse(node)
        now = change(copy, node)
        ast.fix_missing_locations(changed)
        line = getattr(node, "lineno", function.lineno)
        yield Change(module, name, line, was, now, at, _code(compile(changed, path, "exec"), name.split(".")))


def _find(tree: ast.Module, where: tuple[int, ...]) -> ast.FunctionDef:
    node: ast.AST = tree
    for at in where:
        node = node.body[at]  # type: ignore[attr-defined]
    assert isinstance(node, ast.FunctionDef)
    return node


def _code(code: CodeType, names: list[str]) -> CodeType:
    for name in names:
        (code,) = (inner for inner in code.co_consts if isinstance(inner, CodeType) and inner.co_name == name)
    return code


Make = Callable[[ast.AST, ast.AST], str]


def _places(function: ast.FunctionDef) -> Iterator[tuple[int, Make]]:
    """Where a function can be changed, and how."""
    told = {id(inner) for node in ast.walk(function) for inner in _annotations(node)}
    for place, node in enumerate(ast.walk(function)):
        if id(node) in told:
            continue
        match node:
            case ast.Compare(ops=ops):
                for n, op in enumerate(ops):
                    yield place, _set(f"ops.{n}", COMPARED[type(op)]())
            case ast.BoolOp(op=ast.And()):
                yield place, _set("op", ast.Or())
            case ast.BoolOp(op=ast.Or()):
                yield place, _set("op", ast.And())
            case ast.UnaryOp(operand=operand):
                yield place, _become(operand)
            case ast.BinOp(op=op) if type(op) in RECKONED:
                yield place, _set("op", RECKONED[type(op)]())
            case ast.AugAssign(op=op) if not COUNTER.fullmatch(ast.unparse(node)):
                yield place, _set("op", RECKONED[type(op)]())
                yield place, _become(ast.Pass())
            case ast.Constant(value=bool() as value):
                yield place, _set("value", not value)
            case ast.Constant(value=int() as value):
                yield place, _set("value", value + 1)
            case ast.Return(value=ast.Name(id=name)) if name.isupper():
                yield place, _set("value", ast.BinOp(ast.Name(name, ast.Load()), ast.Add(), ast.Constant(1)))
            case ast.IfExp(body=one, orelse=other):
                yield place, _become(one)
                yield place, _become(other)
            case ast.Slice(lower=ast.AST()):
                yield place, _set("lower", None)
            case ast.Slice(upper=ast.AST()):
                yield place, _set("upper", None)
            case ast.Break():
                yield place, _become(ast.Pass())
            case ast.Continue():
                yield place, _become(ast.Break())
            case ast.Expr(value=ast.Call(func=called)) if "super()" not in ast.unparse(called):
                yield place, _become(ast.Pass())
            case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
                yield place, _become(ast.Pass())


def _annotations(node: ast.AST) -> Iterator[ast.AST]:
    """What no interpreter acts on: types, sentences, and how much room to make ready."""
    if isinstance(node, ast.AnnAssign):
        yield from ast.walk(node.annotation)
    elif isinstance(node, ast.FunctionDef):
        for argument in node.args.args:
            if argument.annotation is not None:
                yield from ast.walk(argument.annotation)
        if node.returns is not None:
            yield from ast.walk(node.returns)
    elif isinstance(node, ast.keyword) and node.arg == "capacity":
        yield from ast.walk(node.value)


def _set(field: str, value: object) -> Make:
    def make(function: ast.AST, node: ast.AST) -> str:
        name, _, at = field.partition(".")
        if at:
            getattr(node, name)[int(at)] = value
        else:
            setattr(node, name, value)
        return ast.unparse(node)

    return make


def _become(other: ast.AST) -> Make:
    def make(function: ast.AST, node: ast.AST) -> str:
        new = ast.copy_location(deepcopy(other), node)
        for parent in ast.walk(function):
            for name, value in ast.iter_fields(parent):
                if value is node:
                    setattr(parent, name, new)
                elif isinstance(value, list) and any(item is node for item in value):
                    value[:] = [new if item is node else item for item in value]
        return ast.unparse(new)

    return make
