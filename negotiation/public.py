"""What pages and the API show of scenarios and personas: words and ranges, never the sources of truth."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from negotiation.engine.cards import Card
from negotiation.engine.deal.case.declared import DealCase
from negotiation.engine.deal.case.labels import ACT_WORDS, OPENING_QUESTIONS, TOPIC_WORDS
from negotiation.engine.deal.issues import Issue
from negotiation.engine.deal.persona import Persona
from negotiation.engine.deal.scenario import Scenario
from negotiation.engine.deal.types import OTHER_SEAT, Seat
from negotiation.ratings import persona_ratings


def scenario_card(scenario: Scenario) -> dict[str, Any]:
    """A scenario before one has chosen a seat."""
    return {
        "id": scenario.id,
        "title": scenario.title,
        "summary": scenario.summary,
        "stakes_label": scenario.stakes_label,
        "currency": scenario.currency,
        "per_label": scenario.per_label,
        "step": scenario.step,
        "low": scenario.plausible_low,
        "high": scenario.plausible_high,
        "horizon": scenario.horizon,
        "issues": [issue_card(issue) for issue in scenario.issues],
        "seats": {
            seat: {"role": spec.role, "company": spec.company} for seat, spec in scenario.seats.items()
        },
    }


def issue_card(issue: Issue) -> dict[str, Any]:
    """An issue beside the price, in words; what its options are worth is each seat's own."""
    return {
        "id": issue.id,
        "title": issue.title,
        "options": [{"id": option.id, "label": option.label} for option in issue.options],
    }


def seat_brief(scenario: Scenario, seat: str) -> dict[str, Any]:
    """The brief of one seat: for the one who sits there, and for spectators of that player."""
    other = "buyer" if seat == "seller" else "seller"
    spec, across = scenario.seats[seat], scenario.seats[other]  # type: ignore[index]
    return {
        "seat": seat,
        "role": spec.role,
        "company": spec.company,
        "brief": spec.brief.strip(),
        "goals": list(spec.goals),
        "alternative_label": spec.alternative_label,
        "across": {"role": across.role, "company": across.company},
    }


def case_sheet(case: DealCase, seat: Seat) -> dict[str, Any]:
    """What its author gave one seat to say, to answer and never to claim, and the questions that its trade asks.

    What a game has drawn of a case is in its log; none of it is here.
    """
    side = case.seats[seat]
    return {
        "arguments": [
            {
                "id": each.id,
                "topic": each.topic,
                "says": each.says,
                "proof": each.proof,
                "gift": each.sweetener,
            }
            for each in side.arguments
        ],
        "never": [{"id": each.id, "topic": each.topic, "says": each.says} for each in side.never],
        "answers": [{"topic": topic, "says": says} for topic, says in side.answers.items()],
        "needs": {each.id: each.says for each in side.needs},
        "questions": dict(OPENING_QUESTIONS[OTHER_SEAT[seat]]),
        "topics": dict(TOPIC_WORDS),
        "acts": dict(ACT_WORDS),
    }


def persona_card(persona: Persona) -> dict[str, Any]:
    """A persona as a player meets it."""
    return {
        "id": persona.id,
        "name": persona.name,
        "first": persona.name.partition(" ")[0],
        "rest": "".join(persona.name.partition(" ")[1:]),
        "title": persona.title,
        "tagline": persona.tagline,
        "advice": persona.advice,
        "ratings": persona_ratings()[persona.id],
    }


def difficulty_levels() -> list[dict[str, Any]]:
    """What a difficulty means in a sentence, by the highest that it holds for."""
    return [
        {"up_to": 0.2, "words": _("They give ground easily. A place to learn the table.")},
        {"up_to": 0.4, "words": _("They bargain, and forgive mistakes.")},
        {"up_to": 0.6, "words": _("A fair fight.")},
        {"up_to": 0.8, "words": _("They read you well and give little away.")},
        {"up_to": 1.0, "words": _("They take all that you let them take.")},
    ]


def card_shown(card: Card) -> dict[str, Any]:
    """A card as a player holds it: what it costs and asks for, and the theory behind it."""
    shown = ("id", "title", "cost", "does", "hint", "theory", "limit", "needs_offer")
    return {name: getattr(card, name) for name in shown}
