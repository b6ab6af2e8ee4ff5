"""The two boards, empty, with seat 0 of two to begin a turn."""

import pytest

from tests.builder import Position


@pytest.fixture
def europe() -> Position:
    return Position.on("europe")


@pytest.fixture
def new_york() -> Position:
    return Position.on("new-york")


@pytest.fixture(params=["europe", "new-york"])
def board(request: pytest.FixtureRequest) -> Position:
    """One board after the other: for rules that hold on both."""
    return Position.on(request.param)
