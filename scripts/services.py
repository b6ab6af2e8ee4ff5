"""PostgreSQL and Redis of one's own: on free ports of the loopback, in a folder of /tmp, gone with who started them."""

import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable
from glob import glob
from pathlib import Path

PATIENCE = 60.0
"""Seconds for a service to start or stop: the machine may be busy."""


class Missing(Exception):
    """A program is not installed, in words that say how to get it."""


def free_port() -> int:
    """A port of the loopback that nobody has now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Service:
    """A program on a port and in a folder of its own. It can be stopped, killed and started again where it was."""

    name = ""
    dies_by = "TERM"
    """The signal it gets when whoever started it dies."""
    user: str | None = None
    """Who it runs as, if not as whoever starts it."""

    def __init__(self) -> None:
        """Starts it; `Missing` if it is not installed."""
        self.folder = Path(tempfile.mkdtemp(prefix=f"branchline-{self.name}-"))
        self.port = free_port()
        self.password = secrets.token_hex(16)
        self.process: subprocess.Popen[bytes] | None = None
        try:
            self.prepare()
            self.start()
        except BaseException:
            self.close()
            raise

    @property
    def url(self) -> str:
        """Where it is, with its password."""
        raise NotImplementedError

    @property
    def command(self) -> list[str]:
        """How it is started, in the foreground."""
        raise NotImplementedError

    @property
    def environment(self) -> dict[str, str]:
        """Variables of its own."""
        return {}

    def prepare(self) -> None:
        """What has to be in its folder before it starts."""

    def answers(self) -> bool:
        """Whether it can be used."""
        raise NotImplementedError

    def start(self) -> None:
        """Start it where it was, and wait until it answers. It lives no longer than the thread that calls this."""
        command = [*_set(self.user, self.dies_by), *self.command]
        environment = os.environ | self.environment
        with (self.folder / "log").open("ab") as log:
            # In a session of its own, so that Ctrl-C reaches who started it alone, who ends it in good order.
            self.process = subprocess.Popen(command, stdout=log, stderr=log, env=environment, start_new_session=True)
        self._wait(self.answers)

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """End it and wait; its folder stays."""
        if self.process is not None:
            self.process.send_signal(signal.SIGCONT)
            self.process.send_signal(how)
            self.process.wait(PATIENCE)
            self.process = None

    def kill(self) -> None:
        """End it at once, as a power cut would end its process."""
        self.stop(signal.SIGKILL)

    def restart(self) -> None:
        self.stop()
        self.start()

    def close(self) -> None:
        """End it, and remove what it left."""
        if self.process is not None:
            self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _wait(self, for_: Callable[[], bool]) -> None:
        assert self.process is not None
        until = time.monotonic() + PATIENCE
        while not for_():
            if self.process.poll() is not None or time.monotonic() > until:
                said = (self.folder / "log").read_text(errors="replace")
                raise RuntimeError(f"{self.name} did not start:\n{said[-2_000:]}")
            time.sleep(0.05)


class Postgres(Service):
    """A PostgreSQL. Unless durable, its processes may die at any time, but not the machine: it waits for no disk."""

    name = "postgres"
    dies_by = "QUIT"

    def __init__(self, durable: bool = False) -> None:
        self.durable = durable
        self.user = _unprivileged() if os.geteuid() == 0 else None
        self.programs = postgres_programs()
        super().__init__()

    @property
    def url(self) -> str:
        return f"postgresql://branchline:{self.password}@127.0.0.1:{self.port}/postgres"

    @property
    def command(self) -> list[str]:
        settings = {
            "listen_addresses": "127.0.0.1",
            "port": str(self.port),
            "unix_socket_directories": str(self.folder),
            "max_connections": "300",
            "fsync": "on" if self.durable else "off",
            "full_page_writes": "on" if self.durable else "off",
            "log_min_messages": "warning",
        }
        flags = [part for key, value in settings.items() for part in ("-c", f"{key}={value}")]
        return [str(self.programs / "postgres"), "-D", str(self.folder / "data"), *flags]

    def prepare(self) -> None:
        secret = self.folder / "password"
        secret.write_text(self.password)
        if self.user is not None:
            for path in (self.folder, secret):
                shutil.chown(path, self.user)
        flags = [
            "-E",
            "UTF8",
            "--locale=C",
            "-A",
            "scram-sha-256",
            "-U",
            "branchline",
            f"--pwfile={secret}",
            "--no-sync",
        ]
        command = [*_set(self.user), str(self.programs / "initdb"), "-D", str(self.folder / "data"), *flags]
        made = subprocess.run(command, cwd=self.folder, capture_output=True, text=True)
        if made.returncode:
            raise RuntimeError(f"initdb failed: {made.stderr[-2_000:]}")

    def answers(self) -> bool:
        return not subprocess.run(
            [self.programs / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port)]
        ).returncode

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """SIGINT is its fast shutdown; SIGTERM would wait until every client has gone."""
        super().stop(how)

    def kill(self) -> None:
        """SIGQUIT ends all of its processes without a checkpoint: the next start recovers."""
        self.stop(signal.SIGQUIT)


class Redis(Service):
    """A Redis that keeps nothing on the disk."""

    name = "redis"

    def __init__(self) -> None:
        if shutil.which("redis-server") is None:
            raise Missing("Redis is not installed. On Debian and Ubuntu: apt-get install redis-server")
        super().__init__()

    @property
    def url(self) -> str:
        return f"redis://:{self.password}@127.0.0.1:{self.port}/0"

    @property
    def command(self) -> list[str]:
        return ["redis-server", str(self.folder / "redis.conf")]

    def prepare(self) -> None:
        path = self.folder / "redis.conf"
        path.touch(mode=0o600)
        lines = ["bind 127.0.0.1", f"port {self.port}", f"requirepass {self.password}", 'save ""', f"dir {self.folder}"]
        path.write_text("\n".join([*lines, "appendonly no", ""]))

    def answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), 1) as raw, raw.makefile("rb") as answers:
                raw.sendall(f"AUTH {self.password}\r\nPING\r\n".encode())
                return answers.readline().startswith(b"+OK") and answers.readline().startswith(b"+PONG")
        except OSError:
            return False


def postgres_programs() -> Path:
    """The folder with PostgreSQL's programs, of its newest version."""
    found = sorted(glob("/usr/lib/postgresql/*/bin/initdb"), key=lambda path: int(path.split("/")[4]))
    program = found[-1] if found else shutil.which("initdb")
    if program is None:
        raise Missing("PostgreSQL is not installed. On Debian and Ubuntu: apt-get install postgresql")
    return Path(program).parent


def _unprivileged() -> str:
    """Who PostgreSQL runs as where we are root, which it refuses."""
    try:
        return pwd.getpwnam("postgres").pw_name
    except KeyError:
        return "nobody"


def _set(user: str | None, dies_by: str | None = None) -> list[str]:
    """A program as another user, and, on Linux, ended with whoever started it, however that ended."""
    flags = [] if user is None else [f"--reuid={user}", f"--regid={pwd.getpwnam(user).pw_gid}", "--clear-groups"]
    if dies_by is not None and shutil.which("setpriv"):
        flags.append(f"--pdeathsig={dies_by}")
    return ["setpriv", *flags] if flags else []
