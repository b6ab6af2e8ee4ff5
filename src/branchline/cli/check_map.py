"""`branchline check-map`: names each fault of a map file with its line."""

import json
import sys
from argparse import Namespace
from dataclasses import asdict
from pathlib import Path

from branchline.cli.parser import Parser
from branchline.cli.plain import plain, plain_json
from branchline.maps import Fault, check


def parser() -> Parser:
    """What `branchline check-map` takes."""
    parser = Parser(
        "branchline check-map",
        "Name each fault of a map file with its line; exit code 1 if there is one.\n"
        "How to write a map: docs/adding-a-map.md.",
        "branchline check-map my-map.json",
    )
    parser.add_argument("file", metavar="FILE", help="the map file")
    parser.add_json()
    return parser


def run(args: Namespace) -> int:
    """Check the file, and print."""
    return check_map(args.file, args.json)


def check_map(path: str, as_json: bool) -> int:
    """Print every fault of the map file and return the exit code: 0 without a fault, 1 with, 2 if it cannot be read."""
    try:
        content = Path(path).read_bytes()
    except (OSError, ValueError) as error:
        print(f"{path}: {(error.strerror if isinstance(error, OSError) else None) or error}", file=sys.stderr)
        return 2
    faults = check(content)
    if as_json:
        print(plain_json({"file": path, "faults": [asdict(fault) for fault in faults]}, indent=2))
    else:
        _print(path, faults, content)
    return 1 if faults else 0


def _print(path: str, faults: list[Fault], content: bytes) -> None:
    for fault in faults:
        print(f"{path}:{fault.line}: {plain(fault.where)}: {plain(fault.message)}")
    if not faults:
        data = json.loads(content)
        counts = ", ".join(f"{len(data[section])} {section}" for section in ("cities", "routes", "tickets"))
        print(f"{path}: no faults ({counts})")
