"""The PostgreSQL and Redis that tests run on: those that variables name, or private ones; else a test says it skips."""

import os
import secrets
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar
from urllib.parse import urlsplit

import pytest

from scripts.services import Missing, Service, postgres_programs

S = TypeVar("S", bound=Service)


@contextmanager
def service(kind: type[Service], variable: str) -> Iterator[str]:
    """The URL of one that is running already, as a variable names it, or of one of our own."""
    named = os.environ.get(variable)
    if named:
        yield named
        return
    with private(kind) as own:
        yield own.url


@contextmanager
def private(kind: type[S]) -> Iterator[S]:
    """One that a test may stop, kill and freeze."""
    try:
        own = kind()
    except Missing as missing:
        pytest.skip(str(missing))
    try:
        yield own
    finally:
        own.close()


@contextmanager
def fresh_database(postgres: str, template: str = "template0") -> Iterator[str]:
    """The URL of an empty database, or of a copy of another one of this server, which is gone afterwards."""
    name = f"test_{secrets.token_hex(6)}"
    sql(postgres, f"CREATE DATABASE {name} TEMPLATE {template}")
    try:
        yield urlsplit(postgres)._replace(path=f"/{name}").geturl()
    finally:
        sql(postgres, f"DROP DATABASE {name} WITH (FORCE)")


def sql(url: str, statement: str) -> list[list[str]]:
    """What a statement says, row by row, through psql: no driver of ours has a part in it."""
    program = shutil.which("psql") or str(postgres_programs() / "psql")
    command = [program, "-X", "-q", "-A", "-t", "-F", "\t", "-v", "ON_ERROR_STOP=1", url, "-c", statement]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return [line.split("\t") for line in done.stdout.splitlines()]
