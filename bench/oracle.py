"""How far above the expert is the oracle? The player that ships, and trainings from nothing, on deals that none has met.

    python -m bench.oracle [--deals 40] [--trainings 3] [--iterations N]

Every persona, scenario and seat, at difficulties 0, .5 and 1; ``--deals`` of each at the middle, half as many at the
ends. Oracle and expert meet the same deals with the same chance, and a gain is the oracle's share of the zone less
the expert's, deal by deal; an impasse counts 0. ``table`` has the written strategies on the deals of the middle,
``with_a_case`` the discoverer and the oracle, who then says what the discoverer would, at tables with a case, on a third
of those deals. Intervals are 95% bootstrap over deals; over trainings Student's. Seeds of training lie below
1,000,000,000, a training is watched on seeds below 2,000,000,000, and what is told here is of seeds above it.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from bench.experiment import Figures, Given, experiment, option
from negotiation.engine.deal import SIGN, scenarios
from negotiation.engine.deal.chance import Array
from negotiation.engine.deal.oracle.network import Network
from negotiation.engine.deal.oracle.player import trained
from negotiation.engine.deal.selfplay import STRATEGIES, play_one
from negotiation.engine.deal.types import Outcome, Seat
from negotiation.engine.figures import bootstrap, over_seeds
from trainer.domains.deal.oracle.learning import Learner, OracleSettings
from trainer.domains.deal.oracle.measuring import batch_of

FIRST_SEED = 2_000_000_000
DIFFICULTIES = (0.0, 0.5, 1.0)
MIDDLE = 0.5
PLACES = 4


@dataclass(frozen=True)
class Table:
    """One table, and the deals that are played there."""

    scenario: str
    persona: str
    seat: Seat
    difficulty: float
    first: int
    deals: int


@dataclass(frozen=True)
class Played:
    """What came of the deals of one table."""

    share: Array
    deal: Array
    breach: Array


def tables(deals: int) -> list[Table]:
    """All of them; no two deals share a seed."""
    found, first = [], FIRST_SEED
    for difficulty in DIFFICULTIES:
        many = deals if difficulty == MIDDLE else max(1, deals // 2)
        for scenario in scenarios():
            for persona in OracleSettings().personas:
                for seat in SIGN:
                    found.append(Table(scenario, persona, seat, difficulty, first, many))
                    first += many
    return found


def oracle_at(table: Table, network: Network) -> Played:
    """All deals of the table at once, as the scalar engine plays them one by one (``tests/engine/test_oracle.py``)."""
    seeds = np.arange(table.first, table.first + table.deals, dtype=np.uint64)
    ends = batch_of(table.scenario, table.persona, table.seat, seeds, table.difficulty, network)
    return Played(ends.efficiency, ends.deal.astype(np.float64), ends.floor_breached.astype(np.float64))


def written_at(table: Table, strategy: str) -> Played:
    """The same deals, by a strategy that was written."""
    ends = [
        play_one(table.scenario, table.persona, table.seat, strategy, table.first + at, table.difficulty)
        for at in range(table.deals)
    ]
    return Played(
        np.array([each.efficiency for each in ends]),
        np.array([float(each.deal) for each in ends]),
        np.array([float(each.floor_breached) for each in ends]),
    )


def compared(found: list[tuple[Table, Played, Played]]) -> Figures:
    """Shares, the gain and the deals made: the oracle's, and the expert's."""
    pairs = [(one, other) for _, one, other in found]
    mine, expert = (np.concatenate([pair[side].share for pair in pairs]) for side in (0, 1))
    closed, usual = (np.concatenate([pair[side].deal for pair in pairs]) for side in (0, 1))
    return {
        "deals": len(mine),
        "oracle": bootstrap(mine).as_json(PLACES),
        "expert": bootstrap(expert).as_json(PLACES),
        "gain": bootstrap(mine - expert).as_json(PLACES),
        "oracle_deal_rate": round(float(closed.mean()), PLACES),
        "expert_deal_rate": round(float(usual.mean()), PLACES),
        "deal_rate_gain": bootstrap(closed - usual).as_json(PLACES),
        "oracle_breaches": int(np.concatenate([pair[0].breach for pair in pairs]).sum()),
    }


def measured(network: Network, expert: list[tuple[Table, Played]]) -> Figures:
    """One network against the expert, by persona, seat and difficulty."""
    found = [(table, oracle_at(table, network), theirs) for table, theirs in expert]

    def only(
        persona: str | None = None, seat: str | None = None, scenario: str | None = None, hard: float = MIDDLE
    ) -> Figures:
        return compared(
            [
                each
                for each in found
                if each[0].difficulty == hard
                and persona in (None, each[0].persona)
                and seat in (None, each[0].seat)
                and scenario in (None, each[0].scenario)
            ]
        )

    return {
        "middle": only(),
        "all_difficulties": compared(found),
        "by_persona": {name: only(persona=name) for name in OracleSettings().personas},
        "by_seat": {name: only(seat=name) for name in SIGN},
        "by_scenario": {name: only(scenario=name) for name in scenarios()},
        "by_persona_and_difficulty": {
            name: {str(hard): only(persona=name, hard=hard) for hard in DIFFICULTIES}
            for name in OracleSettings().personas
        },
    }


def talked(deals: int) -> Figures:
    """The oracle's share less the discoverer's at tables with a case, with each persona and with all."""
    few = [replace(each, deals=max(1, deals // 3)) for each in tables(deals) if each.difficulty == MIDDLE]
    found: dict[str, dict[str, list[Outcome]]] = {}
    for table in few:
        where = (table.scenario, table.persona, table.seat)
        for name in ("oracle", "discoverer"):
            found.setdefault(table.persona, {}).setdefault(name, []).extend(
                play_one(*where, name, table.first + at, table.difficulty, case=True)
                for at in range(table.deals)
            )

    def told(some: list[dict[str, list[Outcome]]]) -> Figures:
        share, deal = (
            {
                name: np.array([getattr(end, what) for each in some for end in each[name]], dtype=np.float64)
                for name in some[0]
            }
            for what in ("efficiency", "deal")
        )
        return {
            **{name: bootstrap(values).as_json(PLACES) for name, values in share.items()},
            "gain": bootstrap(share["oracle"] - share["discoverer"]).as_json(PLACES),
            "deal_rates": {name: round(float(values.mean()), PLACES) for name, values in deal.items()},
        }

    return {"all": told(list(found.values())), **{name: told([each]) for name, each in found.items()}}


def by_persona(found: list[tuple[Table, Played]]) -> Figures:
    """One player's share of the zone and its deals with each persona, and with all of them."""

    def told(name: str | None) -> Figures:
        some = [played for table, played in found if name in (None, table.persona)]
        deal = np.concatenate([each.deal for each in some])
        share = bootstrap(np.concatenate([each.share for each in some])).as_json(PLACES)
        return {**share, "deal_rate": round(float(deal.mean()), PLACES)}

    return {"all": told(None), **{name: told(name) for name in OracleSettings().personas}}


