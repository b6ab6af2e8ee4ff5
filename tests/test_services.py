"""The services that tests run on are private, come back after any death with what was committed, and leave nothing."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from scripts.services import Missing, Postgres, Redis
from tests.services import fresh_database, service, sql


def test_what_was_committed_is_there_after_a_restart_and_after_a_death(own_postgres: Postgres) -> None:
    url = own_postgres.url
    sql(url, "CREATE TABLE numbers (n int)")
    sql(url, "INSERT INTO numbers VALUES (1)")
    own_postgres.restart()
    sql(url, "INSERT INTO numbers VALUES (2)")
    own_postgres.kill()
    own_postgres.start()
    assert sql(url, "SELECT n FROM numbers ORDER BY n") == [["1"], ["2"]]


def test_strangers_need_the_password(own_postgres: Postgres, own_redis: Redis) -> None:
    with pytest.raises(AssertionError, match="password authentication failed"):
        sql(own_postgres.url.replace(own_postgres.password, "guessed"), "SELECT 1")
    own_redis.password = "guessed"
    assert not own_redis.answers()


def test_each_test_has_a_database_of_its_own(postgres: str, database: str) -> None:
    sql(database, "CREATE TABLE only_here (n int)")
    with fresh_database(postgres) as other, fresh_database(postgres, database.rpartition("/")[2]) as copy:
        tables = "SELECT count(*) FROM pg_tables WHERE tablename = 'only_here'"
        assert [sql(url, tables) for url in (other, copy)] == [[["0"]], [["1"]]]
    assert sql(postgres, f"SELECT datname FROM pg_database WHERE datname = '{other.rpartition('/')[2]}'") == []


def test_one_that_is_running_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRANCHLINE_TEST_REDIS", "redis://elsewhere:1/0")
    with service(Redis, "BRANCHLINE_TEST_REDIS") as url:
        assert url == "redis://elsewhere:1/0"


def test_what_is_not_installed_is_skipped_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BRANCHLINE_TEST_REDIS", raising=False)
    monkeypatch.setattr("shutil.which", lambda _: None)
    with pytest.raises(Missing, match="apt-get install redis-server"):
        Redis()
    with pytest.raises(pytest.skip.Exception, match="Redis is not installed"), service(Redis, "BRANCHLINE_TEST_REDIS"):
        pass


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a process with its parent")
def test_they_die_with_whoever_started_them(own_redis: Redis) -> None:
    code = """
import os, signal
from scripts.services import Redis
redis = Redis()
print(redis.process.pid, redis.folder, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""
    root = Path(__file__).parents[1]
    said = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, timeout=300).stdout
    pid, folder = said.split()
    until = time.monotonic() + 120
    while Path(f"/proc/{pid}/stat").exists() and ") Z " not in Path(f"/proc/{pid}/stat").read_text():
        assert time.monotonic() < until, "it outlived its parent"
        time.sleep(0.05)
    for path in Path(folder).iterdir():
        path.unlink()
    Path(folder).rmdir()
