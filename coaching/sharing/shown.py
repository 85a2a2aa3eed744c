"""What a shared deal shows.

Without the truth it is made of what was said and bound, by a list of keys: nothing else of the log is looked at, so nothing
else can be told. With the truth it is what the debrief says of how it went and where it was decided.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _

from coaching import selectors
from coaching.cases.pages import lessons_of
from coaching.debriefs.pages import questions_of
from coaching.models import SpectatorLink
from coaching.sharing.names import without
from coaching.sharing.watching import names_in
from negotiation import catalogue
from negotiation.engine.deal import personas
from negotiation.engine.deal.scenario import Scenario
from negotiation.models import Game, Redaction
from negotiation.public import persona_card, scenario_card
from negotiation.selectors import snapshot_of

SAID: Final = ("side", "turn", "text", "offer", "terms", "card", "claim", "accept", "walk_away", "challenge")
"""What stands of a move in a shared deal: all of it was said or bound at the table."""
ENDED: Final = ("deal", "reason", "price", "agreed")
"""What of the outcome both sides saw happen; its shares and worths tell of limits."""


def shown(link: SpectatorLink) -> dict[str, Any]:
    """What the page of a link shows, as its template names it."""
    game = link.game
    truth = link.scope == SpectatorLink.Scope.DEBRIEF
    scenario = catalogue.for_game(game)
    seen = snapshot_of(game.id, "watcher")
    moves = [{key: move.get(key) for key in SAID} for move in seen["transcript"]]
    if not link.named:
        moves = without(names_in(game), moves)
    ended = {key: (seen["outcome"] or {}).get(key) for key in ENDED}
    page: dict[str, Any] = {
        "truth": truth,
        "who": game.player.get_full_name() if link.named else _("the player"),
        "named": link.named,
        "by_player": link.created_by_id == game.player_id,
        "scenario": scenario_card(scenario),
        "persona": persona_card(personas()[game.persona]),
        "seat": game.seat,
        "company": scenario.seats[game.seat].company,  # type: ignore[index]
        "talk": [
            {**move, "with": _labels(scenario, move["terms"] or {}) if move["offer"] else []}
            for move in moves
        ],
        "ended": {
            **ended,
            "agreed": _labels(scenario, ended["agreed"] or {}),
            "words": _ending(ended["reason"]),
        },
        "drawn": {"seat": game.seat, "price": ended["price"], **_offers(moves)},
        "words_gone": Redaction.objects.filter(table=game).exists(),
        "expires_at": link.expires_at,
    }
    return {**page, **_truth(game, moves, page["drawn"])} if truth else page


def _offers(moves: Sequence[Mapping[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """Both sides' prices, turn by turn; what the terms beside them are worth is each side's own."""
    sides = {"yours": "player", "theirs": "opponent"}
    return {
        name: [
            {"turn": move["turn"], "offer": move["offer"]}
            for move in moves
            if move["side"] == side and move["offer"] is not None
        ]
        for name, side in sides.items()
    }


def _truth(game: Game, moves: Sequence[Mapping[str, Any]], drawn: Mapping[str, Any]) -> dict[str, Any]:
    """What the debrief knows beside that. The words are those that are shown, so that a name left out stays out."""
    debrief = selectors.debrief_of(game)
    talk = snapshot_of(game.id, "coach")["transcript"]
    spoken = [{**own, "text": said["text"]} for own, said in zip(talk, moves, strict=True)]
    lessons = lessons_of(game, debrief, spoken)
    asked = questions_of(game, debrief, spoken, lessons, selectors.figures_of(debrief))
    zone, head = debrief["zone"], debrief["headline"]
    worths = {
        name: [
            {"turn": row["turn"], "offer": row[side]} for row in debrief["offers"] if row[side] is not None
        ]
        for name, side in (("yours", "own_worth"), ("theirs", "their_worth"))
    }
    limit = zone["original_low"] if game.seat == "seller" else zone["original_high"]
    there = {"low": zone["original_low"], "high": zone["original_high"], "nash": zone["nash"]}
    packages = debrief["packages"] is not None
    return {
        "debrief": {key: debrief[key] for key in ("headline", "packages", "voices")},
        "story": lessons["story"],
        **{key: asked[key] for key in ("went", "exchange", "better", "best", "columns")},
        "limit": limit,
        "their_limit": zone["original_high"] if game.seat == "seller" else zone["original_low"],
        "drawn": {
            **drawn,
            **worths,
            "limit": limit,
            "truth": there,
            "price": head["worth"],
            "packages": packages,
        },
    }


def _labels(scenario: Scenario, agreed: Mapping[str, str]) -> list[str]:
    """The agreed options in words."""
    return [
        option.label
        for issue in scenario.issues
        for option in issue.options
        if agreed.get(issue.id) == option.id
    ]


def _ending(reason: str | None) -> str:
    words = {
        "player_accepted": _("The other side’s offer was accepted."),
        "opponent_accepted": _("The other side accepted."),
        "player_walked": _("The player walked away."),
        "opponent_walked": _("The other side walked away."),
        "zone_collapsed": _("Open conflict ended the talks."),
        "horizon": _("The last turn passed without agreement."),
    }
    return words.get(reason or "", "")
