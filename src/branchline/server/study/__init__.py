"""For those who learn from their games: the same deal for everybody, practice, reviews, puzzles, one's own games."""
