"""Tables say which change is their last, and who may be listed; devices have sessions; the store has a pulse."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add them, and fill in what the old rows know already."""
    op.add_column("tables", sa.Column("revision", sa.Integer, nullable=False, server_default="1"))
    op.add_column("tables", sa.Column("digest", sa.String(64)))
    op.add_column("tables", sa.Column("owner", sa.String(40)))
    op.add_column("tables", sa.Column("free", sa.Integer, nullable=False, server_default="0"))
    op.add_column("tables", sa.Column("origin", sa.String(40), nullable=False, server_default=""))
    op.create_table(
        "sessions",
        sa.Column("person", sa.String(40), primary_key=True),
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("device", sa.String(80), nullable=False),
        sa.Column("created", sa.Float(53), nullable=False),
        sa.Column("seen", sa.Float(53), nullable=False),
    )
    op.create_table(
        "pulse",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.Float(53), nullable=False),
        sa.Column("load", sa.Text, nullable=False),
    )
    # Cookies from before name no session: each person has one called 0, which can be ended like any other.
    op.execute(
        "INSERT INTO sessions (person, id, device, created, seen) SELECT id, '0', '', created, created FROM people"
    )
    _fill_in()


def _fill_in() -> None:
    connection = op.get_bind()
    tables = sa.table(
        "tables", sa.column("id"), sa.column("head"), sa.column("status"), sa.column("owner"), sa.column("free")
    )
    for id, head in connection.execute(sa.select(tables.c.id, tables.c.head).where(tables.c.status == "open")).all():
        data = json.loads(head)
        who = [sitter["who"] for sitter in data["sitters"]]
        free = who.count("open") if "person" in who else 0
        connection.execute(sa.update(tables).where(tables.c.id == id).values(owner=data["owner"], free=free))


def downgrade() -> None:
    """Drop them."""
    op.drop_table("pulse")
    op.drop_table("sessions")
    with op.batch_alter_table("tables") as batch:
        for name in ("revision", "digest", "owner", "free", "origin"):
            batch.drop_column(name)
