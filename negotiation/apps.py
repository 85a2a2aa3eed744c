from django.apps import AppConfig


class NegotiationConfig(AppConfig):
    """The tables: games, their logs, their sockets."""

    name = "negotiation"
