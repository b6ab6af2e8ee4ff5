"""The compiled engine: never older than its source, and nothing of what it is handed stays behind."""

import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from branchline import built, load_map
from branchline.engine.board import to_vec
from branchline.engine.network import root
from branchline.engine.setup import deal
from branchline.engine.shuffle import Shuffler
from branchline.names import names_of


@pytest.fixture
def engine(tmp_path: Path) -> Path:
    (tmp_path / "cards.py").write_text("a = 1\n", encoding="utf-8")
    (tmp_path / "legal.py").write_text("b = 2\n", encoding="utf-8")
    return tmp_path


def test_the_hash_sees_contents_and_names(engine: Path) -> None:
    seen = {built.source_hash(engine)}
    (engine / "legal.py").write_text("b = 3\n", encoding="utf-8")
    seen.add(built.source_hash(engine))
    (engine / "legal.py").rename(engine / "apply.py")
    seen.add(built.source_hash(engine))
    assert len(seen) == 3


def test_the_hash_leaves_out_what_is_generated_or_not_compiled(engine: Path) -> None:
    before = built.source_hash(engine)
    (engine / "_built.py").write_text(built.module_text(engine), encoding="utf-8")
    (engine / "__init__.py").write_text("", encoding="utf-8")
    assert built.source_hash(engine) == before
    assert f'"{before}"' in built.module_text(engine)


def test_without_sources_there_is_nothing_to_compare(tmp_path: Path) -> None:
    assert built.source_hash(tmp_path) is None


@pytest.mark.parametrize(("compiled_from", "stale"), [("another source", True), (built.source_hash(), False)])
def test_an_older_compiled_engine_is_refused(monkeypatch: pytest.MonkeyPatch, compiled_from: str, stale: bool) -> None:
    engine = SimpleNamespace(__file__="ruleset.so", SOURCES=compiled_from)
    monkeypatch.setattr(built, "import_module", lambda name: engine)
    if stale:
        with pytest.raises(ImportError, match="older than its source: run `make build`"):
            built.check()
    else:
        built.check()


def test_the_engine_at_hand_is_not_older_than_its_source() -> None:
    built.check()


def _hands_in() -> None:
    root(to_vec(list(range(40))), 3)


STATE = deal(names_of(load_map("new-york")).board, 2, Shuffler(b"", 1))


def _sets() -> None:
    STATE.deck = to_vec(list(range(40)))


@pytest.mark.parametrize("call", [_hands_in, _sets])
def test_a_table_that_python_hands_in_is_given_back(call: Callable[[], None]) -> None:
    for _ in range(3):
        call()
    before = sys.getallocatedblocks()
    for _ in range(500):
        call()
    assert sys.getallocatedblocks() - before < 100  # one of mypyc's references stayed for each call: see setup.py
