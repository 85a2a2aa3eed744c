"""Data from self-play: reference strategies against personas, what each did at each turn, the good games kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from negotiation.engine.deal import Action, Negotiation, Outcome
from negotiation.engine.deal.expert import EMPATHY, QUESTIONS
from negotiation.engine.deal.selfplay import STRATEGIES
from negotiation.engine.deal.streams import stream
from negotiation.opponents.protocol import decision_of, encode, messages, to_action
from negotiation.opponents.protocol.lines import HOLDING, OFFER_MARK, PROPOSALS
from negotiation.opponents.protocol.shape import Style
from trainer.domains.deal.tasks import SEEDS, DealTask, Mixture, tables_of
from trainer.errors import BadInput

SMALL_TALK = (*QUESTIONS, *EMPATHY, *PROPOSALS, *HOLDING)
SPOKEN = 0.6
"""How often a teacher that has no words of its own is given some."""


@dataclass(frozen=True, slots=True)
class GameFilters:
    """A game is kept if any of these holds of it, as the founding paper filtered its data."""

    efficiency: float = 0.25
    """At least this share of the zone was won."""
    theory_of_mind: float = 0.5
    """The stated beliefs were right by at least this much on average."""
    principled_exit: bool = True
    """It was left where there was no deal to be had."""
    adapted: bool = True
    """An event that changed the deal was adapted to."""


@dataclass(frozen=True, slots=True)
class DataSettings:
    """What is played, by whom, and what is kept."""

    episodes: int = 1200
    teachers: dict[str, float] = field(
        default_factory=lambda: {"linear": 0.3, "tit_for_tat": 0.25, "bayesian": 0.25, "conceder": 0.2}
    )
    """How often each reference strategy plays, in shares of any sum. The expert, the yardstick of the evaluation,
    is not among them by default; ``demo`` gives it .4."""
    validation: float = 0.1
    """Share of *episodes* set aside: no two turns of one game lie on both sides of the split."""
    style: Style = "brief"
    mixture: Mixture = field(default_factory=Mixture)
    filters: GameFilters = field(default_factory=GameFilters)

    def __post_init__(self) -> None:
        if self.episodes < 1:
            raise BadInput("episodes must be at least 1")
        if not 0 <= self.validation < 1:
            raise BadInput("validation must lie in [0, 1)")
        unknown = sorted(set(self.teachers) - set(STRATEGIES))
        if unknown:
            raise BadInput(f"teachers: there is no {unknown[0]!r}; there are {', '.join(STRATEGIES)}")
        if not self.teachers or sum(self.teachers.values()) <= 0 or min(self.teachers.values()) < 0:
            raise BadInput("teachers must have shares of at least 0 that add up to more than 0")


@dataclass(frozen=True, slots=True)
class TeacherGame:
    """One game of a teacher's: its records, and whether it was kept and why."""

    task: DealTask
    teacher: str
    split: Literal["train", "validation"]
    records: list[dict[str, Any]]
    outcome: Outcome
    kept: str | None
    """The filter that let it through; ``None`` when none did."""


def play(settings: DataSettings, seed: int) -> Iterator[TeacherGame]:
    """Every game of the dataset, in an order that follows from the seed."""
    rng = np.random.default_rng([seed, 21])
    cells = tables_of(settings.mixture)
    names = list(settings.teachers)
    shares = np.array([settings.teachers[name] for name in names])
    for number in range(settings.episodes):
        scenario, persona, seat = cells[number % len(cells)]
        task = DealTask(scenario, persona, seat, int(rng.integers(0, SEEDS)), settings.mixture.difficulty)
        teacher = names[int(rng.choice(len(names), p=shares / shares.sum()))]
        split: Literal["train", "validation"] = (
            "validation" if rng.random() < settings.validation else "train"
        )
        yield _play_one(task, teacher, split, settings)


def _play_one(
    task: DealTask, teacher: str, split: Literal["train", "validation"], settings: DataSettings
) -> TeacherGame:
    game = Negotiation(
        task.board, task.persona, task.seat, task.seed, difficulty=task.difficulty, speak=False
    )
    player = STRATEGIES[teacher]()
    player.told(game.scenario)
    records: list[dict[str, Any]] = []
    while not game.done:
        seen, rng = game.observe(), stream(task.seed, "player", game.turn)
        action = _with_words(player.act(seen, rng), rng)
        chat = messages(seen, game.scenario, settings.style)
        answer = encode(action, seen, game.scenario, settings.style)
        records.append(
            {
                "id": f"{task.scenario}-{task.persona}-{task.seat}-{task.seed}-{game.turn:02d}",
                "messages": [*chat, {"role": "assistant", "content": answer}],
            }
        )
        game.step(to_action(decision_of(action, seen, game.scenario, settings.style)))
    if game.outcome is None:
        raise RuntimeError("a finished game has an outcome")
    source = {
        "kind": "self-play",
        "teacher": teacher,
        "scenario": task.scenario,
        "persona": task.persona,
        "seat": task.seat,
        "seed": task.seed,
        "efficiency": round(game.outcome.efficiency, 4),
        "deal": game.outcome.deal,
    }
    kept = reason_to_keep(game, settings.filters)
    marked = [{**record, "source": {**source, "kept_for": kept}} for record in records]
    return TeacherGame(task, teacher, split, marked, game.outcome, kept)


def reason_to_keep(game: Negotiation, filters: GameFilters) -> str | None:
    """The first filter that lets a finished game through."""
    outcome = game.outcome
    if outcome is None or outcome.floor_breached:
        return None
    if outcome.deal and outcome.efficiency >= filters.efficiency:
        return "efficiency"
    if filters.principled_exit and outcome.reason == "player_walked" and game.truth.original_zone <= 0:
        return "principled exit"
    terms = [term for turn in game.grades for term in turn]
    if filters.adapted and any(term.name == "adaptation" and term.value > 0 for term in terms):
        return "adapted"
    beliefs = [term.value for term in terms if term.name == "theory_of_mind"]
    if beliefs and float(np.mean(beliefs)) >= filters.theory_of_mind:
        return "theory of mind"
    return None


def _with_words(action: Action, rng: np.random.Generator) -> Action:
    """Give a teacher without words some small talk, so that its pupil does not learn to be mute."""
    if action.text or action.accept or action.walk_away or rng.random() >= SPOKEN:
        return action
    text = SMALL_TALK[int(rng.integers(len(SMALL_TALK)))]
    return action if OFFER_MARK in text and action.offer is None else replace(action, text=text)
