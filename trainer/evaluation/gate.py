"""The gate: does a model win more than the champion, and does it pay for that with nothing that must not go wrong?

Both play the same held-out deals with the same luck, guarded as they are when they play people. A gain has to be
shown: its 95% interval lies above zero. A loss has to be ruled out: of validity, of exploitability and of the guard's
work the interval must end within a margin, as in trials of non-inferiority; "not shown to be worse" would let every
model through that was measured too little. Validity has a floor besides, since a champion may write badly itself. ADRs
0014 and 0016 have the reasons.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Protocol

from negotiation.engine.deal.selfplay import STRATEGIES
from negotiation.engine.figures import Figure
from negotiation.opponents.protocol import PERSON
from trainer.domains.deal.tasks import DealTask, measured
from trainer.domains.games import Writer
from trainer.errors import BadInput
from trainer.evaluation.intervals import difference, mean
from trainer.evaluation.players import NamedPlayer, Scripted
from trainer.evaluation.records import GameRecord
from trainer.evaluation.run import EvaluationSettings
from trainer.evaluation.table import as_json

CANDIDATE, CHAMPION = "candidate", "champion"
PARTS = 2 * (1 + len(STRATEGIES))
"""What a judgement consists of: for each player its own deals, and every strategy against it."""


@dataclass(frozen=True, slots=True)
class GateSettings:
    """What is measured, and how much of what may be lost."""

    measured: EvaluationSettings = field(default_factory=EvaluationSettings)
    least_gain: float = 0.0
    """The interval of the gain in share, deal by deal, must lie above this."""
    validity_margin: float = 0.02
    """The most well-formed answers that may be lost, as a share of all, at the interval's far end."""
    least_validity: float = 0.95
    """Well-formed answers at the first attempt, as a share of all, that the whole interval must reach, whoever is
    champion. A malformed answer costs its player a second question's wait, and two in a row the model its move: at .95
    one turn in twenty, and one in four hundred where they are independent."""
    words_margin: float = 0.02
    """The most answers more, a turn, whose words the guard may refuse; for models that write their own words."""
    exploit_margin: float = 0.05
    """The most that the best scripted response may win more than from the champion, as a share of the zone."""
    guard_margin: float = 0.02
    """The most answers more that the guard may have to close off, a turn."""
    exploit_episodes: int = 72
    """Deals that each reference strategy plays against the model."""

    def __post_init__(self) -> None:
        if self.exploit_episodes < 2:
            raise BadInput("exploit_episodes must be at least 2")
        if min(self.validity_margin, self.words_margin, self.exploit_margin, self.guard_margin) < 0:
            raise BadInput("margins must be at least 0")
        if not 0 <= self.least_validity <= 1:
            raise BadInput("least_validity must lie between 0 and 1")


class GateContestant(NamedPlayer, Protocol):
    """A player that can sit in the persona's seat too."""

    def across(self) -> Writer:
        """Answers for that seat."""
        ...


@dataclass(frozen=True, slots=True)
class Criterion:
    """One thing that decides. ``figures`` are the candidate's, the champion's, and their difference, pair by pair."""

    id: str
    title: str
    rule: str
    candidate: Figure | None
    champion: Figure | None
    apart: Figure | None
    passed: bool

    def as_json(self) -> dict[str, Any]:
        """As reports keep it."""
        figures = {name: getattr(self, name) for name in ("candidate", "champion", "apart")}
        return {
            "id": self.id,
            "title": self.title,
            "rule": self.rule,
            "passed": self.passed,
            **{name: None if figure is None else figure.as_json() for name, figure in figures.items()},
        }


@dataclass(frozen=True, slots=True)
class Measured:
    """All that was measured of one player: its own deals, and what each strategy won against it, deal by deal."""

    records: Sequence[GameRecord]
    against: Mapping[str, Sequence[float]]

    @property
    def best_response(self) -> str:
        """The strategy that won most: a lower bound on what a best response would."""
        return max(self.against, key=lambda name: sum(self.against[name]))


def judge(
    candidate: GateContestant,
    champion: GateContestant,
    settings: GateSettings,
    seed: int,
    told: Callable[[int, str], None],
) -> dict[str, Any]:
    """Measure both and weigh them.

    Args:
        told: hears of each of the :data:`PARTS` that is done: its number, and what it was.
    """
    done = 0
    seen: dict[str, Measured] = {}
    for name, player in ((CANDIDATE, candidate), (CHAMPION, champion)):
        records = player.play(held_out(settings, seed))
        done += 1
        told(done, f"{name} on {len(records)} held-out deals")
        against: dict[str, list[float]] = {}
        for strategy in STRATEGIES:
            played = Scripted(strategy, settings.measured.style).play(
                exploiting(settings, seed), player.across()
            )
            against[strategy] = [record.efficiency for record in played]
            done += 1
            told(done, f"{strategy} against the {name}")
        seen[name] = Measured(records, against)
    return report(seen[CANDIDATE], seen[CHAMPION], settings, seed)


