"""Challenges, results and reviews in a database."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from sqlalchemy import Connection, delete, or_, select, tuple_, update

from branchline.server.store import schema
from branchline.server.store.statements import Statements
from branchline.server.store.study_base import ChallengeRow, EntrantRow, Outcome, ReviewingRow, ReviewRow


class StudyStatements(Statements):
    """Challenges, entrants, results and reviews."""

    async def save_challenge(self, challenge: ChallengeRow) -> None:
        statement = self.upsert(schema.challenges).values(**asdict(challenge)).on_conflict_do_nothing()
        await self.write(lambda connection: connection.execute(statement))

    async def challenge(self, id: str) -> ChallengeRow | None:
        row = await self.first(select(schema.challenges).where(schema.challenges.c.id == id))
        return None if row is None else ChallengeRow(*row)

    async def end_challenge(self, id: str, now: float) -> None:
        challenges = schema.challenges.c
        statement = update(schema.challenges).where(challenges.id == id, challenges.ends > now).values(ends=now)
        await self.write(lambda connection: connection.execute(statement))

    async def challenges_of(self, person: str, limit: int) -> list[ChallengeRow]:
        challenges, entrants = schema.challenges.c, schema.entrants.c
        entered = select(entrants.challenge).where(entrants.person == person)
        query = select(schema.challenges).where(or_(challenges.owner == person, challenges.id.in_(entered)))
        return [ChallengeRow(*row) for row in await self.all(query.order_by(challenges.created.desc()).limit(limit))]

    async def enter(self, entrant: EntrantRow) -> str:
        values = asdict(entrant)
        values["table_id"] = values.pop("table")
        insert = self.upsert(schema.entrants).values(**values).on_conflict_do_nothing()
        found = _entry(entrant.challenge, entrant.person)

        def write(connection: Connection) -> str:
            connection.execute(insert)
            return str(connection.execute(found).scalar_one())

        return await self.write(write)

    async def entry(self, challenge: str, person: str) -> str | None:
        row = await self.first(_entry(challenge, person))
        return None if row is None else str(row.table_id)

    async def withdraw(self, challenge: str, person: str, table: str) -> None:
        entrants = schema.entrants.c
        statement = delete(schema.entrants).where(
            entrants.challenge == challenge, entrants.person == person, entrants.table_id == table
        )
        await self.write(lambda connection: connection.execute(statement))

    async def entrants(self, challenge: str, limit: int) -> list[EntrantRow]:
        entrants = schema.entrants.c
        query = select(schema.entrants).where(entrants.challenge == challenge).order_by(entrants.at).limit(limit)
        return [EntrantRow(*row) for row in await self.all(query)]

    async def outcomes(self, tables: Sequence[str]) -> list[Outcome]:
        columns, results = schema.tables.c, schema.results.c
        query = (
            select(columns.id, columns.status, columns.updated, columns.head, results.summary)
            .outerjoin(schema.results, results.table_id == columns.id)
            .where(columns.id.in_(list(tables)))
        )
        return [Outcome(*row) for row in await self.all(query)]

    async def save_result(self, table: str, summary: str) -> None:
        statement = self.upsert(schema.results).values(table_id=table, summary=summary).on_conflict_do_nothing()
        await self.write(lambda connection: connection.execute(statement))

    async def finished_of(self, person: str, limit: int) -> list[Outcome]:
        tables, sitting, results = schema.tables.c, schema.sitting.c, schema.results.c
        query = (
            select(tables.id, tables.status, tables.updated, tables.head, results.summary)
            .join(schema.sitting, sitting.table_id == tables.id)
            .outerjoin(schema.results, results.table_id == tables.id)
            .where(sitting.person == person, tables.status == "over")
            .order_by(tables.updated.desc())
            .limit(limit)
        )
        return [Outcome(*row) for row in await self.all(query)]

    async def accuracies(self, games: Sequence[str]) -> dict[str, str]:
        reviews = schema.reviews.c
        query = select(reviews.game, reviews.accuracy).where(reviews.game.in_(list(games))).order_by(reviews.depth)
        return {row.game: row.accuracy for row in await self.all(query)}

    async def forget_games(self, person: str) -> tuple[int, list[str]]:
        tables, sitting = schema.tables.c, schema.sitting.c
        ended = select(tables.id).where(tables.status.in_(("over", "abandoned")))
        mine = select(sitting.table_id).where(sitting.person == person, sitting.table_id.in_(ended))

        def write(connection: Connection) -> tuple[int, list[str]]:
            ids = [row.table_id for row in connection.execute(mine)]
            connection.execute(delete(schema.sitting).where(sitting.person == person, sitting.table_id.in_(ids)))
            shared = {
                row.table_id for row in connection.execute(select(sitting.table_id).where(sitting.table_id.in_(ids)))
            }
            gone = [id for id in ids if id not in shared]
            connection.execute(delete(schema.tries).where(schema.tries.c.person == person))
            # Who has played a deal does not play it again.
            entrants = schema.entrants.c
            connection.execute(update(schema.entrants).where(entrants.table_id.in_(gone)).values(table_id=""))
            for table, column in _HELD:
                connection.execute(delete(table).where(table.c[column].in_(gone)))
            return len(ids), gone

        return await self.write(write)

    async def tried(self, person: str) -> dict[str, bool]:
        tries = schema.tries.c
        rows = await self.all(select(tries.puzzle, tries.solved).where(tries.person == person))
        return {row.puzzle: bool(row.solved) for row in rows}

    async def save_try(self, person: str, puzzle: str, solved: bool, now: float) -> None:
        values = {"person": person, "puzzle": puzzle, "solved": solved, "at": now}
        statement = self.upsert(schema.tries).values(**values).on_conflict_do_nothing()
        await self.write(lambda connection: connection.execute(statement))

    async def save_review(self, review: ReviewRow) -> None:
        statement = self.upsert(schema.reviews).values(**asdict(review)).on_conflict_do_nothing()
        await self.write(lambda connection: connection.execute(statement))

    async def review(self, game: str, depth: int) -> str | None:
        reviews = schema.reviews.c
        row = await self.first(select(reviews.review).where(reviews.game == game, reviews.depth == depth))
        return None if row is None else str(row.review)

    async def note_reviewing(self, row: ReviewingRow, seconds: float) -> bool:
        reviewing = schema.reviewing.c
        values = {**asdict(row), "until": self.clock + seconds}
        changed = {name: value for name, value in values.items() if name not in ("game", "depth")}
        free = or_(
            reviewing.server == row.server, reviewing.until <= self.clock, reviewing.problem.is_not(None)
        )  # a review that failed may be tried again by anybody
        statement = self.upsert(schema.reviewing).values(**values)
        statement = statement.on_conflict_do_update(index_elements=["game", "depth"], set_=changed, where=free)
        stale = delete(schema.reviewing).where(reviewing.until <= self.clock)

        def write(connection: Connection) -> bool:
            connection.execute(stale)
            return connection.execute(statement).rowcount > 0

        return await self.write(write)

    async def reviewing(self, game: str, depth: int) -> ReviewingRow | None:
        reviewing = schema.reviewing.c
        columns = [column for column in schema.reviewing.columns if column.name != "until"]
        query = select(*columns).where(reviewing.game == game, reviewing.depth == depth, reviewing.until > self.clock)
        row = await self.first(query)
        return None if row is None else ReviewingRow(*row)

    async def reviewing_for(self, person: str) -> bool:
        reviewing = schema.reviewing.c
        query = select(reviewing.game).where(
            reviewing.person == person, reviewing.until > self.clock, reviewing.problem.is_(None)
        )
        return await self.first(query) is not None

    async def forget_reviewing(self, server: str, games: Sequence[tuple[str, int]]) -> None:
        reviewing = schema.reviewing.c
        mine = tuple_(reviewing.game, reviewing.depth).in_(list(games))
        statement = delete(schema.reviewing).where(reviewing.server == server, mine)
        await self.write(lambda connection: connection.execute(statement))


_HELD = (
    (schema.log, "table_id"),
    (schema.chat, "table_id"),
    (schema.results, "table_id"),
    (schema.reviews, "game"),
    (schema.tables, "id"),
)
"""What goes with a table."""


def _entry(challenge: str, person: str) -> Any:
    entrants = schema.entrants.c
    return select(entrants.table_id).where(entrants.challenge == challenge, entrants.person == person)
