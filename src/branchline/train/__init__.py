"""Learning by self-play on the vector environment; it leaves behind a weights file that `bots/learned` plays."""
