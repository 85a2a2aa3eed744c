"""``ablate``: train again with a term or a device left out, and compare on the same held-out deals.

It answers the founding paper's open question (does paying for headlines help?) and ours: what paying for beliefs,
softening the limit at first, and crediting rounds bring; and whether what was learnt holds in a scenario that was
left out of training.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from trainer import settings
from trainer.commands.arguments import parser, show
from trainer.domains.deal.tasks import Mixture
from trainer.errors import BadInput
from trainer.evaluation import run as evaluations
from trainer.evaluation.players import NamedPlayer
from trainer.evaluation.records import GameRecord
from trainer.evaluation.run import EvaluationSettings
from trainer.evaluation.table import as_json, what_it_brought
from trainer.learning import recipes
from trainer.learning.player import ModelPlayer
from trainer.learning.policy import load
from trainer.learning.recipes import TrainSettings
from trainer.reports import evaluation, page
from trainer.runs import Run, say
from trainer.settings import from_dict, to_dict

BASELINE, FULL = "SFT", "full"
LEFT_OUT: dict[str, dict[str, Any]] = {
    FULL: {},
    "without_tom": {"rewards.theory_of_mind": 0.0},
    "without_mev": {"rewards.market_event": 0.0},
    "reward_only": {"rewards.theory_of_mind": 0.0, "rewards.market_event": 0.0, "grpo.parts": False},
    "without_warm_up": {"rewards.omega_warm_up": False},
    "episode_credit": {"grpo.credit": "episode"},
    "round_credit": {"grpo.credit": "round"},
    "without_parts": {"grpo.parts": False},
}
"""Each variant, as the settings it changes."""


@dataclass(frozen=True, slots=True)
class AblationSettings:
    """What is trained, what is left out, and where it is measured."""

    variants: tuple[str, ...] = (FULL, "without_tom", "without_mev", "without_warm_up", "episode_credit")
    held_out: tuple[str, ...] = ("acquisition_term_sheet",)
    """Scenarios that no variant is trained on, measured apart."""
    train: TrainSettings = field(default_factory=lambda: recipes.apprentice_training(steps=12, eval_tasks=0))
    """The demo's, half as long; variants are compared at the same step, not each at its best one."""
    evaluation: EvaluationSettings = field(default_factory=lambda: EvaluationSettings(episodes=120))
    """For each seed, on deals of its own."""

    def __post_init__(self) -> None:
        for name in self.variants:
            if name not in LEFT_OUT:
                raise BadInput(f"variants: there is no {name!r}; there are {', '.join(LEFT_OUT)}")
        shared = set(self.held_out) & set(self.train.mixture.scenarios)
        if shared:
            raise BadInput(f"held_out: {min(shared)} is trained on")


def run(argv: list[str]) -> int:
    """Run the command."""
    arguments = parser("ablate", __doc__ or "", "var/runs/ablation")
    arguments.add_argument(
        "--base",
        type=Path,
        nargs="+",
        required=True,
        help="the model every variant starts from: a folder; or one for each of the --seeds",
    )
    arguments.add_argument("--steps", type=int, help="of each variant, instead of the settings'")
    arguments.add_argument("--seeds", type=int, default=1, help="runs of each variant (default %(default)s)")
    given = arguments.parse_args(argv)
    if given.seeds < 1:
        raise BadInput("--seeds must be at least 1")
    if len(given.base) not in (1, given.seeds):
        raise BadInput(f"--base needs one folder, or one for each of the {given.seeds} seeds")
    recipes.fix_threads()
    changes = {} if given.steps is None else {"train.grpo.steps": given.steps}
    wanted = settings.load(AblationSettings, given.config, changes)
    made = Run(given.output, "ablate", wanted, given.seed, resume=given.resume)
    seeds = range(given.seed, given.seed + given.seeds)
    bases = dict(zip(seeds, given.base * (given.seeds // len(given.base)), strict=True))
    trained = {
        name: [train(name, wanted, base, made.folder, seed) for seed, base in bases.items()]
        for name in wanted.variants
    }
    table = compare(wanted, bases, trained)
    for part, found in table.items():
        folder = made.folder / part
        folder.mkdir(exist_ok=True)
        evaluations.write(found, folder)
    parts = [each for found in table.values() for each in evaluation.parts(found)]
    lead = "First where it was trained, then in a scenario it never saw; every variant meets the same deals."
    page.write(page.Report("What each part brings", lead, parts), made.folder / "ablation.html")
    made.log(
        kind="ablate", step=0, gains={part: found["gain_over_baseline"] for part, found in table.items()}
    )
    made.finish(gains={part: found["gain_over_baseline"] for part, found in table.items()})
    show(table, as_json=given.json)
    return 0


def train(name: str, wanted: AblationSettings, base: Path, folder: Path, seed: int) -> Path:
    """Train one variant, unless it is there already; returns its adapter."""
    place = folder / f"{name}-{seed}"
    if not (place / "adapter" / "parlay.json").exists():
        say(f"-- {name}, seed {seed}")
        variant = variant_of(wanted.train, name)
        made = Run(place, "grpo", variant, seed, resume=True)
        _, results = recipes.train(base, variant, seed, made, resume=True)
        made.finish(**results)
    return place / "adapter"


def variant_of(base: TrainSettings, name: str) -> TrainSettings:
    """The settings with what the variant changes."""
    data = to_dict(base)
    for dotted, value in LEFT_OUT[name].items():
        *tables, key = dotted.split(".")
        at = data
        for part in tables:
            at = at[part]
        at[key] = value
    return from_dict(TrainSettings, data, name)


def compare(
    wanted: AblationSettings, bases: Mapping[int, Path], trained: dict[str, list[Path]]
) -> dict[str, dict[str, Any]]:
    """Every variant where it was trained, and in the scenarios held out. Each seed's trainings meet deals of their own.

    Args:
        bases: what each seed's variants started from.
        trained: each variant's adapters, in the order of the seeds.
    """
    mixtures: dict[str, Mixture] = {"trained": wanted.train.mixture}
    if wanted.held_out:
        mixtures["held_out"] = replace(wanted.train.mixture, scenarios=wanted.held_out)
    tables = {}
    for part, mixture in mixtures.items():
        measuring = replace(wanted.evaluation, mixture=replace(mixture, self_play=0.0))
        records: dict[str, list[GameRecord]] = {BASELINE: [], **{name: [] for name in trained}}
        by_seed = {}
        for place, (seed, base) in enumerate(bases.items()):
            players = [_player(BASELINE, base, None, wanted, seed)]
            players += [_player(name, base, paths[place], wanted, seed) for name, paths in trained.items()]
            table, found = evaluations.evaluate(players, measuring, seed, BASELINE)
            by_seed[str(seed)] = table["players"]
            for name, games in found.items():
                records[name] += games
        tables[part] = as_json(records, BASELINE) | {"by_seed": by_seed}
        if FULL in records:
            tables[part]["brought"] = what_it_brought(records, FULL)
    return tables


def _player(name: str, base: Path, adapter: Path | None, wanted: AblationSettings, seed: int) -> NamedPlayer:
    sampling = replace(wanted.train.grpo.sampling, temperature=wanted.evaluation.temperature)
    sampling = sampling.of_style(wanted.train.style)
    return ModelPlayer(name, load(base, adapter), sampling, seed, wanted.train.style)
