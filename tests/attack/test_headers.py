"""Headers that are small to send and dear to read."""

import asyncio
from pathlib import Path

import pytest

from tests.attack.attacker import connect, move, processor, request
from tests.attack.conftest import Figures, Target
from tests.server.client import Person, Server
from tests.server.house import running

BOMBS = {
    "backslashes": '"' + "\\" * 7_000 + '"',
    "octals": '"' + "\\1" * 3_500 + '"',
}
PATHS = ("/api/me", "/api/health", "/", "/api/tables/nobody/socket")
UPGRADE = (
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
)


@pytest.mark.parametrize("kind", BOMBS)
def test_a_cookie_that_takes_long_to_unquote(kind: str, server: Server, target: Target, figures: Figures) -> None:
    """The library's way takes quadratic time (CVE-2024-7592): seconds of the loop for one request."""

    def cost(value: str) -> float:
        before = processor(server)
        for path in PATHS:
            for _ in range(5):
                move()
                with connect(server) as raw:
                    extra = UPGRADE if path.endswith("socket") else "Connection: close\r\n"
                    raw.sendall(request(server, path, extra=f"{extra}Cookie: branchline={value}\r\n"))
                    assert raw.recv(12).startswith(b"HTTP/1.1 ")
        return processor(server) - before

    plain = cost("x" * len(BOMBS[kind]))
    dear = cost(BOMBS[kind])
    figures(plain_s=plain, dear_s=dear)
    assert dear < 2 * plain + 0.5


def test_of_all_cookies_ours_is_read(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path) as server:
            ada = await Person(server.url, "Ada").arrive()
            cookie, ada.http.cookies = ada.cookie, None  # type: ignore[assignment]
            for sent, known in (
                (cookie, True),
                (f'theme="night"; {cookie}; other', True),
                (f'broken="\\;{cookie}', True),
                (f'"{cookie}"', False),
                (cookie.replace("=", '="') + '"', False),
                (cookie + "x", False),
                ("branchline=", False),
                ("", False),
            ):
                me = (await ada.http.get("/api/me", headers={"cookie": sent})).json()
                assert (me is not None) == known, sent

    asyncio.run(run())
