"""What a scripted model says at a table: the figure that its brief names, in words and at a pace that a test chooses."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tests.opponents.model_double import Body, Said, in_pieces

OPENING = "I hear you, and I value the detail. "
REST = "Let me be plain about how we see this, and where the work still lies for both of us."
OUT_OF_PART = (
    "I hear you, and I value the detail that you bring to this table. As an AI language model I cannot go on."
)
_FIGURE = re.compile(r"\$[\d,]*\d")


@dataclass
class Actor:
    """A brain for the double. ``mood`` is good, out_of_part, gone or slow; ``pause`` is seconds between pieces."""

    mood: str = "good"
    pause: float = 0.03

    def __call__(self, body: Body) -> Said:
        if "messages" not in body:
            return Said((), status=404)  # asked for metrics, which it has none of
        if self.mood == "gone":
            return Said((), status=500)
        if self.mood == "slow":
            return Said(in_pieces(OPENING), wait=60)
        if self.mood == "out_of_part":
            return Said(in_pieces(OUT_OF_PART), pause=self.pause)
        return Said(in_pieces(OPENING + self._figure(body) + REST), pause=self.pause)

    def _figure(self, body: Body) -> str:
        told = _FIGURE.findall(body["messages"][-1]["content"].rsplit("Say now", 1)[-1])
        return f"For us {told[-1]} is the figure on the table today. " if told else ""
