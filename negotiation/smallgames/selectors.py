"""Reads of small games: whose a match is, how it stands, what somebody has achieved."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from accounts.models import User
from negotiation.engine.drills import GAMES
from negotiation.smallgames.catalogue import BY_NAME, CATALOGUE, SmallGame
from negotiation.smallgames.models import SmallMatch, SmallMove
from negotiation.smallgames.opponents import opponents_of
from negotiation.smallgames.sitting import Sitting, replay
from negotiation.table.log import seq_of

CLEAN = 0.15
"""A match is clean when it gave away no more than this a round, on the scale on which 3 is a good round."""
HISTORY = 12


@dataclass(frozen=True, slots=True)
class Played:
    """A finished match in a history."""

    match: SmallMatch
    opponent: str
    clean: bool


@dataclass(frozen=True, slots=True)
class Standing:
    """How somebody stands in one game."""

    game: SmallGame
    live: SmallMatch | None
    played: int
    streak: int
    """Clean matches in a row, up to the last one."""
    best: Played | None
    """The match that gave least away."""
    guessed: int
    right: int
    history: list[Played]


def match_of(match_id: uuid.UUID, user: User) -> SmallMatch | None:
    """The match, if it is this person's own. Practice is its owner's alone."""
    return SmallMatch.objects.filter(pk=match_id, player=user).first()


def written_at(match: SmallMatch, action_id: uuid.UUID) -> int:
    """Where what the player did stands in the log; its end, for what was there before."""
    return seq_of(SmallMove, match.pk, action_id) or match.last_seq


def sitting_of(match: SmallMatch) -> Sitting:
    """The match as its log has it."""
    rows = SmallMove.objects.filter(match=match).order_by("seq").values_list("type", "data")
    return replay(match.game, match.seed, rows)


def knows_opponent(match: SmallMatch, sitting: Sitting) -> bool:
    """Whether the player has been told who it is: from the start, or once the guess is made."""
    return match.mode == SmallMatch.Mode.OPEN or sitting.named is not None


def is_clean(match: SmallMatch) -> bool:
    """Played nearly as well as it could be; where the opponent was to be guessed, guessed right and unaided."""
    if match.mode == SmallMatch.Mode.GUESS:
        return bool(match.right) and not match.with_odds
    return (match.given_away or 0.0) * GAMES[match.game].scale <= CLEAN


def standing_of(user: User, game: SmallGame) -> Standing:
    """Everything that somebody has done in a game."""
    rows = list(SmallMatch.objects.filter(player=user, game=game.name).exclude(status=SmallMatch.Status.LEFT))
    done = sorted((row for row in rows if row.is_finished), key=lambda row: row.finished_at or row.created_at)
    history = [_played(row) for row in reversed(done)]
    # Whom one knows one can play best; a match against somebody unknown is judged by the guess.
    known = [one for one in history if one.match.mode == SmallMatch.Mode.OPEN]
    guesses = [one for one in history if one.match.mode == SmallMatch.Mode.GUESS]
    return Standing(
        game=game,
        live=next((row for row in rows if row.is_live), None),
        played=len(history),
        streak=len(list(takewhile(lambda one: one.clean, history))),
        best=min(known, key=lambda one: (one.match.given_away, -(one.match.paid or 0)), default=None),
        guessed=len(guesses),
        right=sum(bool(one.match.right) for one in guesses),
        history=history[:HISTORY],
    )


def standings_of(user: User) -> list[Standing]:
    """All five games, in the order of the catalogue."""
    return [standing_of(user, game) for game in CATALOGUE.values()]


def _played(match: SmallMatch) -> Played:
    return Played(match, opponents_of(match.game)[match.opponent].title, is_clean(match))


def archive_of(user: User) -> list[dict[str, Any]]:
    """All matches of somebody, to take along; of one that is live nothing that the other side hides."""
    return [_archived(match) for match in SmallMatch.objects.filter(player=user).order_by("created_at")]


def _archived(match: SmallMatch) -> dict[str, Any]:
    sitting = sitting_of(match)
    seen = not match.is_live or knows_opponent(match, sitting)
    return {
        "game": BY_NAME[match.game].title,
        "mode": match.mode,
        "status": match.status,
        "opponent": match.opponent if seen else None,
        "started": match.created_at,
        "ended": match.finished_at,
        "log": [
            {"type": kind, **data}
            for kind, data in SmallMove.objects.filter(match=match)
            .order_by("seq")
            .values_list("type", "data")
        ],
        "paid": match.paid,
        "given_away": match.given_away,
        "right": match.right,
        "with_odds": match.with_odds,
    }
