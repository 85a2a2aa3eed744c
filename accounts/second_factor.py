"""A second factor for those who run the house: a code from a telephone, or one of ten recovery codes.

With ``PARLAY_SECOND_FACTOR`` on, the pages of staff open only to a session that has shown one. Devices, clocks and the
wait after a wrong code are django-otp's; this is what the house makes of them.
"""

from __future__ import annotations

import time
from binascii import unhexlify
from collections.abc import Mapping
from typing import Any

import segno
from django.conf import settings
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.deprecation import MiddlewareMixin
from django.utils.http import urlencode
from django_otp import DEVICE_ID_SESSION_KEY, login, match_token
from django_otp.models import Device
from django_otp.oath import TOTP
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice
from django_otp.util import random_hex

from accounts.models import User

GUARDED = ("/admin/", "/trainer/", "/models/")
"""Where only staff go. A test holds the table of permissions against it."""
RECOVERY_CODES = 10
DRIFT = 1
"""Half minutes that the telephone's clock may be off."""


def is_enrolled(user: User) -> bool:
    """Whether this person has a telephone to show codes from."""
    return TOTPDevice.objects.filter(user=user, confirmed=True).exists()


def is_shown(user: User, session: Mapping[str, Any]) -> bool:
    """Whether this session has shown a second factor that still stands."""
    named = session.get(DEVICE_ID_SESSION_KEY)
    device = Device.from_persistent_id(named) if named else None
    return device is not None and device.user_id == user.pk and device.confirmed


def is_missing(user: User, session: Mapping[str, Any]) -> bool:
    """Whether the house asks this person for a second factor that the session has not shown."""
    return bool(settings.SECOND_FACTOR) and user.is_staff and not is_shown(user, session)


def new_key() -> str:
    """A secret for a telephone that is not enrolled yet."""
    return random_hex(20)


def picture_of(user: User, key: str) -> str:
    """The key as a picture that a telephone reads, as a data URI."""
    url = TOTPDevice(user=user, key=key).config_url
    return str(segno.make(url, micro=False).svg_data_uri(scale=4, border=3, light="#fff"))


def enrol(request: HttpRequest, user: User, key: str, code: str) -> list[str] | None:
    """Take the telephone that shows ``code`` for ``key`` and give out recovery codes; None for a wrong code."""
    clock = TOTP(unhexlify(key))
    clock.time = time.time()
    if not code.isascii() or not code.isdecimal() or not clock.verify(int(code), DRIFT):
        return None
    with transaction.atomic():
        forget(user)
        device = TOTPDevice.objects.create(user=user, name="Telephone", key=key, last_t=clock.t())
        codes = renew_codes(user)
    login(request, device)
    return codes


def show(request: HttpRequest, user: User, code: str) -> bool:
    """Take a code of the telephone, or a recovery code, which is used up. False for a wrong one, or one too soon."""
    device = match_token(user, code.replace(" ", "").lower())
    if device is None:
        return False
    login(request, device)
    return True


@transaction.atomic
def renew_codes(user: User) -> list[str]:
    """New recovery codes; the old ones open nothing any more."""
    device, _ = StaticDevice.objects.get_or_create(user=user, defaults={"name": "Recovery codes"})
    device.token_set.all().delete()
    codes = [StaticToken.random_token() for _ in range(RECOVERY_CODES)]
    StaticToken.objects.bulk_create(StaticToken(device=device, token=code) for code in codes)
    return codes


def codes_left(user: User) -> int:
    """How many recovery codes were not used."""
    return StaticToken.objects.filter(device__user=user).count()


@transaction.atomic
def forget(user: User) -> None:
    """Telephone and recovery codes go; sessions that showed them have shown nothing any more."""
    TOTPDevice.objects.filter(user=user).delete()
    StaticDevice.objects.filter(user=user).delete()


class SecondFactorMiddleware(MiddlewareMixin):
    """Leads staff who have not shown a second factor to where it is asked for."""

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        """Nothing for anybody else, and nothing where the house does not ask."""
        if not settings.SECOND_FACTOR or not request.path.startswith(GUARDED):
            return None
        user = request.user
        if not isinstance(user, User) or not is_missing(user, request.session):
            return None
        wanted = {"next": request.get_full_path()} if request.method in ("GET", "HEAD") else {}
        return redirect(f"{reverse('second-factor')}?{urlencode(wanted)}")
