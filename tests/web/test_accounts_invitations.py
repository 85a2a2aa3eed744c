"""Invitations: a list is looked over before anything happens, and a link lets one person in, once."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client, override_settings
from django.utils import timezone

from accounts import invitations
from accounts.decoding import decode
from accounts.invitations import InvitationLine, read_list
from accounts.models import Invitation, Membership, Team, User
from accounts.services import membership_set, user_create
from accounts.tasks import send_invitation

pytestmark = pytest.mark.django_db(transaction=True)

SignIn = Callable[[User], Client]


def invite(team: Team, by: User, email: str = "new@example.com", role: str = "rep") -> tuple[Invitation, str]:
    line = InvitationLine(2, "", email=email, name="Nia New", role=role)
    ((invitation, token),) = invitations.invitations_create(team=team, by=by, lines=[line])
    return invitation, token


LIST = """email,name,role
a@example.com,Ana Silva,rep
,Nobody,rep
b@example,Bo,rep
c@example.com,Cy,boss
A@example.com,Ana again,rep
rep@example.com,Robin,rep
d@example.com,Dee,admin
"e@example.com,Eve,rep
f@example.com,Finn,manager,extra
g@example.com
"""


def test_every_problem_is_told_with_its_line(team: Team, rep: User, manager: User) -> None:
    reading = read_list(LIST, team=team, by=manager)
    told = {line.number: " ".join(line.problems) for line in reading.lines}
    assert told == {
        2: "",
        3: "There is no email.",
        4: "“b@example” is not an email address.",
        5: "“boss” is not a role: rep, manager or admin.",
        6: "The same address stands on line 2.",
        7: "Is on the team already.",
        8: "Only an admin of the team can invite an admin.",
        9: "A quotation mark is not closed.",
        10: "It has 4 columns, the first line 3.",
        11: "",
    }
    assert [line.email for line in reading.good] == ["a@example.com", "g@example.com"]
    assert not Invitation.objects.exists(), "reading writes nothing"


@pytest.mark.parametrize(
    ("text", "trouble"),
    [
        ("", "The list is empty."),
        ("name,role\nAna,rep", "There is no email in it."),
        ("email,phone\na@example.com,1", "no column “phone”"),
        ("email,name,role\n", "nobody on the list"),
        ("email\n" + "\n".join(f"p{i}@example.com" for i in range(501)), "at most 500 people"),
    ],
    ids=["empty", "no email", "unknown column", "nobody", "too long"],
)
def test_a_list_that_can_not_be_read_says_why(team: Team, manager: User, text: str, trouble: str) -> None:
    assert trouble in read_list(text, team=team, by=manager).trouble


@pytest.mark.parametrize(
    "content",
    [
        "email;name;role\nü@example.com;x;rep\nmüller@example.com;Zoë Müller;rep".encode("cp1252"),
        "\ufeffEmail,Name,Role\r\nm@example.com,Zoë Müller,Rep\r\n".encode(),
        "email\tname\trole\nm@example.com\tZoë Müller\trep".encode("utf-16"),
    ],
    ids=["semicolons in a western code page", "utf-8 with a mark", "tabs in utf-16"],
)
def test_what_spreadsheets_save_is_understood(team: Team, manager: User, content: bytes) -> None:
    reading = read_list(decode(content), team=team, by=manager)
    assert "Zoë Müller" in {line.name for line in reading.lines}


def test_preview_then_invite_and_nothing_is_lost(
    team: Team, rep: User, manager: User, signed_in: SignIn
) -> None:
    browser = signed_in(manager)
    address = f"/team/{team.pk}/people/invite/"
    upload = SimpleUploadedFile("people.csv", LIST.encode(), "text/csv")
    preview = browser.post(address, {"text": "", "file": upload})
    assert preview.status_code == 422
    assert "2 people can be invited" in preview.text
    assert "8 lines need putting right" in preview.text
    assert not Invitation.objects.exists()
    sent = browser.post(address, {"text": LIST, "go": "1"})
    assert set(Invitation.objects.values_list("email", flat=True)) == {"a@example.com", "g@example.com"}
    field = re.search(r"<textarea[^>]*>(.*?)</textarea>", sent.text, re.S)
    assert field
    for kept in ("Nobody,rep", "b@example,Bo", "c@example.com,Cy,boss", "f@example.com,Finn,manager,extra"):
        assert kept in field.group(1), "lines with problems stay to be put right"
    assert "g@example.com" not in field.group(1)
    assert len(re.findall(r"/join/[\w-]{43}/", sent.text)) == 2


def test_the_link_is_kept_as_a_hash_and_mailed(team: Team, manager: User) -> None:
    invitation, token = invite(team, manager)
    assert token not in str(Invitation.objects.filter(pk=invitation.pk).values())
    send_invitation(invitation.pk, f"https://parlay.example/join/{token}/")
    assert mail.outbox[0].to == ["new@example.com"]
    assert token in mail.outbox[0].body
    assert "Morgan Lee" in mail.outbox[0].body


@override_settings(MAIL=False)
def test_without_a_mail_server_the_page_says_so(team: Team, manager: User, signed_in: SignIn) -> None:
    page = signed_in(manager).post(
        f"/team/{team.pk}/people/invite/", {"text": "email\nx@example.com", "go": "1"}
    )
    assert "No mail server is set up here" in page.text


def test_a_newcomer_takes_the_place_once(team: Team, manager: User, client: Client) -> None:
    _, token = invite(team, manager)
    page = client.get(f"/join/{token}/")
    assert page.status_code == 200
    assert "noindex" in page.headers["X-Robots-Tag"]
    assert client.get(f"/join/{token}/").status_code == 200, "looking uses nothing up"
    weak = client.post(f"/join/{token}/", {"name": "Nia New", "password1": "12345"})
    assert weak.status_code == 422
    taken = client.post(f"/join/{token}/", {"name": "Nia New", "password1": "correct horse 9"})
    assert taken.headers["Location"] == "/"
    user = User.objects.get(email="new@example.com")
    assert list(user.memberships.values_list("team", "role")) == [(team.pk, "rep")]
    assert "You are on the team" in client.get("/").text
    again = Client().post(f"/join/{token}/", {"name": "Other", "password1": "correct horse 9"})
    assert again.status_code == 410
    assert "has been used" in again.text


@pytest.mark.parametrize("how", ["expired", "revoked", "resent"])
def test_a_link_that_is_over_lets_nobody_in(team: Team, manager: User, client: Client, how: str) -> None:
    invitation, token = invite(team, manager)
    if how == "expired":
        Invitation.objects.filter(pk=invitation.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    elif how == "revoked":
        invitations.invitation_revoke(invitation=invitation)
    else:
        _, fresh = invitations.invitation_resend(invitation=invitation)
        assert client.get(f"/join/{fresh}/").status_code == 200
    gone = client.post(f"/join/{token}/", {"name": "N", "password1": "correct horse 9"})
    assert gone.status_code == (404 if how == "resent" else 410)
    assert not User.objects.filter(email="new@example.com").exists()


def test_an_account_must_sign_in_and_be_the_invited_one(
    team: Team, manager: User, stranger: User, client: Client, signed_in: SignIn
) -> None:
    _, token = invite(team, manager, email=stranger.email.upper().lower())
    page = client.get(f"/join/{token}/")
    assert f"/accounts/login/?next=/join/{token}/" in page.text
    assert client.post(f"/join/{token}/", {"name": "x", "password1": "correct horse 9"}).status_code == 403
    other = user_create(email="other@example.com", password="correct horse")
    refused = signed_in(other).post(f"/join/{token}/")
    assert refused.status_code == 403
    assert not other.memberships.exists()
    assert signed_in(stranger).post(f"/join/{token}/").status_code == 302
    assert stranger.memberships.get().team == team


def test_a_guest_who_joins_keeps_the_deals(team: Team, manager: User, client: Client) -> None:
    table = client.post("/guest/").headers["Location"]
    _, token = invite(team, manager)
    client.post(f"/join/{token}/", {"name": "Nia New", "password1": "correct horse 9"})
    assert client.get(table).status_code == 200
    assert not User.objects.get(email="new@example.com").is_guest


def test_joining_again_takes_no_role_away(team: Team, manager: User, signed_in: SignIn) -> None:
    boss = user_create(email="boss@example.com", password="correct horse")
    _, token = invite(team, manager, email=boss.email)
    membership_set(user=boss, team=team, role=Membership.Role.ADMIN)
    signed_in(boss).post(f"/join/{token}/")
    assert boss.memberships.get().role == "admin"


def test_a_manager_handles_no_invitation_to_an_admins_place(
    team: Team, manager: User, signed_in: SignIn
) -> None:
    invitation, _ = invite(team, manager, role="admin")
    for what in ("resend", "revoke"):
        address = f"/team/{team.pk}/people/invitations/{invitation.pk}/{what}/"
        assert signed_in(manager).post(address).status_code == 404
    membership_set(user=manager, team=team, role=Membership.Role.ADMIN)
    page = signed_in(manager).post(f"/team/{team.pk}/people/invitations/{invitation.pk}/resend/")
    assert "One link, shown this once" in page.text
