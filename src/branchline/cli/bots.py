"""`branchline bots`: a process that only thinks, beside servers of the same database."""

import asyncio
import logging.config
import os
from argparse import Namespace

from branchline.cli.parser import Parser, Trouble
from branchline.cli.serve import add_settings
from branchline.server.settings import Settings

_SHOWN = ("database", "bus", "data", "log_level", "log", "bot_workers", "bot_budget", "bot_pace")


def parser() -> Parser:
    """What `branchline bots` takes: the settings of `branchline serve` that concern thinking."""
    parser = Parser(
        "branchline bots",
        "Think for the bots of several servers, in processes of their own, until interrupted. While one runs, the "
        "servers of the same database leave their bots to it. docs/hosting.md says more.",
        "branchline bots --database postgresql://db.example.org/trains --bus redis://cache.example.org",
    )
    add_settings(parser, _SHOWN)
    return parser


def run(args: Namespace) -> int:
    """Think until interrupted."""
    from branchline.server import logs, thinking  # late: --help need not wait for the database's library

    try:
        settings = Settings.read(vars(args), os.environ)
        house = thinking.thinker(settings)
    except ValueError as error:
        raise Trouble(str(error)) from None
    logging.config.dictConfig(logs.to_stderr(settings.log_level, settings.log))
    print(f"Branchline's bots think here, {house.workers.count} at a time", flush=True)
    asyncio.run(thinking.think(house))
    return 0
