"""Whether counts fit expected shares: a chi-square test without scipy."""

from collections.abc import Mapping
from math import exp, lgamma, log
from typing import TypeVar

T = TypeVar("T")


def p_value(counts: Mapping[T, int], shares: Mapping[T, float]) -> float:
    """How likely counts at least as far from these shares are; 0 if something came that should not.

    Rare outcomes are gathered until five of them are expected.
    """
    if any(counts[key] and not shares.get(key) for key in counts):
        return 0.0
    total = sum(counts.values())
    expected = sorted((share / sum(shares.values()) * total, counts.get(key, 0)) for key, share in shares.items())
    statistic, cells = 0.0, 0
    wanted, got = 0.0, 0
    rest = sum(want for want, _ in expected)
    for want, count in expected:
        wanted, got, rest = wanted + want, got + count, rest - want
        if wanted >= 5 and (rest >= 5 or rest < 1e-9):
            statistic += (got - wanted) ** 2 / wanted
            cells += 1
            wanted, got = 0.0, 0
    return 1.0 if cells < 2 else upper_gamma((cells - 1) / 2, statistic / 2)


def upper_gamma(a: float, x: float) -> float:
    """The regularised upper incomplete gamma function, by its series or its continued fraction."""
    if x <= 0:
        return 1.0
    scale = exp(a * log(x) - x - lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        n = a
        while abs(term) > 1e-15 * total:
            n += 1
            term *= x / n
            total += term
        return max(0.0, 1 - total * scale)
    b = x + 1 - a
    c, d = 1e300, 1 / b
    h = d
    for i in range(1, 10_000):
        step = -i * (i - a)
        b += 2
        d = 1 / (step * d + b)
        c = b + step / c
        h *= d * c
        if abs(d * c - 1) < 1e-14:
            break
    return min(1.0, h * scale)
