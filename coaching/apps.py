from django.apps import AppConfig


class CoachingConfig(AppConfig):
    """What a person learns from a game: spectators, debriefs, the manager's room."""

    name = "coaching"

    def ready(self) -> None:
        """Listen for the end of games and of reviews, and have the worker know the tasks."""
        from django.utils.translation import gettext

        from coaching.analysis.wording import spoken_by
        from coaching.cases.services import replay_when_reviewed
        from coaching.champion import services as champion  # noqa: F401
        from coaching.reviews.services import on_reviewed
        from coaching.room import mydata, settlement, tasks  # noqa: F401
        from coaching.room.redaction import deal_words_gone
        from coaching.skills import tasks as practice  # noqa: F401
        from coaching.skills.services import learn_from_review
        from negotiation.kind import DEALS
        from negotiation.models import Game
        from negotiation.table.signals import table_ended, words_gone

        spoken_by(gettext)
        on_reviewed(learn_from_review)
        on_reviewed(replay_when_reviewed)
        table_ended.connect(settlement.game_ended, sender=Game, dispatch_uid="settle-game")
        words_gone.connect(deal_words_gone, sender=DEALS, dispatch_uid="deal-words-gone")
