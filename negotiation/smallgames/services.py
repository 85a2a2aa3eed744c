"""Writes of the small games. Strategies answer at once, so a move and its answer are one transaction."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from negotiation.engine.drills import GAMES
from negotiation.smallgames import sitting as sittings
from negotiation.smallgames.kind import SMALL
from negotiation.smallgames.models import MoveType, SmallMatch, SmallMove
from negotiation.smallgames.opponents import model_of, opponents_of, suspects_of
from negotiation.smallgames.selectors import sitting_of
from negotiation.smallgames.sitting import OTHER, PLAYER, Sitting
from negotiation.table.errors import MoveRefused
from negotiation.table.log import append, locked, seq_of
from negotiation.table.seeds import draw_seed
from negotiation.table.signals import table_ended

Row = tuple[MoveType, dict[str, Any]]


@transaction.atomic
def match_create(
    *, player: User, game: str, opponent: str | None = None, seed: int | None = None
) -> SmallMatch:
    """Begin a match, against somebody named or, with no name, against somebody to be guessed.

    One that was live in the same game is put away.
    """
    if game not in GAMES:
        raise MoveRefused("unknown_game", "There is no such game.", "game")
    suspects, model = suspects_of(game), model_of(game)
    if opponent is not None and opponent not in suspects and (model is None or opponent != model.name):
        raise MoveRefused("unknown_opponent", "Nobody of that name plays this game.", "opponent")
    SmallMatch.objects.select_for_update().filter(
        player=player, game=game, status=SmallMatch.Status.LIVE
    ).update(status=SmallMatch.Status.LEFT, updated_at=timezone.now())
    match = SmallMatch(
        player=player,
        game=game,
        seed=draw_seed(SMALL) if seed is None else seed,
        mode=SmallMatch.Mode.GUESS if opponent is None else SmallMatch.Mode.OPEN,
    )
    match.opponent = opponent or _draw_opponent(match.seed, list(suspects))
    match.save(force_insert=True)
    opening = _answered(match, sittings.begin(game, match.seed))
    append(SmallMove, match, opening)
    match.save()
    return match


def _draw_opponent(seed: int, names: list[str]) -> str:
    """Who it is follows from no card: another stream of the same seed."""
    return names[seed * 2654435761 % 2**32 % len(names)]


def match_act(
    *, match_id: uuid.UUID, player: User, action_id: uuid.UUID, after: int, action: int
) -> SmallMatch:
    """Take the player's action and all that the other side does upon it.

    Args:
        after: the rows of the log that the player had seen; an action meant for an earlier moment is refused.
    """

    def rows(match: SmallMatch, sitting: Sitting) -> list[Row]:
        if sitting.match.done:
            raise MoveRefused("rounds_over", "All rounds are played. Say who it was.")
        if action not in sitting.match.legal(PLAYER):
            raise MoveRefused("not_legal", "The rules do not allow that. Choose again.", "action")
        mine: list[Row] = [("acted", {"seat": PLAYER, "action": action})]
        # In the games of one moment the other side chooses before it knows; in poker only once the player has acted.
        theirs = _theirs(match, sitting) if OTHER in sitting.match.to_move else []
        sitting.act(PLAYER, action)
        for _, data in theirs:
            sitting.act(OTHER, data["action"])
        return [*mine, *theirs, *_answered(match, sitting)]

    return _take(match_id, player, action_id, after, rows)


def match_name(
    *, match_id: uuid.UUID, player: User, action_id: uuid.UUID, after: int, suspect: str
) -> SmallMatch:
    """Name the opponent: once, and for good."""

    def rows(match: SmallMatch, sitting: Sitting) -> list[Row]:
        _still_to_guess(match, sitting)
        if suspect not in suspects_of(match.game):
            raise MoveRefused("unknown_suspect", "Choose one of the names first.", "suspect")
        if not sitting.rounds_over:
            raise MoveRefused("too_early", "Play a round first: nothing has been shown yet.", "suspect")
        sitting.named, sitting.named_after = suspect, sitting.rounds_over
        return [("named", {"suspect": suspect})]

    return _take(match_id, player, action_id, after, rows)


def match_ask_odds(*, match_id: uuid.UUID, player: User, action_id: uuid.UUID, after: int) -> SmallMatch:
    """Show what a careful observer makes of it; from then on the guess is no longer the player's alone."""

    def rows(match: SmallMatch, sitting: Sitting) -> list[Row]:
        _still_to_guess(match, sitting)
        if sitting.odds_asked:
            return []
        sitting.odds_asked = True
        return [("odds", {})]

    return _take(match_id, player, action_id, after, rows)


def _still_to_guess(match: SmallMatch, sitting: Sitting) -> None:
    if match.mode != SmallMatch.Mode.GUESS or sitting.named is not None:
        raise MoveRefused("known", "You know already who it is.")


@transaction.atomic
def _take(
    match_id: uuid.UUID,
    player: User,
    action_id: uuid.UUID,
    after: int,
    rows: Callable[[SmallMatch, Sitting], list[Row]],
) -> SmallMatch:
    """Append what the player did, under the row's lock. A repeated ``action_id`` changes nothing."""
    match = locked(SmallMatch, match_id, player=player)
    if match is None:
        raise MoveRefused("no_such_match", "This match is not yours to play.")
    if seq_of(SmallMove, match.pk, action_id) is not None:
        return match
    if not match.is_live:
        raise MoveRefused("match_over", "This match is over.")
    if after != match.last_seq:
        raise MoveRefused(
            "moved_on", "The match had moved on, perhaps in another window. This is how it stands."
        )
    sitting = sitting_of(match)
    append(SmallMove, match, rows(match, sitting), action_id=action_id)
    if sitting.match.done and (match.mode == SmallMatch.Mode.OPEN or sitting.named is not None):
        _finish(match, sitting)
        table_ended.send(SmallMatch, table=match)
    match.save()
    return match


def _theirs(match: SmallMatch, sitting: Sitting) -> list[Row]:
    """The other side's action, from its own view."""
    table, player = sitting.match, opponents_of(match.game)[match.opponent].player
    action = player.act(table.view(OTHER), table.number(OTHER))
    return [("acted", {"seat": OTHER, "action": action})]


def _answered(match: SmallMatch, sitting: Sitting) -> list[Row]:
    """Let the other side act until the player is awaited, or the match is over."""
    rows: list[Row] = []
    while sitting.match.to_move == (OTHER,):
        row = _theirs(match, sitting)
        sitting.act(OTHER, row[0][1]["action"])
        rows += row
    return rows


def _finish(match: SmallMatch, sitting: Sitting) -> None:
    """Write what it came to, a round."""
    known, rounds = sitting.facing(match.opponent), sitting.game.rounds
    match.status = SmallMatch.Status.FINISHED
    match.finished_at = timezone.now()
    match.paid = sum(paid[PLAYER] for paid in sitting.match.payoffs) / rounds
    lost = 0.0
    for decision in sitting.decisions:
        worths = known.worths(decision.view)
        lost += max(worths.values()) - worths[decision.action]
    match.given_away = max(0.0, lost) / rounds
    match.best, match.balanced = known.best, known.balanced
    if match.mode == SmallMatch.Mode.GUESS:
        match.right = sitting.named == match.opponent
        match.named_after, match.with_odds = sitting.named_after, sitting.odds_asked
