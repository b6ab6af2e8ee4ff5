"""People without accounts, and what a name may be."""

import asyncio
from pathlib import Path

import pytest

from branchline.server.identity import Signer, clean_name, clean_text
from branchline.server.refused import Refused
from branchline.server.settings import Settings
from tests.server.client import Person, Refusal
from tests.server.house import running


@pytest.mark.parametrize(
    "name",
    ["Ada", "林小明", "Зоя", "محمد", "José Ñandú", "👩🏽 Kim", "x" * 24, "नमस्ते", "Nguyễn", "น้ำ", "שָׁלוֹם", "မြန်မာ"],
)
def test_names_of_any_language(name: str) -> None:
    assert clean_name(f"  {name} ") == name
    assert clean_name(f"{name[0]}   {name[0]}") == f"{name[0]} {name[0]}"


@pytest.mark.parametrize(
    "name",
    [
        "",
        "   ",
        "x" * 25,
        "a\u202eb",
        "a\u200bb",
        "a\u200db",
        "a\x00b",
        "a\nb",
        "\ud800",
        "\u2800",
        "a\u2066b",
        "\u0301",
        "a" + "\u0316" * 5,
        "\u1ab0".join("abc") + "\u0489" * 9,
    ],
)
def test_names_that_hide_something(name: str) -> None:
    with pytest.raises(Refused):
        clean_name(name)


def test_chat_loses_what_could_disguise_it() -> None:
    assert clean_text("a\u202eb\nc\x07") == "ab c"
    assert clean_text("a" + "\u0316" * 400 + "b") == "a" + "\u0316" * 4 + "b"


def test_a_signature_cannot_be_made_up() -> None:
    signer = Signer(b"k" * 32)
    cookie = signer.sign("ada", "phone")
    assert signer.read(cookie) == ("ada", "phone")
    assert signer.read(cookie.replace("phone", "tablet")) is None
    assert signer.read(signer.sign("ada", "0")) == ("ada", "0")
    assert signer.sign("ada", "0").count(".") == 1
    assert signer.read(cookie.replace("ada", "eve")) is None
    assert Signer(b"l" * 32).read(cookie) is None
    for nonsense in (None, "", ".", "ada", "ada.", "ada.é"):
        assert signer.read(nonsense) is None


def test_the_secret_is_made_once_and_kept_to_oneself(tmp_path: Path) -> None:
    settings = Settings(data=str(tmp_path / "new"))
    key = settings.signing_key()
    assert len(key) >= 32
    assert settings.signing_key() == key
    assert (tmp_path / "new/secret").stat().st_mode & 0o777 == 0o600
    assert key.decode() not in repr(Settings(secret=key.decode()))
    with pytest.raises(ValueError, match="32"):
        Settings(secret="short").signing_key()


def test_a_link_adds_a_device_once_and_for_ten_minutes(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path) as server:
            ada = await Person(server.url, "Ada").arrive()
            phone = Person(server.url, "?")
            token = (await ada.post("/api/me/links"))["token"]
            assert (await phone.post("/api/me/links/redeem", token=token))["id"] == ada.id
            assert (await phone.get("/api/me"))["name"] == "Ada"
            assert (await ada.get("/api/me"))["id"] == ada.id
            with pytest.raises(Refusal, match="404"):
                await phone.post("/api/me/links/redeem", token=token)
            late = (await ada.post("/api/me/links"))["token"]
            server.clock.time += 601
            with pytest.raises(Refusal, match="404"):
                await phone.post("/api/me/links/redeem", token=late)

    asyncio.run(run())


def test_nobody_has_no_tables(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(tmp_path) as server:
            nobody = Person(server.url, "?")
            assert await nobody.get("/api/me") is None
            with pytest.raises(Refusal, match="401"):
                await nobody.get("/api/me/tables")
            response = await nobody.http.put("/api/me", json={"name": "Ada"})
            cookie = response.headers["set-cookie"]
            assert "HttpOnly" in cookie
            assert "SameSite=lax" in cookie

    asyncio.run(run())
