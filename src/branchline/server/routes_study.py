"""The HTTP side of what people learn from: the same deal for everybody, reviews, practice."""

from typing import Annotated

import orjson
from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import ValidationError

from branchline.server.dependencies import PROBLEMS, Anybody, Host, Person, TheTable
from branchline.server.guard.addresses import address
from branchline.server.messages import (
    AskReview,
    ChallengeInfo,
    ChallengeLine,
    Forgotten,
    MyGames,
    NewChallenge,
    PlayChallenge,
    Practise,
    PuzzleAnswer,
    PuzzleInfo,
    PuzzleList,
    ReviewState,
    TableInfo,
    TryPuzzle,
)
from branchline.server.refused import Refused, too_many
from branchline.server.sessions import Known
from branchline.server.study.work import named

router = APIRouter(prefix="/api", responses=PROBLEMS)

RECORD = {"content": {"application/json": {"schema": {"type": "object", "title": "Record"}}}, "required": True}
Depth = Annotated[int, Query(ge=1, le=3)]
PuzzleId = Annotated[str, Path(pattern=r"^[a-z0-9-]{1,60}$")]
ChallengeId = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,40}$")]


@router.post("/challenges", status_code=201)
async def make_challenge(asked: NewChallenge, person: Person, request: Request, house: Host) -> ChallengeInfo:
    """Make a challenge: a deal that everybody with the link plays, each alone or at a club's tables."""
    if not house.limits["tables"].allows(person.id):
        raise too_many()
    return await house.challenges.make(asked, person, _origin(request, house))


@router.get("/me/challenges")
async def my_challenges(person: Person, house: Host) -> list[ChallengeLine]:
    """The challenges that one made or plays, the latest first."""
    return await house.challenges.mine(person.id)


@router.get("/me/games", response_model=MyGames)
async def my_games(person: Person, house: Host) -> Response:
    """One's finished games; nobody else is shown them."""
    return _as_is(await house.games.of(person.id))


@router.get("/me/games.json", response_model=MyGames)
async def games_json(person: Person, house: Host) -> Response:
    """One's finished games as a file."""
    body = orjson.dumps(await house.games.of(person.id), option=orjson.OPT_INDENT_2)
    headers = {"content-disposition": 'attachment; filename="branchline-games.json"'}
    return Response(body, media_type="application/json", headers=headers)


@router.get("/me/games.csv", response_class=Response)
async def games_csv(person: Person, house: Host) -> Response:
    """One's finished games as a table."""
    headers = {"content-disposition": 'attachment; filename="branchline-games.csv"'}
    return Response(await house.games.table(person.id), media_type="text/csv", headers=headers)


@router.delete("/me/games")
async def forget_games(person: Person, house: Host) -> Forgotten:
    """Delete one's finished games for good; from those that others played too one is taken out."""
    forgotten = await house.games.forget(person.id)
    if forgotten["games"]:  # else anybody could keep everybody's finished games from being made only once
        house.records.forget()
    return forgotten


@router.get("/challenges/today")
async def today(known: Anybody, house: Host) -> ChallengeInfo:
    """The deal of the day, by UTC."""
    return await house.challenges.today(_id(known))


@router.get("/challenges/{id}")
async def one_challenge(id: ChallengeId, known: Anybody, house: Host) -> ChallengeInfo:
    """A challenge; its seed and everybody's results for whoever has finished it, and for all when it is over."""
    return await house.challenges.info(id, _id(known))


@router.post("/challenges/{id}/play")
async def play_challenge(
    id: ChallengeId, asked: PlayChallenge, person: Person, request: Request, house: Host
) -> TableInfo:
    """One's own table of a challenge, dealt: everybody has one, once."""
    if not house.limits["tables"].allows(person.id):
        raise too_many()
    return (await house.challenges.play(id, person, asked.bots, _origin(request, house))).info()


@router.post("/challenges/{id}/end")
async def end_challenge(id: ChallengeId, person: Person, house: Host) -> ChallengeInfo:
    """Nobody may begin it any more, and everything is open; for whoever made it."""
    return await house.challenges.end(id, person.id)


@router.get("/puzzles")
async def puzzles(known: Anybody, house: Host) -> PuzzleList:
    """All puzzles, with how one's own first tries went, and which is today's."""
    return await house.puzzles.all(_id(known))


@router.get("/puzzles/{id}")
async def one_puzzle(id: PuzzleId, known: Anybody, house: Host) -> PuzzleInfo:
    """A puzzle without its answer; `today` for the one of the day, by UTC."""
    return await house.puzzles.one(id, _id(known))


