"""`branchline move FROM TO`: carries a SQLite database over to PostgreSQL."""

import asyncio
from argparse import Namespace
from pathlib import Path

from branchline.cli.parser import Parser, Trouble


def parser() -> Parser:
    """What `branchline move` takes."""
    parser = Parser(
        "branchline move",
        "Carry a server's SQLite database over to an empty one of PostgreSQL's: people, tables, games and chat. Every "
        "row is compared before anything is kept there. The SQLite file stays as it is; stop its server first.",
        "branchline move /var/lib/branchline/tables.db postgresql://db.example.org/trains",
    )
    parser.add_argument("source", metavar="FROM", help="the SQLite file, or its sqlite:/// URL")
    parser.add_argument("target", metavar="TO", help="the postgresql:// URL of an empty database")
    return parser


def run(args: Namespace) -> int:
    """Move."""
    from branchline.server.store.moving import move  # late: --help need not wait for the database's library

    path = Path(str(args.source).removeprefix("sqlite:///"))
    if not path.is_file():
        raise Trouble(f"{path}: there is no database")
    if not args.target.startswith(("postgresql://", "postgres://")):
        raise Trouble("TO: the postgresql:// URL of an empty database")
    try:
        moved = asyncio.run(move(path, args.target))
    except ValueError as error:
        raise Trouble(str(error)) from None
    for name, rows in moved.items():
        print(f"{name:<12}{rows:>10,}")
    print("Every row was compared. Serve it with the same --secret: people's cookies are signed with it")
    return 0
