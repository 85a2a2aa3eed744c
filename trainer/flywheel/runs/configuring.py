"""The settings of a run, as each stage of it reads them: the house's own, what the run is, and rates that fit its base.

They are written into the run's folder when a stage begins for the first time, so that a run goes on as it began whatever
the house decides meanwhile.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Literal

from django.conf import settings

from trainer.errors import BadInput
from trainer.flywheel import store
from trainer.flywheel.runs.models import TrainingRun
from trainer.flywheel.runs.sparring import pool_write
from trainer.settings import as_toml, with_changes

POOL_SHARE = 0.25
"""Of the deals of a run that plays, those that people of the exploit pool sit across in."""
Teaching = Literal["sft", "grpo"]
STAGES: dict[str, tuple[Teaching, ...]] = {"sft": ("sft",), "grpo": ("grpo",), "both": ("sft", "grpo")}
"""The stages of each recipe."""
LARGE_BYTES = 200_000_000
"""Weights of a base beyond this are those of a language model, and no apprentice's."""
RATES = {"sft": 2e-4, "grpo": 2e-5}
"""Of an adapter on a large base, where the house's settings name none: the usual orders for LoRA, not measured here. The
trainer's own defaults are an apprentice's, fifty times as high for playing."""


def config_of(stage: Teaching, folder: Path) -> Path:
    """The file that a stage reads."""
    return folder / f"{stage}.toml"


def configure(run: TrainingRun, folder: Path) -> None:
    """Write down the settings of every stage that are not written down yet, and the pool that is played against.

    Raises:
        BadInput: when the house's file is not to be read.
        DatasetRefused: as :func:`pool_write`.
    """
    if run.pool is not None:  # anew each time: the words are taken out when a run ends
        pool_write(pool=run.pool, folder=pool_folder(folder), run=run)
    for stage in STAGES.get(run.recipe, ()):
        file = config_of(stage, folder)
        if not file.exists():
            file.write_text(as_toml(settings_of(run, stage, folder)), encoding="utf-8")


def settings_of(run: TrainingRun, stage: Teaching, folder: Path) -> dict[str, Any]:
    """The house's settings for the stage with the run's own over them."""
    found = _read(settings.LEARN_CONFIG if stage == "sft" else settings.PLAY_CONFIG)
    changes: dict[str, Any] = {"style": run.style}
    if is_large(store.located(run.base)) and "learning_rate" not in found.get(stage, {}).get("optimizer", {}):
        changes[f"{stage}.optimizer.learning_rate"] = RATES[stage]
    if stage == "grpo" and run.pool is not None:
        changes |= {"wins": str(pool_folder(folder)), "mixture.rival_share": POOL_SHARE}
    return with_changes(found, changes)


def is_large(base: str) -> bool:
    """Whether a base is a folder with the weights of a language model."""
    return (
        sum(file.stat().st_size for file in Path(base).glob("*.safetensors")) > LARGE_BYTES if base else False
    )


def pool_folder(folder: Path) -> Path:
    """Where the exploit pool of a run is written."""
    return folder / "data" / "pool"


def _read(file: str) -> dict[str, Any]:
    if not file:
        return {}
    try:
        return tomllib.loads(Path(file).read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise BadInput(f"{file}: {problem}") from problem
