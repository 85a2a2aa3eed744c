from django.apps import AppConfig


class NegotiationConfig(AppConfig):
    """The tables: games, their logs, their sockets."""

    name = "negotiation"

    def ready(self) -> None:
        """Register the deal, and have our metrics in every scrape, from the first one on."""
        from negotiation.kind import DEALS
        from negotiation.table import kinds, metrics  # noqa: F401

        kinds.register(DEALS)
