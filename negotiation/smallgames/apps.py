from django.apps import AppConfig


class SmallGamesConfig(AppConfig):
    """Matches of the five small games, their logs, their pages."""

    name = "negotiation.smallgames"
    label = "smallgames"
