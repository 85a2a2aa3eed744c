"""The Champion's numbers: found by evolution against a league that grows by the best response to each find.

    python -m bench.champion [--rounds 2] [--evaluations 84] [--iterations 20]

A persona is ten numbers and a habit of opening (``engine/deal/persona.py``). Each round CMA-ES (Hansen 2016) looks for
those that keep most of the zone for the persona itself, an impasse counting 0 for it as well: half by what is left to it
by plain players who walk evenly, answer step for step or hold firm, half by what the strongest of the oracles leaves it
(a search sits each scenario in one seat only, in turns). Then an oracle begins as the shipped one and learns to play that
persona alone, and joins. What the last round found is measured on held-out seeds beside the personas that ship: what
plain players and the shipped oracle take from each, and what an oracle takes that was trained against it alone for as long.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Protocol

import cma
import numpy as np

from bench.experiment import Figures, Given, experiment, keep, option
from negotiation.engine.deal import SIGN, personas, scenarios
from negotiation.engine.deal.batch import BatchNegotiation, Moves, Outcomes
from negotiation.engine.deal.batch.players import Continuation, Style
from negotiation.engine.deal.oracle.network import Network
from negotiation.engine.deal.oracle.player import Oracles, trained
from negotiation.engine.deal.persona import Persona
from negotiation.engine.deal.types import OTHER_SEAT
from negotiation.engine.figures import bootstrap
from negotiation.engine.personas import beside
from trainer.domains.deal.oracle.learning import Learner, OracleSettings

SEARCH_SEED, TEST_SEED = 500_000_000, 3_000_000_000
NEWCOMER = "newcomer"
PLAIN: dict[str, tuple[Style, float | None]] = {
    "steady": ("steady", None),
    "step for step": ("reciprocal", None),
    "firm": ("firm", None),
}
MOST: dict[str, float] = {"breakdown_hazard": 0.3}
"""The largest value of a number, where it is not 1."""
NUMBERS = tuple(field.name for field in fields(Persona) if field.type == "float")
POPULATION = 12
PLACES = 4


class Player(Protocol):
    """Whoever plays all games of a batch."""

    def moves(self) -> Moves: ...


Seats = Callable[[BatchNegotiation], Player]


@dataclass(frozen=True)
class Oracle:
    """Seats a network."""

    network: Network

    def __call__(self, batch: BatchNegotiation) -> Player:
        return Oracles(batch, self.network)


@dataclass(frozen=True)
class Plain:
    """Seats a plain player."""

    style: Style
    pace: float | None

    def __call__(self, batch: BatchNegotiation) -> Player:
        usual = SIGN[batch.seat] * batch.scenario.seats[OTHER_SEAT[batch.seat]].walk_away
        return Continuation(batch, self.style, usual, self.pace)


def played(
    persona: Persona, seats: Seats, first_seed: int, games: int, *, both: bool = True
) -> list[Outcomes]:
    """All scenarios, so many games at each table, in both seats or in turns."""
    ends, at = [], first_seed
    for number, scenario in enumerate(scenarios().values()):
        for seat in SIGN if both else list(SIGN)[number % 2 :][:1]:
            batch = BatchNegotiation(scenario, persona, seat, np.arange(at, at + games, dtype=np.uint64))
            player = seats(batch)
            while not batch.done:
                batch.step(player.moves())
            ends.append(batch.outcomes)
            at += games
    return ends


def kept(persona: Persona, seats: Seats, games: int) -> float:
    """The share of the zone that the persona keeps for itself; what there is without a deal is 0."""
    ends = played(persona, seats, SEARCH_SEED, games, both=False)
    return float(np.mean([np.where(end.deal, 1.0 - end.efficiency, 0.0).mean() for end in ends]))


def persona_of(point: np.ndarray) -> Persona:
    """The character at a point of the unit cube: the ten numbers, and whether it opens with an offer."""
    usual = personas()["veteran"]
    numbers = {
        name: round(float(np.clip(value, 0.0, 1.0)) * MOST.get(name, 1.0), 2)
        for name, value in zip(NUMBERS, point, strict=False)
    }
    return Persona(
        id=NEWCOMER, name="Newcomer", title="The Newcomer", tagline="", advice="", voice=usual.voice,
        speaks_first=True, opens_with_offer=bool(point[-1] > 0.5), **numbers,
    )  # fmt: skip


def point_of(persona: Persona) -> np.ndarray:
    """Where a persona lies in the unit cube."""
    numbers = [getattr(persona, name) / MOST.get(name, 1.0) for name in NUMBERS]
    return np.array([*numbers, float(persona.opens_with_offer)])


def worth(persona: Persona, responses: list[Network], games: int) -> float:
    """What a persona keeps: of plain players, and of the oracle that leaves it least."""
    plain = np.mean([kept(persona, Plain(*how), games) for how in PLAIN.values()])
    least = min(kept(persona, Oracle(network), games) for network in responses)
    return float(plain + least) / 2


def evolved(
    start: Persona, responses: list[Network], evaluations: int, games: int, seed: int
) -> tuple[Persona, float]:
    """The best persona of so many, and what it keeps."""
    search = cma.CMAEvolutionStrategy(
        point_of(start), 0.25,
        {"bounds": [0, 1], "popsize": POPULATION, "seed": seed, "verbose": -9, "maxfevals": evaluations},
    )  # fmt: skip
    while not search.stop():
        points = search.ask()
        search.tell(points, [-worth(persona_of(np.asarray(point)), responses, games) for point in points])
    return persona_of(np.asarray(search.result.xbest)), float(-search.result.fbest)


def response_to(persona: Persona, iterations: int, seed: int) -> Network:
    """An oracle that begins as the shipped one and learns to play this persona alone."""
    with tempfile.TemporaryDirectory() as home, beside(Path(home)):
        folder = Path(home) / NEWCOMER
        folder.mkdir()
        (folder / "numbers.toml").write_text(written(persona), encoding="utf-8")
        wanted = OracleSettings(
            personas=(NEWCOMER,),
            iterations=iterations,
            cells=12,
            games=128,
            rate=1e-3,
            difficulties=(0.5, 0.5),
        )
        learner = Learner(wanted, seed)
        learner.policy.begin_as(trained())
        for step in range(iterations):
            learner.learn(step)
        return learner.policy.network()


def written(persona: Persona) -> str:
    """A persona's numbers as its folder has them."""
    told = ("name", "title", "tagline", "advice", "voice")
    lines = ["order = 99", *(f'{name} = "{getattr(persona, name)}"' for name in told)]
    lines += [f"{name} = {getattr(persona, name):.2f}" for name in NUMBERS]
    lines += [
        f"{name} = {str(getattr(persona, name)).lower()}" for name in ("speaks_first", "opens_with_offer")
    ]
    return "\n".join(lines) + "\n"


