"""Consent, retention, deletion, taking along: each does what it says, and nothing more."""

from __future__ import annotations

import io
import json
import uuid
import zipfile
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.test import Client, override_settings
from django.utils import timezone
from kombu.exceptions import OperationalError

from accounts.consent import CURRENT
from accounts.models import Consent, Team, User
from accounts.selectors import consents_to_training, users_consenting
from accounts.services import consent_give, guest_create
from coaching.analysis.debrief import debrief
from coaching.reviews.models import MoveReview
from coaching.reviews.services import review_request
from coaching.room import leaving, mydata, retention
from coaching.room.models import DataExport, PersonRating
from coaching.services import link_create
from negotiation.coalitions.kind import COALITIONS
from negotiation.coalitions.models import CoalitionDeal, CoalitionEvent, CoalitionRedaction
from negotiation.coalitions.selectors import debrief_of as debrief_of_three
from negotiation.coalitions.services import deal_act, deal_create
from negotiation.engine.coalition import Action, coalition_scenarios
from negotiation.kind import DEALS
from negotiation.models import Event, EventIsWritten, Game, Redaction
from negotiation.selectors import frames_after
from negotiation.services import game_whisper
from negotiation.table import attempts
from negotiation.table.forgetting import StillPlaying, redact, transcripts_delete
from owed import services as owed
from owed import tasks
from tests.figures import occurrences
from tests.web.moves import act, resolve, submit

pytestmark = pytest.mark.django_db(transaction=True)

SignIn = Callable[[User], Client]
RIGHT = {"password": "correct horse", "word": "delete"}
SAID = "Our board in Rotterdam insists"


@pytest.fixture
def over(game: Game) -> Game:
    """A finished game in which somebody said something, and a coach noted something."""
    from negotiation.services import game_walk_away

    submit(game, act(180_000.0, text=SAID, confirmed=True))
    resolve(game)
    game_whisper(game_id=game.id, action_id=uuid.uuid4(), author="Morgan Lee", text="Mention Rotterdam again")
    game_walk_away(game_id=game.id, player=game.player, action_id=uuid.uuid4())
    resolve(game)
    game.refresh_from_db()
    return game


def log_text(game: Game) -> str:
    return json.dumps(list(Event.objects.filter(game=game).order_by("seq").values_list("data", flat=True)))


# --- consent ------------------------------------------------------------------------------------------


def test_silence_is_a_no_and_the_latest_answer_counts(rep: User) -> None:
    assert not consents_to_training(rep)
    for granted in (True, False, True):
        consent_give(user=rep, granted=granted)
        assert consents_to_training(rep) is granted
        assert (rep in users_consenting()) is granted
    assert Consent.objects.filter(user=rep).count() == 3, "earlier answers stay on record"


def test_a_yes_holds_for_its_wording_only(rep: User) -> None:
    Consent.objects.create(user=rep, granted=True, wording=CURRENT - 1)
    assert not consents_to_training(rep)
    assert rep not in users_consenting()


def test_consent_is_given_and_taken_back_on_the_page(rep: User, signed_in: SignIn) -> None:
    browser = signed_in(rep)
    address = "/account/privacy/consent/"
    assert "You have not been asked before" in browser.get("/account/privacy/").text
    browser.post(address, {"consent": "yes", "wording": str(CURRENT - 1)})
    assert not consents_to_training(rep), "a yes to words that were not shown is none"
    browser.post(address, {"consent": "yes", "wording": str(CURRENT)})
    assert consents_to_training(rep)
    assert f"to wording {CURRENT}" in browser.get("/account/privacy/").text
    browser.post(address, {"consent": "no"})
    assert not consents_to_training(rep)


# --- redaction ----------------------------------------------------------------------------------------


def test_words_go_and_figures_stay(rep: User, over: Game) -> None:
    before, rating = debrief(frames_after(over.id, 0, "coach")), PersonRating.objects.filter(user=rep).count()
    assert SAID in log_text(over)
    assert transcripts_delete(player=rep) == 1
    log = log_text(over)
    for gone in (SAID, "Rotterdam", "Robin Reyes", "Morgan Lee"):
        assert gone not in log
    spoken = Event.objects.filter(game=over, type__in=("player_moved", "opponent_moved"))
    assert {event.data["text"] for event in spoken} == {""}
    after = debrief(frames_after(over.id, 0, "coach"))
    assert {**after, "player": ""} == {**before, "player": ""}, "every figure of the debrief is the same"
    assert PersonRating.objects.filter(user=rep).count() == rating
    redaction = Redaction.objects.get(table=over)
    assert (redaction.reason, redaction.by, redaction.rows > 2) == ("request", rep, True)
    assert transcripts_delete(player=rep) == 0


