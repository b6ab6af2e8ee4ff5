"""Alembic's migrations, and the one call that brings a database up to date."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import Connection

FOLDER = Path(__file__).parent


def migrate(connection: Connection) -> None:
    """Bring the database's tables to this version; ValueError if a newer one made them.

    Runs before the server's loop starts.
    """
    config = Config()
    config.set_main_option("script_location", str(FOLDER))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise ValueError(f"database: a newer Branchline made it, or another program ({error})") from None
