"""The database's tables, in SQL that SQLite and PostgreSQL both speak."""

from sqlalchemy import Boolean, Column, Float, Index, Integer, MetaData, String, Table, Text, UniqueConstraint

metadata = MetaData()

people = Table(
    "people",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("name", String(400), nullable=False),
    Column("language", String(40), nullable=False),
    Column("created", Float(53), nullable=False),
)

links = Table(
    "links",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("person", String(40), nullable=False),
    Column("expires", Float(53), nullable=False),
)

tables = Table(
    "tables",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("code", String(12), nullable=False, unique=True),
    Column("status", String(12), nullable=False),
    Column("public", Boolean, nullable=False),
    Column("version", Integer, nullable=False),
    Column("wake", Float(53)),
    Column("created", Float(53), nullable=False),
    Column("updated", Float(53), nullable=False),
    Column("head", Text, nullable=False),
    Column("seed", String(64), nullable=False),
    Column("state", Text),
    Column("before", Text),
    Index("tables_status", "status", "public", "created"),
    Index("tables_wake", "wake"),
)

sitting = Table(
    "sitting",
    metadata,
    Column("person", String(40), primary_key=True),
    Column("table_id", String(40), primary_key=True),
    Index("sitting_table", "table_id"),
)

log = Table(
    "log",
    metadata,
    Column("table_id", String(40), primary_key=True),
    Column("n", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(12), nullable=False),
    Column("seat", Integer),
    Column("by", String(12), nullable=False),
    Column("person", String(40)),
    Column("message", String(40)),
    Column("action", Text),
    Column("events", Text, nullable=False),
    Column("at", Float(53), nullable=False),
    UniqueConstraint("table_id", "person", "message", name="log_message"),
)

chat = Table(
    "chat",
    metadata,
    Column("table_id", String(40), primary_key=True),
    Column("n", Integer, primary_key=True, autoincrement=False),
    Column("person", String(40), nullable=False),
    Column("name", String(400), nullable=False),
    Column("message", String(40), nullable=False),
    Column("text", Text, nullable=False),
    Column("at", Float(53), nullable=False),
    UniqueConstraint("table_id", "person", "message", name="chat_message"),
)

mutes = Table(
    "mutes",
    metadata,
    Column("person", String(40), primary_key=True),
    Column("other", String(40), primary_key=True),
)
