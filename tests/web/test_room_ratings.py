"""Ratings of people: the paper's numbers, once per game, only for games that count, shown only to whom one allows."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from accounts.models import Membership, Team, User
from accounts.services import guest_create, guest_keep, membership_set, user_create, visibility_set
from coaching.room.models import PersonRating, RatedGame
from coaching.room.progress import leaderboard, sparkline, team_progress
from coaching.room.ratings import counting, opponent_of, rating_moved, score_of
from coaching.room.settlement import settle
from negotiation import glicko
from negotiation.ending import game_abandon
from negotiation.engine.deal import SIGN, personas, scenarios
from negotiation.glicko import Rating
from negotiation.models import Game
from negotiation.ratings import persona_ratings, table_ratings
from negotiation.services import game_create, game_mark_assisted, game_walk_away
from tests.web.moves import act, resolve, submit

pytestmark = pytest.mark.django_db(transaction=True)

SignIn = Callable[[User], Client]


@pytest.fixture(autouse=True)
def _same_deals(settings: Any) -> None:
    """The same deals on every run."""
    settings.FIRST_SEED = 1


def ended(
    player: User, team: Team | None, *, assisted: bool = False, scenario: str = "saas_enterprise"
) -> Game:
    """A game of one move that the player left."""
    game = game_create(player=player, team=team, scenario=scenario, persona="shark", seat="seller")
    if assisted:
        game_mark_assisted(game_id=game.id, reason="whisper")
    submit(game, act(None, text="What drives your timeline?"))
    resolve(game)
    game.refresh_from_db()
    if game.is_live:
        game_walk_away(game_id=game.id, player=player, action_id=uuid.uuid4())
        resolve(game)
    game.refresh_from_db()
    return game


def test_the_example_of_the_paper() -> None:
    """Glickman (2013), the worked example: one win, two losses in one period."""
    games = [(Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0)]
    after = glicko.played(Rating(1500, 200, 0.06), games)
    assert after.rating == pytest.approx(1464.06, abs=0.01)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=1e-5)


def test_what_is_expected_moves_nothing_and_rest_only_widens() -> None:
    even = glicko.played(Rating(1600, 80), [(Rating(1600, 20), 0.5)])
    assert even.rating == pytest.approx(1600)
    assert even.deviation < 80
    rested = glicko.rested(even, 26)
    assert rested.rating == even.rating
    assert even.deviation < rested.deviation < 120
    assert glicko.rested(even, 1e9).deviation == glicko.MAX_DEVIATION


def test_an_upset_raises_volatility() -> None:
    calm = glicko.played(Rating(1500, 60), [(Rating(1500, 20), 1.0), (Rating(1500, 20), 0.0)])
    upset = glicko.played(Rating(1300, 60), [(Rating(1900, 20), 1.0)] * 6)
    assert calm.volatility < 0.06 < upset.volatility


def test_a_game_is_counted_once_in_each_pool(rep: User, team: Team) -> None:
    game = ended(rep, team)
    assert {row.pool for row in PersonRating.objects.filter(user=rep)} == {"", "saas_enterprise"}
    before = PersonRating.objects.get(user=rep, pool="")
    assert (before.games, before.rating < 1500) == (1, True), "an impasse scores nothing"
    settle(game.id)
    game.save()
    assert PersonRating.objects.get(user=rep, pool="").rating == before.rating
    assert RatedGame.objects.filter(game=game).count() == 2


def test_scenarios_have_pools_of_their_own(rep: User, team: Team) -> None:
    ended(rep, team)
    ended(rep, team, scenario="hiring_package")
    games = dict(PersonRating.objects.filter(user=rep).values_list("pool", "games"))
    assert games == {"": 2, "saas_enterprise": 1, "hiring_package": 1}


def test_help_guests_and_leaving_for_good_do_not_count(rep: User, team: Team) -> None:
    ended(rep, team, assisted=True)
    ended(guest_create(), None)
    game_abandon(game_id=game_create(
        player=rep, team=team, scenario="saas_enterprise", persona="shark", seat="seller"
    ).id)  # fmt: skip
    assert not PersonRating.objects.exists()


def test_the_opponent_is_the_table_between_its_measured_difficulties(game: Game) -> None:
    rows = table_ratings()["tables"]["saas_enterprise/seller/diplomat"]
    measured = {row["difficulty"]: row["rating"] for row in rows}
    low, high = sorted(measured)[:2]
    game.difficulty = (low + high) / 2
    halfway = opponent_of(game)
    assert halfway is not None
    assert halfway.rating == pytest.approx((measured[low] + measured[high]) / 2)
    game.difficulty = max(measured)
    top = opponent_of(game)
    assert top is not None
    assert top.rating == measured[max(measured)]


def test_over_an_authors_own_scenario_the_opponent_is_the_persona(game: Game) -> None:
    game.scenario, game.difficulty = "own-0001", 0.5
    measured = {row["difficulty"]: row["rating"] for row in persona_ratings()["diplomat"]}
    found = opponent_of(game)
    assert found is not None
    assert found.rating == measured[0.5]
    game.persona = "nobody"
    assert opponent_of(game) is None


def test_every_table_that_ships_is_measured() -> None:
    tables = {
        f"{scenario}/{seat}/{persona}" for scenario in scenarios() for seat in SIGN for persona in personas()
    }
    assert set(table_ratings()["tables"]) == tables
    assert table_ratings()["weight"] > 1


def test_a_share_counts_as_so_many_wins_or_losses() -> None:
    once = glicko.played(Rating(1500, 200), [(Rating(1500, 20), 0.7)], 4.0)
    apart = glicko.played(Rating(1500, 200), [(Rating(1500, 20), 0.7)] * 4)
    assert once == apart


@pytest.mark.parametrize(("share", "score"), [(-0.4, 0.0), (0.575, 0.575), (1.3, 1.0), (None, 0.0)])
def test_the_score_is_the_share_within_bounds(share: float | None, score: float) -> None:
    assert score_of(Game(efficiency=share)) == score


def test_who_is_listed_is_who_allows_it(rep: User, manager: User, team: Team, stranger: User) -> None:
    people = {"private": rep}
    for level in ("team", "public"):
        people[level] = user_create(email=f"{level}@example.com", password=None)
        membership_set(user=people[level], team=team, role=Membership.Role.REP)
        visibility_set(user=people[level], visibility=level)
    for person in people.values():
        ended(person, team)

    def seen(viewer: User, where: Team | None) -> set[User]:
        return {row.user for row in leaderboard(viewer, where)}

    assert seen(stranger, None) == {people["public"]}
    assert seen(people["team"], team) == {people["team"], people["public"]}
    assert seen(rep, team) == set(people.values()), "one's own line is always there"
    assert {row.user for row in team_progress(team)} == set(people.values()), "those who lead see everybody"


def test_another_teams_leaderboard_is_not_shown(
    rep: User, team: Team, signed_in: SignIn, stranger: User
) -> None:
    visibility_set(user=rep, visibility="team")
    ended(rep, team)
    assert "Robin Reyes" in signed_in(rep).get(f"/leaderboard/?team={team.pk}").text
    assert "Robin Reyes" not in signed_in(stranger).get(f"/leaderboard/?team={team.pk}").text
    assert signed_in(stranger).get("/leaderboard/?team=9999999999999999999").status_code == 200


def test_what_a_guest_played_does_not_count_once_it_is_an_account() -> None:
    """Or the best of many guests could be the one that is kept."""
    guest = guest_create()
    ended(guest, None)
    kept = guest_keep(guest=guest, email="kept@example.com", password="long-enough-for-it")
    assert not Game.objects.filter(counting(), player=kept).exists()
    ended(kept, None)
    assert Game.objects.filter(counting(), player=kept).count() == 1


def test_progress_has_a_mean_with_its_interval_and_a_line(
    rep: User, manager: User, team: Team, signed_in: SignIn
) -> None:
    for share in (0.2, 0.4, 0.6, 0.8):
        game = ended(rep, team)
        Game.objects.filter(pk=game.pk).update(efficiency=share)
    (row,) = team_progress(team)
    assert row.games == 4
    assert row.mean == pytest.approx(0.5)
    assert row.low is not None
    assert row.high is not None
    assert 0.2 <= row.low < 0.5 < row.high <= 0.8
    assert row.change == "steady", "four deals tell no change from chance"
    page = signed_in(manager).get(f"/team/{team.pk}/progress/")
    assert "<polyline" in page.text
    assert "Robin Reyes" in page.text


def test_the_small_line_stays_in_its_box() -> None:
    line = sparkline([-1.0, 0.0, 0.5, 2.0])
    assert line is not None
    heights = [float(point.split(",")[1]) for point in line["points"].split()]
    assert min(heights) >= 0
    assert max(heights) <= line["height"]
    assert sparkline([0.5]) is None


def test_a_rest_of_weeks_is_counted(rep: User, team: Team) -> None:
    ended(rep, team)
    row = PersonRating.objects.get(user=rep, pool="")
    PersonRating.objects.filter(pk=row.pk).update(
        deviation=60.0, rated_at=row.rated_at - timedelta(weeks=100)
    )
    ended(rep, team)
    assert PersonRating.objects.get(user=rep, pool="").deviation > 80


def test_a_deal_against_a_trained_model_counts_as_played_and_moves_no_rating(rep: User, team: Team) -> None:
    game = ended(rep, team)
    Game.objects.filter(pk=game.pk).update(opponent=Game.Opponent.NEGOTIATOR, opponent_model="adapter")
    assert Game.objects.filter(counting(), pk=game.pk).exists()
    assert not Game.objects.filter(rating_moved(), pk=game.pk).exists()
