from django.apps import AppConfig
from django.db.models.signals import post_save


class CoachingConfig(AppConfig):
    """What a person learns from a game: spectators, debriefs, the manager's room."""

    name = "coaching"

    def ready(self) -> None:
        """Listen for the end of games and of reviews, and have the worker know the tasks."""
        from coaching.alliances import tasks as alliances  # noqa: F401  # tasks register themselves
        from coaching.cases.services import replay_when_reviewed
        from coaching.champion import tasks as champion  # noqa: F401
        from coaching.reviews import tasks as reviews  # noqa: F401
        from coaching.reviews.services import on_reviewed
        from coaching.room import settlement, tasks  # noqa: F401
        from coaching.skills import tasks as practice  # noqa: F401
        from coaching.skills.services import learn_from_review
        from negotiation.models import Game

        on_reviewed(learn_from_review)
        on_reviewed(replay_when_reviewed)
        post_save.connect(settlement.game_saved, sender=Game, dispatch_uid="settle-game")
