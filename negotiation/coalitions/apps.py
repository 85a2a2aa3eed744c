from django.apps import AppConfig


class CoalitionsConfig(AppConfig):
    """Deals for three: games, their logs, their pages."""

    name = "negotiation.coalitions"
    label = "coalitions"

    def ready(self) -> None:
        """Have the house know the deal for three."""
        from negotiation.coalitions.kind import COALITIONS
        from negotiation.table import kinds

        kinds.register(COALITIONS)
