"""Every script under ``bench/`` really runs, at its smallest size, to its end; what it measures so says nothing.

A script that learns runs in the environment that has torch, all others where the product runs; the one that needs a
model server, where vLLM is. A script without an entry here fails the first test.
"""

from __future__ import annotations

import importlib.util
import json
import math
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
BENCH = ROOT / "bench"
HAS_TORCH = importlib.util.find_spec("torch") is not None


@dataclass(frozen=True)
class Start:
    """The smallest run of a script.

    In its arguments ``{scratch}`` is a folder of the test's own, ``{config}`` a file with the text of ``config``, and
    ``{base}`` a model of random weights that can be asked for moves.
    """

    arguments: str
    finds: tuple[str, ...]
    """Keys that its report has."""
    learns: bool = False
    """Runs in the learning environment alone."""
    config: str = ""
    report: str = ""
    """Where its report lies, if the output is a folder."""
    marks: tuple[pytest.MarkDecorator, ...] = ()


FEW_STEPS = "steps = 2\nbatch = 4\nvalidate_every = 2\nsave_every = 2\n"
ENVOY = f"""
rollouts = 1
self_play_every = 0
examples = {{ games = 1, years = 1, validation = 1.0 }}
positions = {{ games = 1, years = 3 }}
[sft]
{FEW_STEPS}validation_rows = 4
[grpo]
steps = 1
prompts_per_step = 1
num_generations = 2
save_every = 1
eval_steps = 1
eval_tasks = 2
"""
SEPO = f"""
episodes = 2
per_game = 16
[sft]
{FEW_STEPS}[sepo]
steps = 1
num_generations = 2
save_every = 1
eval_steps = 1
eval_episodes = 1
"""