def test_the_words_are_not_left_in_the_database_file(rep: User, over: Game) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL frees old rows by itself, later")
    transcripts_delete(player=rep)
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    raw = open(connection.settings_dict["NAME"], "rb").read()  # noqa: SIM115, PTH123
    assert SAID.encode() not in raw


def test_the_log_is_still_append_only_for_everybody_else(over: Game) -> None:
    event = Event.objects.filter(game=over).first()
    assert event is not None
    for change in (
        lambda: Event.objects.filter(game=over).update(data={}),
        lambda: Event.objects.filter(game=over).delete(),
        event.save,
        event.delete,
    ):
        with pytest.raises(EventIsWritten):
            change()


def test_a_live_game_keeps_its_words(game: Game, rep: User) -> None:
    with pytest.raises(StillPlaying):
        redact(DEALS, game.id, reason="request", by=rep)
    assert transcripts_delete(player=rep) == 0


def test_the_debrief_of_a_redacted_game_still_opens(rep: User, over: Game, signed_in: SignIn) -> None:
    transcripts_delete(player=rep)
    assert signed_in(rep).get(f"/deals/{over.id}/debrief/").status_code == 200


# --- retention ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("team_days", "age", "purged"), [(None, 29, 0), (None, 31, 1), (7, 6, 0), (7, 8, 1), (90, 31, 0)], ids=str
)
@override_settings(RETENTION_DAYS=30)
def test_words_are_kept_as_long_as_the_team_or_else_the_house_says(
    over: Game, team: Team, team_days: int | None, age: int, purged: int
) -> None:
    team.retention_days = team_days
    team.save()
    Game.objects.filter(pk=over.pk).update(finished_at=timezone.now() - timedelta(days=age))
    assert retention.purge() == purged
    assert Redaction.objects.filter(table=over, reason="retention").count() == purged
    assert (SAID in log_text(over)) == (not purged)


def test_a_manager_sets_the_retention(manager: User, team: Team, signed_in: SignIn) -> None:
    browser = signed_in(manager)
    assert browser.post(f"/team/{team.pk}/people/retention/", {"retention_days": "0"}).status_code == 422
    assert browser.post(f"/team/{team.pk}/people/retention/", {"retention_days": "30"}).status_code == 302
    team.refresh_from_db()
    assert team.retention_days == 30


def test_the_night_is_on_the_clock() -> None:
    assert (
        settings.CELERY_BEAT_SCHEDULE["purge-transcripts"]["task"] == "coaching.room.tasks.purge_transcripts"
    )


# --- by password only ---------------------------------------------------------------------------------


@pytest.mark.parametrize("what", ["transcripts", "account"])
@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({}, "Type the word delete"),
        ({"password": "correct horse"}, "Type the word delete"),
        ({"word": "delete"}, "That is not your password"),
        ({"password": "wrong", "word": "delete"}, "That is not your password"),
    ],
    ids=str,
)
def test_nothing_is_destroyed_without_password_and_word(
    rep: User, over: Game, signed_in: SignIn, what: str, given: dict[str, str], told: str
) -> None:
    answer = signed_in(rep).post(f"/account/privacy/{what}/", given)
    assert answer.status_code == 422
    assert told in answer.text
    assert SAID in log_text(over)
    rep.refresh_from_db()
    assert rep.is_active


def test_whoever_guesses_passwords_has_to_wait(rep: User, over: Game, signed_in: SignIn) -> None:
    cache.clear()
    browser = signed_in(rep)
    for _ in range(attempts.ALLOWED):
        browser.post("/account/privacy/transcripts/", {"password": "guess", "word": "delete"})
    answer = browser.post("/account/privacy/transcripts/", RIGHT)
    assert answer.status_code == 422
    assert "Too many wrong passwords" in answer.text
    assert SAID in log_text(over)
    cache.clear()


def test_transcripts_are_deleted_on_the_page(rep: User, over: Game, signed_in: SignIn) -> None:
    page = signed_in(rep).post("/account/privacy/transcripts/", RIGHT, follow=True)
    assert "The words of 1 deal are gone" in page.text
    assert SAID not in log_text(over)


