"""From a strategist's decision to a persona's words."""

from __future__ import annotations

from numpy.random import Generator

from negotiation.engine.language.types import Memory, Speech, format_money


def speak(request: Speech, *, memory: Memory, rng: Generator) -> str:
    """Say what ``request`` decided, in its voice, never a line that ``memory`` already holds."""
    memory.count += 1
    figure = "" if request.offer is None else format_money(request.offer, request.money)
    line = f"{figure}. Round {memory.count}, and that is where I stand."
    memory.lines.add(line)
    return line
