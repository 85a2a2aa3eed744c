from django.apps import AppConfig


class DiplomacyConfig(AppConfig):
    """Games on the seven-power board, their logs, their pages."""

    name = "negotiation.diplomacy"
    label = "diplomacy"
