"""How good each move of a game was, in numbers: turn by turn, and the costliest turns once more until one leads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import hypot
from typing import Final

import numpy as np

from coaching.analysis.review.candidates import Choices, standing_bundles
from coaching.analysis.review.information import InformationSet
from coaching.analysis.review.labels import FAULTS, label_of
from coaching.analysis.review.record import PlayedGame
from coaching.analysis.review.values import MORE_SAMPLES, SAMPLES, Regret, Weighing, regret_of, weighed
from negotiation.engine.deal.issues import bundle_worths
from negotiation.engine.deal.types import SIGN

USUAL_PACE: Final = 0.05
"""What is taken for the pace of who made one offer or none."""
APART: Final = 2.0
"""Standard errors by which the costliest turn must lead to be called so at once."""
MORE_DRAWS: Final = 3
"""Draws of opponents that the costliest turns meet besides, where they are nearer to each other."""

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Judged:
    """One move, weighed.

    Attributes:
        number: its place among the turns.
        believed: mean and interval of the other's limit, in the player's value space.
        zone: what lies between both limits, as far as can be told, in money.
    """

    number: int
    choices: Choices
    weighing: Weighing
    regret: Regret
    believed: tuple[float, float, float]
    zone: float


def judged(played: PlayedGame, draw: int = 0, progress: Progress | None = None) -> list[Judged]:
    """Every move of a finished game, weighed.

    Args:
        draw: which draw of imagined opponents judges it.
        progress: told after each move how many are done and how many there are.
    """
    found: list[Judged] = []
    pace = pace_of(played)
    information = InformationSet(played, _draw(draw, 0))
    for number in range(len(played.turns)):
        found.append(_judge(played, information, number, pace))
        _go_on(information, played, number)
        if progress is not None:
            progress(number + 1, len(played.turns))
    for more in range(1, MORE_DRAWS + 1):
        if not (tied := _tied(found)):
            break
        found = _once_more(played, found, tied, InformationSet(played, _draw(draw, more)))
    return found


def _draw(draw: int, more: int) -> int:
    return draw * (MORE_DRAWS + 1) + more


def _go_on(information: InformationSet, played: PlayedGame, number: int) -> None:
    turn = played.turns[number]
    if turn.after is not None and turn.reply is not None and number + 1 < len(played.turns):
        information.follow(turn)


def _judge(played: PlayedGame, information: InformationSet, number: int, pace: float) -> Judged:
    choices = Choices(played, played.turns[number], *standing_bundles(information.batch))
    believed = information.believed()
    opponents = information.sample(SAMPLES + MORE_SAMPLES)
    weighing, regret = weighed(opponents, choices, believed[0], pace)
    zone = float(np.maximum(0.0, opponents.table.zone_now()).mean())
    return Judged(number, choices, weighing, regret, believed, zone)


def _tied(found: list[Judged]) -> list[int]:
    """The costliest fault and what may have cost as much; none where it leads clearly."""
    labels = [label_of(each.regret, breached=False) for each in found]
    faults = [each for each, label in zip(found, labels, strict=True) if label in FAULTS]
    if not faults:
        return []
    top = max(faults, key=lambda each: each.regret.mean).regret
    near = [
        each.number
        for each, label in zip(found, labels, strict=True)
        if (label in FAULTS or label is None)
        and each.regret.mean >= top.mean - APART * hypot(each.regret.error, top.error)
    ]
    return near if len(near) > 1 else []


def _once_more(
    played: PlayedGame, found: list[Judged], tied: list[int], information: InformationSet
) -> list[Judged]:
    """The tied moves weighed against another draw of opponents as well."""
    found = list(found)
    for number in range(max(tied) + 1):
        if number in tied:
            each = found[number]
            opponents = information.sample(SAMPLES + MORE_SAMPLES)
            more = each.weighing.against(opponents, information.believed()[0])
            together = each.weighing.together(more)
            regret = regret_of(together.values, together.own)
            found[number] = replace(each, weighing=together, regret=regret)
        _go_on(information, played, number)
    return found


def pace_of(played: PlayedGame) -> float:
    """What the player gave a turn over the whole deal, as a share of the usual zone: how it would have gone on."""
    worths = bundle_worths(played.scenario.issues, played.turns[0].before.own.values)
    sign = SIGN[played.seat]
    offers = [
        (each.turn, sign * each.move.offer + float(worths[each.move.bundle]))
        for each in played.turns
        if each.move.offer is not None
    ]
    if len(offers) < 2:
        return USUAL_PACE
    (first, began), (last, ended) = offers[0], offers[-1]
    return max(0.0, began - ended) / (last - first) / played.scenario.nominal_width
