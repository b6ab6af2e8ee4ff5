"""Other sites' pages, other names for this server, large and many requests, and what the answers carry."""

import asyncio
import json
import socket
import threading
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import httpx
import pytest
import websockets
from fastapi import FastAPI

from branchline.server import serving
from branchline.server.guard import limits
from branchline.server.guard.limits import Limit, Limiter
from branchline.server.messages import Close
from branchline.server.settings import Settings
from tests.server.client import Person
from tests.server.house import running


def test_origin_host_size_and_headers(tmp_path: Path) -> None:
    async def run() -> None:
        async with (
            running(tmp_path, hosts="trains.example") as server,
            httpx.AsyncClient(base_url=server.url, timeout=60) as http,
        ):
            port = server.url.rpartition(":")[2]
            me = {"name": "Ada"}
            page = await http.get("/")
            assert page.status_code == 200
            assert "make web" in page.text or 'id="app"' in page.text  # with or without the client
            for header in ("content-security-policy", "x-content-type-options", "referrer-policy", "x-frame-options"):
                assert header in page.headers
            assert "server" not in page.headers
            assert (await http.get("/docs")).status_code == 200
            assert "//" not in (await http.get("/docs")).text.replace("<!doctype", "").replace("https://", "//!")
            for host, status in (
                (f"localhost:{port}", 200),
                ("trains.example", 200),
                ("127.0.0.1", 200),
                ("[::1]:80", 200),
                ("evil.example", 421),
                ("localhost.evil.example", 421),
                ("", 421),
                ("a@localhost", 421),
                ("[", 421),
                ("[::1", 421),
                ("localhost:many", 421),
            ):
                answer = await http.get("/api/health", headers={"host": host})
                assert answer.status_code == status, host
            for origin, status in (
                (server.url, 200),
                ("http://evil.example", 403),
                ("null", 403),
                ("http://[", 403),
                (f"http://127.0.0.1:{int(port) + 1}", 403),
            ):
                answer = await http.put("/api/me", json=me, headers={"origin": origin})
                assert answer.status_code == status, origin
            assert (await http.put("/api/me", content=b"x" * 70_000)).status_code == 413

            async def forever() -> AsyncIterator[bytes]:
                for _ in range(20):
                    yield b"x" * 10_000

            assert (await http.put("/api/me", content=forever())).status_code == 413
            echoed = await http.put("/api/me", json={"name": "<script>", "nope": "<img>"})
            assert echoed.status_code == 422
            assert "<img>" not in echoed.text
            assert (await http.get("/api/nothing")).json()["code"] == "not-found"
            ada = await Person(server.url, "Ada").arrive()
            table = (await ada.post("/api/tables", map="europe", seats=[{"who": "open"}] * 2))["id"]
            url = f"{server.url.replace('http', 'ws')}/api/tables/{table}/socket"
            with pytest.raises(websockets.InvalidStatus, match="403"):
                await websockets.connect(url, additional_headers={"Origin": "http://evil.example"}, proxy=None)
            for address, cookie, code in ((url, "", 4401), (url.replace(table, "nowhere"), ada.cookie, 4404)):
                async with websockets.connect(address, additional_headers={"Cookie": cookie}, proxy=None) as socket:
                    await socket.wait_closed()
                    assert socket.close_code == code

    asyncio.run(run())


