"""What in the other side's last move a persona answers, most pressing first."""

from __future__ import annotations

import re
from typing import Final

from negotiation.engine.cards import FLOOR, SILENCE
from negotiation.engine.language.types import TOPICS, Memory, Speech

_HEADLINES: Final[tuple[tuple[str, re.Pattern[str]], ...]] = tuple(
    (topic, re.compile(pattern, re.IGNORECASE))
    for topic, pattern in (
        ("people", r"\b(?:leaves|resigns|departs|steps down|quits)\b"),
        ("rival_bid", r"\b(?:second|another|competing)\b.{0,20}\b(?:acquirer|bidder|offer|buyer)\b"),
        ("deadline", r"\b(?:quarter|year|month)[- ]end\b|\bdeadline\b|\bexpires\b"),
        ("rates", r"\b(?:rates?|basis points|inflation)\b"),
        ("competitor", r"\b(?:competitors?|competing|rivals?)\b"),
        ("trouble", r"\b(?:technical debt|due diligence|breach|recall|lawsuit|rewritten|outage)\b"),
        ("growth", r"\b(?:record|renews|funding round|surge|growth|wins|upgrade)\b"),
    )
)
_PRESSING: Final = ("injection", "insult")
_TALK: Final = ("stall", "package", "empathy", "greet", "thanks", "small_talk", "nonsense")
_GIVES_WAY: Final = frozenset(("stall", "package"))
"""What is passed over where an offer or a question beside it wants the answer."""
_OWN_QUESTION: Final = frozenset(("limit", "budget", "alternative", "timeline", "authority", "basis"))
_SOFT: Final = frozenset(
    f"react.{key}"
    for key in (
        "empathy",
        "greet",
        "small_talk",
        "stall",
        "package",
        "question",
        "inform",
        "deadline",
    )
)


def reaction_keys(request: Speech, memory: Memory) -> list[str]:
    """The pools that answer what was heard, in the order in which they press."""
    heard = request.heard
    keys: list[str] = []
    acts = heard.acts if heard is not None else ()
    keys += [f"react.{act}" for act in _PRESSING if act in acts]
    if request.heard_card is not None:
        keys.append(f"react.{request.heard_card}")
    if request.headline is not None:
        keys += [_headline_key(request.headline), "headline.news"]
    if heard is not None:
        keys += _of_words(request, memory)
    return keys + concession_keys(request, memory)


def concession_keys(request: Speech, memory: Memory) -> list[str]:
    """The pools that comment on the other side's step, or on its first number."""
    if request.heard_offer is None:
        return []
    if not memory.heard:
        return ["react.first"]
    if request.heard_terms:
        return ["react.terms"]
    if request.heard_concession is None:
        return ["react.inform"]
    return [*_beside_the_claim(request, memory), *_of_the_step(request)]


def _beside_the_claim(request: Speech, memory: Memory) -> list[str]:
    """Whether the other side's new offer reaches the limit that the persona has stated."""
    heard, stated = request.heard_offer, memory.stated
    if heard is None or stated is None or request.heard_concession == "none":
        return []
    reached = heard >= stated if request.seat == "seller" else heard <= stated
    return ["react.meets_claim" if reached else "react.short_of_claim"]


def _of_the_step(request: Speech) -> list[str]:
    if request.heard_concession == "none":
        return ["react.repeat", "react.concession_none"]
    return [f"react.concession_{request.heard_concession}"]


def is_soft(key: str) -> bool:
    """Whether the step itself still deserves a word after this reaction."""
    return key in _SOFT or key.startswith(("react.question", "headline."))


def _headline_key(headline: str) -> str:
    for topic, pattern in _HEADLINES:
        if pattern.search(headline):
            return f"headline.{topic}"
    return "headline.news"


def _of_words(request: Speech, memory: Memory) -> list[str]:
    heard = request.heard
    if heard is None:
        return []
    keys: list[str] = []
    if "threat" in heard.acts:
        keys.append("react.threat")
    if "skepticism" in heard.acts:
        keys.append("react.skepticism")
    if FLOOR in heard.tactics:
        keys.append(f"react.{FLOOR}")
    if memory.stated is not None and heard.figure == memory.stated and "question" in heard.acts:
        keys.append("react.about_claim")
    keys += _of_questions(request)
    mine = heard.figure is not None and heard.figure in (*memory.claims, *memory.spoken)
    asked_back = heard.kind == "quote" and "question" in heard.acts
    if (
        heard.kind in ("hypothetical", "limit", "quote")
        and not asked_back
        and not (heard.kind == "limit" and mine)
    ):
        keys.append(f"react.{heard.kind}")
    if heard.kind == "rejection" or ("reject" in heard.acts and heard.kind == "none"):
        keys.append("react.reject")
    if "deadline" in heard.acts:
        keys.append("react.deadline")
    if "accept" in heard.acts and heard.kind == "none":
        keys.append("react.accept")
    if "reframe" in heard.tactics:
        keys.append("react.reframe")
    if SILENCE in heard.tactics and not set(heard.acts) - {"stall"}:
        return [*keys, "react.empty"]
    moved = request.heard_concession not in (None, "none")
    goes_on = moved or "offer" in heard.acts or "question" in heard.acts
    keys += [f"react.{act}" for act in _TALK if act in heard.acts and not (goes_on and act in _GIVES_WAY)]
    if request.heard_offer is None:
        keys.append("react.inform")
    return keys


def _of_questions(request: Speech) -> list[str]:
    """The question that was asked; "how about 150?" is an offer and no question."""
    heard = request.heard
    if heard is None or "question" not in heard.acts:
        return []
    topics = [topic for topic in TOPICS if topic in heard.topics]
    if heard.kind in ("none", "quote"):
        return [*(f"react.question_{topic}" for topic in topics), "react.question"]
    own = [f"react.question_{topic}" for topic in topics if topic in _OWN_QUESTION]
    return own if heard.kind == "offer" else [*own, "react.question"]
