"""Deals of the simulated players of ``bench.reliability``, and what each says of their skills. It imports models: Django has
to be set up first.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from bench.coaching import deal
from bench.reps import Rep, Skills
from coaching.analysis.evidence import evidence_of
from coaching.analysis.review import read_played, review
from coaching.analysis.review.lessons import SKILLS, Skill
from negotiation import record
from negotiation.engine.deal import Negotiation, Scenario, Seat
from negotiation.engine.deal.law import LAW
from negotiation.engine.deal.strategies import Strategy
from negotiation.engine.deal.streams import stream
from negotiation.engine.deal.wire import to_json
from negotiation.events import redact

SEED: Final = 1_400_000


def scored(job: tuple[int, int]) -> dict[Skill, float]:
    """What one deal of one player says of each skill that it put to the test."""
    player, number = job
    rng = np.random.default_rng(SEED + player)
    skills = Skills(**{name: float(rng.uniform(0.02, 0.9)) for name in SKILLS})
    scenario, persona, seat = deal(number)
    frames = seen_by_a_coach(Rep(skills), scenario, persona, seat, SEED + 1000 * player + number)
    found = evidence_of(frames, scenario, review(read_played(frames, scenario)))
    return {each.skill: each.score for each in found}


def seen_by_a_coach(
    player: Strategy, scenario: Scenario, persona: str, seat: Seat, seed: int
) -> list[Mapping[str, Any]]:
    """The log of a whole game, as its coach sees it afterwards."""
    table = Negotiation(scenario, persona, seat, seed)
    player.told(scenario)
    view = table.observe()
    opening = {
        "scenario": scenario.id,
        "persona": persona,
        "seat": seat,
        "horizon": view.horizon,
        "difficulty": 0.5,
        "player_name": "",
        "law": LAW,
        "own": to_json(view.own),
    }
    rows: list[record.Row] = [("game_started", opening)]
    if table.opening is not None:
        rows.append(("opponent_moved", record.opponent_moved(0, table.opening)))
    rows.append(("turn_closed", record.turn_closed(view, 0)))
    rows.append(("turn_graded", record.turn_graded(table, 0, (), 0.0, table.truth.facts)))
    while not table.done:
        turn = table.turn
        action = player.act(table.observe(), stream(seed, "player", turn))
        rows.append(("player_moved", record.player_moved(turn, action, "")))
        rows += record.answered(table, turn, action)
    return [redact(seq=seq, kind=kind, data=data, role="coach") for seq, (kind, data) in enumerate(rows, 1)]
