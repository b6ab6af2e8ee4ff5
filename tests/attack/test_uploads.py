"""Records that strangers send: dear to look at, and looked at by somebody who can be stopped."""

import json
import os
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from pathlib import Path

import httpx
import pytest

from branchline.killable import Told
from branchline.server import replays
from branchline.server.guard.limits import UPLOADS
from tests.attack.attacker import PATIENCE, Watch, children, size
from tests.attack.bombs import claimed, everywhere
from tests.attack.conftest import Figures
from tests.server.client import Server, folder

RECORDS = Path(__file__).parents[1] / "records"
GOOD = (RECORDS / "europe-5.json").read_bytes()


def send(server: Server, body: bytes, source: str = "127.0.0.1") -> httpx.Response:
    transport = httpx.HTTPTransport(local_address=source)
    with httpx.Client(base_url=server.url, transport=transport, timeout=PATIENCE) as http:
        return http.post("/api/records", content=body, headers={"content-type": "application/json"})


@pytest.fixture(scope="module")
def bomb() -> bytes:
    return json.dumps(claimed(everywhere(10))).encode()


def test_a_map_past_counting_is_refused(server: Server, bomb: bytes) -> None:
    record = json.loads(bomb)
    record["map"]["ruleset"]["cars"] = 200
    answer = send(server, json.dumps(record).encode(), "127.0.2.1")
    assert (answer.status_code, answer.json()["code"]) == (422, "record")
    assert "cars" in answer.json()["text"]


def test_the_worst_map_that_is_taken(server: Server, bomb: bytes, figures: Figures) -> None:
    began = time.monotonic()
    with Watch(server) as watch:
        answer = send(server, bomb, "127.0.3.1")
    figures(seconds=time.monotonic() - began, slowest_ms=watch.slowest * 1e3, grown_mb=watch.grown)
    assert answer.status_code in (200, 422)  # counted, or given up
    assert watch.failed == 0
    assert send(server, GOOD, "127.0.3.2").json()["verdict"]["ok"]


def test_the_server_ends_while_it_looks_at_one() -> None:
    """Whoever looks at it stands still, and would be waited for for hours."""
    with folder() as path, Server(Path(path), upload_seconds=10_000) as server:
        assert send(server, GOOD).json()["verdict"]["ok"]
        (looking,) = (pid for pid in children(server) if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes())
        os.kill(looking, signal.SIGSTOP)
        with ThreadPoolExecutor(2) as two:
            sending = [two.submit(send, server, GOOD) for _ in range(2)]
            (first,), (second,) = wait(sending, return_when=FIRST_COMPLETED)
            assert "not done yet" in first.result().json()["text"]
            server.stop()
            assert "the server ends" in second.result().json()["text"]
        assert not Path(f"/proc/{looking}").exists()
        assert "Traceback" not in server.complaints, server.complaints


def nested() -> Iterator[bytes]:
    yield b"[" * 100_000
    yield b'{"a":' * 100_000
    yield b"[" * 1_000_000 + b"]" * 1_000_000
    yield b'{"format":"branchline-record-1","log":[' + b'[0,"pass"],' * 180_000 + b'[0,"pass"]]}'
    yield b'{"players":[' + b"{}," * 600_000 + b"{}]}"
    yield b'{"seed":"' + b"9" * 2_000_000 + b'"}'
    yield b'{"rules":' + b"9" * 2_000_000 + b"}"
    yield b""
    yield b"\xff" * 1_000_000
    yield b"nothing of ours"


def test_deep_long_and_wide_ones_are_refused_in_words(server: Server, figures: Figures) -> None:
    with Watch(server) as watch:
        for n, body in enumerate(nested()):
            answer = send(server, body, f"127.0.4.{n + 1}")
            assert answer.status_code == 422, (n, answer.text)
            assert answer.json()["code"] == "record"
    figures(slowest_ms=watch.slowest * 1e3, grown_mb=watch.grown)
    assert watch.grown < 40


def test_an_answer_is_not_much_longer_than_what_was_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(replays.looked_at(GOOD)) < replays.ANSWER / 4
    monkeypatch.setattr(replays, "ANSWER", 500_000)
    with pytest.raises(Told, match="more than 500000 bytes"):
        replays.looked_at(GOOD)


def test_too_many_at_once_are_asked_to_come_again(server: Server, bomb: bytes, figures: Figures) -> None:
    answers: list[httpx.Response] = []

    def one(n: int) -> None:
        answers.append(send(server, bomb, f"127.0.5.{n % 12 + 1}"))

    many = [threading.Thread(target=one, args=(n,)) for n in range(size(24, 60))]
    with Watch(server) as watch:
        for thread in many:
            thread.start()
        for thread in many:
            thread.join()
    codes = [answer.json().get("code") for answer in answers]
    figures(slowest_ms=watch.slowest * 1e3, grown_mb=watch.grown, busy=codes.count("busy"))
    assert watch.failed == 0
    assert set(codes) <= {"busy", "too-large", "too-many", "record", None}


def test_the_limit_comes_before_the_body(server: Server, figures: Figures) -> None:
    """Two megabytes are not read by anybody who has had enough."""
    big = b'{"log":[' + b"1," * 990_000 + b"1]}"
    began = time.monotonic()
    with Watch(server) as watch:
        codes = [send(server, big, "127.0.6.1").status_code for _ in range(size(12, 60))]
    figures(slowest_ms=watch.slowest * 1e3, grown_mb=watch.grown)
    allowed = UPLOADS.burst + UPLOADS.rate * (time.monotonic() - began)
    assert len(codes) - codes.count(429) <= allowed
    assert watch.failed == 0
