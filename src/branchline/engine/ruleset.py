"""Every constant and switch of the rules. A map is a board plus one of these; no rule asks for a map's name."""

from dataclasses import dataclass

from mypy_extensions import i64


@dataclass(frozen=True)
class Ruleset:
    """The numbers that make Europe Europe and New York New York."""

    seats_min: i64
    """Fewest seats of a game (R1.1)."""
    seats_max: i64
    """Most seats of a game (R1.1)."""
    cars: i64
    """Cars each seat starts with (R1.2)."""
    stations: i64
    """Stations each seat starts with; 0 removes the action (R1.3)."""
    opening_cards: i64
    """Cards dealt to each seat (R1.6)."""
    row: i64
    """Cards lying face up (R1.7)."""
    row_wilds: i64
    """So many wilds in the row send the whole row to the discards (R3.6)."""
    row_resets: i64
    """So many resets may follow each other before the row stays (R3.6)."""
    opening_long: i64
    """Long tickets dealt to each seat; those not dealt leave the game (R2.2)."""
    opening_tickets: i64
    """Ordinary tickets dealt to each seat (R2.2, R2.4)."""
    opening_keep: i64
    """Fewest tickets to keep of those dealt (R2.3, R2.4)."""
    opening_under: bool
    """Whether tickets not kept in the opening go under the deck (R2.4) or leave the game (R2.3)."""
    ticket_draw: i64
    """Tickets taken from the deck by a ticket draw (R5.1)."""
    ticket_keep: i64
    """Fewest tickets to keep of those drawn (R5.1)."""
    twins_from: i64
    """Fewest seats at which both halves of a double route are open (R4.5)."""
    tunnel_cards: i64
    """Cards turned up for a tunnel (R4.8)."""
    last_cars: i64
    """A turn ended with so many cars or fewer starts the last round (R7.1)."""
    station_points: i64
    """Points for each unbuilt station (R6.4)."""
    trail_points: i64
    """Points for the longest trail; 0 for no such bonus (R7.2)."""
    attraction_points: i64
    """Points for each attraction connected; 0 for no such bonus (R7.3)."""

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        # A compiled frozen dataclass has no other way to be pickled.
        return Ruleset, tuple(getattr(self, name) for name in FIELDS)


FIELDS: tuple[str, ...] = tuple(Ruleset.__dataclass_fields__)
"""The names of a ruleset's fields, in order: the keys of a map file's `ruleset`."""
