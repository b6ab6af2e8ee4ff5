"""The server's secret: whole or not there, and never a short one, wherever it comes from."""

import asyncio
import os
import resource
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from branchline.server import secret
from branchline.server.house import House
from branchline.server.leases import Kind
from branchline.server.settings import Settings


def _nothing_fits() -> None:
    """As on a full disk: no file may grow."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def _serve(folder: Path, **more: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "branchline.cli", "serve", "--data", str(folder), "--port", "0"]
    full = bool(more.pop("full", ""))
    return subprocess.run(
        command,
        env={**os.environ, **more},
        preexec_fn=_nothing_fits if full else None,
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.mark.skipif(sys.platform == "win32", reason="needs resource limits")
def test_a_first_start_on_a_full_disk_leaves_no_secret_behind(tmp_path: Path) -> None:
    data = tmp_path / "data"
    started = _serve(data, full="yes")
    assert started.returncode == 2
    assert "secret" in started.stderr
    assert "Traceback" not in started.stderr
    assert list(data.iterdir()) == []
    key = Settings(data=str(data)).signing_key()
    assert len(key) >= 32
    assert [file.name for file in data.iterdir()] == ["secret"]


@pytest.mark.parametrize("left", ["", "\n", "short", " " * 40])
def test_a_secret_that_was_cut_off_is_refused(tmp_path: Path, left: str) -> None:
    (tmp_path / "secret").write_text(left)
    started = _serve(tmp_path)
    assert started.returncode == 2
    assert f"{tmp_path / 'secret'} holds" in started.stderr
    assert "backup" in started.stderr
    assert (tmp_path / "secret").read_text() == left
    with pytest.raises(ValueError, match="32"):
        Settings(data=str(tmp_path)).signing_key()


@pytest.mark.parametrize("given", ["short", " " * 40, "x" * 31])
def test_a_short_secret_from_the_environment_is_refused(tmp_path: Path, given: str) -> None:
    started = _serve(tmp_path, BRANCHLINE_SECRET=given)
    assert started.returncode == 2
    assert "at least 32 characters" in started.stderr
    assert given not in started.stderr


def test_servers_of_one_database_have_one_secret(tmp_path: Path, database: str) -> None:
    def house(letter: str, kind: Kind = "serve") -> House | str:
        given = {"data": str(tmp_path), "database": database, "secret": letter * 40}
        try:
            return House(Settings.read(given, {}), kind=kind)
        except ValueError as error:
            return str(error)

    def close(found: House | str) -> None:
        assert isinstance(found, House), found
        asyncio.run(found.close())

    with ThreadPoolExecutor() as pool:
        first = dict(zip("xy", pool.map(house, "xy"), strict=True))
    (same,) = [letter for letter, found in first.items() if isinstance(found, House)]  # of two that start together
    (other,) = {"x", "y"} - {same}
    second, thinking = house(same), house(other, "bots")
    for words in (first[other], house(other)):
        assert "secret: a server of this database signs with another one" in str(words)
        assert other * 40 not in str(words)
    for found in (first[same], second, thinking):
        close(found)
    close(house(other))  # all of them were stopped: it may be changed


def test_two_first_starts_at_once_have_one_secret(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    secret._make(path)
    first = path.read_bytes()
    secret._make(path)  # it had not seen the other's
    assert path.read_bytes() == first
    assert [file.name for file in tmp_path.iterdir()] == ["secret"]
