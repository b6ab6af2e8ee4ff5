"""`branchline play --text`, driven through a pipe as a person would type."""

import json
import re
from pathlib import Path

import pytest

from branchline import ClaimRoute, Game, Record
from branchline.codec import to_line
from tests.cli.conftest import Branchline, Done, random_game


@pytest.fixture
def table(branchline: Branchline, monkeypatch: pytest.MonkeyPatch) -> "Table":
    return Table(branchline, monkeypatch)


class Table:
    """Types lines into a game in this process."""

    def __init__(self, branchline: Branchline, monkeypatch: pytest.MonkeyPatch) -> None:
        self._branchline = branchline
        self._monkeypatch = monkeypatch

    def type(self, *lines: str, words: tuple[str, ...] = ("europe", "--seats", "3", "--seed", "7")) -> Done:
        typed = iter(lines)

        def read(prompt: str) -> str:
            print(prompt, end="")
            line = next(typed, None)
            if line is None:
                raise EOFError
            return line

        self._monkeypatch.setattr("builtins.input", read)
        return self._branchline("play", "--text", *words)

    def position(self, game: Game, *lines: str) -> str:
        """Type into a game that stands where we want it; all seats are this game's."""
        self._monkeypatch.setattr(Game, "new", lambda *_: game)
        return self.type(*lines).out


def test_a_person_is_seated_and_may_leave(table: Table) -> None:
    done = table.type("quit")
    assert done.code == 0
    assert done.out.startswith("Europe, 3 seats; you have seat 0.\nYou will begin.")
    assert "Row      0 wild   1 blue   2 orange   3 yellow   4 black" in done.out
    assert "Hand     1 orange, 1 yellow, 1 red, 1 wild" in done.out
    assert "1  kobenhavn-erzurum, 21 points, long  21 cars at least" in done.out
    assert done.out.endswith("> You left the table.\n")


def test_the_end_of_the_input_is_leaving(process: Branchline) -> None:
    done = process("play", "--text", "new-york", "--seats", "2", text="")
    assert (done.code, done.err) == (0, "")
    assert done.out.endswith("You left the table.\n")


def test_tickets_are_kept_by_number_by_name_or_all(table: Table) -> None:
    assert "You chose kobenhavn-erzurum, stockholm-wien" in table.type("1 3").out
    assert "You chose roma-smyrna, stockholm-wien" in table.type("keep roma-smyrna stockholm-wien").out
    assert "You kept 4 of 4 tickets" in table.type("all").out


def test_tickets_that_can_not_be_kept(table: Table) -> None:
    out = table.type("1", "9", "1 1", "keep paris-wien berlin-roma", "2 3").out
    assert "That is not possible: more of the opening tickets have to be kept (R2.3)." in out
    assert "There are the tickets 1 to 4." in out
    assert out.count("this ticket is not on offer (R5.1)") == 2
    assert "You kept 2 of 4 tickets" in out


def test_what_others_hide_stays_hidden(table: Table) -> None:
    out = table.type("1 2", "1", "1", "1", "1").out
    assert "Bot 1 has chosen" in out
    assert not re.search(r"Bot \d (chose|drew (?!a card))", out)


def test_a_menu_of_numbers(table: Table) -> None:
    out = table.type("1 2", "2").out
    assert "  1  draw from the deck          draw ?\n" in out
    assert "  7  draw 3 tickets              tickets\n" in out
    assert "1 point on your way" in out
    assert "claim another route         23 you can pay for …" in out
    assert "Turn 1: You took wild from place 0 of the row." in out


def test_claims_beside_the_way_have_a_menu_of_their_own(table: Table) -> None:
    out = table.type("1 2", "10", "back", "10", "", "10", "99", "quit").out
    assert out.count("Which route do you claim?") == 3
    assert out.count("Your turn?") == 3
    assert "There is no line 99." in out


def test_a_tunnel_tells_its_odds_before_it_is_dug(table: Table) -> None:
    out = table.type("1 2", "claim munchen-zurich 2 yellow", "odds munchen-zurich", "odds berlin-wien", "odds").out
    assert re.search(r"1 yellow 1 wild +nothing more \d+%, 1 more \d+%, 2 more \d+%, 3 more \d+%", out)
    assert out.count("a tunnel is written like angora-constantinople.") == 2
    listed = table.type("1 2", "10").out
    number = re.search(r"(\d+)  claim munchen-zurich", listed)
    assert number
    again = table.type("1 2", "10", number[1]).out
    assert "With which cards do you claim munchen-zurich?" in again
    assert "nothing more" in again


