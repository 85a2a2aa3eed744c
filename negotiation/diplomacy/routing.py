"""The sockets of the board."""

from django.urls import path

from negotiation.diplomacy.consumers import BoardSocket, BoardWatchSocket

sockets = [
    path("ws/diplomacy/<uuid:game_id>/", BoardSocket.as_asgi()),
    path("ws/board-watch/<str:token>/", BoardWatchSocket.as_asgi()),
]
