"""Why a move was weaker than another, in words that a rep understands, with the figures that show it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, cast

from coaching.analysis.review.candidates import Candidate, PlayerPosition
from coaching.analysis.review.record import PlayedGame, PlayedTurn
from negotiation.engine.cards import CARDS
from negotiation.engine.deal.batch.players import Style
from negotiation.engine.deal.issues import labels
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
class Reason:
    """Why a move was weaker than another: for the reader, for the skill that it belongs to, and as a code."""

    text: str
    skill: Skill
    code: str


@dataclass(frozen=True, slots=True)
class Case:
    """A move and the better one, in their position."""

    played: PlayedGame
    turn: PlayedTurn
    position: PlayerPosition
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
    if candidate.kind == "accept":
        standing = case.turn.before.standing_offer or 0.0
        return f"Take their {format_money(standing, scenario.money)}."
    if candidate.kind == "walk_away":
        return "Walk away."
    if candidate.kind == "challenge":
        return f"{offer} and call the floor that they stated."
    if candidate.card is not None:
        coaching = CARDS[candidate.card].coaching
        return f"{coaching.say.format(offer=offer)}." if coaching is not None else f"{offer}."
    return f"{offer}{words.get(candidate.act or '', '')}."


def reason_of(case: Case) -> Reason:
    """Why the better move is better."""
    for rule in (_ends, _floor, _terms, _steps, _cards, _talk):
        found = rule(case)
        if found is not None:
            return found
    worth = _money(case.gain, case)
    return Reason(
        f"Against the opponents that it could have been, the other move earned about {worth} more.",
        "pacing",
        "worth_more",
    )


def _ends(case: Case) -> Reason | None:
    own, better, worth = case.turn.move, case.better, _money(case.gain, case)
    name = case.played.persona.name
    if own.accept:
        text = f"There was more to get: {name} would on average have come {worth} further."
        return Reason(text, "closing", "accepted_early")
    if own.walk_away:
        text = f"You left while a deal worth about {worth} to you was within reach."
        return Reason(text, "closing", "left_early")
    if better.kind == "accept":
        text = (
            f"What lay on the table was worth taking. From here on talks end worse for you, by {worth} on average: "
            "they come no further, or they leave."
        )
        return Reason(text, "closing", "should_have_taken")
    if better.kind == "walk_away":
        return Reason("Too little could still be won here to stay for.", "closing", "should_have_left")
    return None


def _floor(case: Case) -> Reason | None:
    claim = case.turn.before.open_claim
    if claim is None:
        return None
    stated = format_money(claim, case.played.scenario.money)
    if case.better.kind == "challenge":
        text = f"Their floor of {stated} does not fit the offers before it. Calling it would have moved them."
        return Reason(text, "bluff_calls", "bluff_uncalled")
    if case.turn.move.challenge is True:
        text = f"The floor of {stated} that you called fits what they had offered; a false call only costs goodwill."
        return Reason(text, "bluff_calls", "false_call")
    return None


def _terms(case: Case) -> Reason | None:
    own, better = case.own, case.better
    if own.bundle == better.bundle or better.offer is None or own.offer is None:
        return None
    terms = ", ".join(labels(case.played.scenario.issues, better.bundle, case.position.bundle))
    if not terms:
        return Reason("The terms that you changed cost more than they gave.", "packaging", "terms_cost")
    text = (
        f"Other terms ({terms}) are worth more to them than they cost you, or more to you than to them: "
        "trade them before you give money."
    )
    return Reason(text, "packaging", "terms_untraded")


def _steps(case: Case) -> Reason | None:
    if case.own.offer is None and case.better.offer is None:
        return None
    width = case.played.scenario.nominal_width
    early = case.position.opening or case.turn.turn <= _OPENING_TURNS
    if early and case.own.offer is None:
        text = "Nobody had named a number of yours yet. The first credible one sets the range."
        return Reason(text, "opening", "no_anchor")
    difference = (case.own.step - case.better.step) / width
    if abs(difference) < _SMALL_STEP:
        return None
    if difference > 0 and early:
        away = _money(difference * width, case)
        text = f"The first numbers set the range. You gave away {away} of it before they had to ask."
        return Reason(text, "opening", "opened_low")
    if early:
        text = "An opening so far out is not believed: it heats the table and moves nobody."
        return Reason(text, "opening", "opened_far")
    return _gave_too_much(case) if difference > 0 else _gave_too_little(case)


def _gave_too_much(case: Case) -> Reason:
    gave = _money(case.own.step, case)
    if case.their_deadline:
        text = f"You conceded {gave} while they were at their own deadline. Time was on your side."
        return Reason(text, "pacing", "gave_at_deadline")
    if case.their_last_step is not None and case.their_last_step <= 0:
        text = f"You conceded {gave} unasked: they had not moved since your last offer."
        return Reason(text, "pacing", "gave_unasked")
    if case.played.persona.patience < _HURRIED:
        text = f"You conceded {gave} to somebody in a hurry. Waiting costs them more than you."
        return Reason(text, "pacing", "gave_to_hurried")
    enough = _money(case.better.step, case) if case.better.step > 0 else None
    rest = f"{enough} would have kept the talks going" if enough else "they would have stayed without it"
    return Reason(f"You conceded {gave}; {rest}.", "pacing", "gave_too_much")


def _gave_too_little(case: Case) -> Reason:
    step = _money(case.better.step, case)
    if case.own.step < 0:
        text = "You took back ground that you had given. That costs trust and brings nothing."
        return Reason(text, "pacing", "took_back")
    if case.their_last_step is not None and case.their_last_step > 0:
        moved = _money(case.their_last_step, case)
        text = f"They had moved {moved}. Who answers nothing is answered with nothing: about {step} was due."
        return Reason(text, "pacing", "answered_nothing")
    name = case.played.persona.name
    text = f"Standing still for long makes {name} leave. About {step} keeps them at the table."
    return Reason(text, "pacing", "stood_still")


def _cards(case: Case) -> Reason | None:
    better, own = case.better.card, case.turn.move.card
    if better == own:
        return None
    if better is not None:
        coaching = CARDS[better].coaching
        return None if coaching is None else Reason(coaching.why, cast(Skill, coaching.skill), coaching.mark)
    return Reason(
        "The card did more harm than good here: it heated the table for little.", "tension", "card_harmed"
    )


def _talk(case: Case) -> Reason | None:
    if case.better.act == "question":
        text = "A question here costs nothing: it earns trust, and the answer tells you where their limit is."
        return Reason(text, "probing", "unasked")
    if case.better.act == "empathy":
        text = "They wanted to be heard. A word of understanding moves them further than a number."
        return Reason(text, "probing", "unheard")
    return None