def test_why_not(table: Table) -> None:
    out = table.type(
        "1 2", "why palermo-smyrna", "why dieppe-paris", "why", "why rome-paris", "claim berlin-wien 3 green"
    ).out
    assert "the ferry wants more wilds (missing: 1 wild), R4.7" in out
    assert "You can, with 1 wild." in out
    assert out.count("a route is written like amsterdam-bruxelles.") == 2
    assert "That is not possible: these cards are not in the hand (R4.1)." in out
    assert "these cards are not in the hand (missing: 2 green), R4.1" in out


def test_other_questions(table: Table) -> None:
    out = table.type(
        "1 2", "help", "routes roma", "routes", "routes rome", "claimed", "way paris-wien", "show", "fly"
    ).out
    assert "claim palermo-smyrna 4 red 2 wild   a route" in out
    assert re.search(r"roma-venezia +2 black +open", out)
    assert re.search(r"palermo-smyrna +6 of one colour, 2 of them wild +open", out)
    assert "This map has no city 'rome'" in out
    assert "You: no route yet" in out
    assert "paris-wien, 8: 8 cars to go by " in out
    assert "'fly' is nothing I know; help lists what you can type." in out


def test_what_is_typed_wrong_is_explained(table: Table) -> None:
    out = table.type("1 2", "claim", "draw x", "draw 9", "pay 1 red", "claim rome-paris 3 red", "0").out
    assert "claim: route is missing." in out
    assert "draw: slot: expected a number, not 'x'." in out
    assert "this is not an action of this map" in out
    assert "no such question is open (R3.12)" in out
    assert "this map has no route 'rome-paris'" in out
    assert "There is no line 0." in out


def test_a_station_by_menu(table: Table) -> None:
    out = table.type("1 2", "11", "roma", "1").out
    assert "In which city?" in out
    assert "With which cards do you build in roma?" in out
    assert "Turn 1: You built a station in roma with 1 orange." in out


def test_a_tunnel_that_wants_more(table: Table) -> None:
    for seed in range(60):
        game = random_game("europe", 2, seed, 40)
        if game.to_act != (0,) or game.stage != "turn":
            continue
        tunnels = [route.id for route in game.map.routes if route.kind == "tunnel"]
        claims = game.view(0).choices.claims
        for route in (route for route in tunnels if route in claims):
            after = game.copy()
            action = ClaimRoute(route, claims[route][0])
            after.play(0, action)
            if after.stage == "tunnel-owed":
                out = table.position(game, to_line(action), "take-back")
                assert f"The tunnel {route} turned up " in out
                assert "take the payment back" in out
                assert f"You took the payment for {route} back" in out
                return
    raise AssertionError("no tunnel wanted more")


def test_the_game_is_saved(table: Table, branchline: Branchline, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    out = table.type("1 2", "1", "save", f"save {tmp_path}/none/game.json", f"save {path}").out
    assert "save takes the name of a file: save game.json" in out
    assert "No such file or directory." in out
    assert f"Saved in {path}. It holds all that is hidden: no looking before the end." in out
    record = Record.load(path)
    assert [player.bot for player in record.players] == [None, "random", "random"]
    assert record.verify().ok
    assert branchline("verify", str(path)).code == 0


@pytest.mark.parametrize("seed", range(3))
def test_whole_games_by_menu(process: Branchline, tmp_path: Path, seed: int) -> None:
    """Whatever numbers are typed, the game goes on to its end, and its record holds."""
    path = tmp_path / "game.json"
    numbers = ["all", *(str(n) for _ in range(300) for n in (8 - seed, 1, 1, 2, 9))]
    words = ["new-york", "--seats", "3", "--seat", "2", "--seed", str(seed), "--bots", "random", "random"]
    done = process("play", "--text", *words, text="\n".join([*numbers, f"save {path}", "", "quit"]))
    assert (done.code, done.err) == (0, "")
    assert "── The end ──" in done.out
    assert re.search(r"\w won by |share the win", done.out)
    assert done.out.endswith("Thank you for playing.\n")
    assert f"Saved in {path}.\n" in done.out
    result = json.loads(path.read_text(encoding="utf-8"))["result"]
    assert re.search(rf"You +{result['seats'][2]['routes']} ", done.out)
    assert Record.load(path).verify().ok
