"""Rules about the talk at a table with a case: objections without an answer, news of theirs that nobody asked on about."""

from __future__ import annotations

from coaching.analysis.hints.facts import TurnFacts
from coaching.analysis.hints.hint import Hint
from negotiation.engine.deal.case.labels import SPOKEN_TOPICS

_FRESH = 3
"""An objection of so many turns ago is still in the room."""


def objection(facts: TurnFacts) -> Hint | None:
    """The last objection that the own sheet has something on and nobody has answered."""
    talk = facts.talk
    if talk is None:
        return None
    for said in reversed(talk.raised):
        answer = talk.answer_to(said)
        if answer is None or facts.turn - said.turn >= _FRESH:
            continue
        says = f"They said: “{said.says}.” Your sheet answers that: “{answer.says}.” Say it before you give on the price."
        return Hint(
            "objection",
            "talk",
            0.72,
            "An objection without an answer",
            says,
            f"Raised on turn {said.turn}, and not met since. An objection that stands holds the price back.",
        )
    return None


def news_of_theirs(facts: TurnFacts) -> Hint | None:
    """What they told last, where the player has not asked on."""
    talk = facts.talk
    if talk is None or not talk.told:
        return None
    last = talk.told[-1]
    if last.turn != facts.turn:
        return None
    about = SPOKEN_TOPICS[last.topic]  # type: ignore[index]  # a topic of the case
    return Hint(
        "told",
        "probe",
        0.55,
        "They told something",
        f"They told you: “{last.says}.” Ask on about {about}, or say it back in your words, before your next number.",
        f"Told on turn {last.turn}. Who asks on hears what lies behind it, and a summary that fits is answered with more.",
    )
