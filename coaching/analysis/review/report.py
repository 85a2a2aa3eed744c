"""The whole review of a game, as plain values that can be kept."""

from __future__ import annotations

from typing import Any

import numpy as np

from coaching.analysis.review.candidates import Candidate
from coaching.analysis.review.information import BELIEVED
from coaching.analysis.review.instructions import describe
from coaching.analysis.review.judging import Judged, Progress, judged
from coaching.analysis.review.known import what_was_known
from coaching.analysis.review.labels import FAULTS, LABELS, SURE, Label, label_of
from coaching.analysis.review.lessons import BEYOND_LIMIT, Lesson, grave_in, lesson_of, taught
from coaching.analysis.review.moment import Moment
from coaching.analysis.review.record import PlayedGame, PlayedTurn
from coaching.analysis.review.unjudged import unjudged
from coaching.analysis.review.values import MORE_SAMPLES, SAMPLES, worths
from negotiation.engine.cards import DEADLINE, GIFT
from negotiation.engine.deal.batch.players import STYLES
from negotiation.engine.deal.chance import Array
from negotiation.engine.deal.conduct import DEADLINE_TURNS
from negotiation.engine.deal.issues import bundle_worths, terms_of
from negotiation.engine.deal.types import OTHER_SEAT, SIGN

VERSION = 4
"""Counts up whenever the same moves would be judged differently, so that kept reviews can be told apart."""
SHOWN = 6
SAME = 0.0005
"""Shares that differ by less are the same."""
WORSE = 2
"""A question has at least so many answers that the best one surely beats, the played move among them."""


def review(played: PlayedGame, progress: Progress | None = None, draw: int = 0) -> dict[str, Any]:
    """Review every move of a finished game.

    Args:
        draw: which draw of imagined opponents judges it; another one tells how sure the verdicts are.
        progress: told after each move how many are done and how many there are.

    Returns:
        Plain JSON values: the moves in order, the expected share by turn, totals.
    """
    moves = [_reviewed(played, each) for each in judged(played, draw, progress)]
    regret = sum(move["regret"] for move in moves if move["label"] in FAULTS)
    return {
        "version": VERSION,
        "seat": played.seat,
        "persona": played.persona.id,
        "samples": SAMPLES + MORE_SAMPLES,
        "styles": list(STYLES),
        "moves": moves,
        "counts": {label: sum(move["label"] == label for move in moves) for label in LABELS},
        "regret": round(regret, 4),
        "regret_money": played.scenario.round(sum(m["regret_money"] for m in moves if m["label"] in FAULTS)),
    }


def _reviewed(played: PlayedGame, each: Judged) -> dict[str, Any]:
    turn, choices, regret, zone = played.turns[each.number], each.choices, each.regret, each.zone
    mean, low, high = each.believed
    values = each.weighing.values
    breached = _breached(played, turn)
    candidates = [choices.as_played(), *choices.others()]
    moment = Moment(
        played=played,
        turn=turn,
        position=choices.position,
        own=candidates[0],
        better=candidates[regret.best],
        gain=regret.mean * zone,
        their_last_step=_their_last_step(played, each.number),
        their_deadline=_their_deadline(played, each.number),
        follow_up=STYLES[int(np.argmax(worths(values)[regret.best]))],
        believed=SIGN[played.seat] * mean,
    )
    grave = BEYOND_LIMIT if breached else grave_in(moment)
    label = _not_praised(label_of(regret, breached), grave)
    why_not = None if grave or label in ("best", "good") else unjudged(moment)
    label = None if why_not else label
    told = label in FAULTS and regret.best != 0
    worse = [index for index in surely_worse(values, regret.best) if not _alike(candidates, index)]
    asked = told and len(worse) >= WORSE
    lesson = grave or (lesson_of(moment) if told else None)
    said = taught(lesson, moment) if lesson else None
    sign = SIGN[played.seat]
    ends = sorted((sign * low, sign * high))
    return {
        "turn": turn.turn,
        "label": label,
        "regret": round(regret.mean, 4),
        "error": round(regret.error, 4),
        "regret_money": round(regret.mean * zone, 2),
        "alone": round(regret.alone, 4),
        "alone_money": round(regret.alone * zone, 2),
        "value": round(regret.value, 4),
        "best_value": round(regret.best_value, 4),
        "reason": said["text"] if said else "",
        "skill": said["skill"] if said else None,
        "code": said["id"] if said else None,
        "lesson": said,
        "unjudged": why_not,
        "knew": what_was_known(moment) if said else [],
        "played": _shown(candidates[0], played),
        "better": {**_shown(moment.better, played), "text": describe(moment.better, moment)}
        if told
        else None,
        "follow_up": moment.follow_up if told else None,
        "asked": asked,
        "choices": _ranking(candidates, values, moment, among={regret.best, 0, *worse} if asked else None),
        "believed": {"mean": sign * mean, "low": ends[0], "high": ends[1], "chance": BELIEVED},
    }


