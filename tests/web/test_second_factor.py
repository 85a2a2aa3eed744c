"""With the setting on, staff show a second factor before the pages of staff open; without it nothing is asked."""

from __future__ import annotations

import re
from binascii import unhexlify
from collections.abc import Callable

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import resolve
from django_otp.oath import TOTP
from django_otp.plugins.otp_static.models import StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice
from pytest_django import Settings

from accounts import second_factor
from accounts.models import User
from accounts.second_factor_views import DRAFT
from accounts.services import user_create
from coaching.room.leaving import account_delete
from negotiation.table.wire import NOT_YOURS
from tests.web.conftest import OpenSocket
from tests.web.test_permissions import rows

pytestmark = pytest.mark.django_db(transaction=True)

PAGE = "/account/second-factor/"
SignIn = Callable[[User], Client]


@pytest.fixture(autouse=True)
def asked(settings: Settings) -> None:
    """The house asks, and a wrong code costs no wait."""
    settings.SECOND_FACTOR = True
    settings.OTP_TOTP_THROTTLE_FACTOR = settings.OTP_STATIC_THROTTLE_FACTOR = 0


@pytest.fixture
def boss(db: None) -> User:
    return user_create(email="boss@example.com", password="correct horse", is_staff=True)


def code_at(key: str, *, steps: int = 0) -> str:
    """What the telephone shows now, or so many half minutes from now."""
    clock = TOTP(unhexlify(key), drift=steps)
    return f"{clock.token():06d}"


def enrolled(client: Client) -> tuple[str, list[str]]:
    """Add a telephone; its key and the recovery codes."""
    client.get(PAGE)
    key: str = client.session[DRAFT]
    page = client.post(PAGE, {"code": code_at(key)}).content.decode()
    listed = page.split("recovery-codes")[2].split("</ul>")[0]
    return key, re.findall(r"<li>(\w+)</li>", listed)


def test_every_page_that_only_staff_may_see_is_guarded() -> None:
    for_staff = [
        address
        for _, address, who in rows()
        if who["admin"] in ("in", "404") and who["manager"] == "403" and not address.startswith("/join/")
    ]
    assert len(for_staff) >= 40
    assert [each for each in for_staff if not each.startswith((*second_factor.GUARDED, PAGE))] == []
    assert {resolve(path).url_name for path in second_factor.GUARDED} == {"index", "trainer", "model-server"}


@pytest.mark.parametrize("address", ["/admin/", "/admin/auth/group/", "/trainer/runs/", "/models/"])
def test_staff_are_led_to_add_a_telephone_and_then_go_on(boss: User, signed_in: SignIn, address: str) -> None:
    client = signed_in(boss)
    for method in (client.get, client.post):
        assert method(address).headers["Location"].startswith(PAGE)
    _, codes = enrolled(client)
    assert len(set(codes)) == second_factor.RECOVERY_CODES
    assert client.get(address).status_code == 200


def test_without_the_setting_nothing_is_asked_and_nobody_else_is_ever_asked(
    boss: User, rep: User, signed_in: SignIn, settings: Settings
) -> None:
    assert signed_in(rep).get("/trainer/").status_code == 403
    assert Client().get("/trainer/").headers["Location"].startswith("/accounts/login/")
    assert signed_in(boss).get("/").status_code == 200
    settings.SECOND_FACTOR = False
    assert signed_in(boss).get("/trainer/runs/").status_code == 200


def test_a_new_session_shows_the_telephone_or_a_recovery_code_each_good_once(
    boss: User, signed_in: SignIn
) -> None:
    key, codes = enrolled(signed_in(boss))
    client = signed_in(boss)
    assert client.get("/trainer/").headers["Location"] == f"{PAGE}?next=%2Ftrainer%2F"
    wrong = client.post(PAGE, {"code": "000000"})
    assert (wrong.status_code, "That code is wrong" in wrong.content.decode()) == (422, True)
    assert client.post(PAGE, {"code": code_at(key)}).status_code == 422, (
        "the code that enrolled it is used up"
    )
    good = client.post(f"{PAGE}?next=/trainer/runs/", {"code": code_at(key, steps=1)})
    assert good.headers["Location"] == "/trainer/runs/"
    assert client.get("/trainer/runs/").status_code == 200

    other = signed_in(boss)
    away = other.post(f"{PAGE}?next=https://elsewhere.example/", {"code": codes[0].upper()})
    assert away.headers["Location"] == "/"
    assert other.get("/trainer/runs/").status_code == 200
    assert signed_in(boss).post(PAGE, {"code": codes[0]}).status_code == 422
    assert second_factor.codes_left(boss) == second_factor.RECOVERY_CODES - 1


def test_after_wrong_codes_the_right_one_waits(boss: User, signed_in: SignIn, settings: Settings) -> None:
    _, codes = enrolled(signed_in(boss))
    settings.OTP_TOTP_THROTTLE_FACTOR = settings.OTP_STATIC_THROTTLE_FACTOR = 60
    client = signed_in(boss)
    assert client.post(PAGE, {"code": "000000"}).status_code == 422
    assert client.post(PAGE, {"code": codes[0]}).status_code == 422
    assert client.get("/trainer/").status_code == 302


def test_new_recovery_codes_and_another_telephone_end_the_old_ones(boss: User, signed_in: SignIn) -> None:
    first, second = signed_in(boss), signed_in(boss)
    key, old = enrolled(first)
    first.post(PAGE, {"action": "codes"})
    assert not StaticToken.objects.filter(token__in=old).exists()
    assert second_factor.codes_left(boss) == second_factor.RECOVERY_CODES
    assert second.post(PAGE, {"code": code_at(key, steps=1)}).status_code == 302
    first.post(PAGE, {"action": "forget"})
    assert second.get("/trainer/").status_code == 302, "a session that showed the old telephone"
    assert "Add your telephone" in first.get(PAGE).content.decode()


def test_who_lost_both_is_given_a_code_by_the_operator(boss: User, signed_in: SignIn) -> None:
    enrolled(signed_in(boss))
    call_command("addstatictoken", boss.email, token="rescue12")
    client = signed_in(boss)
    assert client.post(PAGE, {"code": "rescue12"}).status_code == 302
    assert client.get("/admin/").status_code == 200


async def test_the_socket_of_a_run_asks_too(boss: User, signed_in: SignIn, open_socket: OpenSocket) -> None:
    from asgiref.sync import sync_to_async

    client = await sync_to_async(signed_in)(boss)
    path = "/ws/trainer/runs/00000000-0000-4000-8000-000000000000/"
    key = client.cookies["sessionid"].value
    assert await (await open_socket(path, session=key)).close_code() == NOT_YOURS
    await sync_to_async(enrolled)(client)
    after = await open_socket(path, session=client.cookies["sessionid"].value)
    assert (await after.until("closing"))["data"]["code"] == "no_such_run"


def test_who_leaves_takes_the_telephone_along(boss: User, signed_in: SignIn) -> None:
    enrolled(signed_in(boss))
    account_delete(user=boss)
    assert not TOTPDevice.objects.exists()
    assert not StaticToken.objects.exists()
