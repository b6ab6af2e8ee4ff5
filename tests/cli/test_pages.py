"""What the README and docs/ show is true: their code runs, their commands exist, their links lead somewhere."""

import re
import shlex
from hashlib import sha256
from pathlib import Path

import pytest

import branchline as library
from branchline.cli import COMMANDS
from branchline.engine.shuffle import CARDS, FIRST, Stream, game_key, seed_bytes
from branchline.events import CardsDealt
from tests.cli.conftest import Branchline

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
SMALLER = {"10000": "20", "my-map.json": "src/branchline/maps/new-york.json", "400": "4", "42": "4"}
"""How each command of the README is run here: small, and with files that are there."""


def blocks(page: str, language: str) -> list[str]:
    return re.findall(
        rf"^```{language}\n(.*?)^```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )


@pytest.mark.parametrize("page", ["README.md", "docs/library.md"])
def test_the_code_of_a_page_runs(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = blocks(page, "python")
    assert code
    exec(compile("\n".join(code), page, "exec"), {"__name__": "page"})
    assert capsys.readouterr().out


def test_the_readme_has_ten_lines_of_python() -> None:
    (code,) = blocks("README.md", "python")
    assert len([line for line in code.splitlines() if line.strip()]) <= 10


def test_what_comments_on_the_library_page_promise(capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile("\n".join(blocks("docs/library.md", "python")), "library.md", "exec"), {"__name__": "page"})
    printed = capsys.readouterr().out
    for line in (
        "<Game on europe, 3 seats, turn 0, opening>",
        "R4.7: the ferry wants more wilds",
        "CardDrawn(seat=1, card=None)",
        "R4.7 few-wilds {'wild': 1}",
        "cards: 11 orange in deck, row, discards and hands; the map has 12 (R1.4)",
    ):
        assert line in printed.splitlines()


def test_the_commands_of_the_readme_run(
    branchline: Branchline, record_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr("builtins.input", lambda prompt: "quit")
    (commands,) = blocks("README.md", "sh")
    lines = [shlex.split(line) for line in commands.splitlines()]
    assert {line[1] for line in lines} == set(COMMANDS)
    # The tests of tests/server, tests/train and tests/cli/test_review.py run these.
    elsewhere = (["play"], ["serve"], ["backup", "monday.db"], ["train", "new-york", "--minutes", "15"])
    lines = [line for line in lines if line[1:] not in elsewhere and line[1] not in ("bots", "move", "review")]
    for name, *words in lines:
        assert name == "branchline"
        files = {
            "game.json": str(record_file),
            **{name: str(record_file.with_name(name)) for name in ("board.svg", "games.parquet", "charts")},
        }
        small = [files.get(word, SMALLER.get(word, word)) for word in words]
        done = branchline(*small, *(["--repeats", "1", "--games", "1"] if words[0] == "bench" else []))
        assert done.code == 0, done.err
        assert done.out


def test_the_make_commands_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for page in PAGES:
        for target in re.findall(r"`make ([a-z]+)`|^    make ([a-z]+)", page.read_text(encoding="utf-8"), re.MULTILINE):
            assert f"\n{''.join(target)}:" in makefile, f"{page.name}: make {''.join(target)}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8")):
        if "://" not in link:
            assert (page.parent / link).exists(), link


def test_the_worked_example_of_the_records_page() -> None:
    page = (ROOT / "docs/records.md").read_text(encoding="utf-8")
    table = page.partition("## A worked example")[2].partition("## A record")[0]
    told = dict(re.findall(r"^\| (.+?) \| `(.+?)` \|$", table, re.MULTILINE))
    key = game_key(7)
    first, cards = Stream(key, FIRST, 0), Stream(key, CARDS, 1)
    game = library.Game.new("europe", seats=3, seed=7)
    data = game.to_dict()
    dealt = {event.seat: event.cards for event in game.opening_events() if isinstance(event, CardsDealt)}
    derived = {
        "seed bytes": seed_bytes(7).hex(),
        "SHA-256 of them": sha256(b"i7").hexdigest(),
        "key": data["shuffles"]["key"],
        "label `first`, index 0, first number": str(first.next()),
        "first seat": str(data["first"]),
        "label `cards`, index 1, first two numbers": f"{cards.next()} {cards.next()}",
        **{f"seat {seat}'s hand": " ".join(map(str, hand)) for seat, hand in dealt.items()},
        "the row": " ".join(data["row"]),
        "the next cards": " ".join(data["deck"][:-7:-1]),
        **{f"seat {seat}'s offer": " ".join(own["offer"]) for seat, own in enumerate(data["seats"])},
        "the next tickets": " ".join(data["ticket_deck"][:-4:-1]),
    }
    assert told == derived
    assert key.hex() == derived["key"]


def test_the_fields_of_records_and_positions_are_all_documented() -> None:
    page = (ROOT / "docs/records.md").read_text(encoding="utf-8")
    game = library.Game.new("europe", seats=2, seed=1)
    record, position = page.partition("## A record")[2].split("## A position")
    named = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", record, re.MULTILINE)
    fields = {field for names in named for field in re.findall(r"`(\w+)`", names)}
    assert set(library.Record.of(game).to_dict()) <= fields
    data = game.to_dict()
    for field in [*data, *data["seats"][0]]:
        assert f"`{field}`" in position
    scores = game.scores().to_dict()
    for field in [*scores, *scores["seats"][0]]:
        assert f"`{field}`" in record or field == "seat"


def test_the_house_is_as_its_page_says() -> None:
    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    named: set[Path] = set()
    for row in page.split("## The rooms")[1].split("## The way")[0].splitlines():
        if row.startswith("| `"):
            folder = ROOT / "src/branchline/engine"
            for name in re.findall(r"`([^`]+)`", row.split("|")[1]):
                path = ROOT / name if "/" in name and (ROOT / name).exists() else folder / name
                assert path.exists(), name
                folder = path.parent
                named.add(path)
    source = ROOT / "src/branchline"
    rooms = {path for path in source.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    rooms |= set((source / "engine").glob("*.py"))
    missing = {path.relative_to(ROOT) for path in rooms - named if not path.name.startswith("_")}
    assert not missing
