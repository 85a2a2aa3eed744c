"""Words in (``understand``), words out (``speak``). Knows numbers and acts, not the rules of the game."""

from __future__ import annotations

from negotiation.engine.language.speaking import listed, remember, speak, speak_answers
from negotiation.engine.language.terms import OptionNames, asked_terms, mentions_terms, named_terms
from negotiation.engine.language.types import (
    ACTS,
    CONFIDENCE_TO_BIND,
    TACTICS,
    TOPICS,
    Answer,
    Asked,
    Concession,
    Kind,
    Memory,
    MoneyContext,
    Mood,
    Reading,
    Seat,
    Setting,
    Speech,
    SpeechAct,
    Trust,
    Voice,
    format_money,
)
from negotiation.engine.language.understanding import understand

__all__ = [
    "ACTS",
    "CONFIDENCE_TO_BIND",
    "TACTICS",
    "TOPICS",
    "Answer",
    "Asked",
    "Concession",
    "Kind",
    "Memory",
    "MoneyContext",
    "Mood",
    "OptionNames",
    "Reading",
    "Seat",
    "Setting",
    "Speech",
    "SpeechAct",
    "Trust",
    "Voice",
    "asked_terms",
    "format_money",
    "listed",
    "mentions_terms",
    "named_terms",
    "remember",
    "speak",
    "speak_answers",
    "understand",
]
