"""`branchline backup FILE`: copies the database safely, also while the server runs."""

import argparse
import os
import sqlite3
import sys
from pathlib import Path

from branchline.server.settings import Settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The flags of `branchline backup`."""
    parser.add_argument("file", type=Path, help="where the copy goes; must not be there yet")
    parser.add_argument("--database", help="the database to copy (BRANCHLINE_DATABASE); the default one otherwise")
    parser.add_argument("--data", help="the folder it is in (BRANCHLINE_DATA)")


def backup(arguments: argparse.Namespace) -> int:
    """Copy; returns the exit code."""
    from branchline.server.store import sqlite

    settings = Settings.read({"database": arguments.database, "data": arguments.data}, os.environ)
    try:
        sqlite.backup(settings.database_url, arguments.file)
    except (OSError, sqlite3.Error) as error:
        print(f"branchline: {error}", file=sys.stderr)
        return 2
    print(f"{arguments.file}: {arguments.file.stat().st_size} bytes; keep it as secret as the games in it")
    return 0


if __name__ == "__main__":
    _parser = argparse.ArgumentParser(prog="branchline backup", description=__doc__)
    add_arguments(_parser)
    sys.exit(backup(_parser.parse_args()))