def told(persona: Persona, seats: Seats, games: int) -> Figures:
    """What a player takes from a persona, what the persona keeps, and how often they agree, on held-out seeds."""
    ends = played(persona, seats, TEST_SEED, games)
    share = np.concatenate([end.efficiency for end in ends])
    deal = np.concatenate([end.deal for end in ends])
    return {
        "takes": bootstrap(share).as_json(PLACES),
        "persona_keeps": bootstrap(np.where(deal, 1.0 - share, 0.0)).as_json(PLACES),
        "deal_rate": round(float(deal.mean()), PLACES),
    }


def measured(persona: Persona, iterations: int, games: int, seed: int) -> Figures:
    """A persona against plain players, the shipped oracle, and one that was trained against it alone."""
    players: Mapping[str, Seats] = {
        **{name: Plain(*how) for name, how in PLAIN.items()},
        "oracle": Oracle(trained()),
        "best response": Oracle(response_to(persona, iterations, seed)),
    }
    return {name: told(persona, seats, games) for name, seats in players.items()}


@experiment(
    "champion.json",
    option("--rounds", type=int, default=2),
    option("--evaluations", type=int, default=84, help="personas tried in a round"),
    option("--iterations", type=int, default=20, help="of learning, for each best response"),
    option("--search", type=int, default=24, help="games at each table that a persona is tried on"),
    option("--games", type=int, default=100, help="held-out games at each table"),
    told=False,
)
def main(given: Given) -> Figures:
    began = time.process_time()
    report: Figures = {"rounds": [], "against": {}}
    responses, best = [trained()], personas()["veteran"]
    for number in range(given.rounds):
        best, keeps = evolved(best, responses, given.evaluations, given.search, seed=number + 1)
        responses.append(response_to(best, given.iterations, seed=number))
        report["rounds"].append({"keeps": round(keeps, PLACES), "numbers": numbers_of(best)})
        print(report["rounds"][-1], f"{time.process_time() - began:.0f} s", flush=True)
        keep(report, given.output)
    for name, who in {
        "champion": best,
        **{each: personas()[each] for each in OracleSettings().personas},
    }.items():
        report["against"][name] = measured(who, given.iterations, given.games, seed=100)
        keep(report, given.output)
    report["processor_seconds"] = round(time.process_time() - began, 1)
    for name, found in report["against"].items():
        print(name, {who: (row["takes"]["mean"], row["deal_rate"]) for who, row in found.items()})
    return report


def numbers_of(persona: Persona) -> dict[str, float | bool]:
    """The numbers that evolution moves."""
    return {name: getattr(persona, name) for name in (*NUMBERS, "opens_with_offer")}


if __name__ == "__main__":
    main()
