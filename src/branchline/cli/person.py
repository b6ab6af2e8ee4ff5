"""The person at the table: shows what they may see, answers their questions, and reads what they choose."""

from collections.abc import Callable, Sequence
from pathlib import Path

from branchline import explain
from branchline.actions import Action, ClaimRoute, KeepTickets
from branchline.cli.menu import Item, Menu, menu_for
from branchline.cli.paper import Paper
from branchline.cli.sheet import print_board, print_claimed, print_own, print_table, ticket_line, ticket_words
from branchline.cli.words import likely, paid, refused, some
from branchline.codec import ACTIONS, action_from_line
from branchline.engine.refusals import IllegalAction
from branchline.game import Game
from branchline.record import Record
from branchline.views import View

HELP = """\
A number chooses a line of the menu; back, or an empty line, goes back to the menu before.
Or type an action as records write it:
  draw ?                              a card from the deck
  draw 2                              the card in place 2 of the row
  claim palermo-smyrna 4 red 2 wild   a route
  build roma 1 red                    a station
  tickets                             draw tickets
  keep berlin-roma                    tickets to keep
  pay 1 red, take-back                answers to a tunnel
Questions:
  why ROUTE        why you can't claim it, or how you can
  odds ROUTE       how likely a tunnel is to want more cards
  way TICKET       the shortest way that is left for it
  routes [CITY]    all routes, or those of a city, and who owns them
  claimed          each seat's routes and stations
  show             the table again
And save FILE writes the game down, quit leaves it."""


class Left(Exception):
    """The person has left the table."""


