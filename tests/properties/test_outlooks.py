"""What a seat is told of its tickets is what the count would say."""

from hypothesis import given

from branchline import explain
from tests.builder import Position
from tests.properties.tables import Table, examples, tables


@examples(60, 6)
@given(tables())
def test_an_outlook_is_what_the_count_would_say(table: Table) -> None:
    for game in table.positions(apart=9):
        scores = game.scores()
        for seat in range(game.seats):
            view = game.view(seat)
            assert view.own is not None
            outlooks = {outlook.ticket: outlook for outlook in explain.outlooks(view)}
            assert set(outlooks) == {*view.own.tickets, *view.own.offer, *(view.own.answer or ())}
            for score in scores[seat].tickets:
                outlook = outlooks[score.ticket]
                assert (outlook.completed, outlook.points) == (score.completed, score.points)
                assert set(outlook.borrowed) <= set(scores[seat].borrowed.values())
                owners = {route: owner for route, owner in view.owners.items() if route in outlook.path}
                assert set(owners) == set(outlook.path)
                assert {route for route, owner in owners.items() if owner != seat} == set(outlook.borrowed)
                if outlook.completed:
                    assert outlook.way is not None
                    assert outlook.way.spaces == 0
            for ticket, outlook in outlooks.items():
                alone = explain.shortest_way(view, ticket)
                if alone is None:
                    assert outlook.way is None or set(outlook.way.routes) & set(scores[seat].borrowed.values())
                else:
                    assert outlook.way is not None
                    assert outlook.way.spaces <= alone.spaces


def test_a_station_counts_in_the_outlook(europe: Position) -> None:
    game = (
        europe.seats(3)
        .tickets(0, "berlin-roma")
        .owns(0, "berlin-wien", "munchen-wien", "munchen-venezia")
        .owns(1, "roma-venezia")
    )
    (before,) = explain.outlooks(game.game().view(0))
    assert not before.completed
    assert before.way is not None
    (after,) = explain.outlooks(game.station(0, "venezia").game().view(0))
    assert after.completed
    assert after.borrowed == ("roma-venezia",)
    assert after.path[-1] == "roma-venezia"


def test_a_ticket_is_only_lost_where_no_station_could_help(europe: Position) -> None:
    others = [route.id for route in europe.map.routes if "edinburgh" in route.id]
    cut = europe.seats(2).tickets(0, "edinburgh-athina").owns(1, *others[:1])
    (outlook,) = explain.outlooks(cut.game().view(0))
    assert outlook.way is None
    assert outlook.station
    (outlook,) = explain.outlooks(cut.station(1, "edinburgh", "london").game().view(0))
    assert not outlook.station
    built = cut.station(0, "athina", "roma", "sofia")
    (outlook,) = explain.outlooks(built.game().view(0))
    assert not outlook.station  # all are built, and none stands where it would help
