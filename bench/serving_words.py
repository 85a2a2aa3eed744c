"""What is said in ``bench.serving``: another thing on every turn, so that nobody gains by having read it before."""

from __future__ import annotations

import zlib
from typing import Any

_OPEN = (
    "I hear you",
    "I see your point",
    "I understand",
    "I follow you",
    "That is fair",
    "Thank you",
    "Good",
    "Well",
)
_ASIDE = (
    "and I know why you ask",
    "and it matters to us",
    "as we said before",
    "and we have looked at it",
    "of course",
)
_TOPIC = (
    "the timing",
    "the support",
    "the rollout",
    "the team",
    "the risk",
    "the quality",
    "the plan",
    "the service",
)
_CLOSE = (
    "is what we should talk about",
    "is where we can help",
    "matters more than it seems",
    "is worth a thought",
)
_ASKS = (
    "What drives",
    "Who decides about",
    "What worries you about",
    "How do you see",
    "Why does it come down to",
)
_WHOM = ("your people", "the board", "your engineers", "the users", "your finance team", "the directors")
_WHEN = (
    "this spring",
    "next month",
    "after the holidays",
    "before summer",
    "in the autumn",
    "by the year's end",
)


def line_for(question: Any) -> str:
    """A line that carries what the brief decided and that the guard lets through."""
    told = question.messages[1]["content"]
    tasks = told.split("Say now:")[1].splitlines()
    figures = [word.strip(".,:") for part in tasks for word in part.split() if word.startswith("$")]
    figure = f" {figures[-1]} is where I am." if figures else ""
    number = zlib.crc32(told.encode())
    opened, aside, number = _of(_OPEN, number), _of(_ASIDE, number // 8), number // 40
    first, second, number = _of(_TOPIC, number), _of(_TOPIC, number // 8), number // 64
    closed, last = _of(_CLOSE, number), _of(_CLOSE, number // 4)
    return f"{opened}, {aside}: {first} {closed}.{figure} For {_of(_WHOM, number // 16)}, {second} {last}."


def player_text(seed: int, turn: int) -> str:
    """What the player of a game says on a turn."""
    number = zlib.crc32(f"{seed} {turn}".encode())
    asked = f"{_of(_ASKS, number)} {_of(_TOPIC, number // 5)} for {_of(_WHOM, number // 40)} {_of(_WHEN, number // 240)}?"
    return f"{asked} I have it down as point {turn} of our list for {_of(_WHEN, number // 1440)}."


def _of(choices: tuple[str, ...], number: int) -> str:
    return choices[number % len(choices)]
