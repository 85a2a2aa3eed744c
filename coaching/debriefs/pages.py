"""The four questions of a finished deal's debrief, as its template names them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from coaching.debriefs.decided import best_move, better, columns, exchange, led
from coaching.debriefs.learnt import learnt
from coaching.debriefs.next_time import points
from coaching.debriefs.went import went
from coaching.reviews.selectors import review_of
from negotiation import catalogue
from negotiation.models import Game, Redaction

FIGURES: Final = {
    "score": ("terms", "ending"),
    "played": ("concession", "tension"),
    "knew": ("beliefs", "learned"),
    "theory": ("frontier",),
}
"""Which tab shows which figure. The offers are drawn once, as the ruler; of their figure the numbers alone stand there."""


def questions_of(
    game: Game,
    debrief: Mapping[str, Any],
    transcript: Sequence[Mapping[str, Any]],
    lessons: Mapping[str, Any],
    figures: Sequence[Mapping[str, Any]],
) -> dict[str, Any]:
    """Answers to the four questions.

    Args:
        lessons: of ``coaching.cases.pages.lessons_of``.
        figures: of ``coaching.selectors.figures_of``.
    """
    review, step = review_of(game.pk), catalogue.for_game(game).step
    decided = lessons["story"]["decided"]
    advised, more = points(lessons["advice"], lessons["rewrites"])
    by_id = {figure["id"]: figure for figure in figures}
    tabs = {tab: [by_id[each] for each in names if each in by_id] for tab, names in FIGURES.items()}
    return {
        "went": went(debrief, lessons["expert"], step),
        "columns": columns(review),
        "led": led(review),
        "exchange": exchange(transcript, decided["turn"]) if decided else None,
        "better": better(review, decided["turn"]) if decided else "",
        "best": None if decided else best_move(review, step),
        "learnt": learnt(debrief["discovery"]),
        "words_gone": Redaction.objects.filter(table=game).exists(),
        "advised": advised,
        "more_rewrites": more,
        "tabs": tabs,
        "drawn": [figure for drawn in tabs.values() for figure in drawn],
        "offer_numbers": by_id["offers"]["table"],
        "peak": max((row["value"] for row in debrief["tension"]), default=0),
    }
