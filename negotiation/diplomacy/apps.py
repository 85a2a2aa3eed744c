from django.apps import AppConfig


class DiplomacyConfig(AppConfig):
    """Games on the seven-power board, their logs, their pages."""

    name = "negotiation.diplomacy"
    label = "diplomacy"

    def ready(self) -> None:
        """Have the house know Diplomacy, and the worker its lessons."""
        from negotiation.diplomacy.kind import BOARD
        from negotiation.diplomacy.lessons import services  # noqa: F401  # it registers its work
        from negotiation.table import kinds

        kinds.register(BOARD)
