"""Writes requirements/*.txt from pyproject.toml and constraints.txt: what is needed, pinned, with hashes.

What needs what is read from the packages installed in .venv; the hashes of all their files, for every platform, from
the index that pip is configured for. `--check` needs no network: it compares names and versions only.
"""

import html.parser
import json
import re
import subprocess
import sys
import tomllib
import urllib.parse
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import (
    InvalidSdistFilename,
    InvalidWheelFilename,
    canonicalize_name,
    parse_sdist_filename,
    parse_wheel_filename,
)
from packaging.version import Version

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "requirements"
FILES = {"server": ("server",), "cluster": ("cluster",), "dev": ("dev",)}
"""What each file is for: the package with these extras."""
SYSTEMS = {"linux": "Linux", "darwin": "Darwin", "win32": "Windows"}
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
"""Where people run it. A package that only some of these need gets a marker."""
PYTHON = f"{sys.version_info[0]}.{sys.version_info[1]}"
ACCEPT = "application/vnd.pypi.simple.v1+json, text/html;q=0.1"


def pins() -> dict[str, str]:
    """Version by name, as constraints.txt has them."""
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    found: dict[str, str] = {}
    for line in lines:
        if line and not line.startswith("#"):
            requirement = Requirement(line)
            (specifier,) = requirement.specifier
            found[canonicalize_name(requirement.name)] = specifier.version
    return found


def places() -> list[dict[str, str]]:
    """Every system and Python, as markers see them."""
    return [
        {
            "sys_platform": system,
            "platform_system": name,
            "os_name": "nt" if system == "win32" else "posix",
            "platform_machine": "AMD64" if system == "win32" else "x86_64",
            "python_version": python,
            "python_full_version": f"{python}.0",
            "implementation_name": "cpython",
            "platform_python_implementation": "CPython",
        }
        for system, name in SYSTEMS.items()
        for python in PYTHONS
    ]


def needed(extras: tuple[str, ...], place: dict[str, str]) -> set[str]:
    """The names of everything that is needed in a place, what is needed by that included."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    own = {"": project["dependencies"], **project["optional-dependencies"]}
    found: set[str] = set()
    queue = [(Requirement(f"{project['name']}[{','.join(extras)}]"), "")]
    seen: set[tuple[str, str]] = set()
    while queue:
        requirement, extra = queue.pop()
        if requirement.marker is not None and not requirement.marker.evaluate({**place, "extra": extra}):
            continue
        name = canonicalize_name(requirement.name)
        found.add(name)
        for extra in {"", *requirement.extras} - {extra for of, extra in seen if of == name}:
            seen.add((name, extra))
            try:
                lines = own[extra] if name == project["name"] else requires(name) or []
            except PackageNotFoundError:
                if place["sys_platform"] == sys.platform and place["python_version"] == PYTHON:
                    raise SystemExit(f"lock: install {name} first, so that what it needs is known") from None
                continue  # another system's: it is pinned, and what it needs is not known here
            queue += [(Requirement(line), extra) for line in lines]
    return found - {project["name"]}


def marker(name: str, by_place: list[tuple[dict[str, str], set[str]]]) -> str:
    """Where a package is needed, as a marker; empty for everywhere."""
    within = [place for place, names in by_place if name in names]
    if len(within) == len(by_place):
        return ""
    systems = [system for system in SYSTEMS if any(place["sys_platform"] == system for place in within)]
    pythons = [python for python in PYTHONS if any(place["python_version"] == python for place in within)]
    parts = []
    if len(systems) < len(SYSTEMS):
        parts.append(" or ".join(f'sys_platform == "{system}"' for system in systems))
    if len(pythons) < len(PYTHONS):
        parts.append(" or ".join(f'python_version == "{python}"' for python in pythons))
    return " ; " + " and ".join(f"({part})" if " or " in part else part for part in parts) if parts else ""


def indexes() -> list[str]:
    """The indexes that pip asks: those it is configured for, or its own."""
    from pip._internal.models.index import PyPI

    found = []
    for name in ("global.index-url", "global.extra-index-url"):
        command = [sys.executable, "-m", "pip", "config", "get", name]
        answer = subprocess.run(command, capture_output=True, text=True, check=False)
        found += answer.stdout.split() if answer.returncode == 0 else []
        if name == "global.index-url" and not found:
            found.append(PyPI.simple_url)
    return found


class Links(html.parser.HTMLParser):
    """The links of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.found += [value for name, value in attributes if tag == "a" and name == "href" and value]


