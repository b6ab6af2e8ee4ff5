"""`branchline play`: in the browser, or with `--text` a person against bots in the terminal."""

import secrets
import sys
from argparse import Namespace
from contextlib import suppress
from hashlib import sha256
from importlib import import_module

from branchline.cli.named_bots import bot_called, bot_names, choice_of
from branchline.cli.paper import Paper
from branchline.cli.parser import Parser, Trouble, map_for, natural
from branchline.cli.person import Left, Person
from branchline.cli.words import happened, scored
from branchline.engine.refusals import IllegalAction
from branchline.engine.shuffle import Rng
from branchline.events import Event, RowFilled, TurnBegan
from branchline.game import Game
from branchline.record import Player, Record


def parser() -> Parser:
    """What `branchline play` takes."""
    parser = Parser(
        "branchline play",
        "Play in the browser, with friends or bots; or, with --text, against bots in the terminal, where help helps.",
        "branchline play --lan",
        "branchline play --text europe --seats 3",
        "branchline play --text new-york --seats 2 --bots random --seed 7",
    )
    parser.add_argument("--lan", action="store_true", help="let friends on the same network join; prints a QR code")
    parser.add_argument("--port", help="port to listen on [8000, or any that is free]")
    parser.add_argument("--no-browser", action="store_true", help="only print the address")
    parser.add_argument(
        "map", metavar="MAP", nargs="?", help="with --text: europe (if left out), new-york, or a map file"
    )
    parser.add_argument("--text", action="store_true", help="in the terminal; the flags below are for it")
    parser.add_seats(3)
    parser.add_argument("--seat", type=natural, default=0, metavar="N", help="where you sit (0 if left out)")
    parser.add_argument(
        "--bots",
        nargs="+",
        default=["random"],
        metavar="NAME",
        help=f"who sits in the other seats, one name for each or one for all: {bot_names()} (random if left out)",
    )
    parser.add_seed("the same seed deals the same game (any if left out)")
    return parser


def run(args: Namespace) -> int:
    """Play one game."""
    if not args.text:
        if args.map is not None:
            raise Trouble(f"in the browser the map is chosen on the page; in the terminal: --text {args.map}")
        from branchline.cli import play_browser  # late: the terminal needs no server

        return play_browser.play(args)
    map = map_for(args.map or "europe", args.seats)
    if args.seat >= args.seats:
        raise Trouble(f"--seat: there are the seats 0 to {args.seats - 1}")
    others = args.seats - 1
    if len(args.bots) not in (1, others):
        raise Trouble(f"--bots: {others} other seats take 1 or {others} names, not {len(args.bots)}")
    bots = args.bots if len(args.bots) == others else args.bots * others
    for name in bots:
        bot_called(name)
    # Anybody could try out small seeds; without one this game's cards can't be guessed.
    seed = secrets.token_hex(16) if args.seed is None else args.seed
    players = [Player(f"Bot {n + 1}", name) for n, name in enumerate(bots)]
    players.insert(args.seat, Player("Person"))
    if sys.stdin.isatty():
        _edit_lines()
    return _Table(Game.new(map, args.seats, seed), args.seat, players, seed).play()


def _edit_lines() -> None:
    """Let the arrow keys work where Python can do that."""
    with suppress(ImportError):
        import_module("readline")


class _Table:
    """One game, from the deal to the count."""

    def __init__(self, game: Game, seat: int, players: list[Player], seed: int | str) -> None:
        self._game = game
        self._seat = seat
        self._players = players
        self._who = ["You" if player.bot is None else player.name for player in players]
        self._paper = Paper()
        self._person = Person(self._paper, game, seat, self._who, lambda: Record.of(game, players, seed=seed))
        self._rng = Rng(int.from_bytes(sha256(f"bots {seed}".encode()).digest()[:7], "big"))
        self._told = ""

    def play(self) -> int:
        game, paper = self._game, self._paper
        paper.print(f"{game.map.name.get('en', game.map.id)}, {game.seats} seats; you have seat {self._seat}.")
        paper.print(f"{self._who[game.view(None).first]} will begin. Type help for all you can type.")
        try:
            while not game.over:
                self._step()
            self._tell_turn()
            paper.rule("The end")
            paper.print(*scored(game.scores(), game.map, self._who))
            paper.print()
            self._person.leave_taking()
        except Left:
            paper.print("You left the table." if not game.over else "Thank you for playing.")
        return 0

    def _step(self) -> None:
        game = self._game
        if self._seat not in game.to_act:
            seat = game.to_act[0]
            bot = bot_called(self._players[seat].bot or "random")
            self._show(game.play(seat, choice_of(bot, game.view(seat), self._rng)))
            return
        self._tell_turn()
        action = self._person.action()
        try:
            self._show(game.play(self._seat, action))
        except IllegalAction as error:
            self._person.explain(error, action)

    def _show(self, events: list[Event]) -> None:
        """Say what happened, a line for each turn; what came into the row is seen there."""
        for event in events:
            seen = self._game.event_for(event, self._seat)
            if isinstance(seen, TurnBegan):
                self._tell_turn()
                self._told = f"Turn {seen.turn}: "
            elif not isinstance(seen, RowFilled):
                comma = "" if not self._told or self._told.endswith(": ") else "; "
                self._told += comma + happened(seen, self._who)

    def _tell_turn(self) -> None:
        if self._told and not self._told.endswith(": "):
            self._paper.print(f"{self._told}.")
            self._told = ""
