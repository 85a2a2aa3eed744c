"""Working a run: the commands of its recipe, each a process of its own, watched until it ends.

The training process holds a lock on the run's folder and dies with the worker that started it, so that not even a
worker that was thought lost can train beside another.
"""

from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import structlog
from django.conf import settings
from django.utils import timezone

from negotiation.table import pings
from owed import services as owed
from parlay_web.processes import die_with_parent
from telemetry import carried
from trainer.errors import BadInput
from trainer.flywheel import store
from trainer.flywheel.datasets import DatasetRefused, dataset_write
from trainer.flywheel.runs import beats, bundles, quota
from trainer.flywheel.runs.configuring import config_of, configure
from trainer.flywheel.runs.inputs import inputs_fetch
from trainer.flywheel.runs.models import WEIGHTS, TrainingRun
from trainer.flywheel.runs.resources import Meter

log = structlog.get_logger(__name__)

MINUTE = 60.0
GRACE_SECONDS = 10.0
"""How long a training process has to end when asked."""


class NoRoom(Exception):
    """The disk takes no more of this run; the argument says why."""


class Failed(Exception):
    """A command ended with an error; the argument is its last line."""


@dataclass(frozen=True, slots=True)
class Stage:
    """One command of a recipe and the folder that it writes."""

    command: str
    folder: Path
    arguments: tuple[str, ...]

    @property
    def results(self) -> dict[str, Any] | None:
        """What it came to, once it is finished."""
        try:
            found = json.loads((self.folder / "run.json").read_text()).get("results")
        except (OSError, ValueError):
            return None
        return None if found is None else finite(found)


def finite(figures: dict[str, Any]) -> dict[str, Any]:
    """What a trainer measured, without what it could not: JSON knows no NaN, though Python writes it."""
    return {
        name: value
        for name, value in figures.items()
        if not (isinstance(value, float) and not math.isfinite(value))
    }


def run_work(run: TrainingRun) -> dict[str, Any]:
    """Work a run that this worker has taken, to its end.

    Returns:
        Its results, for the row.
    """
    TrainingRun.objects.filter(pk=run.pk, started_at=None).update(started_at=timezone.now())
    folder = store.path_of(run.folder)
    bundles.words_forget()
    try:
        with bundles.alone(folder) as lock:
            beats.beside(run, lambda: bundles.bring(run, folder))
            work = _Work(run, folder, lock, bundles.Sender(run, folder))
            try:
                results = _stages_run(work)
            except Exception:
                _send_what_is_there(work)
                raise
            beats.beside(run, work.sender.send)
            return {"results": results}
    except BlockingIOError as busy:
        # The process of a worker that is gone has not ended yet; the sweep comes back to this run.
        raise owed.NotYet from busy
    except (Failed, BadInput, DatasetRefused, NoRoom, store.Damaged, OSError) as problem:
        raise owed.CannotBeDone(str(problem) or type(problem).__name__) from problem
    finally:
        bundles.words_forget()


@dataclass(frozen=True, slots=True)
class _Work:
    """A run in the hands of this worker: its folder, the lock on it, and who sends what changes in it."""

    run: TrainingRun
    folder: Path
    lock: IO[str]
    sender: bundles.Sender


def _send_what_is_there(work: _Work) -> None:
    """Checkpoints and log of a run that stops early, for whoever goes on with it."""
    try:
        work.sender.send()
    except (OSError, owed.LeaseLost):
        log.warning("run_not_sent", run=str(work.run.pk), exc_info=True)


def _stages_run(work: _Work) -> dict[str, Any]:
    run, folder = work.run, work.folder
    if lack := quota.lacking(settings.RUN_NEEDS_MB):
        raise NoRoom(lack)
    until = None if run.minutes is None else time.monotonic() + MINUTE * run.minutes
    beats.beside(run, lambda: _inputs_ready(run, folder))
    results: dict[str, Any] = {}
    for stage in stages_of(run, folder):
        if stage.results is None:
            _run(work, stage, until)
        results |= stage.results or {}
        if run.is_gate and run.candidate is not None:
            results["adapter_sha256"] = store.checksum((Path(run.candidate.adapter) / WEIGHTS).read_bytes())
            continue
        made = {kind: stage.folder / kind for kind in made_by(run)}
        results |= {kind: store.name_of(place) for kind, place in made.items() if place.is_dir()}
    return results


def _inputs_ready(run: TrainingRun, folder: Path) -> None:
    inputs_fetch(run)
    if run.dataset is not None:
        dataset_write(dataset=run.dataset, folder=folder / bundles.WORDS, run=run.folder, by=run.by)
    configure(run, folder)


