"""The law that personas decide by, as a number that a game's log keeps."""

from typing import Final

LAW: Final = 2
"""Raised when a persona may decide otherwise in the same game: 1 (or no number) had false limits by the name alone, 2
states them noisily and bids against nobody. What was decided under another law is taken from the log as it stands."""
