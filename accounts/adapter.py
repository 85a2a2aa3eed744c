"""Who may sign in and sign up, as allauth asks."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.http import HttpRequest


class AccountAdapter(DefaultAccountAdapter):
    """``ACCOUNT_ADAPTER`` names this."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Whether anybody may open an account; invitations are another way in."""
        return bool(settings.SIGNUP)

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        # By address too: who does not know a password must not be able to shut out the one who does.
        account = super()._get_login_attempts_cache_key(request, **credentials)
        return f"{account}:{self.get_client_ip(request)}"
