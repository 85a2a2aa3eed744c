"""The house itself, as Django sees it."""

from django.apps import AppConfig


class HouseConfig(AppConfig):
    """Makes tasks that any process sends go to our broker."""

    name = "parlay_web"

    def ready(self) -> None:
        """Load the Celery application: the first one made is the one that tasks are sent through; tell what is owed."""
        from owed import collector
        from parlay_web import celery  # noqa: F401

        collector.register()
