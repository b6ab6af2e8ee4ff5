"""`make cluster`: PostgreSQL, Redis, nginx and three servers on this machine, until Ctrl-C.

    scripts/cluster --servers 5 --port 8080

nginx runs with the words of docs/hosting.md, but for the addresses: what stands there is what is tried here.
"""

import argparse
import re
import secrets
import shutil
import signal
import socket
import sys
import threading
import urllib.request
from contextlib import ExitStack, closing
from pathlib import Path

from scripts.services import Missing, Postgres, Redis, Service

ROOT = Path(__file__).parent.parent
TOKEN = secrets.token_hex(16)


class Server(Service):
    """One of several `branchline serve` that share a database and a bus."""

    name = "server"

    def __init__(self, settings: dict[str, str]) -> None:
        """`settings` by the names of their variables, without BRANCHLINE_: a list of processes shows none of them."""
        self._settings = settings
        super().__init__()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def command(self) -> list[str]:
        return [sys.executable, "-m", "branchline.cli", "serve", f"--port={self.port}"]

    @property
    def environment(self) -> dict[str, str]:
        return {f"BRANCHLINE_{name}": value for name, value in self._settings.items()}

    def answers(self) -> bool:
        return answers(f"{self.url}/readyz")


class Nginx(Service):
    """The load balancer, as docs/hosting.md has it."""

    name = "nginx"

    def __init__(self, port: int, servers: list[int]) -> None:
        """On a port, before servers on theirs."""
        self._listen = port
        self._servers = servers
        self._program = shutil.which("nginx") or shutil.which("/usr/sbin/nginx") or ""
        if not self._program:
            raise Missing("nginx is not installed. On Debian and Ubuntu: apt-get install nginx")
        super().__init__()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._listen}"

    @property
    def command(self) -> list[str]:
        return [self._program, "-p", str(self.folder), "-c", str(self.folder / "nginx.conf"), "-e", "stderr"]

    def prepare(self) -> None:
        self.folder.chmod(0o755)  # its workers are somebody else
        temporary = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        paths = "".join(f"    {name}_temp_path {self.folder}/{name};\n" for name in temporary)
        written = documented(self._listen, self._servers)
        (self.folder / "nginx.conf").write_text(
            f"daemon off;\npid {self.folder}/pid;\nerror_log stderr;\nworker_rlimit_nofile 65536;\n"
            f"events {{ worker_connections 16384; }}\nhttp {{\n    access_log off;\n{paths}{written}}}\n"
        )

    def answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self._listen), 1):
                return True
        except OSError:
            return False


def documented(port: int, servers: list[int]) -> str:
    """The part of docs/hosting.md that nginx reads, with our addresses and without TLS."""
    text = (ROOT / "docs/hosting.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```nginx\n(upstream .*?)```", text, re.DOTALL)
    lines = "".join(f"    server 127.0.0.1:{server} max_fails=1 fail_timeout=2s;\n" for server in servers)
    block, changed = re.subn(r"( +server \S+ max_fails=1 fail_timeout=2s;\n)+", lines, block)
    assert changed == 1, "docs/hosting.md names its servers otherwise than scripts/cluster.py thinks"
    block = re.sub(r" +(ssl_certificate|server_name)\S* .*\n", "", block)
    return block.replace("listen 443 ssl", f"listen 127.0.0.1:{port}")


def answers(url: str) -> bool:
    """Whether a page is there."""
    try:
        with urllib.request.urlopen(url, timeout=2) as response:
            return bool(response.status == 200)
    except OSError:
        return False


def settings(postgres: str, redis: str, public: str) -> dict[str, str]:
    """What all servers of a cluster have in common."""
    return {
        "DATABASE": postgres,
        "BUS": redis,
        "SECRET": secrets.token_hex(32),
        "METRICS_TOKEN": TOKEN,
        "PUBLIC_URL": public,
        "PROXIES": "127.0.0.1",
    }


def main(arguments: list[str]) -> int:
    """Start everything, say where it is, and end it again."""
    parser = argparse.ArgumentParser("make cluster", description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--servers", type=int, default=3)
    parser.add_argument("--port", type=int, default=8000, help="where nginx listens")
    args = parser.parse_args(arguments)
    over = threading.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, lambda *_: over.set())
    with ExitStack() as running:
        try:
            postgres = running.enter_context(closing(Postgres()))
            redis = running.enter_context(closing(Redis()))
            shared = settings(postgres.url, redis.url, f"http://127.0.0.1:{args.port}")
            servers = []
            for _ in range(args.servers):
                if over.is_set():
                    return 130
                servers.append(running.enter_context(closing(Server(shared))))
            nginx = running.enter_context(closing(Nginx(args.port, [server.port for server in servers])))
        except Missing as missing:
            print(missing, file=sys.stderr)
            return 1
        print(f"Branchline is at {nginx.url}: nginx before {len(servers)} servers, which may be killed one by one:")
        for server in servers:
            assert server.process is not None
            print(f"  process {server.process.pid} at {server.url}, log in {server.folder / 'log'}")
        print(f"  figures: curl -H 'Authorization: Bearer {TOKEN}' {servers[0].url}/metrics")
        print(
            f"  database: {postgres.url}\n  bus: {redis.url}\nCtrl-C ends them all, and all that was played.",
            flush=True,
        )
        over.wait()
    print("All are stopped.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
