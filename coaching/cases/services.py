"""The expert's game, worked out once and kept, and the player's notes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from django.db import transaction

from coaching.analysis.cases import case_of
from coaching.analysis.debrief import debrief
from coaching.analysis.expert import expert_moves
from coaching.cases.models import CaseNote, ExpertReplay
from negotiation import catalogue, record, sessions
from negotiation.engine.deal import Action, Negotiation
from negotiation.events import fold, redact
from negotiation.models import Game
from negotiation.table.errors import LogDiverged

MAX_NOTE = 2000


class NoteRefused(ValueError):
    """This note can't be kept; the message says why."""


def expert_replay(*, game: Game) -> dict[str, Any] | None:
    """The expert's case at this table, worked out in a few milliseconds where it is not kept yet.

    ``None`` where the table can't be set up again: it was played on another version of the engine.
    """
    kept = ExpertReplay.objects.filter(game=game).first()
    if kept is not None:
        case: dict[str, Any] = kept.case
        return case
    try:
        case = _played_by_expert(game)
    except LogDiverged:
        return None
    ExpertReplay.objects.get_or_create(game=game, defaults={"case": case})
    return case


def _played_by_expert(game: Game) -> dict[str, Any]:
    return played_again(game, expert_moves)


def played_again(game: Game, moves: Callable[[Negotiation], Iterator[tuple[int, Action]]]) -> dict[str, Any]:
    """The deal from its start with somebody else in the player's chair, as a case.

    Args:
        moves: given the table, yields each turn and the move on it, which is played before the next is asked for.

    Raises:
        LogDiverged: when the table can't be set up again.
    """
    table, scenario = sessions.start(game), catalogue.for_game(game)
    sessions.check_truth(game, table)
    rows = list(record.started(game, table))
    for turn, move in moves(table):
        action = record.bound(move, table.observe())
        rows.append(("player_moved", record.player_moved(turn, action, "")))
        rows += record.answered(table, turn, action, None)
    frames = [redact(seq=seq, kind=kind, data=data, role="coach") for seq, (kind, data) in enumerate(rows, 1)]
    return case_of(debrief(frames, scenario), fold(frames)["transcript"], scenario)


def replay_when_reviewed(game: Game, review: dict[str, Any]) -> None:
    """In the worker, after the review: the expert's game lies ready when the debrief is opened."""
    expert_replay(game=game)


@transaction.atomic
def note_keep(*, game: Game, other: Game | None, text: str) -> CaseNote | None:
    """Keep what the player noted about two deals; an empty note takes the earlier one away."""
    text = text.strip()
    if len(text) > MAX_NOTE:
        raise NoteRefused(f"A note has at most {MAX_NOTE} characters.")
    if not text:
        CaseNote.objects.filter(game=game, other=other).delete()
        return None
    note, _ = CaseNote.objects.update_or_create(game=game, other=other, defaults={"text": text})
    return note
