"""Ways in: one sign-in under one set of limits, sign-up that can be closed, letters that are sent or not promised."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.cache import cache
from django.test import Client
from pytest_django import Settings

from accounts import invitations
from accounts.models import Team, User
from accounts.services import user_create

pytestmark = pytest.mark.django_db

SIGN_IN = "/accounts/login/"
WAYS = (SIGN_IN, "/admin/login/", "/admin/login/?next=/admin/", "/admin/")


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def staff(db: None) -> User:
    return user_create(email="boss@example.com", password="correct horse", is_staff=True)


def attempt(way: str, password: str, address: str = "192.0.2.1", email: str = "boss@example.com") -> bool:
    """Whether these words sign somebody in there."""
    client = Client(REMOTE_ADDR=address)
    client.post(way, {"login": email, "username": email, "password": password})
    return "_auth_user_id" in client.session


@pytest.mark.parametrize(
    "way", [SIGN_IN, *(pytest.param(way, marks=pytest.mark.thorough) for way in WAYS[1:3]), WAYS[3]]
)
def test_after_wrong_passwords_the_right_one_is_refused_at_every_door(staff: User, way: str) -> None:
    assert attempt(SIGN_IN, "correct horse")
    assert not any(attempt(way, f"wrong {number}") for number in range(60))
    for door in WAYS:
        assert not attempt(door, "correct horse") or door == SIGN_IN != way, door


def test_the_admin_has_no_form_of_its_own(
    staff: User, rep: User, signed_in: Callable[[User], Client]
) -> None:
    answer = Client().get("/admin/login/?next=/admin/auth/")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/accounts/login/?next=/admin/auth/")
    form = {"username": "boss@example.com", "password": "correct horse"}
    for person in (staff, rep):
        client = signed_in(person)
        client.post("/admin/login/", form)
        assert client.session["_auth_user_id"] == str(person.pk), (
            "somebody signed in can't guess there either"
        )
    assert signed_in(rep).get("/admin/login/").status_code == 403
    assert signed_in(staff).get("/admin/login/").headers["Location"] == "/admin/"


def test_a_stranger_can_shut_nobody_out(staff: User) -> None:
    assert not any(attempt(SIGN_IN, f"wrong {number}", "198.51.100.7") for number in range(8))
    assert not attempt(SIGN_IN, "correct horse", "198.51.100.7")
    assert attempt(SIGN_IN, "correct horse", "192.0.2.1"), "the owner, at home"


def test_a_forged_address_earns_no_more_attempts(staff: User) -> None:
    client = Client(REMOTE_ADDR="198.51.100.7")
    for number in range(6):
        client.post(
            SIGN_IN,
            {"login": staff.email, "password": f"wrong {number}"},
            headers={"X-Forwarded-For": f"192.0.2.{number}"},
        )
    client.post(
        SIGN_IN,
        {"login": staff.email, "password": "correct horse"},
        headers={"X-Forwarded-For": "192.0.2.99"},
    )
    assert "_auth_user_id" not in client.session


NEW = {"email": "new@example.com", "password1": "a long enough phrase"}


def test_sign_up_can_be_closed_while_invitations_work(
    settings: Settings, team: Team, manager: User, client: Client
) -> None:
    settings.SIGNUP = False
    page = client.post("/accounts/signup/", NEW)
    assert "By invitation" in page.content.decode()
    client.post("/guest/")
    client.post("/accounts/signup/", NEW)
    assert not User.objects.filter(email=NEW["email"]).exists(), "a guest is no way around it"
    line = invitations.InvitationLine(1, "", email="new@example.com", name="New")
    ((_, token),) = invitations.invitations_create(team=team, by=manager, lines=[line])
    visitor = Client()
    visitor.post(f"/join/{token}/", {"name": "New", "password1": NEW["password1"]})
    assert User.objects.get(email="new@example.com").memberships.get().team == team


def test_an_address_can_be_required_to_be_proved(settings: Settings, client: Client) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    client.post("/accounts/signup/", NEW)
    assert "_auth_user_id" not in client.session
    assert not attempt(SIGN_IN, NEW["password1"], email=NEW["email"])
    link = next(word for word in mail.outbox[0].body.split() if "/confirm-email/" in word)
    client.post("/" + link.split("/", 3)[3])
    assert EmailAddress.objects.get(email=NEW["email"]).verified
    assert attempt(SIGN_IN, NEW["password1"], email=NEW["email"])


def test_without_a_mail_server_no_letter_is_promised(settings: Settings, staff: User, client: Client) -> None:
    settings.MAIL = False
    for answer in (
        client.get("/accounts/password/reset/"),
        client.post("/accounts/password/reset/", {"email": staff.email}),
    ):
        assert "No letter can be sent" in answer.content.decode()
    assert mail.outbox == []
    settings.MAIL = True
    assert client.post("/accounts/password/reset/", {"email": staff.email}).status_code == 302
    assert len(mail.outbox) == 1
