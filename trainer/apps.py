"""The Django side of the trainer."""

from __future__ import annotations

from django.apps import AppConfig


class TrainerConfig(AppConfig):
    """What a model learns from a game: harvested deals, datasets, and where they went."""

    name = "trainer"

    def ready(self) -> None:
        """Listen for the end of games and for words that have to go, and have the worker know the tasks."""
        from trainer.flywheel import (
            listening,
            tasks,  # noqa: F401  # tasks register themselves
        )
        from trainer.flywheel.operations import collector

        listening.start()
        collector.register()
