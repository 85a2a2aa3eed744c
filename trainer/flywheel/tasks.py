"""Harvesting when nobody waits for it."""

from __future__ import annotations

import asyncio
import uuid
from pathlib import Path

import structlog
from celery import shared_task
from django.conf import settings

from negotiation.table.threads import close_threads
from owed import services as owed
from owed.kinds import Work, register
from trainer.flywheel import harvest, twins, withdrawal
from trainer.flywheel.operations.nightly import back_up_tonight
from trainer.flywheel.operations.retention import runs_let_go
from trainer.flywheel.promotion.serving import champions_serve
from trainer.flywheel.runs import jobs
from trainer.flywheel.runs.judging import gates_ask
from trainer.flywheel.runs.models import HEARTBEAT_LOST, TrainingRun
from trainer.flywheel.runs.runner import run_work
from trainer.flywheel.runs.services import run_ended
from trainer.flywheel.schedule.services import retrain_what_is_due

log = structlog.get_logger(__name__)

BACKUP_LIMIT = 2 * 3600
TRAINING_LIMIT = 30 * 24 * 3600
"""Seconds. A run ends by its steps, or by hand; the limit of other tasks is not for it."""


@shared_task
def harvest_game(game_id: str) -> bool:
    """Make the examples of one game. Delivered twice it makes them once."""
    return harvest.game_harvest(game_id=uuid.UUID(game_id)) is not None


@shared_task
def harvest_what_is_owed() -> int:
    """Take back what must go, harvest what was missed, clean up after the killed; how many were harvested."""
    withdrawal.withdraw_what_must_go()
    harvested = 0
    for game_id in harvest.games_owed():
        try:
            harvested += harvest.game_harvest(game_id=game_id) is not None
        except OSError:
            log.exception("disk_takes_no_more", game=str(game_id))
            break
    withdrawal.tidy()
    twins.compare_what_is_owed()
    return harvested


@shared_task(time_limit=BACKUP_LIMIT)
def back_up() -> str:
    """Tonight's backup, restored beside the house to see that it is one; the folder's size in bytes and seconds."""
    told, rehearsed = back_up_tonight(Path(settings.BACKUP_DIR))
    return f"{told.size} bytes, {rehearsed.seconds} seconds"


@shared_task(acks_late=False, time_limit=TRAINING_LIMIT)
def train(run_id: str) -> bool:
    """Work one training run, in the worker of the training queue. Delivered twice it is worked once."""
    return owed.do(TRAINING, run_id)


@shared_task
def start_job(run_id: str) -> bool:
    """Have the cluster work one training run. Delivered twice it is asked for once."""
    if TrainingRun.objects.filter(state=TrainingRun.State.RUNNING).exclude(pk=run_id).exists():
        return False  # one at a time: the sweep asks for this one when that one has ended
    return jobs.job_start(jobs.Cluster.around(), run_id)


@shared_task
def call_off_job(run_id: str) -> None:
    """Take the Job of a run that was cancelled before anybody took it up away."""
    jobs.job_call_off(jobs.Cluster.around(), run_id)


def tell(run_id: str) -> None:
    """Tell whoever works runs of one that waits."""
    (start_job if settings.TRAINS_ON == "kubernetes" else train).delay(run_id)


def runs_due_ask() -> None:
    """Ask for the runs whose hour has come, and for the judgements that are owed."""
    retrain_what_is_due()
    gates_ask()


TRAINING = register(
    Work(
        "training",
        TrainingRun,
        run_work,
        silent=HEARTBEAT_LOST,
        most=None,  # it goes on from its checkpoints
        ended=run_ended,
        also=runs_due_ask,
        tell=tell,
        one_at_a_time=True,
    )
)


@shared_task
def let_go_of_runs() -> int:
    """Take away what training left on the disk and nobody needs any more."""
    return runs_let_go()


@shared_task
def serve_champions() -> int:
    """Bring the model server in line with what was decided about models."""
    return asyncio.run(_serve_champions())


async def _serve_champions() -> int:
    try:
        return await champions_serve()
    finally:
        close_threads()
