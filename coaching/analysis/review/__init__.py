"""The move review: what each move of a finished game was worth, from what its player could know."""

from coaching.analysis.review.record import PlayedGame, read_played
from coaching.analysis.review.report import VERSION, review

__all__ = ["VERSION", "PlayedGame", "read_played", "review"]
