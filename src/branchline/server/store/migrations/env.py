"""Alembic runs this for each command, with the connection it was given."""

from alembic import context

from branchline.server.store.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
