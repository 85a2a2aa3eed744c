from django.apps import AppConfig


class PairsConfig(AppConfig):
    """Deals between two people: games, their logs, their pages."""

    name = "negotiation.pairs"
    label = "pairs"

    def ready(self) -> None:
        """Have the house know the deal between two people."""
        from negotiation.pairs.kind import PAIRS
        from negotiation.table import kinds

        kinds.register(PAIRS)
