"""Why a move was weaker than another, in words that a rep understands, with the figures that show it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from coaching.analysis.review.candidates import Candidate, Position
from coaching.analysis.review.record import Played, PlayedTurn
from negotiation.engine.deal.batch.players import Style
from negotiation.engine.deal.issues import labels
from negotiation.engine.deal.persona import Persona
from negotiation.engine.language import format_money

Skill = Literal["opening", "probing", "pacing", "bluff_calls", "closing", "tension", "packaging"]
SKILLS: tuple[Skill, ...] = (
    "opening",
    "probing",
    "pacing",
    "bluff_calls",
    "closing",
    "tension",
    "packaging",
)

_SMALL_STEP = 0.015
"""Steps closer than this, as a share of the zone, are the same step to a person."""
_HURRIED = 0.5
_OPENING_TURNS = 2


@dataclass(frozen=True, slots=True)
class Case:
    """A move and the better one, in their position."""

    played: Played
    turn: PlayedTurn
    position: Position
    own: Candidate
    better: Candidate
    gain: float
    """What the better move is worth more, in money."""
    their_last_step: float | None
    """What their last offer gave the player, in money; ``None`` before they have made two."""
    their_deadline: bool
    follow_up: Style


def _money(value: float, case: Case) -> str:
    scenario = case.played.scenario
    return format_money(max(scenario.step, scenario.round(abs(value))), scenario.money)


def _price(candidate: Candidate, case: Case) -> str:
    return format_money(candidate.offer or 0.0, case.played.scenario.money)


def _who(persona: Persona) -> str:
    return persona.name


def describe(candidate: Candidate, case: Case) -> str:
    """The better move as an instruction."""
    scenario = case.played.scenario
    terms = labels(scenario.issues, candidate.bundle, case.position.bundle)
    at = f"{_price(candidate, case)}{' with ' + ', '.join(terms) if terms else ''}"
    held = abs(candidate.step) < scenario.step / 2
    offer = f"Stay at {at}" if held and not case.position.opening and not terms else f"Offer {at}"
    words = {
        "question": " and ask what matters to them",
        "empathy": " and show that you heard them",
        "skepticism": "",
    }
    cards = {
        "silence": "Stay where you are and let a silence work",
        "sweetener": f"{offer} and add a sweetener",
        "reframe": f"{offer} and reframe what they compare it with",
        "time_pressure": f"{offer} and name a deadline",
    }
    if candidate.kind == "accept":
        standing = case.turn.before.standing_offer or 0.0
        return f"Take their {format_money(standing, scenario.money)}."
    if candidate.kind == "walk_away":
        return "Walk away."
    if candidate.kind == "challenge":
        return f"{offer} and call the floor that they stated."
    if candidate.card is not None:
        return f"{cards[candidate.card]}."
    return f"{offer}{words.get(candidate.act or '', '')}."


def reason_of(case: Case) -> tuple[str, Skill]:
    """Why the better move is better, and the skill that it belongs to."""
    for rule in (_ends, _floor, _terms, _steps, _cards, _talk):
        found = rule(case)
        if found is not None:
            return found
    worth = _money(case.gain, case)
    return (
        f"Against the opponents that it could have been, the other move earned about {worth} more.",
        "pacing",
    )


def _ends(case: Case) -> tuple[str, Skill] | None:
    own, better, worth = case.turn.move, case.better, _money(case.gain, case)
    if own.accept:
        return (
            f"There was more to get: {_who(case.played.persona)} would on average have come {worth} further.",
            "closing",
        )
    if own.walk_away:
        return f"You left while a deal worth about {worth} to you was within reach.", "closing"
    if better.kind == "accept":
        return (
            f"What lay on the table was worth taking. From here on talks end worse for you, by {worth} on average: "
            "they come no further, or they leave."
        ), "closing"
    if better.kind == "walk_away":
        return "Too little could still be won here to stay for.", "closing"
    return None


def _floor(case: Case) -> tuple[str, Skill] | None:
    called = case.turn.move.challenge is True
    claim = case.turn.before.open_claim
    if claim is None:
        return None
    stated = format_money(claim, case.played.scenario.money)
    if case.better.kind == "challenge":
        return (
            f"Their floor of {stated} does not fit the offers before it. Calling it would have moved them.",
            "bluff_calls",
        )
    if called:
        return (
            f"The floor of {stated} that you called fits what they had offered; a false call only costs goodwill.",
            "bluff_calls",
        )
    return None


def _terms(case: Case) -> tuple[str, Skill] | None:
    own, better = case.own, case.better
    if own.bundle == better.bundle or better.offer is None:
        return None
    terms = ", ".join(labels(case.played.scenario.issues, better.bundle, case.position.bundle))
    if not terms:
        return "The terms that you changed cost more than they gave.", "packaging"
    return (
        f"Other terms ({terms}) are worth more to them than they cost you, or more to you than to them: "
        "trade them before you give money."
    ), "packaging"


def _steps(case: Case) -> tuple[str, Skill] | None:
    if case.own.offer is None and case.better.offer is None:
        return None
    width = case.played.scenario.nominal_width
    early = case.position.opening or case.turn.turn <= _OPENING_TURNS
    difference = (case.own.step - case.better.step) / width
    if abs(difference) < _SMALL_STEP:
        return None
    gave = _money(case.own.step, case)
    if difference > 0:
        if early:
            return (
                f"The first numbers set the range. You began {_money(difference * width, case)} lower than you had to.",
                "opening",
            )
        return _gave_too_much(case, gave), "pacing"
    if early:
        return "An opening so far out is not believed: it heats the table and moves nobody.", "opening"
    return _gave_too_little(case), "pacing"


def _gave_too_much(case: Case, gave: str) -> str:
    if case.their_deadline:
        return f"You conceded {gave} while they were at their own deadline. Time was on your side."
    if case.their_last_step is not None and case.their_last_step <= 0:
        return f"You conceded {gave} unasked: they had not moved since your last offer."
    if case.played.persona.patience < _HURRIED:
        return f"You conceded {gave} to somebody in a hurry. Waiting costs them more than you."
    enough = _money(case.better.step, case) if case.better.step > 0 else None
    rest = f"{enough} would have kept the talks going" if enough else "they would have stayed without it"
    return f"You conceded {gave}; {rest}."


def _gave_too_little(case: Case) -> str:
    step = _money(case.better.step, case)
    if case.own.step < 0:
        return "You took back ground that you had given. That costs trust and brings nothing."
    if case.their_last_step is not None and case.their_last_step > 0:
        moved = _money(case.their_last_step, case)
        return f"They had moved {moved}. Who answers nothing is answered with nothing: about {step} was due."
    return f"Standing still for long makes {_who(case.played.persona)} leave. About {step} keeps them at the table."


def _cards(case: Case) -> tuple[str, Skill] | None:
    better, own = case.better.card, case.turn.move.card
    if better == own:
        return None
    said: dict[str, tuple[str, Skill]] = {
        "silence": ("A silence costs nothing here, and the impatient fill it.", "tension"),
        "sweetener": (
            "Something that costs you little and is worth more to them moves them further than money.",
            "packaging",
        ),
        "reframe": ("They compare your number with the wrong one. Give them another.", "closing"),
        "time_pressure": ("They are pressed for time; a deadline of yours would have told.", "tension"),
    }
    if better is not None:
        return said.get(better)
    return "The card did more harm than good here: it heated the table for little.", "tension"


def _talk(case: Case) -> tuple[str, Skill] | None:
    if case.better.act == "question":
        return (
            "A question here costs nothing: it earns trust, and the answer tells you where their limit is.",
            "probing",
        )
    if case.better.act == "empathy":
        return "They wanted to be heard. A word of understanding moves them further than a number.", "probing"
    return None
