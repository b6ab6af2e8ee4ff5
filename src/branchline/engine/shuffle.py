"""Our own shuffles, specified byte for byte in docs/records.md, and the fast generator for playouts."""

from hashlib import sha256
from hmac import new as hmac
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

CARDS: Final[i64] = 0
LONG: Final[i64] = 1
TICKETS: Final[i64] = 2
FIRST: Final[i64] = 3
LABELS: Final = (b"cards", b"long", b"tickets", b"first")

MASK: Final[i64] = 0xFFFFFFFF
TOP: Final[i64] = 0x100000000


class Rng:
    """A fast generator (sfc32) for playouts and sampled worlds; all its numbers stay inside 32 bits."""

    def __init__(self, seed: i64, stream: i64 = 0) -> None:
        """Begin at `seed`; generators with other streams are independent."""
        self.a: i64 = seed & MASK
        self.b: i64 = (seed >> 32) & MASK
        self.c: i64 = stream & MASK
        self.counter: i64 = 1
        i: i64 = 0
        while i < 15:
            self.next()
            i += 1

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return _restore_rng, (int(self.a), int(self.b), int(self.c), int(self.counter))

    def next(self) -> i64:
        """The next 32 bits."""
        out = (self.a + self.b + self.counter) & MASK
        self.counter = (self.counter + 1) & MASK
        self.a = self.b ^ (self.b >> 9)
        self.b = (self.c + (self.c << 3)) & MASK
        self.c = ((((self.c << 21) | (self.c >> 11)) & MASK) + out) & MASK
        return out

    def below(self, n: i64) -> i64:
        """A number from 0 to n - 1; its bias is under n in four thousand million."""
        return (self.next() * n) >> 32

    def shuffle(self, pile: vec[i64]) -> None:
        """Shuffle in place."""
        i: i64 = len(pile) - 1
        while i > 0:
            j = self.below(i + 1)
            kept = pile[i]
            pile[i] = pile[j]
            pile[j] = kept
            i -= 1


def _restore_rng(a: i64, b: i64, c: i64, counter: i64) -> Rng:
    rng = Rng(0)
    rng.a, rng.b, rng.c, rng.counter = a, b, c, counter
    return rng


class Shuffler:
    """Where randomness enters. A shuffle depends on the key, its label and its index, and on nothing else."""

    def __init__(self, key: bytes, fast: i64 = 0) -> None:
        """With a 32-byte key every shuffle can be verified; with an empty one, the fast generator seeded by `fast`."""
        self.key = key
        self.fast: i64 = fast

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return Shuffler, (self.key, int(self.fast))

    def shuffle(self, pile: vec[i64], label: i64, index: i64) -> None:
        """Shuffle in place, from the last position down (Fisher-Yates)."""
        if not self.key:
            Rng(self.fast, index * 4 + label).shuffle(pile)
            return
        stream = Stream(self.key, label, index)
        i: i64 = len(pile) - 1
        while i > 0:
            j = stream.below(i + 1)
            kept = pile[i]
            pile[i] = pile[j]
            pile[j] = kept
            i -= 1

    def pick(self, n: i64, label: i64, index: i64) -> i64:
        """One number from 0 to n - 1."""
        if not self.key:
            return Rng(self.fast, index * 4 + label).below(n)
        return Stream(self.key, label, index).below(n)


class Stream:
    """SHA-256 in counter mode: block k is SHA-256(key, label, index, k); each block gives eight 32-bit numbers."""

    def __init__(self, key: bytes, label: i64, index: i64) -> None:
        """The numbers of one shuffle."""
        name = LABELS[int(label)]
        self.prefix: bytes = key + bytes([len(name)]) + name + int(index).to_bytes(4, "big")
        self.blocks = 0
        self.block = b""
        self.at: i64 = 8

    def next(self) -> i64:
        """The next 32 bits."""
        if self.at == 8:
            self.block = sha256(self.prefix + self.blocks.to_bytes(4, "big")).digest()
            self.blocks += 1
            self.at = 0
        start = int(self.at) * 4
        self.at += 1
        return int.from_bytes(self.block[start : start + 4], "big")

    def below(self, n: i64) -> i64:
        """A number from 0 to n - 1, each as likely: numbers past the last whole multiple of n are passed over."""
        limit = TOP - TOP % n
        while True:
            x = self.next()
            if x < limit:
                return x % n


def seed_bytes(seed: int | str | bytes) -> bytes:
    """A seed as bytes, with a letter for its type so that 7, "7" and b"7" differ."""
    if isinstance(seed, bytes):
        return b"b" + seed
    if isinstance(seed, str):
        return b"s" + seed.encode()
    return b"i" + str(seed).encode()


def game_key(seed: int | str | bytes, entropy: bytes = b"") -> bytes:
    """The key of a game's shuffles: HMAC-SHA-256 of the further entropy under the seed's hash."""
    return hmac(sha256(seed_bytes(seed)).digest(), b"branchline-shuffle-1" + entropy, sha256).digest()
