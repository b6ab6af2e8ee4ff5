"""Devices on which somebody is known: seen, added by a link, and signed out."""

import asyncio
from contextlib import closing
from pathlib import Path
from sqlite3 import connect

import pytest

from branchline.server import sessions
from branchline.server.messages import Close
from branchline.server.sessions import device_of
from tests.server.client import Person
from tests.server.house import Running, running
from tests.server.test_griefing import arrived
from tests.server.test_pace import moved
from tests.server.test_seats import Gate
from tests.server.test_sockets import closed
from tests.server.test_tables import OPEN, crowd, refused


async def another(server: Running, person: Person, agent: str = "") -> Person:
    """Another device of a person, added by a link."""
    device = Person(server.url, person.name)
    device.http.headers["user-agent"] = agent
    token = (await person.post("/api/me/links"))["token"]
    device.id = (await device.post("/api/me/links/redeem", token=token))["id"]
    assert device.id == person.id
    return device


@pytest.mark.parametrize(
    ("agent", "device"),
    [
        ("Mozilla/5.0 (X11; Linux x86_64; rv:149.0) Gecko/20100101 Firefox/149.0", "Firefox, Linux"),
        ("Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/148.0.0.0 Safari/537.36 Edg/148.0.0.0", "Edge, Windows"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Mobile/15E148 Safari/604.1", "Safari, iPhone"),
        ("python-httpx/0.28", ""),
        ("<script>" * 1_000, ""),
    ],
)
def test_a_device_is_called_by_its_kind_and_no_more(agent: str, device: str) -> None:
    assert device_of(agent) == device


def test_other_devices_are_seen_and_signed_out(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path) as server:
            (ada,) = await crowd(server, "Ada")
            table = (await ada.post("/api/tables", map="new-york", seats=[OPEN, OPEN]))["id"]
            server.clock.time += 10
            phone = await another(server, ada, "Mozilla/5.0 (Android 16; Mobile; rv:149.0) Firefox/149.0")
            server.clock.time += 10
            tablet = await another(server, ada)
            listed = await ada.get("/api/me/sessions")
            assert [(session["device"], session["here"]) for session in listed] == [
                ("", False),
                ("Firefox, Android", False),
                ("", True),
            ]
            async with ada.socket(table) as mine, phone.socket(table) as theirs, tablet.socket(table) as third:
                for socket in (mine, theirs, third):
                    await arrived(socket)
                left = await ada.http.delete(f"/api/me/sessions/{listed[0]['id']}")
                assert len(left.json()) == 2
                assert await closed(third) == Close.NOBODY
                unused = (await phone.post("/api/me/links"))["token"]
                assert len((await ada.http.delete("/api/me/sessions")).json()) == 1
                assert await closed(theirs) == Close.NOBODY
                assert (await mine.ask("say", text="still here"))["is"] == "done"
            for device in (phone, tablet):
                assert await device.get("/api/me") is None
                await refused(device.get("/api/me/tables"), "stranger")
                async with device.socket(table) as socket:
                    assert await closed(socket) == Close.NOBODY
            # Nor does a link that such a device had made let anybody in.
            await refused(tablet.post("/api/me/links/redeem", token=unused), "link")
            await refused(ada.delete("/api/me/sessions/nonsense"), "not-found")
            # Signing out oneself: the cookie goes too.
            here = (await ada.get("/api/me/sessions"))[0]["id"]
            await ada.delete(f"/api/me/sessions/{here}")
            assert not ada.http.cookies
            assert await ada.get("/api/me") is None

    asyncio.run(run())


def test_a_session_that_ends_while_its_socket_is_on_the_way_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        async with running(tmp_path) as server:
            (ada,) = await crowd(server, "Ada")
            table = (await ada.post("/api/tables", map="new-york", seats=[OPEN, OPEN]))["id"]
            thief = await another(server, ada)
            gate = Gate(server, monkeypatch, "said")
            async with thief.socket(table) as socket:
                await gate.until(1)
                await ada.delete("/api/me/sessions")
                gate.open()
                assert await closed(socket) == Close.NOBODY

    asyncio.run(run())


def test_a_session_that_ended_is_not_brought_back_by_a_visit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        async with running(tmp_path) as server:
            (ada,) = await crowd(server, "Ada")
            thief = await another(server, ada)
            ids = {session["here"]: session["id"] for session in await ada.get("/api/me/sessions")}
            server.clock.time += 7_200
            gate = Gate(server, monkeypatch, "session")
            visiting = asyncio.create_task(thief.get("/api/me"))
            await gate.until(1)
            await server.house.end_sessions(ada.id, [ids[False]])
            gate.open()
            await visiting
            assert [session.id for session in await server.house.store.sessions(ada.id)] == [ids[True]]
            assert await thief.get("/api/me") is None

    asyncio.run(run())


def test_devices_have_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "MOST", 3)

    async def run() -> None:
        async with running(tmp_path) as server:
            (ada,) = await crowd(server, "Ada")
            devices = []
            for _ in range(4):
                server.clock.time += 4_000
                await ada.get("/api/me")
                devices.append(await another(server, ada))
            assert len(await ada.get("/api/me/sessions")) == 3
            assert [await device.get("/api/me") is None for device in devices] == [True, True, False, False]

    asyncio.run(run())


def test_a_link_says_first_whom_the_device_would_forget(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path) as server:
            ada, bea, cleo = await crowd(server, "Ada", "Bea", "Cleo")
            table = (await bea.post("/api/tables", map="new-york", seats=[OPEN, OPEN]))["id"]
            await bea.sit(table, 0)
            token = (await ada.post("/api/me/links"))["token"]
            await refused(bea.post("/api/me/links/redeem", token=token), "somebody")
            assert (await bea.get("/api/me"))["id"] == bea.id
            assert (await bea.post("/api/me/links/redeem", token=token, instead=True))["id"] == ada.id
            assert (await bea.get("/api/me"))["id"] == ada.id
            assert await server.house.store.sessions(bea.id) == []
            # Who has no table loses nothing.
            token = (await ada.post("/api/me/links"))["token"]
            assert (await cleo.post("/api/me/links/redeem", token=token))["id"] == ada.id
            # And on a device that is Ada already, nothing happens.
            before = len(await ada.get("/api/me/sessions"))
            token = (await ada.post("/api/me/links"))["token"]
            assert (await ada.post("/api/me/links/redeem", token=token))["id"] == ada.id
            assert len(await ada.get("/api/me/sessions")) == before

    asyncio.run(run())


def test_a_cookie_from_before_there_were_sessions_is_good_until_it_is_ended(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path) as server:
            (ada,) = await crowd(server, "Ada")
            clock = server.clock
            old = server.house.signer.sign(ada.id, "0")
            assert old.count(".") == 1
        with closing(connect(tmp_path / "tables.db")) as database:  # as the migration leaves it
            database.execute("update sessions set id = '0', device = ''")
            database.commit()
        async with running(tmp_path, clock) as server:
            ada = moved(ada, server)
            ada.http.cookies.clear()
            ada.http.cookies.set(server.house.cookie, old)
            assert (await ada.get("/api/me"))["id"] == ada.id
            phone = await another(server, ada)
            await phone.delete("/api/me/sessions")
            assert await ada.get("/api/me") is None
            assert (await phone.get("/api/me"))["id"] == ada.id

    asyncio.run(run())
