"""The whole review of a game, as plain values that can be kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from coaching.analysis.review.candidates import Candidate, Choices, standing_bundles
from coaching.analysis.review.information import InformationSet
from coaching.analysis.review.labels import FAULTS, LABELS, label_of
from coaching.analysis.review.reasons import Case, Reason, describe, reason_of
from coaching.analysis.review.record import Played, PlayedTurn
from coaching.analysis.review.values import SAMPLES, Regret, move_values, regret_of
from negotiation.engine.deal.batch import BatchNegotiation
from negotiation.engine.deal.batch.players import STYLES
from negotiation.engine.deal.chance import Array
from negotiation.engine.deal.conduct import DEADLINE_TURNS
from negotiation.engine.deal.issues import bundle_worths, terms_of
from negotiation.engine.deal.types import SIGN

VERSION = 1
"""Counts up whenever the same game would be reviewed differently, so that kept reviews can be told apart."""
SHOWN = 6

Progress = Callable[[int, int], None]


def review(played: Played, progress: Progress | None = None) -> dict[str, Any]:
    """Review every move of a finished game.

    Args:
        progress: told after each move how many are done and how many there are.

    Returns:
        Plain JSON values: the moves in order, the expected share by turn, totals.
    """
    information = InformationSet(played)
    moves = []
    for number, turn in enumerate(played.turns):
        moves.append(_reviewed(played, information, number))
        if turn.after is not None and turn.reply is not None and number + 1 < len(played.turns):
            information.follow(turn)
        if progress is not None:
            progress(number + 1, len(played.turns))
    regret = sum(move["regret"] for move in moves if move["label"] in FAULTS)
    return {
        "version": VERSION,
        "seat": played.seat,
        "persona": played.persona.id,
        "samples": SAMPLES,
        "styles": list(STYLES),
        "moves": moves,
        "counts": {label: sum(move["label"] == label for move in moves) for label in LABELS},
        "regret": round(regret, 4),
        "regret_money": played.scenario.round(sum(m["regret_money"] for m in moves if m["label"] in FAULTS)),
    }


def _reviewed(played: Played, information: InformationSet, number: int) -> dict[str, Any]:
    turn = played.turns[number]
    choices = Choices(played, turn, *standing_bundles(information.batch))
    mean, low, high = information.believed()
    opponents = information.sample(SAMPLES)
    values = move_values(opponents, choices, mean)
    regret = regret_of(values)
    breached = _breached(played, turn)
    label = label_of(regret, breached)
    candidates = [choices.as_played(), *choices.others()]
    zone = _expected_zone(opponents)
    case = Case(
        played=played,
        turn=turn,
        position=choices.position,
        own=candidates[0],
        better=candidates[regret.best],
        gain=regret.mean * zone,
        their_last_step=_their_last_step(played, number),
        their_deadline=_their_deadline(played, number),
        follow_up=STYLES[int(np.argmax(values.mean(axis=2)[regret.best]))],
    )
    told = label in FAULTS and regret.best != 0
    reason = _reason(case, told=told, breached=breached)
    sign = SIGN[played.seat]
    ends = sorted((sign * low, sign * high))
    return {
        "turn": turn.turn,
        "label": label,
        "regret": round(regret.mean, 4),
        "error": round(regret.error, 4),
        "regret_money": round(regret.mean * zone, 2),
        "value": round(regret.value, 4),
        "best_value": round(regret.best_value, 4),
        "reason": reason.text if reason else "",
        "skill": reason.skill if reason else None,
        "code": reason.code if reason else None,
        "played": _shown(candidates[0], played),
        "better": {**_shown(case.better, played), "text": describe(case.better, case)} if told else None,
        "follow_up": case.follow_up if told else None,
        "choices": _ranking(candidates, values, case, regret),
        "believed": {"mean": sign * mean, "low": ends[0], "high": ends[1]},
    }


def _breached(played: Played, turn: PlayedTurn) -> bool:
    """Whether the move itself closed the deal beyond the player's own limit."""
    view, sign = turn.before, SIGN[played.seat]
    if not turn.move.accept or view.standing_offer is None:
        return False
    worths = bundle_worths(played.scenario.issues, view.own.values)
    bundle = _last_bundle(played, turn.turn)
    return bool(sign * (view.standing_offer - view.own.walk_away) + float(worths[bundle]) < 0)


def _reason(case: Case, *, told: bool, breached: bool) -> Reason | None:
    if breached:
        text = "You closed beyond your own limit. Walking away would have been better than this deal."
        return Reason(text, "closing", "beyond_limit")
    return reason_of(case) if told else None


def _last_bundle(played: Played, turn: int) -> int:
    replies = [each.reply for each in played.turns if each.turn < turn and each.reply is not None]
    offers = [reply.bundle for reply in replies if reply.offer is not None]
    return offers[-1] if offers else (played.opening.bundle if played.opening else 0)


def _their_worths(played: Played, number: int) -> list[float]:
    """What each of their packages so far was worth to the player, in its value space."""
    worths = bundle_worths(played.scenario.issues, played.turns[0].before.own.values)
    sign = SIGN[played.seat]
    made = [played.opening, *(each.reply for each in played.turns[:number])]
    return [
        sign * move.offer + float(worths[move.bundle])
        for move in made
        if move is not None and move.offer is not None
    ]


def _their_last_step(played: Played, number: int) -> float | None:
    worths = _their_worths(played, number)
    return worths[-1] - worths[-2] if len(worths) > 1 else None


def _their_deadline(played: Played, number: int) -> bool:
    now = played.turns[number].turn
    recent = [each for each in played.turns[:number] if now - each.turn <= DEADLINE_TURNS]
    return any(each.reply is not None and each.reply.card == "time_pressure" for each in recent)


def _expected_zone(opponents: BatchNegotiation) -> float:
    return float(np.maximum(0.0, opponents.table.zone_now()).mean())


def _shown(candidate: Candidate, played: Played) -> dict[str, Any]:
    issues = played.scenario.issues
    return {
        "kind": candidate.kind,
        "offer": candidate.offer,
        "terms": terms_of(issues, candidate.bundle) if candidate.offer is not None and issues else None,
        "card": candidate.card,
        "act": candidate.act,
        "gives": round(candidate.step, 2),
    }


def _ranking(candidates: list[Candidate], values: Array, case: Case, regret: Regret) -> list[dict[str, Any]]:
    """The best few candidates with what they are worth, best first; the move that was played always among them."""
    worth = values.mean(axis=2).max(axis=1)
    order = [int(index) for index in np.argsort(-worth, kind="stable")]
    kept = order[:SHOWN] if 0 in order[:SHOWN] else [*order[: SHOWN - 1], 0]
    return [
        {
            **_shown(candidates[index], case.played),
            "value": round(float(worth[index]), 4),
            "text": "Your move." if index == 0 else describe(candidates[index], case),
            "played": index == 0,
        }
        for index in kept
    ]