def files(index: str, name: str) -> dict[str, str]:
    """SHA-256 by file name, of everything an index has under a name."""
    url = f"{index.rstrip('/')}/{name}/"
    if url.startswith("file:"):
        url += "index.html"
    request = urllib.request.Request(url, headers={"Accept": ACCEPT})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            kind, text = answer.headers.get_content_type(), answer.read().decode()
    except OSError:
        return {}
    if kind.endswith("json"):
        return {file["filename"]: file["hashes"]["sha256"] for file in json.loads(text)["files"]}
    links = Links()
    links.feed(text)
    parsed = [urllib.parse.urlsplit(link) for link in links.found]
    return {
        urllib.parse.unquote(link.path).rpartition("/")[2]: link.fragment.removeprefix("sha256=")
        for link in parsed
        if re.fullmatch(r"sha256=[0-9a-f]{64}", link.fragment)
    }


def hashes(name: str, version: str, asked: list[str]) -> list[str]:
    """The hashes of all files of a version."""
    found = set()
    for index in asked:
        for file, hash in files(index, name).items():
            try:
                wheel = file.endswith(".whl")
                of = parse_wheel_filename(file)[1] if wheel else parse_sdist_filename(file)[1]
            except (InvalidWheelFilename, InvalidSdistFilename):
                continue
            if of == Version(version):
                found.add(hash)
    if not found:
        raise SystemExit(f"lock: no index has files of {name} {version}")
    return sorted(found)


def lines(extras: tuple[str, ...]) -> list[tuple[str, str]]:
    """What is needed, as requirement and name; SystemExit if something is not pinned."""
    pinned = pins()
    by_place = [(place, needed(extras, place)) for place in places()]
    names = sorted(set().union(*(names for _, names in by_place)))
    loose = [name for name in names if name not in pinned]
    if loose:
        raise SystemExit(f"lock: constraints.txt does not pin {', '.join(loose)}")
    return [(f"{name}=={pinned[name]}{marker(name, by_place)}", name) for name in names]


def locked(file: Path) -> list[str]:
    """The requirements of a file that was written before."""
    if not file.exists():
        return []
    text = file.read_text(encoding="utf-8").splitlines()
    return [line.removesuffix(" \\") for line in text if line and line[0] not in "# "]


def main() -> int:
    """Write or compare; the exit code."""
    wanted = {FOLDER / f"{name}.txt": lines(extras) for name, extras in FILES.items()}
    stale = [file for file, found in wanted.items() if locked(file) != [line for line, _ in found]]
    if "--check" in sys.argv:
        for file in stale:
            print(f"{file.relative_to(ROOT)} is not what constraints.txt says: run scripts/lock", file=sys.stderr)
        return 1 if stale else 0
    pinned, asked = pins(), indexes()
    names = sorted({name for found in wanted.values() for _, name in found})
    with ThreadPoolExecutor(8) as pool:
        found_hashes = dict(zip(names, pool.map(lambda name: hashes(name, pinned[name], asked), names), strict=True))
    FOLDER.mkdir(exist_ok=True)
    for file, found in wanted.items():
        parts = ["# Made by scripts/lock from constraints.txt. Do not edit."]
        for line, name in found:
            parts.append(" \\\n    ".join([line, *(f"--hash=sha256:{hash}" for hash in found_hashes[name])]))
        file.write_text("\n".join(parts) + "\n", encoding="utf-8")
        print(f"{file.relative_to(ROOT)}: {len(found)} packages")
    return 0


if __name__ == "__main__":
    sys.exit(main())