def test_a_guest_needs_no_password() -> None:
    guest = guest_create()
    client = Client()
    client.force_login(guest, backend=settings.AUTHENTICATION_BACKENDS[0])
    assert client.post("/account/privacy/account/", {"word": "delete"}).status_code == 302
    guest.refresh_from_db()
    assert not guest.is_active


# --- leaving ------------------------------------------------------------------------------------------


def test_an_account_goes_and_the_teams_figures_stay(
    rep: User, manager: User, team: Team, over: Game, signed_in: SignIn
) -> None:
    link, _ = link_create(game=over, created_by=rep, scope="watch")
    consent_give(user=rep, granted=True)
    browser = signed_in(rep)
    assert browser.post("/account/privacy/account/", RIGHT).status_code == 302
    assert browser.get("/account/privacy/").status_code == 302, "signed out"
    rep.refresh_from_db()
    assert (rep.is_active, rep.get_full_name()) == (False, leaving.GONE_NAME)
    assert "rep@example.com" not in json.dumps(list(User.objects.values("email", "display_name")))
    assert not rep.has_usable_password()
    assert not rep.memberships.exists()
    assert not users_consenting().exists()
    over.refresh_from_db()
    assert over.efficiency is not None
    assert SAID not in log_text(over)
    link.refresh_from_db()
    assert link.revoked_at is not None
    text = b"".join(signed_in(manager).get(f"/team/{team.pk}/export/games.csv").streaming_content).decode()  # type: ignore[attr-defined]
    assert leaving.GONE_NAME in text
    assert "Robin" not in text
    again = Client().post("/accounts/login/", {"login": "rep@example.com", "password": "correct horse"})
    assert again.status_code == 200, "nobody signs in with it any more"


def test_a_live_deal_is_given_up_before_its_player_goes(rep: User, game: Game) -> None:
    leaving.account_delete(user=rep)
    game.refresh_from_db()
    assert game.status == Game.Status.ABANDONED
    assert Redaction.objects.get(table=game).reason == "account"


def test_the_last_to_lead_a_team_can_not_just_go(rep: User, manager: User, signed_in: SignIn) -> None:
    answer = signed_in(manager).post("/account/privacy/account/", RIGHT)
    assert answer.status_code == 422
    assert "Nobody else leads Northwind" in answer.text
    manager.refresh_from_db()
    assert manager.is_active


# --- taking along -------------------------------------------------------------------------------------


def files_in(archive: bytes) -> dict[str, Any]:
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        return {name: opened.read(name).decode() for name in opened.namelist()}


def test_the_archive_holds_what_is_ones_own(rep: User, over: Game, signed_in: SignIn) -> None:
    consent_give(user=rep, granted=True)
    answer = signed_in(rep).post("/account/privacy/export/", follow=True)
    assert answer.headers["Content-Type"] == "application/zip"
    files = files_in(answer.content)
    profile = json.loads(files["profile.json"])
    assert profile["email"] == "rep@example.com"
    assert profile["training_use"][0]["granted"] is True
    (game,) = (json.loads(text) for name, text in files.items() if name.startswith("games/"))
    assert SAID in json.dumps(game)
    assert game["efficiency"] == over.efficiency


def test_a_live_game_is_taken_along_without_what_the_other_side_hides(rep: User, game: Game) -> None:
    submit(game, act(180_000.0))
    resolve(game)
    truth = Event.objects.filter(game=game, type="turn_graded").latest("seq").data["truth"]["opponent"]
    everything = "".join(files_in(mydata.archive_of(rep)).values())
    figures = {str(game.seed), repr(truth["walk_away"]), repr(truth["urgency"])}
    assert not occurrences(everything, figures)
    for hidden in ("turn_graded", "posterior"):
        assert hidden not in everything


def test_a_large_archive_is_left_to_the_worker_and_waits_for_its_person(
    rep: User, stranger: User, over: Game, signed_in: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mydata, "INLINE_GAMES", 0)
    browser = signed_in(rep)
    page = browser.post("/account/privacy/export/", follow=True)
    assert "being put together" in page.text
    assert browser.post("/account/privacy/export/").status_code == 302
    export = DataExport.objects.get()
    assert browser.get(f"/account/privacy/export/{export.pk}/").status_code == 404
    assert owed.do(mydata.EXPORT, export.pk)
    assert browser.get(f"/account/privacy/export/{export.pk}/").status_code == 200
    assert signed_in(stranger).get(f"/account/privacy/export/{export.pk}/").status_code == 404
    DataExport.objects.update(asked_at=timezone.now() - timedelta(days=8))
    retention.purge()
    assert not DataExport.objects.exists()


