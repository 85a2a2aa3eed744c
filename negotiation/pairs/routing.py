"""The sockets of this app."""

from django.urls import path

from negotiation.pairs.consumers import PairSocket, PairWatchSocket

sockets = [
    path("ws/pairs/<uuid:game_id>/", PairSocket.as_asgi()),
    path("ws/pair-watch/<str:token>/", PairWatchSocket.as_asgi()),
]