def test_limits_bind_whom_they_should(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ENTRIES", "MESSAGES"):  # what is used up does not come back while a slow machine asks
        monkeypatch.setattr(limits, name, Limit(1e-9, getattr(limits, name).burst))

    async def run() -> None:
        async with running(tmp_path, rate_limits=1) as server:
            ada = await Person(server.url, "Ada").arrive()
            codes = [(await ada.http.get(f"/api/codes/X{n}")).status_code for n in range(25)]
            assert codes[0] == 404
            assert codes[-1] == 429
            table = (await ada.post("/api/tables", map="new-york", seats=[{"who": "open"}] * 2))["id"]
            async with ada.socket(table) as socket:
                for _ in range(300):
                    await socket.raw.send('{"is":"beat"}')
                answer = await socket.until(lambda message: message["is"] == "refused")
                assert answer["problem"]["code"] == "too-many"

    asyncio.run(run())


def test_behind_https_the_cookie_is_for_this_host_and_https_only(tmp_path: Path) -> None:
    async def run() -> None:
        public = "https://trains.example"
        async with (
            running(tmp_path, public_url=public) as server,
            httpx.AsyncClient(base_url=server.url, timeout=60) as http,
        ):
            asked = {"host": "trains.example", "origin": public}
            answer = await http.put("/api/me", json={"name": "Ada"}, headers=asked)
            name, _, rest = answer.headers["set-cookie"].partition("=")
            assert name == "__Host-branchline"
            attributes = {part.strip().lower() for part in rest.split(";")[1:]}
            assert {"httponly", "path=/", "samesite=lax", "secure"} <= attributes
            assert not any(attribute.startswith("domain") for attribute in attributes)
            assert answer.headers["strict-transport-security"].startswith("max-age=")
            cookie = f"{name}={rest.partition(';')[0]}"
            assert (await http.get("/api/me", headers={**asked, "cookie": cookie})).json()["name"] == "Ada"
            # Another name for the same thing, which a page of a neighbouring host could have set.
            assert (await http.get("/api/me", headers={**asked, "cookie": cookie[7:]})).json() is None
            for origin in ("http://trains.example", "https://trains.example:444", "null", "http://["):
                plain = await http.put("/api/me", json={"name": "Ada"}, headers={**asked, "origin": origin})
                assert plain.status_code == 403, origin

    asyncio.run(run())


def test_a_bucket_fills_again() -> None:
    now = [0.0]
    limiter = Limiter(Limit(1, 2), 1.0, lambda: now[0])
    assert [limiter.allows("a") for _ in range(3)] == [True, True, False]
    assert limiter.allows("b")
    now[0] = 1.0
    assert [limiter.allows("a") for _ in range(2)] == [True, False]


def test_no_small_frame_waits_for_the_acknowledgement_of_the_last_one() -> None:
    async def run() -> int:
        seen: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        def opened(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            accepted = writer.get_extra_info("socket")
            seen.set_result(accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        with serving.listen(Settings(port=0)) as listening:
            async with await asyncio.start_server(opened, sock=listening):
                _, writer = await asyncio.open_connection(*listening.getsockname())
                writer.close()
                return await seen

    assert asyncio.run(run())


def test_settings_come_from_flags_then_variables() -> None:
    environment = {"BRANCHLINE_PORT": "9000", "BRANCHLINE_PROXIES": "10.0.0.1, 10.0.0.2", "OTHER": "x"}
    settings = Settings.read({"host": "0.0.0.0", "port": None}, environment)
    assert (settings.host, settings.port, settings.proxies) == ("0.0.0.0", 9000, ("10.0.0.1", "10.0.0.2"))
    with pytest.raises(ValueError, match="port"):
        Settings.read({}, {"BRANCHLINE_PORT": "many"})


@pytest.mark.parametrize(
    ("proxies", "forwarded", "refuses"),
    [
        ("", "192.0.2.{n}", True),
        ("10.0.0.1", "192.0.2.{n}", True),
        ("127.0.0.1", "192.0.2.{n}", False),
        ("127.0.0.1", "192.0.2.{n}, 198.51.100.7", True),  # what the client made up stands before what the proxy adds
    ],
)
def test_proxy_headers_are_believed_only_where_configured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, proxies: str, forwarded: str, refuses: bool
) -> None:
    monkeypatch.setattr(limits, "ENTRIES", Limit(1e-9, limits.ENTRIES.burst))

    async def run() -> None:
        async with (
            running(tmp_path, rate_limits=1, proxies=proxies) as server,
            httpx.AsyncClient(base_url=server.url, timeout=60) as http,
        ):
            codes = [
                (await http.get("/api/codes/NOPE", headers={"x-forwarded-for": forwarded.format(n=n)})).status_code
                for n in range(25)
            ]
            assert (429 in codes) == refuses

    asyncio.run(run())


def test_sockets_are_counted_by_the_address_that_the_proxy_tells(tmp_path: Path) -> None:
    async def run() -> None:
        async with (
            running(tmp_path, proxies="127.0.0.1", connections_per_address=2) as server,
            AsyncExitStack() as stack,
        ):
            ada = await Person(server.url, "Ada").arrive()
            table = (await ada.post("/api/tables", map="europe", seats=[{"who": "open"}] * 2))["id"]
            url = f"{server.url.replace('http', 'ws')}/api/tables/{table}/socket"

            def connecting(address: str) -> websockets.connect:
                headers = {"Cookie": ada.cookie, "X-Forwarded-For": address}
                return websockets.connect(url, additional_headers=headers, proxy=None)

            for address in ("192.0.2.1", "192.0.2.1", "192.0.2.2"):
                await stack.enter_async_context(connecting(address))
            with pytest.raises(websockets.InvalidStatus):
                await connecting("192.0.2.1")
            await stack.enter_async_context(connecting("192.0.2.3"))

    asyncio.run(run())


def test_problems_have_one_shape(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path) as server, httpx.AsyncClient(base_url=server.url, timeout=60) as http:
            for method, path in (
                ("GET", "/api/me/tables"),
                ("GET", "/api/tables/x"),
                ("POST", "/api/tables"),
                ("DELETE", "/api/me"),
            ):
                answer = await http.request(method, path)
                assert answer.status_code >= 400
                assert set(json.loads(answer.text)) == {"code", "text", "rule"}

    asyncio.run(run())


def test_what_is_no_id_or_code_does_not_get_to_the_database(
    tmp_path: Path, database: str, caplog: pytest.LogCaptureFixture
) -> None:
    """PostgreSQL refuses a zero byte: a stranger's request would be told, and logged, as a server that cannot store."""

    async def run() -> None:
        async with running(tmp_path, database=database) as server:
            ada = await Person(server.url, "Ada").arrive()
            caplog.clear()
            for code in ("%00", "A%00B", "%ED%A0%80", "%F0%9F%98%80"):
                assert (await ada.http.get(f"/api/codes/{code}")).status_code == 404
            for id in ("%00", "a%00b", "x" * 200, "%C3%A9"):
                async with ada.socket(id) as socket:
                    await socket.raw.wait_closed()
                    assert socket.raw.close_code == Close.NO_TABLE
            assert server.house.store.trouble is None
            assert caplog.records == []

    asyncio.run(run())


def test_pages_are_read_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        async with running(tmp_path) as server, httpx.AsyncClient(base_url=server.url, timeout=60) as http:
            for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"):
                for path in ("/", "/table/x", "/preview.png", "/assets/none.js"):
                    answer = await http.request(method, path)
                    assert answer.status_code == 405, (method, path)
                    assert answer.json()["code"] == "no-method"
            # Who asks with HEAD is answered as with GET, not with the client's page: that would say that all is well.
            monkeypatch.setattr(server.house.pulse, "trouble", full)
            paths = (("/", 200), ("/api/health", 200), ("/readyz", 503), ("/metrics", 404), ("/api/tables/x", 404))
            for path, status in paths:
                assert (await http.head(path)).status_code == (await http.get(path)).status_code == status, path

    async def full() -> str:
        return "full"

    asyncio.run(run())


def test_the_api_is_described_once_and_not_by_the_loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes more than a second, which one request of a stranger would have cost everybody."""
    describe, threads = FastAPI.openapi, list[threading.Thread]()

    def noted(app: FastAPI) -> dict[str, object]:
        threads.append(threading.current_thread())
        return describe(app)

    monkeypatch.setattr(FastAPI, "openapi", noted)

    async def run() -> None:
        async with running(tmp_path) as server, httpx.AsyncClient(base_url=server.url) as http:
            for _ in range(3):
                told = (await http.get("/openapi.json")).json()
                assert "/api/tables" in told["paths"]
                assert "GET /api/tables" in (await http.get("/docs")).text
            assert (await http.head("/openapi.json")).headers["content-type"] == "application/json"

    asyncio.run(run())
    assert len(threads) == 2
    assert threading.main_thread() not in threads