class Person:
    """Asks one person, in the terminal or through a pipe."""

    def __init__(self, paper: Paper, game: Game, seat: int, who: Sequence[str], record: Callable[[], Record]) -> None:
        """`who` names the seats; `record` writes the game down as it is."""
        self._paper = paper
        self._game = game
        self._seat = seat
        self._who = who
        self._record = record
        self._asked: tuple[int, str] | None = None
        """The turn and stage for which the table was shown last."""
        self._commands: dict[str, Callable[[list[str]], None]] = {
            "help": self._help,
            "why": self._why,
            "odds": self._odds,
            "way": self._way,
            "routes": self._routes,
            "claimed": self._claimed,
            "show": self._show,
            "save": self._save,
        }

    def action(self) -> Action:
        """What the person does."""
        view = self._view()
        if self._asked != (view.turn, view.stage):
            self._show([])
            self._asked = (view.turn, view.stage)
        if view.choices.keep:
            return self._tickets(view)
        menus = [menu_for(view)]
        shown = False
        while True:
            if not shown:
                self._print_menu(menus[-1])
            shown = True
            line = self._read()
            if line in ("", "back"):
                menus = menus[:-1] or menus
                shown = False
                continue
            chosen = self._item(line, menus[-1])
            if isinstance(chosen, Item):
                if chosen.action is not None:
                    return chosen.action
                if chosen.further is not None:
                    menus.append(chosen.further())
                    shown = False
            elif not chosen:
                action = self._typed(line)
                if action is not None:
                    return action

    def explain(self, error: IllegalAction, action: Action) -> None:
        """Say why the last answer was refused."""
        self._paper.print(f"That is not possible: {error.message} ({error.rule}).")
        if isinstance(action, ClaimRoute) and any(route.id == action.route for route in self._game.map.routes):
            self._why([action.route])

    def leave_taking(self) -> None:
        """After the end, save and the questions are still there."""
        self._paper.print("save FILE keeps the game, quit or an empty line leaves.")
        while line := self._read():
            if self._typed(line) is not None:
                self._paper.print("The game is over.")
        raise Left

    def _view(self) -> View:
        return self._game.view(self._seat)

    def _read(self) -> str:
        try:
            line = input("> ").strip()
        except EOFError:
            raise Left from None
        if line in ("quit", "exit"):
            raise Left
        return line

    def _item(self, line: str, menu: Menu) -> Item | bool:
        """The line of the menu that a number names; True if there is none, False if it is no number."""
        if not line.isascii() or not line.isdigit():
            return next((item for item in menu.items if item.further and item.cells[0] == line), False)
        number = int(line[:9])
        if 1 <= number <= len(menu.items):
            return menu.items[number - 1]
        self._paper.print(f"There is no line {line}.")
        return True

    def _typed(self, line: str) -> Action | None:
        """The action that was typed, or None once a question is answered."""
        word, *words = line.split()
        if word in self._commands:
            self._commands[word](words)
        elif word in ACTIONS:
            try:
                return action_from_line(line)
            except ValueError as error:
                self._paper.print(f"{error}.")
        else:
            self._paper.print(f"{word!r} is nothing I know; help lists what you can type.")
        return None

    def _tickets(self, view: View) -> Action:
        offer = view.own.offer if view.own is not None else ()
        least = view.choices.keep
        tickets = {ticket.id: ticket for ticket in view.map.tickets}
        self._paper.print(f"Which tickets do you keep, {least} or more? Numbers, like 1 3, or all.")
        rows = []
        for number, id in enumerate(offer, 1):
            way = explain.shortest_way(view, id)
            length = f"{some(way.spaces, 'car')} at least" if way is not None else "no way is left"
            rows.append([f"{number:>3}", ticket_words(tickets[id]), length])
        self._paper.table(rows)
        while True:
            line = self._read()
            if line == "all":
                return KeepTickets(offer)
            numbers = line.split()
            if numbers and all(word.isascii() and word.isdigit() for word in numbers):
                if all(1 <= int(word[:9]) <= len(offer) for word in numbers):
                    return KeepTickets(tuple(offer[int(word) - 1] for word in numbers))
                self._paper.print(f"There are the tickets 1 to {len(offer)}.")
            elif line:
                action = self._typed(line)
                if action is not None:
                    return action

    def _print_menu(self, menu: Menu) -> None:
        self._paper.print(menu.question)
        self._paper.table([[f"{number:>3}", *item.cells] for number, item in enumerate(menu.items, 1)])

    def _help(self, words: list[str]) -> None:
        self._paper.print(HELP)

    def _show(self, words: list[str]) -> None:
        view = self._view()
        self._paper.rule(f"Turn {view.turn}" if view.turn else "The opening")
        print_table(self._paper, view, self._who)
        print_own(self._paper, view)

    def _claimed(self, words: list[str]) -> None:
        print_claimed(self._paper, self._view(), self._who)

    def _routes(self, words: list[str]) -> None:
        city = words[0] if words else None
        if city is not None and all(city != c.id for c in self._game.map.cities):
            self._paper.print(f"This map has no city {city!r}; cities are written like {self._game.map.cities[0].id}.")
        else:
            print_board(self._paper, self._view(), self._who, city)

    def _why(self, words: list[str]) -> None:
        route = self._one(words, "why", "a route", [route.id for route in self._game.map.routes])
        if route is None:
            return
        view = self._view()
        if route in view.choices.claims:
            self._paper.print(f"You can, with {' or '.join(paid(p) for p in view.choices.claims[route])}.")
            return
        for reason in explain.why_not_claim(view, route):
            self._paper.print(f"  {refused(reason)}")

    def _odds(self, words: list[str]) -> None:
        tunnels = [route.id for route in self._game.map.routes if route.kind == "tunnel"]
        route = self._one(words, "odds", "a tunnel", tunnels)
        if route is None:
            return
        view = self._view()
        payments = view.choices.claims.get(route, ())
        if not payments:
            self._paper.print(f"You can't claim {route} now: why {route} tells the reason.")
        self._paper.table([[paid(payment), likely(explain.tunnel_odds(view, route, payment))] for payment in payments])

    def _way(self, words: list[str]) -> None:
        ticket = self._one(words, "way", "a ticket", [ticket.id for ticket in self._game.map.tickets])
        if ticket is not None:
            self._paper.print(ticket_line(self._view(), ticket))

    def _one(self, words: list[str], command: str, what: str, ids: Sequence[str]) -> str | None:
        if len(words) == 1 and words[0] in ids:
            return words[0]
        problem = f"{words[0]!r} is not one" if len(words) == 1 else f"{command} takes one"
        self._paper.print(
            f"{problem}: {what} is written like {ids[0]}." if ids else f"This map has no such thing as {what}."
        )
        return None

    def _save(self, words: list[str]) -> None:
        if len(words) != 1:
            self._paper.print("save takes the name of a file: save game.json")
            return
        try:
            self._record().save(Path(words[0]))
        except OSError as error:
            self._paper.print(f"{words[0]}: {error.strerror}.")
        else:
            secret = "" if self._game.over else " It holds all that is hidden: no looking before the end."
            self._paper.print(f"Saved in {words[0]}.{secret}")
