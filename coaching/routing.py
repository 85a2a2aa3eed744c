"""The sockets of this app."""

from django.urls import path

from coaching.consumers import WatchSocket

sockets = [path("ws/watch/<str:token>/", WatchSocket.as_asgi())]
