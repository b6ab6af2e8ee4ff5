"""The two boards, empty, with seat 0 of two to begin a turn; PostgreSQL and Redis; how Hypothesis tries examples."""

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, Phase, settings

from scripts.services import Postgres, Redis
from tests.builder import Position
from tests.services import fresh_database, private, service

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


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a PostgreSQL for the whole run; `database` is a database there."""
    with service(Postgres, "BRANCHLINE_TEST_POSTGRES") as url:
        yield url


@pytest.fixture
def database(postgres: str) -> Iterator[str]:
    """The URL of an empty database of PostgreSQL for one test."""
    with fresh_database(postgres) as url:
        yield url


@pytest.fixture(scope="session")
def redis() -> Iterator[str]:
    """The URL of a Redis for the whole run. Others may talk there at the same time."""
    with service(Redis, "BRANCHLINE_TEST_REDIS") as url:
        yield url


@pytest.fixture
def own_postgres() -> Iterator[Postgres]:
    """A PostgreSQL that this test may stop, kill and freeze."""
    with private(Postgres) as own:
        yield own


@pytest.fixture
def own_redis() -> Iterator[Redis]:
    """A Redis that this test may stop, kill and freeze."""
    with private(Redis) as own:
        yield own
