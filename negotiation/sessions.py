"""The engine's side of a deal, rebuilt from its log and kept at hand (``table.sessions``). Callers hold the lock of the
game's row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

from negotiation import catalogue
from negotiation.engine.deal import Action, Negotiation, Reply
from negotiation.engine.deal.law import LAW
from negotiation.engine.deal.wire import action_from_json, to_json
from negotiation.models import Event, Game
from negotiation.table.errors import LogDiverged
from negotiation.table.sessions import Kept

KEPT = 512
DECIDED = frozenset({"offer", "terms", "card", "claim", "accept", "walk_away"})
"""What a replay must decide as the log says. Words are taken from the log: nothing is decided by them."""
_ACTION_PARTS = frozenset(field.name for field in fields(Action))
_REPLY_PARTS = frozenset(field.name for field in fields(Reply))


def start(game: Game) -> Negotiation:
    """A session before the first move."""
    return Negotiation(**setup_of(game))


def rebuild(game: Game) -> Negotiation:
    """Replay the closed turns of the log, and make sure that it says now what it said then."""
    moves, answered = _logged(game)
    table = Negotiation.replay(setup_of(game), moves)
    _check_moves(game, table, answered)
    return table


def decisions(game: Game) -> Iterator[tuple[Negotiation, Action]]:
    """Each of the player's moves, with the table as it stood before it: to be looked at, not to be touched.

    Raises:
        LogDiverged: at the end, as ``rebuild``, where what was shown is not what the log says.
    """
    moves, answered = _logged(game)
    table = start(game)
    for action, answer in moves:
        yield table, action
        if isinstance(answer, str):
            table.step(action, words=answer)
        else:
            table.step(action, answer)
    _check_moves(game, table, answered)
    check_truth(game, table)


kept: Kept[Game, Negotiation] = Kept(KEPT, at=lambda game: game.turns, rebuild=rebuild)
"""Sessions by the number of closed turns: a whisper lengthens the log and changes nothing at the table."""


def _logged(game: Game) -> tuple[list[tuple[Action, Reply | str | None]], dict[int, dict[str, Any]]]:
    """The moves of the closed turns as ``Negotiation.replay`` takes them, and the answers as they were written."""
    kinds = ("game_started", "player_moved", "opponent_moved")
    rows = Event.objects.filter(game=game, type__in=kinds).order_by("seq")
    moved: dict[int, Action] = {}
    answered: dict[int, dict[str, Any]] = {}
    by_this_law = False
    for kind, data in rows.values_list("type", "data"):
        if kind == "game_started":
            by_this_law = data.get("law") == LAW
        elif kind == "player_moved":
            moved[data["turn"]] = action_of(data)
        else:
            answered[data["turn"]] = data
    turns = sorted(moved)[: game.turns]
    moves = [(moved[turn], answer_of(game, moved[turn], answered.get(turn), by_this_law)) for turn in turns]
    return moves, answered


def _check_moves(game: Game, table: Negotiation, answered: Mapping[int, dict[str, Any]]) -> None:
    for move in table.observe().transcript:
        written = answered.get(move.turn) if move.side == "opponent" else None
        if written is not None and any(
            getattr(move, part) != written[part] for part in DECIDED & set(written)
        ):
            raise LogDiverged(f"game {game.id}: turn {move.turn} replays differently")


def answer_of(
    game: Game, action: Action, written: Mapping[str, Any] | None, by_this_law: bool
) -> Reply | str | None:
    """How a logged answer is played again: what the persona decides by this law with the words of the log.

    What a model decided, or the persona by a law of before, is played as it stands: the game goes on by this law.
    """
    if written is None:
        return None
    by_model = game.opponent == Game.Opponent.NEGOTIATOR and not written["stand_in"]
    if (by_model or not by_this_law) and not (action.accept or action.walk_away):
        return Reply(**{name: part for name, part in written.items() if name in _REPLY_PARTS})
    return str(written["text"])


def check_truth(game: Game, table: Negotiation) -> None:
    """Make sure that the hidden truth of a session is the one that the log was graded by at the same turn.

    Moves alone do not show it where few were made.
    """
    graded = Event.objects.get(game=game, type="turn_graded", data__turn=table.turn - 1).data["truth"]
    truth = table.truth
    if graded["player"] != to_json(truth.player) or graded["opponent"] != to_json(truth.opponent):
        raise LogDiverged(f"game {game.id}: the hidden truth is another one")


def setup_of(game: Game) -> dict[str, Any]:
    """What the engine needs to start the same game again."""
    return {
        "scenario": catalogue.for_game(game),
        "persona": game.persona,
        "seat": game.seat,
        "seed": game.seed,
        "difficulty": game.difficulty,
        "horizon": game.horizon,
        "case": catalogue.case_for(game) or False,
    }


def action_of(data: Mapping[str, Any]) -> Action:
    """The engine's action for a ``player_moved`` event."""
    return action_from_json({name: part for name, part in data.items() if name in _ACTION_PARTS})
