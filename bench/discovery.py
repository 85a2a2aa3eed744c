"""What finding out is worth: the same pacing with words and without, and with words that have no content.

    python -m bench.discovery [--seeds 40] [--output bench/results/discovery.json]

Every way of talking plays the same seeds with the case, over all scenarios and both seats at difficulty .5; a gain is
its share of the zone less the silent one's, deal by deal, an impasse counting 0. ``plain_asker`` asks topic by topic
and answers what is raised; it tells nothing of its own, labels nothing and never asks what else is open.
``blind_asking`` asks about what there is nothing to hear of, ``blind_arguing`` puts its reasons to whoever has said
nothing, ``rude`` runs the other side's goods down. ``false_claims`` is the discoverer who also says what is not so where
that answers an objection; its ``gain_over_discoverer`` is what that brings. In package deals ``joint`` is the surplus of
both together over the best there was; an impasse counts 0.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from bench.experiment import Figures, Given, experiment, option
from negotiation.engine.deal import SIGN, Action, Negotiation, Observation, Talk, personas, scenarios
from negotiation.engine.deal.case.acts import TOPICS
from negotiation.engine.deal.case.declared import SeatCase
from negotiation.engine.deal.case.file import cases
from negotiation.engine.deal.discoverer import Discoverer, SilentDiscoverer
from negotiation.engine.deal.strategies import Strategy
from negotiation.engine.deal.streams import stream
from negotiation.engine.deal.types import OTHER_SEAT
from negotiation.engine.figures import bootstrap

FIRST_SEED = 300_000
PLACES = 4


class PlainAsker(Discoverer):
    """Asks topics in turn and answers what is raised, and does nothing else with words."""

    def dress(self, action: Action, seen: Observation, rng: np.random.Generator) -> Action:
        action = super().dress(action, seen, rng)
        return replace(
            action, talk=tuple(each for each in action.talk if each.act not in ("disclose", "label"))
        )

    def _ask(self, seen: Observation, theirs: SeatCase) -> tuple[Talk, ...]:
        return tuple(each for each in super()._ask(seen, theirs) if each.act != "isolate")


class BlindAsker(SilentDiscoverer):
    """Asks every turn about something of which the other side has nothing to tell."""

    def dress(self, action: Action, seen: Observation, rng: np.random.Generator) -> Action:
        action = super().dress(action, seen, rng)
        told_of = {fact.topic for fact in cases()[seen.scenario].seats[OTHER_SEAT[seen.seat]].facts}
        empty = [topic for topic in TOPICS if topic not in told_of]
        return replace(action, talk=(Talk("ask_open", empty[seen.turn % len(empty)]),))


class BlindArguer(SilentDiscoverer):
    """Puts one reason a turn, whatever was said."""

    def dress(self, action: Action, seen: Observation, rng: np.random.Generator) -> Action:
        action = super().dress(action, seen, rng)
        own = cases()[seen.scenario].seats[seen.seat].arguments
        argument = own[seen.turn % len(own)]
        return replace(action, talk=(Talk("argue", argument.topic, argument.id),))


class Claimer(Discoverer):
    """The discoverer who also says what is not so, wherever that answers what was raised; and the rest as before."""

    def _argue(self, seen: Observation, own: SeatCase, theirs: SeatCase) -> tuple[Talk, ...]:
        raised = seen.sheet.raised if seen.sheet else ()
        false = [
            Talk("answer", claim.topic, claim.id)
            for claim in own.never
            if any(claim.id in theirs.objection[each].answers for each in raised)
            and (claim.id, claim.id) not in self._argued
        ]
        self._argued.update((each.id, each.id) for each in false if each.id)
        return (*false, *super()._argue(seen, own, theirs))


class Rude(SilentDiscoverer):
    """Runs the other side's goods down every turn."""

    def dress(self, action: Action, seen: Observation, rng: np.random.Generator) -> Action:
        return replace(super().dress(action, seen, rng), talk=(Talk("disparage"),))


class OwnSheet(SilentDiscoverer):
    """Knows its own sheet only: asks for the terms that are best for itself."""

    considers = 0.0