STARTS = {
    "champion": Start(
        "--rounds 1 --evaluations 2 --iterations 1 --search 1 --games 1",
        ("rounds", "against"),
        marks=(pytest.mark.slow,),
    ),
    "claims": Start("--games 2", ("diplomat", "shark", "veteran", "auditor"), marks=(pytest.mark.slow,)),
    "clicks": Start("--rehearse", ("ways", "median"), marks=(pytest.mark.slow,)),
    "ready": Start("--rehearse", ("rounds", "median"), marks=(pytest.mark.slow,)),
    "coaching": Start(
        "--learners 2 --games 1 --held-out 4", ("effect", "after_review"), marks=(pytest.mark.slow,)
    ),
    "coalition": Start(
        "--episodes 2 --casts 2 --strategies fair",
        ("table", "casts", "among_personas"),
        marks=(pytest.mark.slow,),
    ),
    "diplomacy": Start(
        "--games 1 --starts 1 --rollouts 1 --once",
        ("speed", "strength", "worth_of_a_promise"),
        marks=(pytest.mark.slow,),
    ),
    "drills": Start(
        "--matches 20 --seconds 0.001",
        ("a second, over arrays", "milliseconds, exact theory"),
        marks=(pytest.mark.slow,),
    ),
    "engine": Start(
        "--episodes 2 --batch 2 --spoken 1", ("episodes_per_second", "words"), marks=(pytest.mark.slow,)
    ),
    "exercises": Start(
        "--drills 1 --workers 1 --skills pacing", ("all", "by_skill", "ends"), marks=(pytest.mark.slow,)
    ),
    "exploit": Start(
        "--budget 2 --training 2 --held-out 2", ("diplomat", "shark", "veteran"), marks=(pytest.mark.slow,)
    ),
    "faults": Start("--only 24", ("faults",), marks=(pytest.mark.slow,)),
    "hints": Start("--deals 1 --workers 1", ("all", "by_persona", "by_rep"), marks=(pytest.mark.slow,)),
    "house": Start("--here --rounds 1", ("warm",), marks=(pytest.mark.slow,)),
    "kills": Start(
        "--rounds 1 --tables 2 --pause 12", ("acknowledged", "lost", "faults"), marks=(pytest.mark.slow,)
    ),
    "labels": Start("--games 1", ("counts", "gain", "review_seconds"), marks=(pytest.mark.slow,)),
    "language": Start(
        "--games 6 --every 30", ("gold_set", "first_runs", "speech"), marks=(pytest.mark.slow,)
    ),
    "leakage": Start("--seeds 1 --worlds 2", ("worlds", "scenarios"), marks=(pytest.mark.slow,)),
    "listening": Start("--every 20", ("batches", "first_runs", "speed")),
    "intents": Start("--rehearse", ("house", "both", "milliseconds")),
    "scale": Start("--rehearse", ("two_over_one",), marks=(pytest.mark.slow, pytest.mark.postgres)),
    "planes": Start("--rehearse", ("p95_ms", "times_idle", "opened"), marks=(pytest.mark.slow,)),
    "fanout": Start("--rehearse", ("rounds", "median"), marks=(pytest.mark.slow,)),
    "lobby": Start("--rehearse", ("ways",), marks=(pytest.mark.slow,)),
    "live": Start("--rehearse", ("tables", "spectators", "memory_mb"), marks=(pytest.mark.slow,)),
    "many": Start("--rehearse", ("p95_over_quiet", "together", "apart"), marks=(pytest.mark.slow,)),
    "soak": Start("--rehearse", ("acknowledged", "lost", "memory_mb"), marks=(pytest.mark.slow,)),
    "load": Start(
        "--rehearse",
        ("alone", "beside_reviews", "reviews"),
        marks=(pytest.mark.slow, pytest.mark.timeout(600)),
    ),
    "motion": Start("--rehearse", ("rounds", "median"), marks=(pytest.mark.slow,)),
    "observer": Start("--games 1", ("diplomat", "shark", "veteran"), marks=(pytest.mark.slow,)),
    "opponents": Start("--episodes 2", ("table", "overall", "difficulty"), marks=(pytest.mark.slow,)),
    "oracle": Start(
        "--deals 1 --trainings 1 --iterations 1",
        ("ships", "trainings", "over_trainings", "with_a_case"),
        marks=(pytest.mark.slow,),
    ),
    "played": Start("", ("deals", "graded", "share"), marks=(pytest.mark.slow,)),
    "press": Start("--games 2 --years 1", ("power", "scripts"), marks=(pytest.mark.slow,)),
    "tables": Start(
        "--games 1 --fresh 1 --scenarios saas_enterprise",
        ("weight", "menus", "coverage"),
        marks=(pytest.mark.slow,),
    ),
    "ratings": Start("--games 1 --periods 1", ("expert", "shark@0.5"), marks=(pytest.mark.slow,)),
    "sepo_examples": Start("--episodes 4", ("ipd", "kuhn"), marks=(pytest.mark.slow,)),
    "sepo_poker": Start("--steps 1 --seeds 1", ("steps", "nash_conv")),
    "sepo_tables": Start("--seeds 2 --steps 1 --matches 20", ("modes",), marks=(pytest.mark.slow,)),
    "serving": Start(
        "--sizes 64x1 --scale 0.01 --kinds narrated",
        ("models",),
        marks=(
            pytest.mark.vllm,
            pytest.mark.skip(reason="on a busy machine so short a run pairs no turn at all"),
        ),
    ),
    "words": Start("", ("classes", "in_several_files", "cross_a_room")),
    "turn": Start("--games 1 --rounds 1", ("answer", "play")),
    "web_turn": Start("--rehearse", ("this", "raw_ms"), marks=(pytest.mark.slow,)),
    "advice": Start("--deals 1 --workers 1", ("share", "by_persona", "all"), marks=(pytest.mark.slow,)),
    "apprentice": Start(
        "--rehearse --seeds 0 --stages demo ablate --scratch {scratch}",
        ("open", "guarded"),
        learns=True,
        report="apprentice/seed0/summary.json",
    ),
    "discovery": Start("--seeds 1", ("diplomat", "shark", "veteran"), marks=(pytest.mark.slow,)),
    "update": Start("--rehearse", ("tiny", "product_operations_a_second"), learns=True),
    "draw": Start("--rows 2 --rounds 1", ("apprentice", "qwen2.5"), learns=True),
    "envoy": Start(
        "--seeds 0 --positions 2 --rollouts 1 --games 1 --against dumbbot"
        " --config {config} --scratch {scratch}",
        ("yardsticks", "seeds", "summary"),
        learns=True,
        config=ENVOY,
    ),
    "flywheel": Start(
        "--rehearse", ("size", "generations"), learns=True, marks=(pytest.mark.slow, pytest.mark.timeout(900))
    ),
    "openenv": Start(
        "--seconds 0.05 --rounds 1",
        ("steps_per_second", "share_of_trivial_equal", "steps_per_server_cpu_second"),
        learns=True,
    ),
    "reliability": Start("--players 2 --deals 1", ("opening", "pacing"), marks=(pytest.mark.slow,)),
    "sepo": Start(
        "--games ipd --modes ours --seeds 1 --config {config} --scratch {scratch}",
        ("runs", "summary"),
        learns=True,
        config=SEPO,
    ),
    "sepo_coalition": Start(
        "--rehearse --seeds 1 --scratch {scratch}", ("beginner", "arms", "summary"), learns=True
    ),
    "sepo_deal": Start(
        "--rehearse --seeds 1 --scratch {scratch}", ("beginner", "arms", "summary"), learns=True
    ),
    "skills": Start("--deals 2 --reps 1 --games 1", ("usual", "planted"), marks=(pytest.mark.slow,)),
    "step": Start("--rounds 1", ("deal", "deal_without_words"), learns=True),
    "trainer": Start(
        "--base {base} --episodes 8 --repeats 1", ("ours", "bare_writing", "single_turn", "trl"), learns=True
    ),
}
MINE = {name: start for name, start in STARTS.items() if start.learns == HAS_TORCH}


