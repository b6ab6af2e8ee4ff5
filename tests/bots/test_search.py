"""What a search tries, guided by a policy or by the planner, and what an evaluation tells of it."""

from collections.abc import Iterator

import pytest

from branchline import Game, Rng, View, load_map
from branchline.bots import Budget, load, to_index
from branchline.bots.evaluation import evaluate
from branchline.bots.expert import NEAR, SOON, ExpertBot, begin, judge_of, suited
from branchline.bots.learned.policy import FINE, Thought
from branchline.bots.learned.tunnels import is_hasty
from branchline.bots.learner import LearnedBot
from branchline.bots.planner.blind import blind
from branchline.bots.planner.play import Planner
from branchline.bots.planner.weights import fitted
from branchline.bots.search.guided import ENDLESS, GuidedSearch, How
from branchline.bots.search.planned import PlannerSearch, fitting
from branchline.bots.search.styles import styles
from branchline.engine.board import CLAIM, DRAW_DECK, DRAW_ROW, TUNNEL
from branchline.engine.legal import actor
from branchline.engine.memory import Memory
from branchline.engine.stages import TURN
from branchline.engine.state import State
from branchline.engine.worlds import Worlds
from branchline.maps import Map
from branchline.observation.layout import Layout
from branchline.observation.observer import observing
from branchline.observation.witness import recall, remember


def seen(map: str | Map, seats: int, played: int) -> View:
    """What a seat sees at the start of a turn, after so many actions of `regular`."""
    game, bot, rng = Game.new(map, seats=seats, seed=4), load("regular"), Rng(1)
    n = 0
    while n < played or game.state.stage != TURN:
        seat = game.to_act[0]
        index = bot.choose(game.view(seat), rng, Budget())
        assert isinstance(index, int)
        game.play_index(seat, index)
        n += 1
    return game.view(game.to_act[0])


def searched(view: View, alone: bool = False) -> PlannerSearch:
    board, seats = view.sight.board, view.sight.seats
    tried = styles(board, seats)
    return PlannerSearch(view.sight, Rng(3), tried[:1] if alone else tried, fitting(board, seats), judge_of(board))


@pytest.mark.parametrize("seats", [2, 4])
def test_a_long_game_tries_other_styles_where_they_want_other_routes(seats: int) -> None:
    view = seen("europe", seats, 10)
    search, alone = searched(view), searched(view, alone=True)
    assert any(search.style)
    assert not any(alone.style)
    assert list(search.candidates)[: len(alone.candidates)] == list(alone.candidates)
    assert set(search.candidates) <= set(view.legal_indices())
    search.run(200)
    assert search.best() in view.legal_indices()


def test_a_short_game_has_one_style() -> None:
    assert not any(searched(seen("new-york", 2, 8)).style)


def test_a_full_table_is_played_by_weights_of_its_own() -> None:
    board = seen("europe", 2, 4).sight.board
    two, four = styles(board, 2), styles(board, 4)
    assert two[0].pace != four[0].pace
    assert two[0].pace == four[1].pace, "regular's own style is among those tried"


def test_against_the_planner_the_expert_does_not_give_its_reasons() -> None:
    data = load_map("new-york").to_dict()
    unknown = load_map({**data, "id": "elsewhere", "points": {**data["points"], "1": 2}})
    bot, reasons = ExpertBot(), {}
    for seed in range(12):
        bot.choose(Game.new(unknown, seats=2, seed=seed).view(0), Rng(seed), Budget(nodes=400))
        assert bot.why is not None
        reasons[bot.why["agrees"]] = bot.why["reason"]
    assert reasons == {True: "keep-tickets", False: "playouts"}


def test_worlds_look_to_the_seat_like_the_real_table() -> None:
    """What is played on in a search is observed by its seat exactly as the real game is, whoever knows what."""
    for map, seats in (("europe", 3), ("new-york", 2)):
        layout = Layout(seen(map, seats, 1).sight.board, seats, True)
        for played in (1, 17, 40):
            sight = seen(map, seats, played).sight
            worlds = Worlds(sight, Rng(2))
            for _ in range(3):
                real = observing(layout, recall(sight)).observed(sight.seat)
                state = worlds.sample()
                world = observing(layout, remember(state, worlds.memory())).observed(sight.seat)
                assert bytes(world) == bytes(real)


