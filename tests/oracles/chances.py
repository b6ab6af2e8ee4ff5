"""Every outcome of a function of a random generator, with its exact probability."""

from collections.abc import Callable
from fractions import Fraction
from typing import TypeVar

T = TypeVar("T")


class _Tree:
    """Walks the tree of all that can come out: each run takes the next branch."""

    def __init__(self) -> None:
        self.path: list[tuple[int, int]] = []
        self.at = 0

    def branch(self, ways: int) -> int:
        if self.at == len(self.path):
            self.path.append((0, ways))
        self.at += 1
        return self.path[self.at - 1][0]

    def advance(self) -> bool:
        self.at = 0
        while self.path:
            way, ways = self.path.pop()
            if way + 1 < ways:
                self.path.append((way + 1, ways))
                return True
        return False


class Unknown:
    """A number of which only a range is known: each question narrows it, both answers by their share."""

    def __init__(self, stub: "Stub", least: int, most: int) -> None:
        self.stub, self.least, self.most = stub, least, most

    def __lt__(self, limit: int) -> bool:
        if self.most < limit:
            return True
        if self.least >= limit:
            return False
        size = self.most - self.least + 1
        if self.stub.tree.branch(2) == 0:
            self.stub.chance *= Fraction(limit - self.least, size)
            self.most = limit - 1
            return True
        self.stub.chance *= Fraction(self.most - limit + 1, size)
        self.least = limit
        return False

    def __le__(self, limit: int) -> bool:
        return self < limit + 1

    def __gt__(self, limit: int) -> bool:
        return not self < limit + 1

    def __ge__(self, limit: int) -> bool:
        return not self < limit

    def __eq__(self, other: object) -> bool:
        return isinstance(other, int) and self < other + 1 and not self < other

    __hash__ = None  # type: ignore[assignment]

    def __sub__(self, n: int) -> "Unknown":
        return Unknown(self.stub, self.least - n, self.most - n)

    def __add__(self, n: int) -> "Unknown":
        return Unknown(self.stub, self.least + n, self.most + n)

    def __floordiv__(self, n: int) -> int:
        return self.__index__() // n

    def __mod__(self, n: int) -> int:
        return self.__index__() % n

    def __index__(self) -> int:
        way = self.stub.tree.branch(self.most - self.least + 1)
        self.stub.chance *= Fraction(1, self.most - self.least + 1)
        self.least = self.most = self.least + way
        return self.least

    def __radd__(self, n: int) -> int:
        return n + self.__index__()


class Stub:
    """Stands in for a generator."""

    def __init__(self, tree: _Tree) -> None:
        self.tree = tree
        self.chance = Fraction(1)

    def below(self, n: int) -> Unknown:
        return Unknown(self, 0, n - 1)


def outcomes(function: Callable[[Stub], T], most: int = 200_000) -> dict[T, Fraction]:
    """What the function gives, and how likely; OverflowError where there are too many ways to walk."""
    tree = _Tree()
    found: dict[T, Fraction] = {}
    for _ in range(most):
        stub = Stub(tree)
        out = function(stub)
        found[out] = found.get(out, Fraction(0)) + stub.chance
        if not tree.advance():
            return found
    raise OverflowError
