"""Who meets the guide of a first deal: a guest, on the very first one, until it is over or was left."""

from __future__ import annotations

import uuid
from collections.abc import Callable

import pytest
from django.test import Client

from accounts.models import User
from accounts.services import guest_create
from negotiation import services, sessions
from negotiation.models import Game
from negotiation.services import game_branch, game_create, game_walk_away
from tests.web.moves import act, resolve, submit

pytestmark = pytest.mark.django_db(transaction=True)
SignIn = Callable[[User], Client]
GUIDED = 'data-guide="ask"'


def deal(player: User, scenario: str = "saas_enterprise", seed: int | None = 4) -> Game:
    return game_create(player=player, scenario=scenario, persona="diplomat", seat="seller", seed=seed)


def table(client: Client, game: Game) -> str:
    return client.get(f"/deals/{game.pk}/").content.decode()


def test_a_guest_is_guided_through_the_first_deal_and_through_no_other(signed_in: SignIn) -> None:
    guest = guest_create()
    first, client = deal(guest), signed_in(guest)
    assert GUIDED in table(client, first)
    submit(first, act(None))
    resolve(first)
    assert GUIDED in table(client, first), "a reload goes on with it"
    second = deal(guest)
    assert GUIDED not in table(client, second)
    assert 'data-testid="guide"' not in table(client, second)


def test_who_has_an_account_is_not_guided(game: Game, signed_in: SignIn) -> None:
    assert "data-guide" not in table(signed_in(game.player), game)


def test_who_leaves_it_never_meets_it_again(signed_in: SignIn) -> None:
    guest = guest_create()
    first, client = deal(guest), signed_in(guest)
    assert client.post(f"/deals/{first.pk}/guide/leave/").status_code == 204
    assert "data-guide" not in table(client, first)


def test_a_deal_that_is_over_or_taken_up_again_or_has_terms_is_not_guided(signed_in: SignIn) -> None:
    guest = guest_create()
    first, client = deal(guest), signed_in(guest)
    submit(first, act(175_000.0))
    resolve(first)
    game_walk_away(game_id=first.pk, player=guest, action_id=uuid.uuid4())
    resolve(first)
    first.refresh_from_db()
    assert "data-guide" not in table(client, first)
    assert "data-guide" not in table(client, game_branch(parent=first, turn=1))
    other = guest_create()
    assert "data-guide" not in table(signed_in(other), deal(other, "software_licensing"))


def test_a_first_deal_has_room_for_a_deal_and_no_other_table_is_drawn_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def room(seed: int) -> float:
        return sessions.rebuild(deal(guest_create(), seed=seed)).truth.original_zone

    none = next(seed for seed in range(400) if room(seed) <= 0)
    some = next(seed for seed in range(400) if room(seed) > 0)
    drawn = iter((none, none, some, none))
    monkeypatch.setattr(services, "draw_seed", lambda kind: next(drawn))
    guest = guest_create()
    assert deal(guest, seed=None).seed == some
    assert deal(guest, seed=None).seed == none, "a second one is as it falls"