@pytest.mark.parametrize("seats", [2, 4])
def test_a_long_game_is_judged_sooner_while_its_end_is_far(seats: int) -> None:
    far, near = seen("europe", seats, 10).sight, seen("europe", seats, 55 * seats).sight
    assert min(far.cars) > NEAR >= min(near.cars)
    assert suited(far).depth == SOON * seats, "every seat has acted as often as with two, however many there are"
    assert suited(near).depth == 2 * suited(far).depth
    opening, usual = suited(Game.new("europe", seats=seats, seed=4).view(0).sight), How()
    assert (suited(near).most, suited(near).gap) == (usual.most, usual.gap)
    assert opening.most > usual.most, "more choices of tickets are tried"
    assert opening.gap > usual.gap
    short = suited(seen("new-york", seats, 10).sight)
    assert (short.most, short.gap, short.depth) == (opening.most, opening.gap, usual.depth)


@pytest.mark.parametrize("played", [10, 110])
def test_where_a_policy_knows_a_long_game_it_guides_the_expert(played: int) -> None:
    view = seen("europe", 2, played)
    policy = LearnedBot().policy(view)
    assert policy is not None
    search = begin(view, Rng(1), policy)
    assert isinstance(search, GuidedSearch)
    assert search.candidates[0] == policy.choose(view.sight)
    bots = [ExpertBot(), ExpertBot()]
    chosen = {bot.choose(view, Rng(1), Budget(nodes=40)) for bot in bots}
    assert len(chosen) == 1
    assert chosen <= set(search.candidates)
    assert bots[0].why is not None
    assert bots[0].why == bots[1].why
    assert bots[0].why["expects"] == search.value, "the reasons are those of a policy, not of the planner"


def turns(map: str, seats: int, deals: range, name: str = "regular") -> Iterator[View]:
    """What whoever has the turn sees, all through games of one bot."""
    bot, rng = load(name), Rng(1)
    for seed in deals:
        game = Game.new(map, seats=seats, seed=seed)
        while not game.over:
            seat = game.to_act[0]
            view = game.view(seat)
            if game.state.stage == TURN:
                yield view
            game.play_index(seat, to_index(view, bot.choose(view, rng, Budget())))


def guided(view: View) -> GuidedSearch:
    search = begin(view, Rng(1), LearnedBot().policy(view))
    assert isinstance(search, GuidedSearch)
    return search


def test_beside_a_tunnel_that_may_fail_a_draw_is_tried() -> None:
    """And before one that can wait: then it is what would be done without any search."""
    tunnels = added = before = 0
    for view in turns("europe", 3, range(5)):
        search, board = guided(view), view.sight.board
        draws = [n for n, index in enumerate(search.candidates) if board.action_kind[index] in (DRAW_DECK, DRAW_ROW)]
        likeliest = max(range(len(search.logits)), key=lambda n: (search.logits[n], -n))
        index = search.candidates[likeliest]
        if board.action_kind[index] == CLAIM and board.kind[board.action_what[index]] == TUNNEL:
            tunnels += 1
            assert draws
            added += search.logits[draws[0]] < search.logits[likeliest] - search.how.gap
            if is_hasty(recall(view.sight).state, view.sight.seat, index):
                before += 1
                assert draws[0] == 0
            else:
                assert likeliest == 0
    assert tunnels > added > 0
    assert tunnels > before > 0


def told(search: GuidedSearch) -> list[tuple[int, int, int]]:
    """What was counted for each candidate."""
    return [search.contest.tally(which) for which in range(len(search.candidates))]


@pytest.mark.parametrize("depth", [ENDLESS, 6])
@pytest.mark.parametrize("seats", [2, 4])
def test_a_guided_search_tries_what_its_policy_holds_likely(seats: int, depth: int) -> None:
    view = seen("new-york", seats, 9)
    policy = LearnedBot().policy(view)
    assert policy is not None
    how = How()
    how.gap = 1 << 20  # whatever is allowed
    how.depth = depth
    search = GuidedSearch(view.sight, Rng(1), policy, how)
    assert search.candidates[0] == policy.choose(view.sight)
    assert list(search.logits) == sorted(search.logits, reverse=True)
    assert 2 <= len(search.candidates) <= how.most
    assert set(search.candidates) <= set(view.legal_indices())
    search.run(60)
    again = GuidedSearch(view.sight, Rng(1), policy, how)
    again.run(60)
    assert told(search) == told(again)
    assert [list(end) for end in search.ends] == [list(end) for end in again.ends]
    assert any(len(end) for end in search.ends) or depth < ENDLESS, "playouts end with the game, or are judged before"
    assert search.best() == again.best()
    assert 0 < search.nodes <= 60
    other = GuidedSearch(view.sight, Rng(2), policy, how)
    other.run(60)
    assert told(search) != told(other)


