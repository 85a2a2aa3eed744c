"""The sockets of this app."""

from django.urls import path

from negotiation.consumers import DealSocket

sockets = [path("ws/deals/<uuid:game_id>/", DealSocket.as_asgi())]
