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
from django.utils import timezone

from negotiation import ledger, record, seating, sessions
from negotiation.drafts import DraftLine
from negotiation.engine.deal import Action, Negotiation
from negotiation.models import Game
from negotiation.opponents import Answer, Opponent
from negotiation.threads import in_database

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
    """What is answered where the opponent breaks down."""


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
        game = ledger.locked(game_id)
        if game is None or not game.awaiting_reply:
            return None
        move = ledger.last_move(game)
        table = sessions.take(game)
        sessions.keep(game, table)
        seated = opponent or seating.opponent_of(game)
        own = table if seated.instant else table.fork()
        otherwise = seating.answer_without(game, why="the opponent broke down")
        return _Asked(game.turns, move.seq, own, sessions.action_of(move.data), seated, otherwise)


def _record_answer(game_id: uuid.UUID, asked: _Asked | None = None, answer: Answer | None = None) -> bool:
    """Write the rest of the turn. ``asked`` is the move that ``answer`` was found for: no other one takes it."""
    try:
        with transaction.atomic():
            game = ledger.locked(game_id)
            if game is None or not game.awaiting_reply:
                return False
            if asked is not None and asked.turns != game.turns:
                return False
            action = asked.action if asked else sessions.action_of(ledger.last_move(game).data)
            table = sessions.take(game)
            turn = game.turns + 1
            answer = answer or seating.answer_without(game, why="no model server is configured")
            rows = list(record.answered(table, turn, action, answer))
            game.turns = turn
            game.awaiting_reply = False
            _close_if_over(game, table)
            ledger.append(game, rows)
            game.save()
    except BaseException:
        sessions.forget(game_id)
        raise
    if game.is_live:
        sessions.keep(game, table)
    return True


def _close_if_over(game: Game, table: Negotiation) -> None:
    outcome = table.outcome
    if outcome is None:
        return
    game.status = Game.Status.FINISHED
    game.finished_at = timezone.now()
    game.outcome_reason = outcome.reason
    game.price = outcome.price
    game.efficiency = outcome.efficiency
    game.total_reward = outcome.total_reward