def played_on(search: GuidedSearch, world: State, memory: Memory, which: int) -> int:
    """What a candidate is worth in a world, step by step: the seat goes on by its policy, the others as they may."""
    witness = remember(world.copy(), memory, search.policy.layout.start)
    thoughts: dict[int, Thought] = {}
    observer = observing(search.policy.layout, witness)
    witness.act(search.seat, search.candidates[which])
    for n in range(ENDLESS):
        state, who = witness.state, int(actor(witness.state))
        thought = thoughts.setdefault(who, Thought(search.policy.first))
        search.policy.look(observer, who, thought)
        if who == search.seat and n >= search.how.depth:
            return int(search.policy.value()) * int(FINE)
        index = search.policy.space.index(state, who, search.policy.best())
        if who != search.seat and search.how.planned:
            planner = Planner(state.board, who, fitted(state.board), True)
            index = planner.choose(blind(state, who, witness.cards))
        witness.act(who, index)
    raise AssertionError("the game was to be judged before its end")


@pytest.mark.parametrize("planned", [False, True])
def test_others_play_on_like_the_planner_or_like_the_policy(planned: bool) -> None:
    view = seen("europe", 3, 30)
    policy = LearnedBot().policy(view)
    assert policy is not None
    how = suited(view.sight)
    assert how.planned, "a long game's others are taken for planners"
    assert not suited(seen("new-york", 3, 10).sight).planned
    how.planned, how.gap = planned, 1 << 20
    search, same = (GuidedSearch(view.sight, Rng(6), policy, how) for _ in range(2))
    search.step()
    world, memory = same.world()
    worth = [played_on(same, world, memory, which) for which in range(len(same.candidates))]
    assert told(search) == [(1, one - worth[0], (one - worth[0]) ** 2) for one in worth]
    assert len(set(worth)) > 1


def test_an_evaluation_compares_in_the_same_worlds() -> None:
    view = seen("new-york", 3, 9)
    played = view.legal_indices()[-1]
    told = evaluate(view, Rng(5), 60, also=[played])
    assert told == evaluate(view, Rng(5), 60, also=[played])
    assert told.learned
    assert not evaluate(seen("europe", 2, 40), Rng(5), 8).learned, "long games are played out by planners"
    assert told.of(played).playouts == told.best.playouts == len(told.best.wins)
    assert [one.win for one in told.candidates] == sorted((one.win for one in told.candidates), reverse=True)
    assert sum(seat.win for seat in told.seats) == pytest.approx(1)
    assert told.seats[view.sight.seat].win == told.best.win
    assert told.behind(told.best.index) == (0, 0)
    assert told.behind(played)[0] == pytest.approx(told.best.win - told.of(played).win)
    with pytest.raises(ValueError, match="no legal action"):
        evaluate(view, Rng(5), 60, also=[-1])


@pytest.mark.parametrize(("name", "seats", "steps"), [("new-york", 3, 24), ("europe", 3, 90), ("europe", 2, 110)])
def test_what_an_action_is_worth_depends_neither_on_the_others_nor_on_their_order(
    name: str, seats: int, steps: int
) -> None:
    view = seen(name, seats, steps)
    a, b, c, *_ = view.legal_indices()
    worlds = 12
    told = evaluate(view, Rng(5), 3 * worlds, only=[a, b, c])
    assert evaluate(view, Rng(5), 3 * worlds, only=[c, a, b]) == told
    assert evaluate(view, Rng(5), 3 * worlds, only=[b, a, c]) == told
    fewer = evaluate(view, Rng(5), 2 * worlds, only=[c, a])
    assert (fewer.of(a), fewer.of(c)) == (told.of(a), told.of(c))


def test_maps_that_no_policy_knows_are_evaluated_by_the_planner() -> None:
    data = load_map("europe").to_dict()
    unknown = load_map({**data, "id": "elsewhere", "points": {**data["points"], "1": 2}})
    view = seen(unknown, 2, 6)
    told = evaluate(view, Rng(5), 24, also=view.legal_indices()[:1])
    assert not told.learned
    assert len({one.index for one in told.candidates}) == len(told.candidates)
    assert told.of(view.legal_indices()[0]).playouts >= 2