def held_out(settings: GateSettings, seed: int) -> list[DealTask]:
    """The deals that both play: of seeds that no training draws from."""
    wanted = settings.measured
    cells = len(wanted.mixture.scenarios) * len(wanted.mixture.personas) * len(wanted.mixture.seats)
    return measured(wanted.mixture, max(1, round(wanted.episodes / cells)), seed, jitter=wanted.jitter)


def exploiting(settings: GateSettings, seed: int) -> list[DealTask]:
    """The deals in which the reference strategies sit against the model."""
    mixture = settings.measured.mixture
    cells = len(mixture.scenarios) * len(mixture.seats)
    plain = replace(mixture, personas=mixture.personas[:1])
    tasks = measured(plain, max(1, round(settings.exploit_episodes / cells)), seed, jitter=False)
    return [replace(task, persona=PERSON) for task in tasks]


def report(candidate: Measured, champion: Measured, settings: GateSettings, seed: int) -> dict[str, Any]:
    """What was found, what follows from it, and the figures behind it."""
    criteria = weigh(candidate, champion, settings)
    table = as_json({CHAMPION: champion.records, CANDIDATE: candidate.records}, CHAMPION)
    return {
        "passed": all(each.passed for each in criteria),
        "criteria": [each.as_json() for each in criteria],
        "seed": seed,
        "settings": asdict(settings),
        "table": table,
        "exploited": {
            name: {strategy: _plain(mean(won)) for strategy, won in seen.against.items()}
            for name, seen in ((CANDIDATE, candidate), (CHAMPION, champion))
        },
        "best_response": {CANDIDATE: candidate.best_response, CHAMPION: champion.best_response},
        "scores": scores(candidate.records),
    }


def scores(records: Sequence[GameRecord]) -> dict[str, list[float]]:
    """Shares won from each persona, for a rating: no deal counts 0."""
    found: dict[str, list[float]] = {}
    for record in records:
        found.setdefault(record.task.persona, []).append(round(record.efficiency, 4))
    return found


def weigh(candidate: Measured, champion: Measured, settings: GateSettings) -> list[Criterion]:
    """Every criterion, in the order in which they are read; words only where both write their own."""
    sides = (candidate, champion)
    spoken = all(record.objected is not None for seen in sides for record in seen.records)
    words = _kept(
        *("words", "Answers whose words the guard refuses, a turn", settings.words_margin, -1),
        *(_each(seen.records, _objected) for seen in sides),
    )
    return [
        _gain(candidate, champion, settings.least_gain),
        _kept(
            *("validity", "Well-formed answers", settings.validity_margin, 1),
            *(_each(seen.records, _well_formed) for seen in sides),
        ),
        _reached(candidate, champion, settings.least_validity),
        _kept(
            *("exploitability", "What the best scripted response wins from it", settings.exploit_margin, -1),
            *(list(seen.against[seen.best_response]) for seen in sides),
        ),
        _kept(
            *("guard", "Answers that the guard closes off, a turn", settings.guard_margin, -1),
            *(_each(seen.records, _closed_off) for seen in sides),
        ),
        *([words] if spoken else []),
    ]


def _gain(candidate: Measured, champion: Measured, least: float) -> Criterion:
    one, other = ([record.efficiency for record in seen.records] for seen in (candidate, champion))
    apart = difference(one, other)
    return Criterion(
        "gain",
        "Share of the zone, no deal counting 0",
        f"the whole interval of the difference lies above {least:g}",
        mean(one),
        mean(other),
        apart,
        apart is not None and apart.low > least,
    )


def _kept(
    ident: str, title: str, margin: float, better: int, one: Sequence[float], other: Sequence[float]
) -> Criterion:
    """A figure that must not get worse by more than ``margin``; ``better`` is the sign of the good direction."""
    apart = difference(one, other)
    direction = "less" if better > 0 else "more"
    worst = None if apart is None else (-apart.low if better > 0 else apart.high)
    return Criterion(
        ident,
        title,
        f"at the interval's far end no more than {margin:g} {direction} than the champion",
        mean(one),
        mean(other),
        apart,
        worst is not None and worst <= margin,
    )


def _reached(candidate: Measured, champion: Measured, least: float) -> Criterion:
    """Well-formed answers enough for people, however badly the champion writes."""
    one, other = (mean(_each(seen.records, _well_formed)) for seen in (candidate, champion))
    return Criterion(
        "least_validity",
        "Well-formed answers enough, whoever is champion",
        f"the run's whole interval lies at {least:g} or above",
        one,
        other,
        None,
        one is not None and one.low >= least,
    )


def _each(records: Sequence[GameRecord], of: Callable[[GameRecord], float]) -> list[float]:
    return [of(record) for record in records]


def _well_formed(record: GameRecord) -> float:
    """The share of a game's answers that could be read; one beyond the own limit can be read."""
    return (record.answers - (record.malformed - record.closed_off)) / max(1, record.answers)


def _closed_off(record: GameRecord) -> float:
    return record.closed_off / max(1, record.answers)


def _objected(record: GameRecord) -> float:
    return (record.objected or 0) / max(1, record.answers)


def _plain(figure: Figure | None) -> dict[str, Any] | None:
    return None if figure is None else figure.as_json()
