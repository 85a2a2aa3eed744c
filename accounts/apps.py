from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """People and the teams they work in."""

    name = "accounts"
