"""People, tables, log and chat."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create everything."""
    op.create_table(
        "people",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("name", sa.String(400), nullable=False),
        sa.Column("language", sa.String(40), nullable=False),
        sa.Column("created", sa.Float(53), nullable=False),
    )
    op.create_table(
        "links",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("person", sa.String(40), nullable=False),
        sa.Column("expires", sa.Float(53), nullable=False),
    )
    op.create_table(
        "tables",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("code", sa.String(12), nullable=False, unique=True),
        sa.Column("status", sa.String(12), nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("wake", sa.Float(53)),
        sa.Column("created", sa.Float(53), nullable=False),
        sa.Column("updated", sa.Float(53), nullable=False),
        sa.Column("head", sa.Text, nullable=False),
        sa.Column("seed", sa.String(64), nullable=False),
        sa.Column("state", sa.Text),
        sa.Column("before", sa.Text),
    )
    op.create_index("tables_status", "tables", ["status", "public", "created"])
    op.create_index("tables_wake", "tables", ["wake"])
    op.create_table(
        "sitting",
        sa.Column("person", sa.String(40), primary_key=True),
        sa.Column("table_id", sa.String(40), primary_key=True),
    )
    op.create_index("sitting_table", "sitting", ["table_id"])
    op.create_table(
        "log",
        sa.Column("table_id", sa.String(40), primary_key=True),
        sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.String(12), nullable=False),
        sa.Column("seat", sa.Integer),
        sa.Column("by", sa.String(12), nullable=False),
        sa.Column("person", sa.String(40)),
        sa.Column("message", sa.String(40)),
        sa.Column("action", sa.Text),
        sa.Column("events", sa.Text, nullable=False),
        sa.Column("at", sa.Float(53), nullable=False),
        sa.UniqueConstraint("table_id", "person", "message", name="log_message"),
    )
    op.create_table(
        "chat",
        sa.Column("table_id", sa.String(40), primary_key=True),
        sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("person", sa.String(40), nullable=False),
        sa.Column("name", sa.String(400), nullable=False),
        sa.Column("message", sa.String(40), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("at", sa.Float(53), nullable=False),
        sa.UniqueConstraint("table_id", "person", "message", name="chat_message"),
    )
    op.create_table(
        "mutes",
        sa.Column("person", sa.String(40), primary_key=True),
        sa.Column("other", sa.String(40), primary_key=True),
    )


def downgrade() -> None:
    """Drop everything."""
    for name in ("mutes", "chat", "log", "sitting", "tables", "links", "people"):
        op.drop_table(name)
