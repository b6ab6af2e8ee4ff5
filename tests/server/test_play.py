"""`branchline play` brings up a server that answers."""

import os
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from branchline.cli.serve import explained
from branchline.server.settings import Settings
from tests.server.client import ROOT


@pytest.mark.parametrize("flags", [[], ["--lan"]])
def test_play_answers_and_stops(tmp_path: Path, flags: list[str]) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "branchline.cli", "play", "--no-browser", "--port", "0", *flags],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "BRANCHLINE_DATA": str(tmp_path)},
        text=True,
    )
    assert process.stdout is not None
    try:
        url = process.stdout.readline().split()[-1]
        with httpx.Client(trust_env=False) as http:
            assert http.get(f"{url}/api/health", timeout=20).json()["ok"]
        if flags:
            assert "Friends on the same network" in process.stdout.readline()
            assert "█" in process.stdout.read(200)
    finally:
        process.terminate()
        assert process.wait(20) in (0, -15)
        process.stdout.close()
    assert (tmp_path / "tables.db").exists()


def test_every_setting_is_explained_and_the_page_for_hosts_exists() -> None:
    assert set(explained()) == set(Settings.__slots__)
    assert (ROOT / "docs/hosting.md").exists()
