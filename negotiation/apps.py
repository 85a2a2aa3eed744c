from django.apps import AppConfig


class NegotiationConfig(AppConfig):
    """The tables: games, their logs, their sockets."""

    name = "negotiation"

    def ready(self) -> None:
        """Have our metrics in every scrape, from the first one on."""
        from negotiation import metrics  # noqa: F401
