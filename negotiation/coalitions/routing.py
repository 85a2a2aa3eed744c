"""The sockets of the deal for three."""

from django.urls import path

from negotiation.coalitions.consumers import CoalitionSocket, CoalitionWatchSocket

sockets = [
    path("ws/coalitions/<uuid:game_id>/", CoalitionSocket.as_asgi()),
    path("ws/coalition-watch/<str:token>/", CoalitionWatchSocket.as_asgi()),
]
