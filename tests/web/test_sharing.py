"""A finished deal through a link: what stands on its page, and what can never stand there."""

from __future__ import annotations

import copy
import re
import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any, cast

import pytest
from django.db.models import QuerySet
from django.test import Client
from django.utils import timezone

from accounts.models import User
from coaching.models import LinkView, SpectatorLink
from coaching.services import link_create
from coaching.sharing.names import names_of, without
from negotiation.events import EventType, visible_keys
from negotiation.kind import DEALS
from negotiation.models import Event, Game
from negotiation.services import game_walk_away
from negotiation.table.forgetting import redact
from negotiation.table.models import RedactionReason
from tests.web.moves import act, resolve, submit

pytestmark = pytest.mark.django_db(transaction=True)
SignIn = Callable[[User], Client]


def page_of(game: Game, scope: str, *, named: bool = False) -> str:
    """The shared page as somebody reads it who is not signed in, without what differs from link to link."""
    _, token = link_create(game=game, created_by=game.player, scope=scope, named=named)
    answer = Client().get(f"/shared/{token}/")
    assert answer.status_code == 200, answer.content
    assert token not in answer.text
    return re.sub(r'<time datetime="[^"]+">[^<]+</time>|nonce="[^"]+"', "", answer.text)


def otherwise(value: Any) -> Any:
    """Something of the same kind that is another one."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value * 3 + 7
    if isinstance(value, dict):
        return {key: otherwise(each) for key, each in value.items()}
    return [otherwise(each) for each in value] if isinstance(value, list) else value


PLAYED_OUT = {"deal", "reason", "price", "agreed"}


def hide_otherwise(game: Game) -> int:
    """Change all of a game's log that was not played: what a watcher may not see, and the outcome's shares and worths.
    How many events that touches."""
    touched = 0
    for event in Event.objects.filter(game=game):
        data = copy.deepcopy(event.data)
        seen = visible_keys(cast("EventType", event.type), "watcher")
        changed = {key: value if key in seen else otherwise(value) for key, value in data.items()}
        if event.type == "game_ended":
            outcome = data["outcome"]
            changed["outcome"] = {
                key: value if key in PLAYED_OUT else otherwise(value) for key, value in outcome.items()
            }
        touched += changed != data
        QuerySet(Event).filter(pk=event.pk).update(data=changed)
    return touched


def test_without_the_truth_two_deals_played_alike_read_alike(over: Game) -> None:
    before = page_of(over, "played")
    assert "We moved. What can you do?" in before
    assert "$170,000" in before
    assert hide_otherwise(over) > 4
    assert page_of(over, "played") == before


def test_the_truth_stands_where_it_was_shared_and_nowhere_else(over: Game) -> None:
    truth = Event.objects.filter(game=over, type="turn_graded").first()
    assert truth is not None
    limits = [f"${truth.data['truth'][side]['walk_away']:,.0f}" for side in ("player", "opponent")]
    with_it, without = page_of(over, "debrief"), page_of(over, "played")
    assert all(limit in with_it for limit in limits)
    for limit in limits:
        assert limit not in without
        assert re.sub(r"\D", "", limit) not in without, "nor in its data"
    assert "We moved. What can you do?" in with_it


def test_without_the_name_nobody_is_named(game: Game) -> None:
    assert game.player.get_full_name() == "Robin Reyes"
    submit(game, act(180_000.0, text="This is ROBIN; Robin Reyes, that is. Reyes's word: robins sing."))
    resolve(game)
    game_walk_away(game_id=game.id, player=game.player, action_id=uuid.uuid4())
    resolve(game)
    game.refresh_from_db()
    for scope in ("played", "debrief"):
        hidden = page_of(game, scope)
        assert not re.search(r"\brobin\b|reyes", hidden, re.IGNORECASE)
        assert game.player.email not in hidden
        assert "robins sing" in hidden
        assert "Robin Reyes" in page_of(game, scope, named=True)


@pytest.mark.parametrize(
    ("name", "email", "said", "left"),
    [
        (
            "Will May",
            "w@x.com",
            "I will pay in May, that may do. Ask Will May.",
            "I will pay in [name], that may do. Ask [name].",
        ),
        (
            "Sam Price",
            "170.sam@x.com",
            "The price is $170,000; I ask 170,000.",
            "The price is $170,000; I ask 170,000.",
        ),
        ("李明", "l@x.com", "我是李明,很高兴", "我是[name],很高兴"),
        ("Anna-Lena O'Hara", "a@x.com", "Anna here, anna lena, O\u2019Hara.", "[name] here, [name], [name]."),
        ("José Müller", "j@x.com", "Jose\u0301 Mu\u0308ller, that is josé.", "[name], that is [name]."),
        (
            "Robin Reyes",
            "rreyes@x.com",
            "RobinReyes, Robin_Reyes, rreyes2, robins sing.",
            "[name], [name], [name]2, robins sing.",
        ),
        (
            "Dr. Jane A. Roe (Sales)",
            "rep@x.com",
            "I am your rep, Jane A. Roe.",
            "I am your rep, [name].",
        ),
    ],
)
def test_names_are_found_as_people_write_them_and_words_stay(
    name: str, email: str, said: str, left: str
) -> None:
    player = User(display_name=name, email=email)
    assert without(names_of(player), [{"text": said}]) == [{"text": left}]


def test_an_earlier_name_is_left_out_too() -> None:
    player = User(display_name="Robin Stone", email="robin@x.com")
    assert without(names_of(player, "Robin Reyes"), [{"text": "Reyes speaking."}]) == [
        {"text": "[name] speaking."}
    ]


def test_the_link_is_chosen_listed_counted_and_withdrawn(over: Game, signed_in: SignIn) -> None:
    client = signed_in(over.player)
    url = f"/deals/{over.pk}/links/"
    made = client.post(url, {"scope": "debrief", "named": "no", "days": "7"})
    assert made.status_code == 201
    told = made.json()
    assert (told["scope"], told["named"]) == ("debrief", False)
    link = SpectatorLink.objects.get(pk=told["id"])
    assert timedelta(days=6) < link.expires_at - timezone.now() < timedelta(days=8)
    page = Client().get(told["url"])
    assert page.headers["Referrer-Policy"] == "no-referrer"
    assert "noindex" in page.headers["X-Robots-Tag"]
    assert LinkView.objects.filter(link=link, viewer=None).count() == 1
    assert client.get(url).json()["links"][0]["views"] == 1
    assert client.post(f"{url}{link.pk}/revoke/").status_code == 200
    gone = Client().get(told["url"])
    assert gone.status_code == 410
    assert "We moved" not in gone.text
    assert client.post(url, {"scope": "played", "days": "365"}).status_code == 422


def test_only_the_player_shares_the_name(over: Game, manager: User, signed_in: SignIn) -> None:
    made = signed_in(manager).post(f"/deals/{over.pk}/links/", {"scope": "played", "named": "yes"}).json()
    assert made["named"] is False
    page = Client().get(made["url"]).text
    assert over.player.get_full_name() not in page
    assert "Shared by its player" not in page


@pytest.mark.parametrize("scope", ["watch", "coach", "replay"])
def test_a_link_to_watch_by_leaves_the_name_out_for_whoever_could_not_read_the_deal(
    over: Game, manager: User, signed_in: SignIn, scope: str
) -> None:
    _, token = link_create(game=over, created_by=over.player, scope=scope, named=False)
    assert over.player.get_full_name() not in Client().get(f"/watch/{token}/").text
    assert over.player.get_full_name() in signed_in(manager).get(f"/watch/{token}/").text
    _, named = link_create(game=over, created_by=over.player, scope=scope)
    assert over.player.get_full_name() in Client().get(f"/watch/{named}/").text


def test_a_replay_that_a_manager_passes_on_does_not_name_the_rep(
    over: Game, manager: User, signed_in: SignIn
) -> None:
    client = signed_in(manager)
    watch = client.post(f"/team/{over.team_id}/watch/{over.pk}/", {"scope": "coach"})
    assert watch.status_code == 302
    assert over.player.get_full_name() in client.get(watch["Location"]).text
    assert over.player.get_full_name() not in Client().get(watch["Location"]).text


def test_links_live_name_the_player_unless_told_otherwise_and_the_answer_is_not_kept(
    game: Game, signed_in: SignIn
) -> None:
    client, url = signed_in(game.player), f"/deals/{game.pk}/links/"
    made = client.post(url, {"scope": "watch"})
    assert made.json()["named"] is True
    assert "no-store" in made.headers["Cache-Control"]
    assert client.post(url, {"scope": "watch", "named": "no"}).json()["named"] is False
    assert client.post(url, {"scope": "replay"}).json()["named"] is False


def test_deleted_words_are_said_to_be_deleted_once_and_of_no_single_move(over: Game) -> None:
    redact(DEALS, over.pk, reason=RedactionReason.REQUEST, by=over.player)
    for scope in ("played", "debrief"):
        page = page_of(over, scope)
        assert "The player deleted the words of this deal" in page
        assert "words were deleted" not in page.split('data-testid="shared-talk"')[1], (
            "of a move, nobody knows"
        )
        assert "We moved" not in page


def test_a_page_that_looks_for_its_review_again_is_the_same_reader(over: Game) -> None:
    _, token = link_create(game=over, created_by=over.player, scope="debrief")
    assert "data-weighing" in Client().get(f"/shared/{token}/").text
    assert Client().get(f"/shared/{token}/?again").status_code == 200
    assert LinkView.objects.filter(link__game=over).count() == 1


def test_a_deal_that_is_not_over_is_not_shared_and_no_link_does_for_another(game: Game) -> None:
    _, token = link_create(game=game, created_by=game.player, scope="debrief")
    assert Client().get(f"/shared/{token}/").status_code == 403
    assert Client().get(f"/watch/{token}/").status_code == 404
    _, eyes = link_create(game=game, created_by=game.player, scope="watch")
    assert Client().get(f"/shared/{eyes}/").status_code == 404, "a link to watch by shares nothing"
