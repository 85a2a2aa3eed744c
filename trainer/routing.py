"""The sockets of this app."""

from django.urls import path

from trainer.flywheel.runs.consumers import RunSocket

sockets = [path("ws/trainer/runs/<uuid:run_id>/", RunSocket.as_asgi())]