def scripts() -> set[str]:
    """The modules of ``bench/`` that can be started; the others are parts of them."""
    return {path.stem for path in BENCH.glob("*.py") if '__name__ == "__main__"' in path.read_text()}


def figures(found: Any) -> Iterator[float]:
    """All numbers of a report."""
    if isinstance(found, dict):
        for each in found.values():
            yield from figures(each)
    elif isinstance(found, list):
        for each in found:
            yield from figures(each)
    elif isinstance(found, int | float) and not isinstance(found, bool):
        yield found


def kept_results() -> dict[Path, tuple[int, int]]:
    """Size and time of everything under ``bench/results``."""
    files = (path for path in (BENCH / "results").rglob("*") if path.is_file())
    return {path: (path.stat().st_size, path.stat().st_mtime_ns) for path in files}


def run(name: str, start: Start, output: Path, folder: Path) -> None:
    """The script in a process of its own, with nothing of this test's Django in its environment."""
    clean = {
        key: value
        for key, value in os.environ.items()
        if not key.startswith(("DJANGO_", "PARLAY_", "MODEL_"))
    }
    places = {"scratch": folder / "scratch", "config": folder / "config.toml", "base": folder / "base"}
    if "{config}" in start.arguments:
        places["config"].write_text(start.config)
    if "{base}" in start.arguments:
        from tests.trainer.toy import make_deal_base

        make_deal_base(places["base"])
    given = start.arguments.format(**places).split()
    command = [sys.executable, "-m", f"bench.{name}", *given, "--output", str(output)]
    done = subprocess.run(command, cwd=ROOT, env=clean, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]


def test_every_script_has_its_smallest_run() -> None:
    assert scripts() == set(STARTS)


@pytest.mark.parametrize("name", [pytest.param(name, marks=start.marks) for name, start in MINE.items()])
def test_it_runs_to_its_end_and_keeps_what_it_found_where_it_was_told(name: str, tmp_path: Path) -> None:
    start, output, before = STARTS[name], tmp_path / "found", kept_results()
    run(name, start, output, tmp_path)
    found = json.loads((output / start.report if start.report else output).read_text())
    about = found.pop("measured")
    assert set(about) == {"at", "revision", "machine"}
    assert about["revision"] != ""
    assert set(start.finds) <= set(found)
    numbers = list(figures(found))
    assert numbers
    assert all(math.isfinite(number) for number in numbers)
    assert kept_results() == before, "a tiny run must leave measured results alone"
