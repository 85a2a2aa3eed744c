from django.apps import AppConfig


class NegotiationConfig(AppConfig):
    """The tables: games, their logs, their sockets."""

    name = "negotiation"

    def ready(self) -> None:
        """Register the deal and the previews, and have our metrics in every scrape, from the first one on."""
        from negotiation import scenario_services  # noqa: F401
        from negotiation.kind import DEALS
        from negotiation.table import kinds, metrics  # noqa: F401

        kinds.register(DEALS)
