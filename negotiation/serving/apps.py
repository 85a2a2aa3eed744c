from django.apps import AppConfig
from django.conf import settings


class ServingConfig(AppConfig):
    """Adapters and the model server's page."""

    name = "negotiation.serving"
    label = "serving"

    def ready(self) -> None:
        """Have the metrics endpoint tell of the server too, where there is one."""
        if settings.MODEL_URL:
            from negotiation.serving import collector

            collector.register()
