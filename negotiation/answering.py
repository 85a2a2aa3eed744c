"""The second half of a turn: the opponent answers the move that awaits it, and the rest of the turn is written.

A turn is two transactions, and between them nothing acknowledged can be lost. ``services.turn_submit`` puts the
player's move into the log; ``turn_resolve`` has the opponent answer and writes what came of it at once. A process that
dies between them leaves a game that awaits its reply: the next connection, or the worker, resolves it with the very
same result.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass

import structlog
from django.db import transaction

from negotiation import record, seating, sessions, standins
from negotiation.ending import close_if_over
from negotiation.engine.deal import Action, Negotiation
from negotiation.models import Event, Game
from negotiation.opponents import Answer, Opponent
from negotiation.opponents.standins import GIVEN_UP, how
from negotiation.selectors import last_move
from negotiation.table import metrics
from negotiation.table.drafts import DraftLine
from negotiation.table.log import append, locked
from negotiation.table.signals import table_ended
from negotiation.table.threads import in_database
from telemetry import span

log = structlog.get_logger(__name__)

_waited_for: set[uuid.UUID] = set()


@dataclass(frozen=True, slots=True)
class _Asked:
    """A move that somebody has to answer, after so many closed ``turns``, at ``seq`` in the log. ``table`` stands before
    it; where answering takes a while it is the asker's own."""

    turns: int
    seq: int
    table: Negotiation
    action: Action
    opponent: Opponent
    otherwise: Answer
    """What is answered where the opponent breaks down, or is asked no more."""
    given_up: bool = False


async def turn_resolve(*, game_id: uuid.UUID, opponent: Opponent | None = None) -> bool:
    """Have the opponent answer the move that awaits it. False when none does: someone else was faster.

    Args:
        opponent: who answers, by default the one that the game was set up with.
    """
    if opponent is None and not seating.may_talk():
        return await in_database(_record_answer, game_id)
    asked = await in_database(_ask, game_id, opponent)
    if asked is None:
        return False
    if asked.given_up:
        return await in_database(_record_answer, game_id, asked, asked.otherwise)
    if asked.opponent.instant:
        return await in_database(_record_answer, game_id, asked)
    return await in_database(_record_answer, game_id, asked, await _answer(game_id, asked))


def answer_at_once(game_id: uuid.UUID) -> bool:
    """As ``turn_resolve``, where nobody waits and only the strategist speaks. For work outside an event loop."""
    return _record_answer(game_id)


async def _answer(game_id: uuid.UUID, asked: _Asked) -> Answer:
    """Wait for the opponent, whose line the table sees grow. No lock and no thread is held meanwhile."""
    draft = DraftLine(game_id=game_id, after=asked.seq)
    _waited_for.add(game_id)
    try:
        with span("turn.reply", opponent=type(asked.opponent).__name__, game=str(game_id)):
            return await asked.opponent.reply(
                table=asked.table, action=asked.action, game=str(game_id), tell=draft
            )
    except Exception:
        # Asked again it might break again: the strategist goes on, so that no fault of ours ends a deal.
        log.exception("opponent_broke_down", game=str(game_id))
        return asked.otherwise
    finally:
        _waited_for.discard(game_id)
        draft.close()


def waits_for_model(game_id: uuid.UUID) -> bool:
    """Whether this process waits for a model's answer in the game: work that may be cancelled without harm."""
    return game_id in _waited_for


def _ask(game_id: uuid.UUID, opponent: Opponent | None) -> _Asked | None:
    with transaction.atomic():
        game = locked(Game, game_id)
        if game is None or not game.awaiting_reply:
            return None
        move = last_move(game)
        table = sessions.kept.peek(game)
        seated = opponent or seating.opponent_of(game)
        own = table if seated.instant else table.fork()
        given_up = not seated.instant and standins.has_given_up(game_id)
        why = GIVEN_UP if given_up else "the opponent broke down"
        otherwise = seating.answer_without(game, why=why)
        return _Asked(game.turns, move.seq, own, sessions.action_of(move.data), seated, otherwise, given_up)


def _record_answer(game_id: uuid.UUID, asked: _Asked | None = None, answer: Answer | None = None) -> bool:
    """Write the rest of the turn. ``asked`` is the move that ``answer`` was found for: no other one takes it."""
    try:
        with transaction.atomic():
            game = locked(Game, game_id)
            if game is None or not game.awaiting_reply:
                return False
            if asked is not None and asked.turns != game.turns:
                return False
            action = asked.action if asked else sessions.action_of(last_move(game).data)
            table = sessions.kept.take(game)
            turn = game.turns + 1
            answer = answer or seating.answer_without(game, why="no model server is configured")
            rows = list(record.answered(table, turn, action, answer))
            game.turns = turn
            game.awaiting_reply = False
            close_if_over(game, table)
            append(Event, game, rows)
            game.save()
            if not game.is_live:
                table_ended.send(Game, table=game)
    except BaseException:
        sessions.kept.forget(game_id)
        raise
    for kind, data in rows:
        if kind == "answer_explained":
            metrics.model_turns.labels(how(data)).inc()
    if game.is_live:
        sessions.kept.keep(game, table)
    return True
