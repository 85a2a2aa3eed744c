"""The front door. Whoever enters has the Celery application, so that tasks reach our broker from any process."""

from parlay_web.celery import app as celery_app

__all__ = ["celery_app"]
