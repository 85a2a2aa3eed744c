"""Habits of speech that cost something, each with why: what the rewrites of a person's own sentences mend."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

Habit = Literal["insult", "threat", "limit", "unasked", "hedge", "no_reason", "stacked"]


@dataclass(frozen=True, slots=True)
class SpokenHabit:
    """One habit: its name as a point under Stop, and why."""

    name: str
    why: str


MANNERS: Final[dict[Habit, SpokenHabit]] = {
    "insult": SpokenHabit(
        "Insulting them.",
        "An insult costs more than it tells them. Go against the number, and ask what it rests on.",
    ),
    "threat": SpokenHabit(
        "Threats.",
        "A threat has to be carried out or costs you their belief. A question about what they need keeps them here.",
    ),
    "limit": SpokenHabit(
        "Telling your limit.",
        "Who hears your limit offers exactly that. Say what you want in return instead.",
    ),
    "unasked": SpokenHabit(
        "Giving without asking.",
        "Nothing was asked for this step. Say what you get for it, or it teaches them to wait.",
    ),
    "hedge": SpokenHabit(
        "Apologising for your number.", "An apology tells them that the number is soft. Say it plainly."
    ),
    "no_reason": SpokenHabit(
        "Numbers without a reason.", "A bare number invites a bare number. Say what it rests on."
    ),
    "stacked": SpokenHabit(
        "Several questions at once.",
        "Several questions at once get one answer, to the easiest of them. Ask one and wait.",
    ),
}