@router.post("/puzzles/{id}/answer")
async def answer_puzzle(id: PuzzleId, asked: TryPuzzle, person: Person, house: Host) -> PuzzleAnswer:
    """Say what one would do; the answer tells what is best and why. The first try is kept, for the person alone."""
    if not house.limits["questions"].allows(person.id):
        raise too_many()
    return await house.puzzles.answer(id, asked.action, person.id)


def _charge(house: Host, person: str, depth: int) -> None:
    """A review of depth 2 counts once, of depth 3 four times."""
    for _ in range(4 ** max(0, depth - 2)):
        if not house.limits["reviews"].allows(person):
            raise Refused("reviews", "that is many reviews for now; come back in a while", status=429)


@router.post("/tables/{id}/review", response_model=ReviewState)
async def ask_review(asked: AskReview, table: TheTable, person: Person, request: Request, house: Host) -> Response:
    """Have a finished game reviewed; answers at once, and `GET` tells how far it is."""
    await house.challenges.uncover(table, person.id)
    record = await house.records.record(table)
    state = await house.reviews.state(table.id, asked.depth)
    if state["state"] in ("none", "failed"):
        _charge(house, person.id, asked.depth)
        state = await house.reviews.ask(table.id, asked.depth, record, person.id, address(request.scope))
    return _as_is(state)


@router.get("/tables/{id}/review", response_model=ReviewState)
async def table_review(table: TheTable, known: Anybody, house: Host, depth: Depth = 2) -> Response:
    """How far the review of a finished game is, and the review itself."""
    table.secrets()
    await house.challenges.uncover(table, _id(known))
    return _as_is(await house.reviews.state(table.id, depth))


@router.post("/records/review", response_model=ReviewState, openapi_extra={"requestBody": RECORD})
async def record_review(request: Request, person: Person, house: Host, depth: Depth = 2) -> Response:
    """Have a record of one's own reviewed; the record is not kept, its review is."""
    upload = await _upload(request, house)
    who = address(request.scope)
    game = orjson.loads(await house.records.theirs.do(who, named, upload))["game"]
    state = await house.reviews.state(f"r-{game}", depth)
    if state["state"] in ("none", "failed"):
        _charge(house, person.id, depth)
        state = await house.reviews.ask(f"r-{game}", depth, upload, person.id, who)
    return _as_is(state)


@router.get("/reviews/{game}", response_model=ReviewState)
async def one_review(
    game: Annotated[str, Path(pattern=r"^r-[0-9a-f]{64}$")], house: Host, depth: Depth = 2
) -> Response:
    """How far the review of a record is that somebody sent."""
    return _as_is(await house.reviews.state(game, depth))


@router.post("/tables/{id}/practice", status_code=201)
async def practise(asked: Practise, table: TheTable, person: Person, request: Request, house: Host) -> TableInfo:
    """Play on from a moment of a finished game; a running one is refused (R8)."""
    if not house.limits["tables"].allows(person.id):
        raise too_many()
    await house.challenges.uncover(table, person.id)
    record = await house.records.record(table)
    # By address, not by person: of those somebody may have any number, and others' records wait at the same desk.
    desk, who, origin = house.records.ours, f"practice {address(request.scope)}", _origin(request, house)
    return (await house.practices.begin(record, asked, person, desk, who, table.id, origin)).info()


@router.post("/records/practice", status_code=201, openapi_extra={"requestBody": RECORD})
async def practise_record(
    request: Request, person: Person, house: Host, how: Annotated[str, Query(max_length=400)]
) -> TableInfo:
    """Play on from a moment of a record of one's own; `how` is a `Practise` as JSON."""
    if not house.limits["tables"].allows(person.id):
        raise too_many()
    try:
        asked = Practise.model_validate_json(how)
    except ValidationError:
        raise Refused("malformed", "how: a Practise as JSON", status=422) from None
    upload = await _upload(request, house)
    who = address(request.scope)
    desk, origin = house.records.theirs, _origin(request, house)
    return (await house.practices.begin(upload, asked, person, desk, who, None, origin)).info()


async def _upload(request: Request, house: Host) -> bytes:
    if not house.limits["uploads"].allows(address(request.scope)):
        raise too_many()
    return await request.body()


def _as_is(told: object) -> Response:
    """Large answers of our own: to check each number of them again would keep the loop."""
    return Response(orjson.dumps(told), media_type="application/json")


def _origin(request: Request, house: Host) -> str:
    """Who pays for the bots of a table that is opened."""
    return house.signer.mark(address(request.scope))


def _id(known: Known | None) -> str | None:
    return None if known is None else known.person.id
