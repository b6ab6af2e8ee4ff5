"""Why an action is refused: one small number for each reason, with the rule that refuses and a sentence."""

from typing import Final

from mypy_extensions import i64

LEGAL: Final[i64] = 0
NOT_AN_ACTION: Final[i64] = 1
GAME_OVER: Final[i64] = 2
NOT_YOUR_TURN: Final[i64] = 3
ANSWERED: Final[i64] = 4
QUESTION_OPEN: Final[i64] = 5
NO_QUESTION: Final[i64] = 6
DECK_EMPTY: Final[i64] = 7
SLOT_EMPTY: Final[i64] = 8
WILD_SECOND: Final[i64] = 9
ROUTE_TAKEN: Final[i64] = 10
TWIN_YOURS: Final[i64] = 11
TWIN_CLOSED: Final[i64] = 12
FEW_CARS: Final[i64] = 13
FEW_CARDS: Final[i64] = 14
WRONG_COLOUR: Final[i64] = 15
FEW_WILDS: Final[i64] = 16
WRONG_COUNT: Final[i64] = 17
OWED_CARDS: Final[i64] = 18
OWED_WILDS: Final[i64] = 19
NO_TICKETS: Final[i64] = 20
OPENING_KEEP: Final[i64] = 21
KEEP_MORE: Final[i64] = 22
NOT_OFFERED: Final[i64] = 23
NO_STATIONS: Final[i64] = 24
STATIONS_USED: Final[i64] = 25
CITY_TAKEN: Final[i64] = 26
STATION_CARDS: Final[i64] = 27
STATION_COUNT: Final[i64] = 28
NOT_STUCK: Final[i64] = 29
OPENING_KEEP_UNDER: Final[i64] = 30
NO_SEAT: Final[i64] = 31

REFUSALS: Final[tuple[tuple[str, str, str], ...]] = (
    ("legal", "", "it is legal"),
    ("not-an-action", "R3.1", "this is not an action of this map"),
    ("game-over", "R7.1", "the game is over"),
    ("not-your-turn", "R3.1", "it is not this seat's turn"),
    ("answered", "R2.5", "this seat has answered the opening; an answer is final"),
    ("question-open", "R3.12", "the open question has to be answered first"),
    ("no-question", "R3.12", "no such question is open"),
    ("deck-empty", "R3.8", "the deck is empty and there are no discards to make a new one"),
    ("slot-empty", "R3.8", "there is no card in this place of the row"),
    ("wild-second", "R3.4", "a face-up wild cannot be the second card"),
    ("route-taken", "R4.2", "the route is claimed already"),
    ("twin-yours", "R4.4", "the other half of this double route is yours"),
    ("twin-closed", "R4.5", "with so few players a double route closes when one half is claimed"),
    ("few-cars", "R4.2", "not enough cars are left for this route"),
    ("few-cards", "R4.1", "these cards are not in the hand"),
    ("wrong-colour", "R4.1", "the route takes another colour"),
    ("few-wilds", "R4.7", "the ferry wants more wilds"),
    ("wrong-count", "R4.1", "a payment has as many cards as the route has spaces"),
    ("owed-cards", "R4.8", "what the tunnel owes is paid in the colour laid down, or wilds, and exactly"),
    ("owed-wilds", "R4.9", "a tunnel paid with wilds alone owes wilds"),
    ("no-tickets", "R5.2", "the ticket deck is empty"),
    ("opening-keep", "R2.3", "more of the opening tickets have to be kept"),
    ("keep-more", "R5.1", "more of the tickets drawn have to be kept"),
    ("not-offered", "R5.1", "this ticket is not on offer"),
    ("no-stations", "R1.3", "this map has no stations"),
    ("stations-used", "R6.3", "all stations of this seat are built"),
    ("city-taken", "R6.1", "the city has a station already"),
    ("station-cards", "R6.2", "these cards are not in the hand"),
    ("station-count", "R6.2", "the first station costs one card, each further one a card more, all of one colour"),
    ("not-stuck", "R3.10", "passing is legal only where nothing else is"),
    ("opening-keep-under", "R2.4", "more of the opening tickets have to be kept"),
    ("no-seat", "R3.1", "this game has no such seat"),
)
"""For each reason: its word, the rule, and what to say."""


class IllegalAction(ValueError):
    """The one exception for every bad action: the rule that refuses it, the reason's word, and a sentence."""

    def __init__(self, rule: str, message: str, reason: str = "not-an-action") -> None:
        """`rule` is a number of docs/rules.md, `reason` a word of `REFUSALS` that a program can compare."""
        super().__init__(rule, message, reason)
        self.rule = rule
        self.message = message
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.rule}: {self.message}"


def refuse(reason: i64) -> IllegalAction:
    """The exception for a reason."""
    word, rule, message = REFUSALS[reason]
    return IllegalAction(rule, message, word)
