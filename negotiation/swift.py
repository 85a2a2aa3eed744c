"""A turn at a table where the strategist sits: move, answer and grades in one transaction (``table.at_once``).

What is not of that kind, or does not go through at once (a question, a refusal, the last turn, a model across, a session
that is not at hand), goes the long way of ``services`` and ``answering``, which words it.
"""

from __future__ import annotations

import uuid

from accounts.permits import Permit
from negotiation import record, sessions
from negotiation.engine.deal import Action, Negotiation
from negotiation.engine.deal.errors import ActionRefused
from negotiation.messages import ActData, action_of
from negotiation.models import Event, Game
from negotiation.reading import heard, question_before
from negotiation.table.at_once import Taken, append_if
from telemetry import span


def turn_at_once(*, game_id: uuid.UUID, permit: Permit, action_id: uuid.UUID, act: ActData) -> Taken | None:
    """Take the player's move and its answer; ``None``, with nothing written, where it has to go the long way."""
    held = sessions.kept.pop(game_id)
    if held is None:
        return None
    game, table = held
    with span("turn.hear"):
        action = _ready(game, table, permit, act)
    if action is None:
        sessions.kept.keep(game, table)
        return None
    turn = game.turns + 1
    moved = ("player_moved", record.player_moved(turn, action, str(action_id)))
    with span("turn.answer"):
        rows = [moved, *record.answered(table, turn, action)]
    if table.outcome is not None:
        return None
    with span("turn.write"):
        written = append_if(
            Event,
            game,
            rows,
            action_id=action_id,
            permit=permit,
            changes={"turns": turn},
            expected={"turns": game.turns, "awaiting_reply": False},
        )
    if written is None:
        return None
    sessions.kept.keep(game, table)
    return Taken(written[0].seq, written)


def _ready(game: Game, table: Negotiation, permit: Permit, act: ActData) -> Action | None:
    """The move as it binds; ``None`` where it would be refused or asked about. Nothing changes."""
    action = action_of(act)
    if not _fits(game, permit):
        return None
    try:
        table.check(action)
    except ActionRefused:
        return None
    view = table.observe()
    asked = question_before(act, scenario=table.scenario, view=view)
    return record.bound(heard(action, table), view) if asked is None else None


def _fits(game: Game, permit: Permit) -> bool:
    """Whether it can be such a turn, as far as we know; the UPDATE finds out whether that still holds."""
    return (
        game.is_live
        and not game.awaiting_reply
        and game.player_id == permit.user_id
        and game.opponent == Game.Opponent.STRATEGIC
    )
