"""`branchline backup FILE`: copies the database safely, also while the server runs."""

import os
import sqlite3
from argparse import Namespace
from pathlib import Path

from branchline.cli.parser import Parser, Trouble
from branchline.server.settings import Settings


def parser() -> Parser:
    """What `branchline backup` takes."""
    parser = Parser(
        "branchline backup", "Copy the server's database, also while it runs.", "branchline backup monday.db"
    )
    parser.add_argument("file", metavar="FILE", type=Path, help="where the copy goes; must not be there yet")
    parser.add_argument("--database", metavar="URL", help="the database to copy (BRANCHLINE_DATABASE), or the default")
    parser.add_argument("--data", metavar="FOLDER", help="the folder it is in (BRANCHLINE_DATA)")
    return parser


def run(args: Namespace) -> int:
    """Copy."""
    from branchline.server.store.sqlite import backup  # late: --help need not wait for the database's library

    settings = Settings.read({"database": args.database, "data": args.data}, os.environ)
    if not settings.database_url.startswith("sqlite:"):
        raise Trouble(
            "this copies a SQLite file. PostgreSQL has its own way, also while servers run: "
            f"pg_dump --format=custom --file={args.file} URL, and pg_restore --create brings it back"
        )
    try:
        backup(settings.database_url, args.file)
    except (OSError, sqlite3.Error) as error:
        raise Trouble(str(error)) from None
    print(f"{args.file}: {args.file.stat().st_size} bytes; keep it as secret as the games in it")
    return 0
