"""The two boards, empty, with seat 0 of two to begin a turn; and how Hypothesis tries its examples."""

import os

import pytest
from hypothesis import HealthCheck, Phase, settings

from tests.builder import Position

_SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]
# The same examples each time, and no deadline: timings never decide a test. Shrinking whole games takes minutes; the
# failing table alone says enough to play it again. HYPOTHESIS_PROFILE=explore tries new examples.
settings.register_profile(
    "same",
    derandomize=True,
    deadline=None,
    database=None,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=_SLOW,
)
settings.register_profile("explore", deadline=None, print_blob=True, suppress_health_check=_SLOW)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))


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
