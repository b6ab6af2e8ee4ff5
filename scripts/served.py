"""The small app that `scripts/servers.py` has served by one server after the other."""

from typing import Any


async def app(scope: Any, receive: Any, send: Any) -> None:
    """Reads what it is sent; answers with little."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        while (await receive())["type"] != "websocket.disconnect":
            pass
    elif scope["type"] == "http":
        while (await receive()).get("more_body"):
            pass
        headers = [(b"content-length", b"2"), (b"content-type", b"text/plain")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"ok"})
