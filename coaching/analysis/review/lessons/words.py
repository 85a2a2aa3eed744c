"""Habits of speech that cost something, each with why: what the rewrites of a person's own sentences mend."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from coaching.analysis.wording import gettext_noop

Habit = Literal["insult", "threat", "limit", "unasked", "hedge", "no_reason", "stacked"]


@dataclass(frozen=True, slots=True)
class SpokenHabit:
    """One habit: its name as a point under Stop, and why."""

    name: str
    why: str


MANNERS: Final[dict[Habit, SpokenHabit]] = {
    "insult": SpokenHabit(
        gettext_noop("Insulting them."),
        gettext_noop(
            "An insult costs more than it tells them. Go against the number, and ask what it rests on."
        ),
    ),
    "threat": SpokenHabit(
        gettext_noop("Threats."),
        gettext_noop(
            "A threat has to be carried out or costs you their belief. A question about what they need keeps them here."
        ),
    ),
    "limit": SpokenHabit(
        gettext_noop("Telling your limit."),
        gettext_noop("Who hears your limit offers exactly that. Say what you want in return instead."),
    ),
    "unasked": SpokenHabit(
        gettext_noop("Giving without asking."),
        gettext_noop("Nothing was asked for this step. Say what you get for it, or it teaches them to wait."),
    ),
    "hedge": SpokenHabit(
        gettext_noop("Apologising for your number."),
        gettext_noop("An apology tells them that the number is soft. Say it plainly."),
    ),
    "no_reason": SpokenHabit(
        gettext_noop("Numbers without a reason."),
        gettext_noop("A bare number invites a bare number. Say what it rests on."),
    ),
    "stacked": SpokenHabit(
        gettext_noop("Several questions at once."),
        gettext_noop("Several questions at once get one answer, to the easiest of them. Ask one and wait."),
    ),
}
