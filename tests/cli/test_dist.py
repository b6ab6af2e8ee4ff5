"""The wheel, in an empty environment elsewhere: the library alone, then with its server, where a game is played."""

import asyncio
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from random import Random
from typing import IO

import pytest

from branchline import __version__
from branchline.built import compiled
from tests.server.client import Person, Server, play

ROOT = Path(__file__).parents[2]
ALONE = {"branchline", "librt", "markdown-it-py", "mdurl", "mypy-extensions", "pip", "pygments", "rich", "setuptools"}
"""What somebody gets who wants the library."""


class Elsewhere:
    """A virtual environment that knows nothing of this checkout."""

    def __init__(self, folder: Path, wheel: Path) -> None:
        self.folder = folder
        self.wheel = wheel
        self.python = folder / "venv" / "bin" / "python"
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)

    def install(self, extra: str = "") -> None:
        constraints = f"--constraint={ROOT / 'constraints.txt'}"
        done = self.run("-m", "pip", "install", "-qq", constraints, f"{self.wheel}{extra}")
        assert done.returncode == 0, done.stderr

    def run(self, *words: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [self.python, *words],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not compiled():
        pytest.skip("a wheel ships the compiled engine")
    out = tmp_path_factory.mktemp("wheel")
    done = subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", out, ROOT],
        env={**os.environ, "BRANCHLINE_READY": "1", "BRANCHLINE_URL": "https://example.org/branchline"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (path,) = out.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def elsewhere(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Elsewhere:
    place = Elsewhere(tmp_path_factory.mktemp("elsewhere"), wheel)
    place.install()
    return place


def test_what_the_wheel_says_of_itself(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith("dist-info/METADATA")]
        told = archive.read(name).decode()
        names = archive.namelist()
    assert f"Version: {__version__}" in told
    assert "Project-URL: Source, https://example.org/branchline" in told
    assert "![A game of Europe under way](https://example.org/branchline/raw/main/docs/pictures/" in told
    assert 'src="docs/' not in told
    assert "](docs/" not in told
    assert any(name.startswith("branchline/observation/observer.") and not name.endswith(".py") for name in names)
    assert ("branchline/server/static/index.html" in names) == (ROOT / "src/branchline/server/static").exists()


def test_the_library_alone(elsewhere: Elsewhere) -> None:
    installed = elsewhere.run("-m", "pip", "list", "--format=freeze").stdout
    assert {line.partition("==")[0].lower().replace("_", "-") for line in installed.split()} <= ALONE
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (program,) = re.findall(r"## Ten lines of Python\n\n```python\n(.*?)```", readme, re.DOTALL)
    done = elsewhere.run("-W", "error", "-c", program)
    assert done.returncode == 0, done.stderr
    assert "RouteClaimed" in done.stdout
    assert elsewhere.run("-m", "branchline.cli", "--version").stdout == f"branchline {__version__}, engine compiled\n"
    text = elsewhere.run("-m", "branchline.cli", "play", "--text", "atlantis")
    assert text.stderr.startswith("branchline: atlantis: No such file")  # and not that it needs the server's extra
    simulated = elsewhere.run("-m", "branchline.cli", "simulate", "new-york", "--games", "20", "--bot", "random")
    assert simulated.returncode == 0, simulated.stderr


@pytest.mark.parametrize(
    ("words", "extra"),
    [("serve", "server"), ("play", "server"), ("bench env", "env"), ("train new-york", "train|env")],
)
def test_a_command_that_lacks_an_extra_says_which(elsewhere: Elsewhere, words: str, extra: str) -> None:
    done = elsewhere.run("-m", "branchline.cli", *words.split())
    assert done.returncode == 2
    assert re.fullmatch(rf"branchline: .*pip install 'branchline\[({extra})\]'\n", done.stderr), done.stderr


class Installed(Server):
    """The server as it was installed."""

    place: Elsewhere

    def _spawn(self, flags: list[str], environment: dict[str, str], complaints: IO[str]) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [self.place.python, "-m", "branchline.cli", "serve", f"--data={self.folder}", "--port=0", *flags],
            cwd=self.place.folder,
            env={**self.place.environment, "PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            stderr=complaints,
            text=True,
        )


def test_a_game_is_played_through_its_server(elsewhere: Elsewhere, tmp_path: Path) -> None:
    elsewhere.install("[server]")
    server = Installed(tmp_path)
    server.place = elsewhere
    with server:
        end = asyncio.run(_game(server.url))
    assert end["stage"] == "over"


async def _game(url: str) -> dict[str, object]:
    ada = await Person(url, "ada").arrive()
    seats = [{"who": "open"}, {"who": "bot", "level": "random"}]
    table = (await ada.post("/api/tables", map="new-york", seats=seats))["id"]
    await ada.sit(table, 0)
    async with ada.socket(table, 0) as socket:
        await ada.post(f"/api/tables/{table}/start")
        view: dict[str, object] = (await play(socket, Random(3)))["view"]
        return view
