"""Writes of the tables, but for the opponent's answers, which are found and written in ``answering``.

``turn_submit`` and its kin put the player's move into the log and acknowledge it; from then on it can't be lost.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass

import structlog
from django.db import transaction

from accounts.models import Team, User
from negotiation import catalogue, record, seating, sessions
from negotiation.engine.deal import Action, Negotiation, personas
from negotiation.engine.deal.errors import ActionRefused
from negotiation.engine.deal.issues import Terms
from negotiation.engine.deal.listening import Listening
from negotiation.guide import FIRST_DEAL_DRAWS, guided_turns_of, teaches_nothing
from negotiation.kind import DEALS
from negotiation.messages import ActData, action_of
from negotiation.models import Event, Game
from negotiation.reading import Clarify, heard, question_before
from negotiation.selectors import log_after
from negotiation.table.errors import LogDiverged, MoveRefused
from negotiation.table.log import append, locked, seq_of
from negotiation.table.seeds import draw_seed

log = structlog.get_logger(__name__)

_SET_UP = (
    "player", "team", "scenario", "scenario_version", "scenario_text", "case_text", "persona", "opponent",
    "opponent_model", "seat", "difficulty", "seed", "horizon",
)  # fmt: skip
"""What a retry has in common with its parent."""


@dataclass(frozen=True, slots=True)
class Submitted:
    """The move is in the log at ``seq``. ``repeated`` when it already was: a retry after a lost ack."""

    seq: int
    repeated: bool


def game_create(
    *,
    player: User,
    scenario: str,
    persona: str,
    seat: str,
    difficulty: float = 0.5,
    team: Team | None = None,
    seed: int | None = None,
    opponent: str = Game.Opponent.STRATEGIC,
    opponent_model: str = "",
) -> Game:
    """Sit down at a new table: the set-up, and the persona's first words when it speaks first.

    Args:
        opponent: who decides and speaks across the table, one of ``Game.Opponent``.
        opponent_model: the model or adapter by the name that the model server gives it; by default the server's own.
    """
    listed = catalogue.find(scenario)
    if listed is None:
        raise MoveRefused("unknown_scenario", "There is no such scenario.", "scenario")
    if persona not in personas():
        raise MoveRefused("unknown_persona", "There is no such persona.", "persona")
    if seat not in ("seller", "buyer"):
        raise MoveRefused("unknown_seat", "A seat is seller or buyer.", "seat")
    if not 0 <= difficulty <= 1:
        raise MoveRefused("difficulty_out_of_range", "Difficulty goes from 0 to 1.", "difficulty")
    if opponent not in Game.Opponent.values:
        raise MoveRefused("unknown_opponent", "There is no such opponent.", "opponent")
    if opponent != Game.Opponent.STRATEGIC and not seating.may_talk():
        raise MoveRefused("no_model_server", "There is no model to talk to at the moment.", "opponent")
    scenario_text, case_text = (catalogue.keep(text) for text in catalogue.texts_for_new(listed))
    game = Game(
        player=player,
        team=team,
        scenario=scenario,
        scenario_version=listed.version,
        scenario_text=scenario_text,
        case_text=case_text,
        persona=persona,
        opponent=opponent,
        opponent_model=opponent_model or seating.usual_model(opponent),
        seat=seat,
        difficulty=difficulty,
        seed=draw_seed(DEALS) if seed is None else seed,
        horizon=listed.scenario.horizon,
        guided_turns=guided_turns_of(player, listed.scenario),
    )
    table = sessions.start(game)
    for _ in range(FIRST_DEAL_DRAWS):
        if seed is not None or not teaches_nothing(game, table):
            break
        game.seed = draw_seed(DEALS)
        table = sessions.start(game)
    with transaction.atomic():
        game.save(force_insert=True)
        append(Event, game, record.started(game, table))
        game.save()
    sessions.kept.keep(game, table)
    return game


ENGINE_CHANGED = (
    "The other side has learnt since: this deal was played against an earlier version of it and "
    "can't be taken up again."
)

RETRY = "retry"
"""Why a retry is marked as assisted: its player knows what the other side was hiding."""


def game_branch(*, parent: Game, turn: int) -> Game:
    """Sit down once more at a table that is over, as it stood before ``turn``: the same opponent, truth and events.

    The new game begins with a copy of the parent's log, without a coach's notes, and counts for learning only.
    One that nobody has moved in yet is given back instead of a second one.

    Raises:
        MoveRefused: when the parent is not over, never came to that turn, or was played on another engine.
    """
    if parent.status != Game.Status.FINISHED:
        raise MoveRefused("not_over_yet", "Only a deal that is over can be tried again.")
    if not 1 <= turn <= parent.turns:
        raise MoveRefused("no_such_turn", f"This deal has turns 1 to {parent.turns}.", "turn")
    unmoved = parent.retries.filter(branch_turn=turn, turns=turn - 1, status=Game.Status.LIVE)
    untouched = unmoved.filter(awaiting_reply=False).first()
    if untouched is not None:
        return untouched
    rows = record.before_turn(log_after(parent.pk, 0), turn)
    game = Game(
        **{part: getattr(parent, part) for part in _SET_UP},
        parent=parent,
        branch_turn=turn,
        turns=turn - 1,
        assisted=True,
        assisted_reason=RETRY,
    )
    try:
        with transaction.atomic():
            game.save(force_insert=True)
            append(Event, game, [*rows, ("assisted", {"reason": RETRY})])
            game.save()
            table = sessions.rebuild(game)
            sessions.check_truth(game, table)
    except (LogDiverged, ActionRefused) as diverged:
        raise MoveRefused("engine_changed", ENGINE_CHANGED) from diverged
    sessions.kept.keep(game, table)
    return game


SWAP = "swap"
"""Why a deal in the other chair is marked as assisted: its player has seen both sides."""


def game_swap(*, parent: Game) -> Game:
    """Sit down in the other chair of a deal that is over: the same secrets, the persona of before in the player's old seat.

    Hidden truth is drawn by the seed for both seats alike, so only the chairs change. It counts for learning only. One
    that nobody has moved in yet is given back instead of a second one.

    Raises:
        MoveRefused: when the parent is not over, or was played on another engine.
    """
    if parent.status != Game.Status.FINISHED:
        raise MoveRefused("not_over_yet", "Seats can be swapped in a deal that is over.")
    set_up = {part: getattr(parent, part) for part in _SET_UP}
    set_up["seat"] = "buyer" if parent.seat == "seller" else "seller"
    waiting = Game.objects.filter(**set_up, assisted_reason=SWAP, turns=0, status=Game.Status.LIVE)
    untouched = waiting.filter(awaiting_reply=False).first()
    if untouched is not None:
        return untouched
    try:
        sessions.check_truth(parent, sessions.start(parent))
        game = Game(**set_up, assisted=True, assisted_reason=SWAP)
        table = sessions.start(game)
    except (LogDiverged, ActionRefused) as diverged:
        raise MoveRefused("engine_changed", ENGINE_CHANGED) from diverged
    with transaction.atomic():
        game.save(force_insert=True)
        append(Event, game, [*record.started(game, table), ("assisted", {"reason": SWAP})])
        game.save()
    sessions.kept.keep(game, table)
    return game


def turn_submit(
    *,
    game_id: uuid.UUID,
    player: User,
    action_id: uuid.UUID,
    act: ActData,
    listening: Listening | None = None,
) -> Submitted | Clarify:
    """Bind the player's move, or ask what it means. An engine's refusal changes nothing.

    Args:
        listening: what a model's reader heard in the words before (``read_by_model``); else the house hears them now.
    """
    return _submit(
        game_id=game_id,
        player=player,
        action_id=action_id,
        action=action_of(act),
        act=act,
        listening=listening,
    )


def game_accept(
    *,
    game_id: uuid.UUID,
    player: User,
    action_id: uuid.UUID,
    offer: float | None,
    terms: Terms | None = None,
) -> Submitted:
    """Take the standing offer. ``offer`` and ``terms`` are those that the player saw; no others are taken."""
    answer = _submit(
        game_id=game_id, player=player, action_id=action_id, action=Action(accept=True), seen=(offer, terms)
    )
    assert isinstance(answer, Submitted)  # noqa: S101  # only an ``act`` is ever asked about
    return answer


def game_walk_away(*, game_id: uuid.UUID, player: User, action_id: uuid.UUID) -> Submitted:
    """Leave without a deal."""
    answer = _submit(game_id=game_id, player=player, action_id=action_id, action=Action(walk_away=True))
    assert isinstance(answer, Submitted)  # noqa: S101  # only an ``act`` is ever asked about
    return answer


@transaction.atomic
def _submit(
    *,
    game_id: uuid.UUID,
    player: User,
    action_id: uuid.UUID,
    action: Action,
    act: ActData | None = None,
    seen: tuple[float | None, Terms | None] = (None, None),
    listening: Listening | None = None,
) -> Submitted | Clarify:
    game = locked(Game, game_id)
    if game is None or game.player_id != player.pk:
        raise MoveRefused("no_such_game", "This deal is not yours to play.")
    written = seq_of(Event, game.pk, action_id)
    if written is not None:
        return Submitted(seq=written, repeated=True)
    if not game.is_live:
        raise MoveRefused("game_over", "This deal is over.")
    if game.awaiting_reply:
        raise MoveRefused("awaiting_reply", "The other side is still answering your last move.")
    table = sessions.kept.peek(game)
    if action.accept:
        _refuse_other_offer(table, *seen)
    table.check(action)
    view = table.observe()
    action = record.bound(heard(action, table, listening), view)
    if act is not None:
        question = question_before(act, scenario=catalogue.for_game(game), view=view)
        if question is not None:
            return question
    turn = game.turns + 1
    game.awaiting_reply = True
    append(
        Event,
        game,
        [("player_moved", record.player_moved(turn, action, str(action_id)))],
        action_id=action_id,
    )
    game.save()
    return Submitted(seq=game.last_seq, repeated=False)


def _refuse_other_offer(table: Negotiation, price: float | None, terms: Terms | None) -> None:
    view = table.observe()
    if view.standing_offer is None:
        raise ActionRefused("nothing_to_accept", "There is no offer on the table to accept.", None)
    if price != view.standing_offer or (terms is not None and terms != view.standing_terms):
        raise MoveRefused("offer_changed", "The offer on the table is another one now. Look again.", "accept")


@transaction.atomic
def game_mark_assisted(*, game_id: uuid.UUID, reason: str) -> bool:
    """From now on the game counts for learning only. False when it is over or already marked."""
    game = locked(Game, game_id)
    if game is None or game.assisted or not game.is_live:
        return False
    game.assisted = True
    game.assisted_reason = reason
    append(Event, game, [("assisted", {"reason": reason})])
    game.save()
    return True


@transaction.atomic
def game_watched(*, game_id: uuid.UUID, by: str, maker: str) -> bool:
    """Tell the table who saw its truth, and mark the game. ``by`` is empty for somebody who was not signed in."""
    game = locked(Game, game_id)
    if game is None or not game.is_live:
        return False
    append(Event, game, [("watched", {"turn": game.turns, "by": by, "maker": maker})])
    game.save()
    game_mark_assisted(game_id=game_id, reason="reveal_link_opened")
    return True


@transaction.atomic
def game_whisper(*, game_id: uuid.UUID, action_id: uuid.UUID, author: str, text: str) -> Submitted:
    """Write a coach's note into the log, anchored to the present turn; the game is assisted from then on."""
    game = locked(Game, game_id)
    if game is None or not game.is_live:
        raise MoveRefused("game_over", "This deal is over.")
    written = seq_of(Event, game.pk, action_id)
    if written is not None:
        return Submitted(seq=written, repeated=True)
    append(
        Event,
        game,
        [("whispered", {"turn": game.turns, "text": text, "author": author})],
        action_id=action_id,
    )
    seq = game.last_seq
    game.save()
    game_mark_assisted(game_id=game_id, reason="whisper")
    return Submitted(seq=seq, repeated=False)
