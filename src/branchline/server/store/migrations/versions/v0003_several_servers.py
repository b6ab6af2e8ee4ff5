"""Several servers: who minds a table, who is where, which servers there are; people have revisions."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add them."""
    op.add_column("people", sa.Column("revision", sa.Integer, nullable=False, server_default="1"))
    op.add_column("tables", sa.Column("minder", sa.String(40)))
    op.drop_index("tables_wake", "tables")
    op.create_index("tables_minder", "tables", ["minder", "wake"])
    op.create_table(
        "servers",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("kind", sa.String(12), nullable=False),
        sa.Column("until", sa.Float(53), nullable=False),
    )
    op.create_table(
        "presence",
        sa.Column("table_id", sa.String(40), primary_key=True),
        sa.Column("person", sa.String(40), primary_key=True),
        sa.Column("server", sa.String(40), primary_key=True),
        sa.Column("here", sa.Boolean, nullable=False),
        sa.Column("since", sa.Float(53), nullable=False),
    )
    op.create_index("presence_since", "presence", ["since"])


def downgrade() -> None:
    """Drop them."""
    op.drop_table("presence")
    op.drop_table("servers")
    op.drop_index("tables_minder", "tables")
    op.create_index("tables_wake", "tables", ["wake"])
    with op.batch_alter_table("tables") as batch:
        batch.drop_column("minder")
    with op.batch_alter_table("people") as batch:
        batch.drop_column("revision")
