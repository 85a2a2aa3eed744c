"""The sockets of this app."""

from django.urls import path

from coaching.consumers import WatchSocket
from coaching.room.consumers import LobbySocket

sockets = [
    path("ws/watch/<str:token>/", WatchSocket.as_asgi()),
    path("ws/team/<int:team_id>/", LobbySocket.as_asgi()),
]
