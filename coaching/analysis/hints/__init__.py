"""What a coach could whisper now: up to three hints from public information alone, so that each may be whispered."""

from coaching.analysis.hints.facts import TurnFacts, read_facts
from coaching.analysis.hints.hint import Hint
from coaching.analysis.hints.rules import hints

__all__ = ["Hint", "TurnFacts", "hints", "read_facts"]