def _breached(played: PlayedGame, turn: PlayedTurn) -> bool:
    """Whether the move itself closed the deal beyond the player's own limit."""
    view, sign = turn.before, SIGN[played.seat]
    if not turn.move.accept or view.standing_offer is None:
        return False
    worths = bundle_worths(played.scenario.issues, view.own.values)
    bundle = _last_bundle(played, turn.turn)
    surplus = sign * (view.standing_offer - view.own.walk_away) + float(worths[bundle])
    return bool(surplus + _sweetened(played) < 0)


def _sweetened(played: PlayedGame) -> float:
    """What sweeteners were worth to the player by the end, less what those that it gave cost it, in money."""
    scenario, seat = played.scenario, played.seat
    mine = sum(turn.move.card == GIFT for turn in played.turns)
    theirs = sum(turn.reply is not None and turn.reply.card == GIFT for turn in played.turns)
    got = sum(each.worth for each in scenario.sweeteners_of(OTHER_SEAT[seat])[:theirs])
    gave = sum(each.cost for each in scenario.sweeteners_of(seat)[:mine])
    return (got - gave) * scenario.nominal_width


def _not_praised(label: Label | None, grave: Lesson | None) -> Label | None:
    """What is told whatever it was worth is never called good: there is no verdict on it, but what is said."""
    return None if grave is not None and label in ("best", "good") else label


def _last_bundle(played: PlayedGame, turn: int) -> int:
    replies = [each.reply for each in played.turns if each.turn < turn and each.reply is not None]
    offers = [reply.bundle for reply in replies if reply.offer is not None]
    return offers[-1] if offers else (played.opening.bundle if played.opening else 0)


def _their_worths(played: PlayedGame, number: int) -> list[float]:
    """What each of their packages so far was worth to the player, in its value space."""
    worths = bundle_worths(played.scenario.issues, played.turns[0].before.own.values)
    sign = SIGN[played.seat]
    made = [played.opening, *(each.reply for each in played.turns[:number])]
    return [
        sign * move.offer + float(worths[move.bundle])
        for move in made
        if move is not None and move.offer is not None
    ]


def _their_last_step(played: PlayedGame, number: int) -> float | None:
    worths = _their_worths(played, number)
    return worths[-1] - worths[-2] if len(worths) > 1 else None


def _their_deadline(played: PlayedGame, number: int) -> bool:
    now = played.turns[number].turn
    recent = [each for each in played.turns[:number] if now - each.turn <= DEADLINE_TURNS]
    return any(each.reply is not None and each.reply.card == DEADLINE for each in recent)


def _shown(candidate: Candidate, played: PlayedGame) -> dict[str, Any]:
    issues = played.scenario.issues
    return {
        "kind": candidate.kind,
        "offer": candidate.offer,
        "terms": terms_of(issues, candidate.bundle) if candidate.offer is not None and issues else None,
        "card": candidate.card,
        "act": candidate.act,
        "gives": round(candidate.step, 2),
    }


def _alike(candidates: list[Candidate], index: int) -> bool:
    """Whether a candidate looks like the move that was played: the same figure, terms and card, and no other act."""
    own, other = candidates[0], candidates[index]
    same = (own.offer, own.bundle, own.card) == (other.offer, other.bundle, other.card)
    return index != 0 and other.offer is not None and other.act is None and same


def surely_worse(values: Array, best: int) -> list[int]:
    """The candidates that the best one beats by two standard errors, each played on in its own best way."""
    styles = worths(values).argmax(axis=1)
    outcomes = values[np.arange(len(values)), styles]
    less = outcomes[best] - outcomes
    errors = np.nanstd(less, axis=1, ddof=1) / np.sqrt(np.isfinite(less).sum(axis=1))
    mean = np.nanmean(less, axis=1)
    return np.flatnonzero((mean >= SURE * errors) & (mean > SAME)).tolist()


def _ranking(
    candidates: list[Candidate], values: Array, moment: Moment, *, among: set[int] | None
) -> list[dict[str, Any]]:
    """The best few candidates with what they are worth, best first; the move that was played always among them.

    Args:
        among: whom to choose from, where a question is asked: the best one and what it surely beats, so that no
            two answers are as good as each other.
    """
    worth = worths(values).max(axis=1)
    order = [int(index) for index in np.argsort(-worth, kind="stable") if among is None or index in among]
    kept = order[:SHOWN] if 0 in order[:SHOWN] else [*order[: SHOWN - 1], 0]
    return [
        {
            **_shown(candidates[index], moment.played),
            "value": round(float(worth[index]), 4),
            "text": "Your move." if index == 0 else describe(candidates[index], moment),
            "played": index == 0,
        }
        for index in kept
    ]
