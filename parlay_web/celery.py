"""The Celery application; tasks live in ``<app>/tasks.py``."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "parlay_web.settings.dev")

app = Celery("parlay")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
