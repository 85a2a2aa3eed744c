"""A model that was taught: the apprentice that ``python -m trainer demo`` left here, else a smaller one, taught now."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "bin"))
import _beside

from tests.servers import ROOT

LEFT_BY_DEMO = ROOT / "var" / "models" / "apprentice"
EPISODES = 150
LESSONS = {"base": 60, "adapter": 6}
BATCH = 24


def apprentice(folder: Path) -> tuple[Path, Path]:
    """A base and an adapter for it. Teaching them takes half a minute on two idle cores, with ``.venv-train``."""
    if (LEFT_BY_DEMO / "adapter" / "adapter_config.json").exists():
        return LEFT_BY_DEMO, LEFT_BY_DEMO / "adapter"
    (folder / "generate.toml").write_text(f"episodes = {EPISODES}\n")
    _trainer("generate", "--config", str(folder / "generate.toml"), "--output", str(folder / "data"))
    for what, steps in LESSONS.items():
        settings = folder / f"{what}.toml"
        settings.write_text(f"[sft]\nsteps = {steps}\nbatch = {BATCH}\nvalidation_rows = 32\n")
        onto = ["--base", str(folder / "base" / "base")] if what == "adapter" else []
        given = ["--config", str(settings), "--data", str(folder / "data"), "--output", str(folder / what)]
        _trainer("sft", *given, *onto)
    return folder / "base" / "base", folder / "adapter" / "adapter"


def _trainer(*command: str) -> None:
    python = str(_beside.trainer_python())
    done = subprocess.run(
        [python, "-m", "trainer", *command, "--seed", "1"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
