"""The sockets of this game."""

from django.urls import path

from negotiation.smallgames.consumers import SmallSocket

sockets = [path("ws/games/<uuid:game_id>/", SmallSocket.as_asgi())]
