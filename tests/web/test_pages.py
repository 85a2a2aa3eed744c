"""Pages and the API: who may open what, and what the answer carries."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.test import Client, override_settings
from django.utils import timezone

from accounts.models import Membership, Team, User
from accounts.services import membership_set, user_create
from coaching.models import LinkView, SpectatorLink
from coaching.services import link_create, link_revoke
from negotiation import services
from negotiation.models import Event, Game
from negotiation.table import attempts
from tests.web.moves import act, resolve, submit

pytestmark = pytest.mark.django_db(transaction=True)

SignIn = Callable[[User], Client]


@pytest.fixture(autouse=True)
def _fresh_cache() -> None:
    cache.clear()


def bootstrap(text: str) -> dict[str, Any]:
    found = re.search(r'<script id="bootstrap" type="application/json">(.*?)</script>', text, re.S)
    assert found
    value: dict[str, Any] = json.loads(found.group(1))
    return value


def test_landing_and_lobby(client: Client, rep: User, signed_in: SignIn, game: Game) -> None:
    assert b"guest" in client.get("/").content
    lobby = signed_in(rep).get("/")
    assert f"/deals/{game.id}/" in lobby.text
    assert "Your team at the table" not in lobby.text


def test_a_manager_sees_who_plays(manager: User, signed_in: SignIn, game: Game) -> None:
    lobby = signed_in(manager).get("/")
    assert "Robin Reyes" in lobby.text
    assert f"/deals/{game.id}/links/" in lobby.text


@pytest.mark.parametrize(
    "path", ["/deals/new/", f"/deals/{uuid.UUID(int=5)}/", f"/deals/{uuid.UUID(int=5)}/debrief/"]
)
def test_nobody_is_sent_to_sign_in(client: Client, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 302
    assert answer.headers["Location"].startswith("/accounts/login/")


def test_choosing_a_deal(rep: User, team: Team, signed_in: SignIn) -> None:
    browser = signed_in(rep)
    page = browser.get("/deals/new/")
    for name in ("scenario-saas_enterprise", "persona-shark", "seat-buyer", "start-deal"):
        assert f'data-testid="{name}"' in page.text
    choice = {"scenario": "hiring_package", "persona": "veteran", "seat": "buyer", "difficulty": "0.8"}
    answer = browser.post("/deals/new/", choice)
    game = Game.objects.get()
    assert answer.headers["Location"] == f"/deals/{game.id}/"
    assert (game.team, game.persona, game.difficulty) == (team, "veteran", 0.8)


@pytest.mark.parametrize(
    "wrong",
    [
        {"scenario": "x"},
        {"persona": "x"},
        {"seat": "x"},
        {"difficulty": "2"},
        {"difficulty": "nan"},
        {"seat": ""},
    ],
    ids=str,
)
def test_a_wrong_choice_is_told(rep: User, signed_in: SignIn, wrong: dict[str, str]) -> None:
    choice = {"scenario": "hiring_package", "persona": "veteran", "seat": "buyer", "difficulty": "0.8"}
    answer = signed_in(rep).post("/deals/new/", {**choice, **wrong})
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    assert not Game.objects.exists()


def test_the_table_starts_from_the_snapshot(rep: User, signed_in: SignIn, game: Game) -> None:
    page = signed_in(rep).get(f"/deals/{game.id}/")
    start = bootstrap(page.text)
    assert start["role"] == "player"
    assert start["ws_url"] == f"/ws/deals/{game.id}/"
    assert start["last_seq"] == game.last_seq
    assert "seed" not in page.text.lower().replace("data-seed", "")
    assert str(game.seed) not in page.text
    assert "no-store" in page.headers["Cache-Control"]


def test_another_users_table_does_not_exist(
    stranger: User, manager: User, signed_in: SignIn, game: Game
) -> None:
    for other in (stranger, manager):
        assert signed_in(other).get(f"/deals/{game.id}/").status_code == 404


def test_a_guest_plays_with_one_click_and_keeps_the_deal(client: Client) -> None:
    answer = client.post("/guest/")
    game = Game.objects.get()
    assert answer.headers["Location"] == f"/deals/{game.id}/"
    assert (game.scenario, game.persona, game.seat) == ("saas_enterprise", "diplomat", "seller")
    assert client.get(f"/deals/{game.id}/").status_code == 200
    weak = client.post("/accounts/signup/", {"email": "new@example.com", "password1": "12345"})
    assert weak.status_code == 422
    taken = user_create(email="taken@example.com", password=None)
    double = client.post("/accounts/signup/", {"email": taken.email.upper(), "password1": "correct horse 9"})
    assert double.status_code == 422
    kept = client.post("/accounts/signup/", {"email": "New@example.com", "password1": "correct horse 9"})
    assert kept.status_code == 302
    assert client.get(f"/deals/{game.id}/").status_code == 200, "still signed in, still the same player"
    browser = Client()
    login = {"login": "new@example.com", "password": "correct horse 9"}
    assert browser.post("/accounts/login/", login).status_code == 302
    assert browser.get(f"/deals/{game.id}/").status_code == 200


@override_settings(DEMO=False)
def test_no_guests_without_demo_mode(client: Client) -> None:
    assert client.post("/guest/").status_code == 404
    assert not User.objects.exists()


def test_signing_up(client: Client) -> None:
    answer = client.post("/accounts/signup/", {"email": "a@example.com", "password1": "correct horse 9"})
    assert answer.status_code == 302
    assert User.objects.get().email == "a@example.com"


def test_a_strict_policy_everywhere(client: Client, rep: User, signed_in: SignIn, over: Game) -> None:
    browser = signed_in(rep)
    for path in ("/", "/accounts/login/", "/deals/new/", f"/deals/{over.id}/", f"/deals/{over.id}/debrief/"):
        page = browser.get(path) if path != "/accounts/login/" else client.get(path)
        assert page.status_code == 200, path
        policy = page.headers["Content-Security-Policy"]
        # The order of directives is not fixed, so the last one has no semicolon after it.
        assert "script-src 'self'" in [directive.strip() for directive in policy.split(";")]
        assert "unsafe-eval" not in policy
        assert "unsafe-inline" not in policy, path
        inline = re.findall(r"<script(?![^>]*(?:src=|application/json))", page.text)
        assert not inline, f"{path} has an inline script"
        assert not re.findall(r"\son[a-z]+=|\sstyle=", page.text), f"{path} has inline handlers or styles"


# --- links --------------------------------------------------------------------------------------------


def test_a_link_is_told_once_and_kept_as_a_hash(rep: User, signed_in: SignIn, game: Game) -> None:
    browser = signed_in(rep)
    answer = browser.post(f"/deals/{game.id}/links/", {"scope": "watch"})
    assert answer.status_code == 201
    made = answer.json()
    token = made["url"].rstrip("/").rsplit("/", 1)[-1]
    assert len(token) >= 43
    link = SpectatorLink.objects.get()
    assert token not in json.dumps(list(SpectatorLink.objects.values()), default=str)
    assert link.expires_at > timezone.now()
    listed = browser.get(f"/deals/{game.id}/links/").json()["links"]
    assert [one["scope"] for one in listed] == ["watch"]
    assert browser.post(f"/deals/{game.id}/links/", {"scope": "all"}).status_code == 422


def test_who_may_share(rep: User, manager: User, stranger: User, signed_in: SignIn, game: Game) -> None:
    peer = user_create(email="peer@example.com", password=None)
    assert game.team is not None
    membership_set(user=peer, team=game.team, role=Membership.Role.REP)
    boss = user_create(email="boss@example.com", password=None)
    membership_set(user=boss, team=Team.objects.create(name="Elsewhere"), role=Membership.Role.ADMIN)
    status = {
        person.email: signed_in(person).post(f"/deals/{game.id}/links/", {"scope": "coach"}).status_code
        for person in (rep, manager, stranger, peer, boss)
    }
    assert status == {
        "rep@example.com": 201,
        "manager@example.com": 201,
        "stranger@example.com": 404,
        "peer@example.com": 404,
        "boss@example.com": 404,
    }


def test_watching_leaves_no_trail_for_others(client: Client, rep: User, game: Game) -> None:
    _, token = link_create(game=game, created_by=rep, scope="watch")
    page = client.get(f"/watch/{token}/")
    assert page.status_code == 200
    assert page.headers["Referrer-Policy"] == "no-referrer"
    assert "noindex" in page.headers["X-Robots-Tag"]
    assert "no-store" in page.headers["Cache-Control"]
    assert bootstrap(page.text)["role"] == "watcher"
    assert LinkView.objects.get().kind == "page"
    game.refresh_from_db()
    assert not game.assisted


def test_a_reveal_page_holds_no_truth_so_that_a_preview_can_show_none(
    manager: User, signed_in: SignIn, game: Game
) -> None:
    """Truth comes over the socket; fetching the page alone neither shows it nor marks the game."""
    _, token = link_create(game=game, created_by=manager, scope="coach")
    page = signed_in(manager).get(f"/watch/{token}/")
    start = bootstrap(page.text)
    assert start["role"] == "coach"
    assert start["snapshot"]["coach"] is None
    assert start["snapshot"]["own"] is None
    truth = Event.objects.filter(game=game, type="turn_graded").latest("seq").data["truth"]["opponent"]
    assert str(int(truth["walk_away"])) not in page.text
    assert str(int(truth["budget"])) not in page.text
    assert 'data-testid="truth-walk-away"' in page.text
    game.refresh_from_db()
    assert not game.assisted


def test_a_rep_cannot_watch_the_own_live_game_with_reveal(rep: User, signed_in: SignIn, game: Game) -> None:
    _, token = link_create(game=game, created_by=rep, scope="coach")
    page = signed_in(rep).get(f"/watch/{token}/")
    assert page.status_code == 403
    assert "playing right now" in page.text
    game.refresh_from_db()
    assert not game.assisted
    services.game_walk_away(game_id=game.id, player=rep, action_id=uuid.uuid4())
    resolve(game)
    assert signed_in(rep).get(f"/watch/{token}/").status_code == 200


def test_links_that_do_not_open(client: Client, rep: User, game: Game) -> None:
    link, token = link_create(game=game, created_by=rep, scope="watch")
    _, replay = link_create(game=game, created_by=rep, scope="replay")
    assert client.get("/watch/forged/").status_code == 404
    assert client.get(f"/watch/{replay}/").status_code == 403
    link_revoke(link=link)
    revoked = client.get(f"/watch/{token}/")
    assert revoked.status_code == 410
    assert "withdrawn" in revoked.text
    link, token = link_create(game=game, created_by=rep, scope="watch", lifetime=timedelta(hours=1))
    now = timezone.now()
    SpectatorLink.objects.filter(pk=link.pk).update(
        created_at=now - timedelta(hours=3), expires_at=now - timedelta(hours=2)
    )
    expired = client.get(f"/watch/{token}/")
    assert expired.status_code == 410
    assert "expired" in expired.text


def test_revoking_by_page(rep: User, stranger: User, signed_in: SignIn, game: Game) -> None:
    link, token = link_create(game=game, created_by=rep, scope="watch")
    path = f"/deals/{game.id}/links/{link.id}/revoke/"
    assert signed_in(stranger).post(path).status_code == 404
    assert signed_in(rep).post(path).status_code == 200
    assert Client().get(f"/watch/{token}/").status_code == 410


def test_guessing_is_throttled(client: Client, rep: User, game: Game) -> None:
    _, token = link_create(game=game, created_by=rep, scope="watch")
    for _ in range(attempts.ALLOWED):
        assert client.get(f"/watch/{uuid.uuid4().hex}/").status_code == 404
    assert client.get(f"/watch/{uuid.uuid4().hex}/").status_code == 429
    assert client.get(f"/watch/{uuid.uuid4().hex}/", REMOTE_ADDR="192.0.2.7").status_code == 404
    assert client.get(f"/watch/{token}/").status_code == 200, (
        "one office has one address: its own links still open"
    )


# --- debrief ------------------------------------------------------------------------------------------


def test_the_debrief_opens_after_the_end(
    rep: User, manager: User, stranger: User, signed_in: SignIn, game: Game
) -> None:
    path = f"/deals/{game.id}/debrief/"
    assert signed_in(rep).get(path).headers["Location"] == f"/deals/{game.id}/"
    assert signed_in(manager).get(path).headers["Location"] == "/"
    assert signed_in(rep).get(f"/api/deals/{game.id}/debrief").status_code == 409
    submit(game, act(180_000.0))
    resolve(game)
    services.game_walk_away(game_id=game.id, player=rep, action_id=uuid.uuid4())
    resolve(game)
    for person in (rep, manager):
        page = signed_in(person).get(path)
        assert page.status_code == 200
        for name in ("debrief-efficiency", "debrief-price", "debrief-left-on-table"):
            assert f'data-testid="{name}"' in page.text
    assert signed_in(stranger).get(path).status_code == 404
    assert signed_in(rep).get(f"/api/deals/{game.id}/debrief").json()["headline"]["deal"] is False


def test_the_debrief_command(over: Game, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("debrief", str(over.id), "--json")
    assert json.loads(capsys.readouterr().out)["headline"]["reason"] == "player_walked"


@pytest.mark.parametrize("which", ["no-uuid", str(uuid.UUID(int=5)), "live"])
def test_the_debrief_command_refuses(game: Game, which: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        call_command("debrief", str(game.id) if which == "live" else which, "--json")
    assert stopped.value.code == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("game: ")
    assert printed.err.count("\n") == 1


# --- API and operators --------------------------------------------------------------------------------


def test_the_api(client: Client, rep: User, stranger: User, signed_in: SignIn) -> None:
    schema = client.get("/api/openapi.json").json()
    assert {"/api/scenarios", "/api/personas", "/api/deals", "/api/deals/{game_id}"} <= set(schema["paths"])
    assert client.get("/api/deals").status_code == 401
    browser = signed_in(rep)
    assert {one["id"] for one in browser.get("/api/personas").json()} >= {"shark", "diplomat", "veteran"}
    scenario = browser.get("/api/scenarios").json()[0]
    assert "walk_away" not in json.dumps(scenario)
    deal = {"scenario": scenario["id"], "persona": "shark", "seat": "buyer"}
    made = browser.post("/api/deals", deal, content_type="application/json")
    assert made.status_code == 201
    path = f"/api/deals/{made.json()['id']}"
    assert browser.get(path).json()["snapshot"]["game"]["persona"] == "shark"
    assert [row["id"] for row in browser.get("/api/deals").json()] == [made.json()["id"]]
    assert browser.get("/api/deals?status=finished").json() == []
    assert signed_in(stranger).get(path).status_code == 404
    wrong = browser.post("/api/deals", {**deal, "persona": "pirate"}, content_type="application/json")
    assert (wrong.status_code, wrong.json()["field"]) == (422, "persona")


def test_the_api_demands_the_csrf_token(rep: User) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(rep, backend="allauth.account.auth_backends.AuthenticationBackend")
    deal = {"scenario": "saas_enterprise", "persona": "shark", "seat": "buyer"}
    assert browser.post("/api/deals", deal, content_type="application/json").status_code == 403


def test_health(client: Client) -> None:
    assert client.get("/healthz").json() == {"status": "ok"}
    assert client.get("/readyz").json() == {"ready": True, "database": True, "redis": True}
    with override_settings(REDIS_URL="redis://127.0.0.1:1/0"):
        answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["redis"]) == (503, False)


@override_settings(ALLOWED_HOSTS=["parlay.example"], SECURE_SSL_REDIRECT=True)
def test_probes_call_by_address(client: Client) -> None:
    for path in ("/healthz", "/readyz", "/metrics"):
        assert client.get(path, HTTP_HOST="10.0.0.7:8000").status_code == 200
    assert client.get("/", HTTP_HOST="10.0.0.7:8000").status_code == 400


def test_metrics_are_for_the_operator(client: Client) -> None:
    page = client.get("/metrics")
    assert page.status_code == 200
    for name in ("parlay_open_sockets", "parlay_turn_seconds", "parlay_event_lag_seconds", "django_http"):
        assert name in page.text
    assert client.get("/metrics", REMOTE_ADDR="192.0.2.7").status_code == 403
    assert client.get("/metrics", headers={"X-Forwarded-For": "192.0.2.7"}).status_code == 403
    with override_settings(METRICS_TOKEN="s3cret"):
        assert client.get("/metrics").status_code == 403
        assert client.get("/metrics", headers={"Authorization": "Bearer s3cret"}).status_code == 200


def test_the_demo_team_is_made_once() -> None:
    for _ in range(2):
        call_command("demo", stdout=None)
    assert User.objects.count() == 3
    assert (
        Client().post("/accounts/login/", {"login": "Rep@demo.local", "password": "parlay-demo"}).status_code
        == 302
    )


def test_the_admin_shows_games_and_hides_seeds(game: Game) -> None:
    admin = user_create(email="root@example.com", password="correct horse", is_staff=True)
    browser = Client()
    browser.force_login(admin, backend="allauth.account.auth_backends.AuthenticationBackend")
    for path in ("", "negotiation/game/", "negotiation/event/", "accounts/user/", "coaching/spectatorlink/"):
        assert browser.get(f"/admin/{path}").status_code == 200
    page = browser.get(f"/admin/negotiation/game/{game.id}/change/")
    assert page.status_code == 200
    assert str(game.seed) not in page.text.replace(str(game.id), "")
    event = game.events.earliest("seq")
    assert browser.post(f"/admin/negotiation/event/{event.pk}/delete/").status_code == 403
