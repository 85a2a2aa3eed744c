from django.apps import AppConfig


class CoachingConfig(AppConfig):
    """What a person learns from a game: spectators, debriefs."""

    name = "coaching"
