"""The flywheel on the metrics endpoint: what waits, what runs, what was lost, and how full the disk is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.db.models import Count
from django.utils import timezone
from prometheus_client import REGISTRY
from prometheus_client.core import GaugeMetricFamily, Metric

from owed.collector import DatabaseCollector


def _metrics() -> Iterator[Metric]:
    from trainer.flywheel.harvest import games_wanted
    from trainer.flywheel.models import Episode
    from trainer.flywheel.operations.nightly import age_seconds
    from trainer.flywheel.promotion.models import Generation
    from trainer.flywheel.runs import quota
    from trainer.flywheel.runs.models import TrainingRun

    episodes = GaugeMetricFamily("parlay_examples", "Deals looked at as examples", labels=["state"])
    for state, count in Episode.objects.order_by().values_list("state").annotate(Count("pk")):
        episodes.add_metric([state], count)
    yield episodes
    yield GaugeMetricFamily("parlay_harvest_owed", "Deals that wait to be harvested", games_wanted().count())
    runs = GaugeMetricFamily("parlay_training_runs", "Training runs and judgements", labels=["state"])
    counted = dict(TrainingRun.objects.order_by().values_list("state").annotate(Count("pk")))
    for state in TrainingRun.State.values:
        runs.add_metric([state], counted.get(state, 0))
    yield runs
    running = TrainingRun.objects.filter(state=TrainingRun.State.RUNNING).first()
    silent = 0.0
    if running is not None:
        silent = (timezone.now() - running.heartbeat_at).total_seconds()
    yield GaugeMetricFamily(
        "parlay_training_silent_seconds", "Since the running run was last heard of; 0 where none runs", silent
    )
    waiting = TrainingRun.objects.filter(state=TrainingRun.State.WAITING).order_by("created_at").first()
    waited = 0.0 if waiting is None else (timezone.now() - waiting.created_at).total_seconds()
    yield GaugeMetricFamily(
        "parlay_training_waiting_seconds", "Since the oldest waiting run was asked for", waited
    )
    ratings = GaugeMetricFamily("parlay_champion_rating", "Glicko-2 rating of each champion", labels=["name"])
    unserved = 0
    for champion in Generation.objects.filter(state=Generation.State.CHAMPION):
        ratings.add_metric([champion.name], champion.rating)
        unserved += not _is_served(champion.name)
    yield ratings
    yield GaugeMetricFamily("parlay_champions_not_served", "Champions that nobody can play against", unserved)
    if settings.BACKUP_DIR and (age := age_seconds(Path(settings.BACKUP_DIR))) is not None:
        yield GaugeMetricFamily(
            "parlay_backup_age_seconds", "Since the latest backup that was restored and played from", age
        )
    yield GaugeMetricFamily(
        "parlay_flywheel_disk_free_mb", "What the disk of the store has left", quota.free_mb()
    )


def _is_served(name: str) -> bool:
    from negotiation.serving.models import Adapter

    return Adapter.objects.filter(name=name, status=Adapter.Status.OFFERED).exists()


def register() -> None:
    """Once per process."""
    REGISTRY.register(DatabaseCollector("flywheel", _metrics))
