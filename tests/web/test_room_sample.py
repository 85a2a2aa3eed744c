"""The sample team: its deals are played, dated back and followed by what follows from any deal."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client, override_settings
from django.utils import timezone

from accounts.models import Team, User
from coaching.reviews.models import MoveReview
from coaching.room import sample
from coaching.room.models import Attempt, PersonRating
from coaching.room.sample import TEAMMATES, WEEKS, furnish
from negotiation.models import Game
from tests.remembering import remembered

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def demo(db: None) -> Team:
    with override_settings(DEMO=True):
        call_command("demo")
    return Team.objects.get()


@pytest.mark.slow
def test_the_sample_team_has_played_for_four_weeks_and_once(demo: Team) -> None:
    deals = sum(len(mate.plays) for mate in TEAMMATES)
    assert remembered("sample", furnish) == deals + 2
    assert furnish() == 0
    games = Game.objects.filter(team=demo)
    assert games.count() == deals + 2
    assert not games.filter(status=Game.Status.LIVE).exists()
    oldest = games.earliest("finished_at").finished_at
    assert oldest is not None
    assert timedelta(weeks=WEEKS - 1) < timezone.now() - oldest < timedelta(weeks=WEEKS + 1)
    assert MoveReview.objects.filter(game__in=games).count() == deals + 2
    assert PersonRating.objects.filter(user__email="nadia@demo.local").exists()
    assert list(Attempt.objects.order_by("pk").values_list("outcome", flat=True)) == ["failed", "passed"]


@pytest.mark.slow
def test_what_an_interrupted_furnishing_left_is_completed(
    demo: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sample, "TEAMMATES", TEAMMATES[:1])
    monkeypatch.setattr(sample, "TASK_PLAYS", {})
    moves = iter(range(25))

    def dies(*given: Any) -> None:
        next(moves)
        move(*given)

    move = sample._move
    monkeypatch.setattr(sample, "_move", dies)
    with pytest.raises(StopIteration):
        furnish()
    monkeypatch.setattr(sample, "_move", move)
    assert Game.objects.filter(status=Game.Status.LIVE).count() == 1
    done = Game.objects.exclude(status=Game.Status.LIVE).count()
    assert furnish() == len(TEAMMATES[0].plays) - done
    assert Game.objects.filter(status=Game.Status.FINISHED).count() == len(TEAMMATES[0].plays)


@pytest.mark.slow
def test_the_managers_room_shows_the_sample_team(demo: Team, client: Client) -> None:
    remembered("sample", furnish)
    client.force_login(User.objects.get(email="manager@demo.local"))
    page = client.get(f"/team/{demo.pk}/progress/", follow=True).text
    for mate in TEAMMATES:
        assert mate.name in page
    table = client.get(f"/team/{demo.pk}/").text
    assert "No deal" in table, "how a deal ended is shown beside who played it"
    assert "1 comment" in table


def test_there_is_no_sample_team_where_demo_mode_is_off() -> None:
    with override_settings(DEMO=False), pytest.raises(CommandError, match="demo data is off"):
        call_command("sample_team")
