from django.apps import AppConfig


class CoalitionsConfig(AppConfig):
    """Deals for three: games, their logs, their pages."""

    name = "negotiation.coalitions"
    label = "coalitions"
