"""The lobby of a team: who plays, who is stuck and why, and one click to watch."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import models
from django.test import Client
from django.utils import timezone

from accounts.models import Membership, Team, User
from accounts.services import membership_set
from coaching.models import SpectatorLink
from coaching.room import stuck
from coaching.room.assignments import assignment_create, attempt_start
from coaching.room.lobby import live_deals
from negotiation.models import Event, Game
from negotiation.services import game_create, game_walk_away
from tests.web.conftest import SEED, OpenSocket
from tests.web.moves import act, resolve, submit

pytestmark = pytest.mark.django_db(transaction=True)

SignIn = Callable[[User], Client]

QUIET = {"idle_seconds": 5.0, "awaits_rep": True, "own_offers": [], "band": "calm", "currency": "$"}


@pytest.mark.parametrize(
    ("change", "reasons"),
    [
        ({}, []),
        ({"idle_seconds": 119.0}, []),
        ({"idle_seconds": 121.0}, ["No move for 2 minutes"]),
        ({"idle_seconds": 299.0}, ["No move for 2 minutes"]),
        ({"idle_seconds": 301.0}, ["No move for 5 minutes"]),
        ({"idle_seconds": 7300.0}, ["No move for 2 hours"]),
        ({"idle_seconds": 121.0, "awaits_rep": False}, []),
        ({"own_offers": [9e4, 170e3, 170e3, 170e3]}, ["The same offer three turns in a row, $170,000"]),
        ({"own_offers": [170e3, 170e3]}, []),
        ({"own_offers": [None, None, None]}, []),
        ({"own_offers": [170e3, None, 170e3]}, []),
        ({"band": "critical"}, ["The tension is critical"]),
        ({"band": "strained"}, []),
    ],
    ids=str,
)
def test_each_rule_of_being_stuck_says_why(change: dict[str, object], reasons: list[str]) -> None:
    assert stuck.reasons(**{**QUIET, **change}) == reasons  # type: ignore[arg-type]


@pytest.fixture
def busy(team: Team, rep: User) -> Game:
    """Another table of the same player's."""
    return game_create(
        player=rep, team=team, scenario="saas_enterprise", persona="shark", seat="buyer", seed=SEED
    )


def test_an_idle_table_is_stuck_and_stands_above_a_busy_one(team: Team, game: Game, busy: Game) -> None:
    for _ in range(3):
        submit(game, act(190_000.0, text="Still 190.", confirmed=True))
        resolve(game)
    late = timezone.now() - timedelta(minutes=3)
    # Time can't be waited for here, and the log's own query set refuses to be changed.
    models.QuerySet(Event).filter(game=game).update(created_at=late)
    first, second = live_deals(team)
    assert (first.id, second.id) == (str(game.pk), str(busy.pk))
    assert first.stuck == ["No move for 2 minutes", "The same offer three turns in a row, $190,000"]
    assert second.stuck == []


def test_the_lobby_is_calm_when_nobody_plays(manager: User, team: Team, signed_in: SignIn) -> None:
    page = signed_in(manager).get("/team/", follow=True)
    assert page.redirect_chain[-1][0] == f"/team/{team.pk}/"
    assert "Nobody is playing right now" in page.text


def test_the_lobby_shows_the_table_and_nothing_hidden(
    manager: User, team: Team, signed_in: SignIn, game: Game
) -> None:
    submit(game, act(185_000.0))
    resolve(game)
    browser = signed_in(manager)
    whole, part = browser.get(f"/team/{team.pk}/"), browser.get(f"/team/{team.pk}/?part=1")
    for page in (whole, part):
        assert "Robin Reyes" in page.text
        assert "$185,000" in page.text
    assert "<html" not in part.text
    truth = Event.objects.filter(game=game, type="turn_graded").latest("seq").data["truth"]["opponent"]
    for hidden in (f"{truth['walk_away']:,.0f}", f"{truth['budget']:,.0f}", str(game.seed)):
        assert hidden not in part.text


def test_a_table_that_the_page_shows_already_is_sent_again_only_once_it_changed(
    manager: User, team: Team, signed_in: SignIn, game: Game, busy: Game
) -> None:
    browser = signed_in(manager)
    whole = browser.get(f"/team/{team.pk}/").text
    marks = re.findall(r'data-mark="(\w+)"', whole)
    assert len(set(marks)) == 2

    def part() -> str:
        return browser.get(f"/team/{team.pk}/?part=1&have={','.join(marks)}").text

    assert (part().count("data-mark"), part().count("data-held")) == (0, 2)
    assert len(part()) < len(whole) / 4
    submit(game, act(185_000.0))
    resolve(game)
    assert (part().count("data-mark"), part().count("data-held")) == (1, 1)
    assert "$185,000" in part()


async def shown(socket: Any) -> str:
    """The lobby's moving part, as the next frame has it."""
    frame = await socket.receive_json_from(timeout=10)
    assert frame["type"] == "now"
    return str(frame["data"]["html"])


async def session_of(signed_in: SignIn, user: User) -> str:
    browser = await sync_to_async(signed_in)(user)
    return str(browser.cookies[settings.SESSION_COOKIE_NAME].value)


