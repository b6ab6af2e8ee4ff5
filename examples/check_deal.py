"""Deal a game by docs/records.md alone, without Branchline's shuffles, and see that Branchline deals the same.

python examples/check_deal.py europe 3 7
"""

import hashlib
import hmac
import sys
from collections.abc import Iterator

import branchline


def numbers(key: bytes, label: str, index: int) -> Iterator[int]:
    prefix = key + bytes([len(label)]) + label.encode() + index.to_bytes(4, "big")
    for k in range(1 << 32):
        block = hashlib.sha256(prefix + k.to_bytes(4, "big")).digest()
        yield from (int.from_bytes(block[at : at + 4], "big") for at in range(0, 32, 4))
    raise AssertionError("no shuffle needs so many numbers")


def below(n: int, stream: Iterator[int]) -> int:
    return next(x for x in stream if x < 2**32 - 2**32 % n) % n


def shuffled(pile: list[str], key: bytes, label: str, index: int) -> list[str]:
    stream = numbers(key, label, index)
    for i in range(len(pile) - 1, 0, -1):
        j = below(i + 1, stream)
        pile[i], pile[j] = pile[j], pile[i]
    return pile


name, seats, seed = sys.argv[1:] if len(sys.argv) > 1 else ("europe", "3", "7")
data = branchline.load_map(name).to_dict()
rules = data["ruleset"]
key = hmac.digest(hashlib.sha256(b"i" + seed.encode()).digest(), b"branchline-shuffle-1", "sha256")

first = below(int(seats), numbers(key, "first", 0))
deck = shuffled([colour for colour, n in data["cards"].items() for _ in range(n)], key, "cards", 1)
hands = [sorted(deck.pop() for _ in range(rules["opening_cards"])) for _ in range(int(seats))]
row = [deck.pop() for _ in range(rules["row"])]
while row.count("wild") >= rules["row_wilds"]:
    row = [deck.pop() for _ in range(rules["row"])]

is_long = [bool(ticket["long"]) and rules["opening_long"] > 0 for ticket in data["tickets"]]
ids = [f"{ticket['a']}-{ticket['b']}" for ticket in data["tickets"]]
long = shuffled([id for id, own in zip(ids, is_long, strict=True) if own], key, "long", 2)
tickets = shuffled([id for id, own in zip(ids, is_long, strict=True) if not own], key, "tickets", 3 if long else 2)
offers = [
    [long.pop() for _ in range(rules["opening_long"])] + [tickets.pop() for _ in range(rules["opening_tickets"])]
    for _ in range(int(seats))
]

dealt = branchline.Game.new(name, seats=int(seats), seed=int(seed)).to_dict()
assert dealt["first"] == first
assert dealt["deck"] == deck
assert dealt["row"] == row
assert dealt["ticket_deck"] == tickets
for seat, hand, offer in zip(dealt["seats"], hands, offers, strict=True):
    assert sorted(colour for colour, n in seat["hand"].items() for _ in range(n)) == hand
    assert seat["offer"] == offer
print(f"{name}, {seats} seats, seed {seed}: both deal the same, seat {first} begins, the row is {', '.join(row)}")