# --- deals for three ----------------------------------------------------------------------------------


@pytest.fixture
def for_three(rep: User, team: Team) -> CoalitionDeal:
    """A deal for three in which the player said something and left."""
    deal = deal_create(
        player=rep,
        team=team,
        scenario=next(iter(coalition_scenarios())),
        seat="seller",
        opponents={"buyer_a": "diplomat", "buyer_b": "veteran"},
        seed=98_765_432_123,
    )
    for action in (Action(text=f"{SAID} or we walk away."), Action(walk_away=True)):
        deal = deal_act(deal_id=deal.pk, player=rep, action_id=uuid.uuid4(), action=action)
    assert not deal.is_live
    return deal


def test_the_words_of_a_deal_for_three_go_and_its_debrief_stays(
    rep: User, for_three: CoalitionDeal, signed_in: SignIn
) -> None:
    browser, address = signed_in(rep), f"/coalitions/{for_three.pk}/"
    before = debrief_of_three(for_three)
    assert transcripts_delete(player=rep) == 1
    for_three.refresh_from_db()
    logged = list(CoalitionEvent.objects.filter(deal=for_three).values_list("data", flat=True))
    assert SAID not in json.dumps(logged)
    assert "Robin Reyes" not in json.dumps(logged)
    assert debrief_of_three(for_three) == before
    assert browser.get(f"{address}debrief/").status_code == 200
    assert browser.get(address).headers["Location"] == f"{address}debrief/"
    assert browser.get(f"{address}log/").status_code == 404, "a log without words can't be replayed"
    assert CoalitionRedaction.objects.get().table == for_three


def test_an_export_whose_broker_was_away_is_handed_out_when_it_is_back(
    rep: User, monkeypatch: pytest.MonkeyPatch, signed_in: SignIn
) -> None:
    def away(*_: Any, **__: Any) -> None:
        raise OperationalError("no broker")

    monkeypatch.setattr(mydata, "is_small", lambda user: False)
    with monkeypatch.context() as broken:
        broken.setattr(tasks.do, "apply_async", away)
        export = mydata.export_ask(user=rep)
    assert mydata.export_ask(user=rep).pk == export.pk
    assert owed.sweep()[mydata.EXPORT.name] == 0, "its worker may still be at it"
    DataExport.objects.update(heartbeat_at=timezone.now() - timedelta(minutes=3))
    assert owed.sweep()[mydata.EXPORT.name] == 1
    assert owed.do(mydata.EXPORT, export.pk)
    export.refresh_from_db()
    assert export.ready_at is not None


def test_an_export_that_failed_is_told_and_can_be_asked_for_again(
    rep: User, monkeypatch: pytest.MonkeyPatch, signed_in: SignIn
) -> None:
    monkeypatch.setattr(mydata, "is_small", lambda user: False)
    failed = mydata.export_ask(user=rep)
    DataExport.objects.update(state="failed", reason="MemoryError")
    assert "could not be put together" in signed_in(rep).get("/account/privacy/").content.decode()
    assert mydata.export_ask(user=rep).pk != failed.pk
    assert DataExport.objects.get().state == DataExport.State.WAITING


def test_a_deal_for_three_is_purged_exported_and_left_behind(rep: User, for_three: CoalitionDeal) -> None:
    archive = files_in(mydata.archive_of(rep))
    assert SAID in "".join(text for name, text in archive.items() if "for-three" in name)
    assert str(for_three.seed) not in "".join(archive.values())
    old = timezone.now() - timedelta(days=settings.RETENTION_DAYS + 1)
    CoalitionDeal.objects.filter(pk=for_three.pk).update(finished_at=old)
    assert retention.purge() == 1
    live = deal_create(
        player=rep,
        scenario=for_three.scenario,
        seat="seller",
        opponents={"buyer_a": "diplomat", "buyer_b": "veteran"},
    )
    deal_act(deal_id=live.pk, player=rep, action_id=uuid.uuid4(), action=Action(text=SAID))
    with pytest.raises(StillPlaying):
        redact(COALITIONS, live.pk, reason="request", by=rep)
    leaving.account_delete(user=rep)
    assert SAID not in json.dumps(list(CoalitionEvent.objects.values_list("data", flat=True)))


def test_a_game_without_words_is_not_reviewed_anew(rep: User, over: Game) -> None:
    MoveReview.objects.all().delete()
    transcripts_delete(player=rep)
    assert review_request(game=over) is None
    assert not MoveReview.objects.exists()