async def test_the_lobby_is_pushed_a_move_a_new_table_and_an_end_and_no_row_twice(
    manager: User, rep: User, team: Team, signed_in: SignIn, game: Game, busy: Game, open_socket: OpenSocket
) -> None:
    socket = await open_socket(f"/ws/team/{team.pk}/", session=await session_of(signed_in, manager))
    first = await shown(socket)
    assert (first.count("data-mark"), first.count("data-held")) == (2, 0)
    await sync_to_async(submit)(game, act(185_000.0))
    await sync_to_async(resolve)(game)
    moved = await shown(socket)
    assert (moved.count("data-mark"), moved.count("data-held")) == (1, 1)
    assert "$185,000" in moved
    laid = await sync_to_async(game_create)(
        player=rep, team=team, scenario="saas_enterprise", persona="shark", seat="buyer", seed=SEED
    )
    joined = await shown(socket)
    assert (joined.count("data-mark"), joined.count("data-held")) == (1, 2)
    await sync_to_async(game_walk_away)(game_id=laid.pk, player=rep, action_id=uuid.uuid4())
    await sync_to_async(resolve)(laid)
    ended = await shown(socket)
    while str(laid.pk) not in ended:  # it left the tables first, then stands among what ended
        ended = await shown(socket)
    assert "No deal" in ended
    assert (ended.count("data-mark"), ended.count("data-held")) == (0, 2)


async def test_rows_that_the_page_came_with_are_not_pushed(
    manager: User, team: Team, signed_in: SignIn, game: Game, open_socket: OpenSocket
) -> None:
    browser = await sync_to_async(signed_in)(manager)
    page = (await sync_to_async(browser.get)(f"/team/{team.pk}/")).text
    marks = ",".join(re.findall(r'data-mark="(\w+)"', page))
    session = browser.cookies[settings.SESSION_COOKIE_NAME].value
    first = await shown(await open_socket(f"/ws/team/{team.pk}/?have={marks}", session=session))
    assert (first.count("data-mark"), first.count("data-held")) == (0, 1)


async def test_only_who_leads_a_team_hears_of_its_tables(
    rep: User, stranger: User, team: Team, signed_in: SignIn, game: Game, open_socket: OpenSocket
) -> None:
    other = await Team.objects.acreate(name="Elsewhere")
    await sync_to_async(membership_set)(user=stranger, team=other, role=Membership.Role.MANAGER)
    for session, code in (
        ("", "not_signed_in"),
        (await session_of(signed_in, rep), "no_such_team"),
        (await session_of(signed_in, stranger), "no_such_team"),
    ):
        socket = await open_socket(f"/ws/team/{team.pk}/", session=session)
        assert (await socket.receive_json_from(timeout=10))["data"]["code"] == code


async def test_who_leads_a_team_no_more_is_shown_no_more(
    manager: User, team: Team, signed_in: SignIn, game: Game, open_socket: OpenSocket
) -> None:
    socket = await open_socket(f"/ws/team/{team.pk}/", session=await session_of(signed_in, manager))
    await shown(socket)
    await sync_to_async(Membership.objects.filter(user=manager, team=team).delete)()
    await sync_to_async(submit)(game, act(185_000.0))
    frame = await socket.receive_json_from(timeout=10)
    assert (frame["type"], frame["data"]["code"]) == ("closing", "no_such_team")


@pytest.mark.parametrize(("asked", "made"), [("watch", "watch"), ("coach", "coach"), ("", "watch")])
def test_one_click_makes_a_link_and_goes_there(
    manager: User, team: Team, signed_in: SignIn, game: Game, asked: str, made: str
) -> None:
    browser = signed_in(manager)
    answer = browser.post(f"/team/{team.pk}/watch/{game.pk}/", {"scope": asked})
    assert re.fullmatch(r"/watch/[\w-]{43}/", answer.headers["Location"])
    assert browser.get(answer.headers["Location"]).status_code == 200
    assert SpectatorLink.objects.get().scope == made


async def test_watching_without_the_truth_leaves_the_deal_unassisted(
    manager: User, team: Team, signed_in: SignIn, game: Game, open_socket: OpenSocket
) -> None:
    address = f"/team/{team.pk}/watch/{game.pk}/"
    browser = await sync_to_async(signed_in)(manager)
    answer = await sync_to_async(browser.post)(address, {"scope": "watch"})
    socket = await open_socket("/ws" + answer.headers["Location"])
    hello = await socket.until("hello")
    assert hello["data"]["role"] == "watcher"
    await sync_to_async(game.refresh_from_db)()
    assert not game.assisted


def test_those_who_do_not_get_on_are_named(manager: User, rep: User, team: Team, signed_in: SignIn) -> None:
    assignment_create(
        team=team, by=manager, title="Due", scenario="saas_enterprise", persona="shark", pass_efficiency=0.5,
        deadline=timezone.now() + timedelta(hours=5), assignees=[],
    )  # fmt: skip
    page = signed_in(manager).get(f"/team/{team.pk}/")
    assert re.search(r"Robin Reyes</strong> <span>Due in \d hours, not passed", page.text)


def test_a_deal_that_was_set_is_named_in_the_lobby(
    manager: User, rep: User, team: Team, signed_in: SignIn
) -> None:
    assignment = assignment_create(
        team=team, by=manager, title="Hold the line", scenario="saas_enterprise", persona="shark",
        pass_efficiency=0.5, assignees=[],
    )  # fmt: skip
    attempt_start(assignment=assignment, user=rep, seat="seller")
    assert "For “Hold the line”" in signed_in(manager).get(f"/team/{team.pk}/").text
