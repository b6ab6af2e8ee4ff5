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
    Column("revision", Integer, nullable=False, server_default="1"),
)

sessions = Table(
    "sessions",
    metadata,
    Column("person", String(40), primary_key=True),
    Column("id", String(40), primary_key=True),
    Column("device", String(80), nullable=False),
    Column("created", Float(53), nullable=False),
    Column("seen", Float(53), nullable=False),
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
    Column("revision", Integer, nullable=False, server_default="1"),
    Column("digest", String(64)),
    Column("owner", String(40)),
    Column("free", Integer, nullable=False, server_default="0"),
    Column("origin", String(40), nullable=False, server_default=""),
    Column("minder", String(40)),
    Index("tables_status", "status", "public", "created"),
    Index("tables_minder", "minder", "wake"),
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

pulse = Table(
    "pulse",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("at", Float(53), nullable=False),
    Column("load", Text, nullable=False),
)

servers = Table(
    "servers",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("kind", String(12), nullable=False),
    Column("until", Float(53), nullable=False),
    Column("mark", String(64)),
)

presence = Table(
    "presence",
    metadata,
    Column("table_id", String(40), primary_key=True),
    Column("person", String(40), primary_key=True),
    Column("server", String(40), primary_key=True),
    Column("here", Boolean, nullable=False),
    Column("since", Float(53), nullable=False),
    Index("presence_since", "since"),
)

challenges = Table(
    "challenges",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("map", String(40), nullable=False),
    Column("seats", Text, nullable=False),
    Column("tables", Text, nullable=False),
    Column("title", String(400), nullable=False),
    Column("seed", String(64), nullable=False),
    Column("owner", String(40)),
    Column("created", Float(53), nullable=False),
    Column("ends", Float(53), nullable=False),
    Index("challenges_owner", "owner", "created"),
)

entrants = Table(
    "entrants",
    metadata,
    Column("challenge", String(40), primary_key=True),
    Column("person", String(40), primary_key=True),
    Column("table_id", String(40), nullable=False),
    Column("at", Float(53), nullable=False),
    Index("entrants_person", "person", "at"),
)

reviews = Table(
    "reviews",
    metadata,
    Column("game", String(80), primary_key=True),
    Column("depth", Integer, primary_key=True, autoincrement=False),
    Column("at", Float(53), nullable=False),
    Column("accuracy", Text, nullable=False),
    Column("review", Text, nullable=False),
)

reviewing = Table(
    "reviewing",
    metadata,
    Column("game", String(80), primary_key=True),
    Column("depth", Integer, primary_key=True, autoincrement=False),
    Column("server", String(40), nullable=False),
    Column("person", String(40), nullable=False),
    Column("done", Integer, nullable=False),
    Column("total", Integer, nullable=False),
    Column("ahead", Integer, nullable=False),
    Column("problem", Text),
    Column("until", Float(53), nullable=False),
)

tries = Table(
    "tries",
    metadata,
    Column("person", String(40), primary_key=True),
    Column("puzzle", String(60), primary_key=True),
    Column("solved", Boolean, nullable=False),
    Column("at", Float(53), nullable=False),
)

results = Table(
    "results",
    metadata,
    Column("table_id", String(40), primary_key=True),
    Column("summary", Text, nullable=False),
)
