"""People in a database: who they are, on which devices, and whom they do not hear."""

from collections.abc import Collection
from dataclasses import asdict, fields

from sqlalchemy import Connection, delete, func, insert, select, update

from branchline.server.store import schema
from branchline.server.store.base import PersonRow, SessionRow
from branchline.server.store.statements import Statements

_PERSON = [schema.people.c[entry.name] for entry in fields(PersonRow)]


class PeopleStatements(Statements):
    """People, sessions, links and mutes."""

    async def save_person(self, person: PersonRow) -> None:
        statement = self.upsert(schema.people).values(**asdict(person))
        statement = statement.on_conflict_do_update(
            index_elements=["id"], set_={"name": person.name, "language": person.language, **_CHANGED}
        )
        await self.write(lambda connection: connection.execute(statement))

    async def person(self, id: str) -> PersonRow | None:
        row = await self.first(select(*_PERSON).where(schema.people.c.id == id))
        return None if row is None else PersonRow(*row)

    async def save_session(self, session: SessionRow, most: int) -> None:
        sessions = schema.sessions.c
        kept = select(sessions.id).where(sessions.person == session.person).order_by(sessions.seen.desc()).limit(most)

        surplus = delete(schema.sessions).where(sessions.person == session.person, sessions.id.not_in(kept))

        def write(connection: Connection) -> None:
            connection.execute(insert(schema.sessions), asdict(session))
            connection.execute(surplus)

        await self.write(write)

    async def note_session(self, session: SessionRow) -> None:
        sessions = schema.sessions.c
        statement = update(schema.sessions).where(sessions.person == session.person, sessions.id == session.id)
        statement = statement.values(seen=session.seen, device=session.device)
        await self.write(lambda connection: connection.execute(statement))

    async def session(self, person: str, id: str) -> tuple[PersonRow, SessionRow] | None:
        query = (
            select(*_PERSON, schema.sessions)
            .join(schema.sessions, schema.sessions.c.person == schema.people.c.id)
            .where(schema.people.c.id == person, schema.sessions.c.id == id)
        )
        row = await self.first(query)
        return None if row is None else (PersonRow(*row[: len(_PERSON)]), SessionRow(*row[len(_PERSON) :]))

    async def sessions(self, person: str) -> list[SessionRow]:
        sessions = schema.sessions.c
        query = select(schema.sessions).where(sessions.person == person).order_by(sessions.seen.desc())
        return [SessionRow(*row) for row in await self.all(query)]

    async def end_sessions(self, person: str, ids: Collection[str]) -> None:
        sessions = schema.sessions.c

        def write(connection: Connection) -> None:
            connection.execute(delete(schema.sessions).where(sessions.person == person, sessions.id.in_(list(ids))))
            connection.execute(delete(schema.links).where(schema.links.c.person == person))
            _note(connection, person)

        await self.write(write)

    async def save_link(self, hash: str, person: str, expires: float) -> None:
        statement = insert(schema.links).values(hash=hash, person=person, expires=expires)
        await self.write(lambda connection: connection.execute(statement))

    async def link(self, hash: str, now: float) -> str | None:
        links = schema.links.c
        row = await self.first(select(links.person).where(links.hash == hash, links.expires > now))
        return None if row is None else str(row.person)

    async def take_link(self, hash: str, now: float) -> str | None:
        links = schema.links.c
        statement = delete(schema.links).where(links.hash == hash).returning(links.person, links.expires)
        row = await self.write(lambda connection: connection.execute(statement).first())
        return row.person if row is not None and row.expires > now else None

    async def mute(self, person: str, other: str, most: int) -> bool:
        mutes = schema.mutes.c
        counted = select(func.count()).where(mutes.person == person, mutes.other != other)
        statement = self.upsert(schema.mutes).values(person=person, other=other).on_conflict_do_nothing()

        def write(connection: Connection) -> bool:
            if connection.execute(counted).scalar_one() >= most:
                return False
            connection.execute(statement)
            _note(connection, person)
            return True

        return await self.write(write)

    async def unmute(self, person: str, other: str) -> None:
        mutes = schema.mutes.c
        statement = delete(schema.mutes).where(mutes.person == person, mutes.other == other)

        def write(connection: Connection) -> None:
            connection.execute(statement)
            _note(connection, person)

        await self.write(write)

    async def muted(self, person: str) -> set[str]:
        rows = await self.all(select(schema.mutes.c.other).where(schema.mutes.c.person == person))
        return {row.other for row in rows}

    async def people_revisions(self, people: Collection[str]) -> dict[str, int]:
        query = select(schema.people.c.id, schema.people.c.revision)
        return {row.id: row.revision for row in await self.among(query, schema.people.c.id, people)}


_CHANGED = {"revision": schema.people.c.revision + 1}


def _note(connection: Connection, person: str) -> None:
    """Sockets of theirs, on whatever server, look again."""
    connection.execute(update(schema.people).where(schema.people.c.id == person).values(_CHANGED))
