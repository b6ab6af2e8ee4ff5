"""`branchline replay`: prints a recorded game, step by step."""

from argparse import Namespace

from branchline.actions import Action
from branchline.cli.files import load_record, names
from branchline.cli.paper import Paper
from branchline.cli.parser import Parser, Trouble, natural
from branchline.cli.plain import plain, plain_json
from branchline.cli.sheet import print_claimed, print_own, print_table
from branchline.cli.words import counted, happened, scored
from branchline.codec import to_json, to_line
from branchline.engine.refusals import IllegalAction
from branchline.events import Event, TurnBegan
from branchline.game import Game
from branchline.record import Record


def parser() -> Parser:
    """What `branchline replay` takes."""
    parser = Parser(
        "branchline replay",
        "Print a recorded game, step by step: step 0 is the deal, each further one an action.",
        "branchline replay game.json",
        "branchline replay game.json --seat 1 --step 40",
    )
    parser.add_argument("file", metavar="FILE", help="the record")
    parser.add_argument("--seat", type=natural, metavar="N", help="only what this seat could see")
    parser.add_argument("--step", type=natural, metavar="N", help="only this step, and the table after it")
    parser.add_json()
    return parser


def run(args: Namespace) -> int:
    """Replay, and print."""
    record = load_record(args.file)
    if args.seat is not None and args.seat >= len(record.players):
        raise Trouble(f"--seat: the game has the seats 0 to {len(record.players) - 1}")
    if args.step is not None and args.step > len(record.log):
        raise Trouble(f"--step: the game has the steps 0 to {len(record.log)}")
    teller = _JsonTeller(args.seat) if args.json else _Teller(record, args.seat, args.step is not None)
    step = 0
    game = record.deal()
    try:
        for step, (game, seat, action, events) in enumerate(record.replay()):
            if args.step in (None, step):
                teller.show(step, game, seat, action, events)
            if step == args.step:
                break
    except IllegalAction as error:
        raise Trouble(f"{args.file}: step {step + 1} is not legal: {error}") from None
    teller.end(game)
    return 0


class _JsonTeller:
    """A line of JSON for each step."""

    def __init__(self, seat: int | None) -> None:
        self._seat = seat

    def show(self, step: int, game: Game, seat: int | None, action: Action | None, events: list[Event]) -> None:
        hidden = self._seat not in (None, seat)
        seen = [event if self._seat is None else game.event_for(event, self._seat) for event in events]
        line = {
            "step": step,
            "seat": seat,
            "action": None if action is None or hidden else to_json(action),
            "events": [to_json(event) for event in seen],
        }
        print(plain_json(line))

    def end(self, game: Game) -> None:
        pass


class _Teller:
    """Words for each step."""

    def __init__(self, record: Record, seat: int | None, with_table: bool) -> None:
        self._paper = Paper()
        self._seat = seat
        self._who = names(record.players)
        self._with_table = with_table
        bots = [f"{self._who[n]} is the bot {plain(p.bot)}" for n, p in enumerate(record.players) if p.bot is not None]
        self._paper.print(f"{plain(record.map.name['en'])}, {len(record.players)} seats", *bots)

    def show(self, step: int, game: Game, seat: int | None, action: Action | None, events: list[Event]) -> None:
        paper = self._paper
        if seat is None or action is None:
            paper.print(f"{step:>4}  the deal")
        elif self._seat in (None, seat):
            paper.print(f"{step:>4}  {self._who[seat]}: {to_line(action)}")
        else:
            paper.print(f"{step:>4}  {self._who[seat]}")
        for event in events:
            seen = event if self._seat is None else game.event_for(event, self._seat)
            paper.print(f"      {'  ' if not isinstance(event, TurnBegan) else ''}{happened(seen, self._who)}")
        if self._with_table:
            self._print_table(game)

    def end(self, game: Game) -> None:
        if game.over and not self._with_table:
            self._paper.print("", *scored(game.scores(), game.map, self._who))
        elif not self._with_table:
            self._paper.print("", "The record ends here; the game had not ended.")

    def _print_table(self, game: Game) -> None:
        paper = self._paper
        paper.print()
        view = game.view(self._seat)
        print_table(paper, view, self._who)
        if self._seat is not None:
            print_own(paper, view)
        else:
            for seat, name in enumerate(self._who):
                own = game.view(seat).own
                if own is not None:
                    tickets = ", ".join(own.tickets or own.offer)
                    paper.print(f"{name} holds {counted(own.hand)}; tickets {tickets or 'none'}")
        print_claimed(paper, view, self._who)
