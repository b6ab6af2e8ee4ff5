"""What people learn from: challenges, who plays them, what finished games came to, and their reviews."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add them."""
    op.create_table(
        "challenges",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("map", sa.String(40), nullable=False),
        sa.Column("seats", sa.Text, nullable=False),
        sa.Column("tables", sa.Text, nullable=False),
        sa.Column("title", sa.String(400), nullable=False),
        sa.Column("seed", sa.String(64), nullable=False),
        sa.Column("owner", sa.String(40)),
        sa.Column("created", sa.Float(53), nullable=False),
        sa.Column("ends", sa.Float(53), nullable=False),
    )
    op.create_index("challenges_owner", "challenges", ["owner", "created"])
    op.create_table(
        "entrants",
        sa.Column("challenge", sa.String(40), primary_key=True),
        sa.Column("person", sa.String(40), primary_key=True),
        sa.Column("table_id", sa.String(40), nullable=False),
        sa.Column("at", sa.Float(53), nullable=False),
    )
    op.create_index("entrants_person", "entrants", ["person", "at"])
    op.create_table(
        "results",
        sa.Column("table_id", sa.String(40), primary_key=True),
        sa.Column("summary", sa.Text, nullable=False),
    )
    op.create_table(
        "reviews",
        sa.Column("game", sa.String(80), primary_key=True),
        sa.Column("depth", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.Float(53), nullable=False),
        sa.Column("accuracy", sa.Text, nullable=False),
        sa.Column("review", sa.Text, nullable=False),
    )


def downgrade() -> None:
    """Drop them."""
    for name in ("reviews", "results", "entrants", "challenges"):
        op.drop_table(name)
