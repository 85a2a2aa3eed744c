from django.apps import AppConfig


class SmallGamesConfig(AppConfig):
    """Matches of the five small games, their logs, their pages."""

    name = "negotiation.smallgames"
    label = "smallgames"

    def ready(self) -> None:
        """Have the house know the small games."""
        from negotiation.smallgames.kind import SMALL
        from negotiation.table import kinds

        kinds.register(SMALL)
