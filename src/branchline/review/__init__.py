"""A finished game judged decision by decision; practice, puzzles and challenges stand on it (docs/review.md)."""

from branchline.review.format import Chance, Decision, Estimate, Luck, Option, Review, SeatReview
from branchline.review.games import NotReviewed, game_hash
from branchline.review.practice import practice
from branchline.review.reviewing import Progress, Reviewer, review
from branchline.review.steps import Step

__all__ = [
    "Chance",
    "Decision",
    "Estimate",
    "Luck",
    "NotReviewed",
    "Option",
    "Progress",
    "Review",
    "Reviewer",
    "SeatReview",
    "Step",
    "game_hash",
    "practice",
    "review",
]