def made_by(run: TrainingRun) -> tuple[str, ...]:
    """What a run leaves: an adapter, and a base where it was not given one (a copy with the adapter in it is none)."""
    return ("adapter",) if run.base else ("adapter", "base")


def stages_of(run: TrainingRun, folder: Path) -> list[Stage]:
    """The commands of the recipe, in order.

    On a base that was given, every stage works on one adapter of that base, so that the model server can take it;
    without one the first stage builds a base, and the second puts an adapter on it.
    """
    if run.is_gate:
        return [_gate(run, folder)]
    found, base = [], store.located(run.base)
    adapter = "" if run.start is None else store.located(run.start.path)
    if run.recipe in (TrainingRun.Recipe.SFT, TrainingRun.Recipe.BOTH):
        given = ("--data", str(folder / "data"), "--steps", str(run.sft_steps))
        learnt = (*given, *_on(base, adapter), "--config", str(config_of("sft", folder)))
        found.append(Stage("sft", folder / "sft", learnt))
        base, adapter = (
            (base, str(folder / "sft" / "adapter")) if base else (str(folder / "sft" / "base"), "")
        )
    if run.recipe in (TrainingRun.Recipe.GRPO, TrainingRun.Recipe.BOTH):
        played = (*_on(base, adapter), "--steps", str(run.grpo_steps))
        config = ("--config", str(config_of("grpo", folder)))
        found.append(Stage("grpo", folder / "grpo", (*played, *config)))
    return found


def _on(base: str, adapter: str) -> tuple[str, ...]:
    return (*(("--base", base) if base else ()), *(("--adapter", adapter) if adapter else ()))


def _gate(run: TrainingRun, folder: Path) -> Stage:
    if run.candidate is None:
        raise ValueError("a gate has a candidate")
    return Stage(
        "gate",
        folder / "gate",
        (
            *_on(store.located(run.base), run.candidate.adapter),
            *("--style", run.style),
            *(() if run.champion is None else ("--champion", store.located(run.champion.path))),
            *(("--config", settings.GATE_CONFIG) if settings.GATE_CONFIG else ()),
        ),
    )


def _run(work: _Work, stage: Stage, until: float | None) -> None:
    """One command, until it ends; its lines go to ``log.txt``."""
    run, folder = work.run, work.folder
    resume = ("--resume",) if (stage.folder / "config.toml").exists() else ()
    command = [settings.TRAINER_PYTHON, "-m", "trainer", stage.command, *stage.arguments]
    command += ["--output", str(stage.folder), "--seed", str(run.seed), "--json", *resume]
    with (folder / "log.txt").open("ab") as said:
        handed = {key.upper(): value for key, value in carried().items()}
        process = subprocess.Popen(  # noqa: S603  # our own command; a shell is not involved
            command,
            cwd=settings.BASE_DIR,
            env={**os.environ, **handed},
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            pass_fds=(work.lock.fileno(),),
            preexec_fn=die_with_parent,
        )
        meter, courier = Meter(process.pid, folder), beats.Courier(work.sender)
        try:
            while process.poll() is None:
                owed.progress(run)
                pings.announce_access(run.pk)
                if until is not None and time.monotonic() > until:
                    raise owed.WorkCancelled(
                        f"Its {run.minutes} minutes are used up. Go on gives it as many more."
                    )
                if lack := quota.lacking():
                    # The checkpoints are whole files that lie there already: the run goes on from the last of them.
                    raise NoRoom(lack)
                meter.look()
                courier.look()
                _wait(process, beats.BEAT_SECONDS)
        finally:
            _end(process)
            courier.end()
    if process.returncode:
        raise Failed(last_line(folder) or f"{stage.command} ended with status {process.returncode}")


def _wait(process: subprocess.Popen[bytes], seconds: float) -> bool:
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return False
    return True


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ask it to end, and make it."""
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
        if not _wait(process, GRACE_SECONDS):
            process.kill()
            process.wait()


def log_tail(folder: Path, lines: int = 40) -> list[str]:
    """The last lines of the log; a bar that draws over itself counts as its last state."""
    try:
        with (folder / "log.txt").open("rb") as said:
            said.seek(0, 2)
            said.seek(max(0, said.tell() - 20_000))
            text = said.read().decode(errors="replace")
    except OSError:
        return []
    return [line.rsplit("\r", 1)[-1] for line in text.split("\n") if line.strip()][-lines:]


def last_line(folder: Path) -> str:
    """Why a command ended, in its own words."""
    return next(iter(log_tail(folder, 1)), "")