WAYS: dict[str, Callable[[], Strategy]] = {
    "silent": SilentDiscoverer,
    "discoverer": Discoverer,
    "plain_asker": PlainAsker,
    "blind_asking": BlindAsker,
    "blind_arguing": BlindArguer,
    "false_claims": Claimer,
    "rude": Rude,
    "own_sheet": OwnSheet,
}


@dataclass(frozen=True)
class Played:
    """One deal: the share of the zone, whether there was one, how long it took, what was told, the joint share."""

    share: float
    deal: bool
    turns: int
    told: int
    open_zone: bool
    joint: float | None


def play(way: str, persona: str, scenario: str, seat: Any, seed: int) -> Played:
    game = Negotiation(scenario, persona, seat, seed, speak=False, case=True)
    player = WAYS[way]()
    while not game.done:
        game.step(player.act(game.observe(), stream(seed, "player", game.turn)))
    end = game.outcome
    if end is None:
        raise RuntimeError("a finished game has an outcome")
    open_zone = game.truth.original_zone > 0
    joint = (
        (end.joint_surplus or 0.0) / end.best_joint_surplus if open_zone and game.scenario.issues else None
    )
    return Played(end.efficiency, end.deal, end.turns, len(game.observe().told), open_zone, joint)


@cache
def deals(way: str, persona: str, seeds: int) -> tuple[Played, ...]:
    tables = [(scenario, seat) for scenario in scenarios() for seat in SIGN]
    # No two deals share a seed: with one, the same numbers would be drawn in all scenarios, and deals count as independent.
    return tuple(
        play(way, persona, scenario, seat, FIRST_SEED + place * seeds + seed)
        for place, (scenario, seat) in enumerate(tables)
        for seed in range(seeds)
    )


def cell(persona: str, seeds: int) -> Figures:
    """Everything about one persona; a gain is paired with the silent way."""
    silent = deals("silent", persona, seeds)
    found: Figures = {"deals": len(silent)}
    for way in WAYS:
        played = deals(way, persona, seeds)
        gain = np.array([one.share - other.share for one, other in zip(played, silent, strict=True)])
        found[way] = {
            "share": bootstrap([each.share for each in played]).as_json(PLACES),
            "deal_rate": round(float(np.mean([each.deal for each in played])), PLACES),
            "deal_rate_where_there_was_a_zone": round(
                float(np.mean([each.deal for each in played if each.open_zone])), PLACES
            ),
            "turns": round(float(np.mean([each.turns for each in played])), 2),
            "facts_told": round(float(np.mean([each.told for each in played])), 2),
        }
        if way != "silent":
            found[way]["gain"] = bootstrap(gain).as_json(PLACES)
    false = zip(deals("false_claims", persona, seeds), deals("discoverer", persona, seeds), strict=True)
    gained = bootstrap([one.share - other.share for one, other in false]).as_json(PLACES)
    found["false_claims"]["gain_over_discoverer"] = gained
    asked, told = found["plain_asker"]["gain"]["mean"], found["discoverer"]["gain"]["mean"]
    found["plain_asker"]["of_the_discoverer"] = round(asked / told, 3)
    found["joint_in_package_deals"] = joint(persona, seeds)
    return found


def joint(persona: str, seeds: int) -> Figures:
    """The joint share of the discoverer less that of a player who knows its own sheet only."""
    pairs = [
        (one.joint, other.joint)
        for one, other in zip(
            deals("discoverer", persona, seeds), deals("own_sheet", persona, seeds), strict=True
        )
        if one.joint is not None and other.joint is not None
    ]
    return {
        "discoverer": round(float(np.mean([one for one, _ in pairs])), PLACES),
        "own_sheet": round(float(np.mean([other for _, other in pairs])), PLACES),
        "gain": bootstrap([one - other for one, other in pairs]).as_json(PLACES),
    }


@experiment(
    "discovery.json",
    option("--seeds", type=int, default=40, help="of each scenario and seat"),
    told=False,
)
def main(given: Given) -> Figures:
    started = time.perf_counter()
    report: Figures = {persona: cell(persona, given.seeds) for persona in personas()}
    report["seconds"] = round(time.perf_counter() - started, 1)
    for persona in personas():
        for way in WAYS:
            print(f"{persona:10} {way:14} {report[persona][way]}")
        print(f"{persona:10} joint          {report[persona]['joint_in_package_deals']}")
    return report


if __name__ == "__main__":
    main()
