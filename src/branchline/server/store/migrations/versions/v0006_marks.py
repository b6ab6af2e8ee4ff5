"""Several servers: by which secret each of them signs, as a mark that does not tell it."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add it."""
    op.add_column("servers", sa.Column("mark", sa.String(64)))


def downgrade() -> None:
    """Drop it."""
    with op.batch_alter_table("servers") as batch:
        batch.drop_column("mark")