def from_nothing(seed: int, iterations: int | None, runs: Path | None) -> tuple[Network, float]:
    """A training, and the processor seconds that it took: the one that lies in ``runs``, or one made now."""
    if runs is not None:
        done = json.loads((runs / str(seed) / "run.json").read_text(encoding="utf-8"))["results"]
        return Network.read(runs / str(seed) / "weights.npz"), float(done["processor_seconds"])
    wanted = OracleSettings()
    learner = Learner(wanted if iterations is None else replace(wanted, iterations=iterations), seed)
    began = time.process_time()
    for step in range(learner.settings.iterations):
        learner.learn(step)
    return learner.policy.network(), time.process_time() - began


def over_trainings(runs: dict[str, Figures]) -> Figures:
    """The gain of each training, their mean, and Student's interval over them."""
    return {
        "gain": over_seeds([run["middle"]["gain"]["mean"] for run in runs.values()]),
        "deal_rate_gain": over_seeds([run["middle"]["deal_rate_gain"]["mean"] for run in runs.values()]),
        "processor_seconds": [run["processor_seconds"] for run in runs.values()],
    }


@experiment(
    "oracle.json",
    option("--deals", type=int, default=40, help="of each table at the middle difficulty"),
    option("--trainings", type=int, default=3, help="from nothing, beside the one that ships"),
    option("--iterations", type=int, help="of each training, instead of the settings'"),
    option(
        "--runs",
        type=Path,
        help="where `python -m trainer oracle` left a folder for each seed, to train none here",
    ),
    told=False,
)
def main(given: Given) -> Figures:
    report = given.kept({"trainings": {}})
    began = time.perf_counter()
    expert = [(table, written_at(table, "expert")) for table in tables(given.deals)]
    middle = [(table, played) for table, played in expert if table.difficulty == MIDDLE]

    def one(cell: tuple[str, ...]) -> Figures:
        if cell == ("with_a_case",):
            return talked(given.deals)
        if cell[0] == "table":
            return by_persona(
                middle
                if cell[1] == "expert"
                else [(table, written_at(table, cell[1])) for table, _ in middle]
            )
        if cell == ("ships",):
            return measured(trained(), expert)
        network, seconds = from_nothing(int(cell[1]), given.iterations, given.runs)
        return {"processor_seconds": round(seconds, 1), **measured(network, expert)}

    cells: list[tuple[str, ...]] = [("ships",), *(("table", strategy) for strategy in STRATEGIES)]
    cells += [("with_a_case",)]
    cells += [("trainings", str(seed)) for seed in range(given.trainings)]
    given.cells(report, cells, one)
    if report["trainings"]:
        report["over_trainings"] = over_trainings(report["trainings"])
    report["seconds"] = round(time.perf_counter() - began, 1)
    tell(report)
    return report


def tell(report: dict[str, Any]) -> None:
    """The figures that matter, on a few lines."""
    for name, found in {"middle": report["ships"]["middle"], **report["ships"]["by_persona"]}.items():
        gain = found["gain"]
        print(
            f"{name:10} oracle {found['oracle']['mean']:.3f}, expert {found['expert']['mean']:.3f},"
            f" gain {gain['mean']:+.3f} {gain['ci95']},"
            f" deals {found['oracle_deal_rate']:.3f} against {found['expert_deal_rate']:.3f}"
        )
    print(report.get("over_trainings", ""))


if __name__ == "__main__":
    main()
