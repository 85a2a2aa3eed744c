"""What a debrief shows beside the figures: the expert's game, the player's own lines, what to take along."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from coaching.analysis.advice import advice
from coaching.analysis.cases import beside, case_of
from coaching.analysis.rewrites import rewrites_of
from coaching.analysis.story import story
from coaching.cases.selectors import notes_of
from coaching.cases.services import expert_replay
from coaching.reviews.selectors import review_of
from negotiation import catalogue
from negotiation.engine.deal import personas
from negotiation.models import Game


def lessons_of(
    game: Game, debrief: Mapping[str, Any], transcript: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Cases, advice and rewrites of a finished deal, as the templates name them.

    Args:
        debrief: of the deal.
        transcript: both sides' moves in order.
    """
    scenario = catalogue.for_game(game)
    own, expert = case_of(debrief, transcript, scenario), expert_replay(game=game)
    said_better = rewrites_of(debrief, transcript, scenario)
    review = review_of(game.pk)
    points = advice(debrief, said_better, review)
    told = story(debrief, review, scenario, personas()[game.persona].name, expert)
    return {
        "own_case": own,
        "expert": expert,
        "pair": [own, expert],
        "lines": beside(own["lines"], expert["lines"]) if expert else [],
        "case_notes": notes_of(game),
        "rewrites": [each.plain() for each in said_better],
        "story": told,
        "advice": [("keep", points["keep"]), ("start", points["start"]), ("stop", points["stop"])],
    }
