"""A player alone asks for a hint: it comes as a note, once a turn, and the deal counts for learning only."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from coaching.live.asking import AUTHOR
from coaching.live.hints import hints_after
from coaching.room.ratings import counting
from negotiation import catalogue
from negotiation.models import Event, Game
from negotiation.selectors import log_after
from negotiation.services import game_create, game_walk_away
from tests.practice import give_away
from tests.web.moves import act, resolve, submit

pytestmark = pytest.mark.django_db(transaction=True)
SignIn = Callable[[User], Client]


@pytest.fixture
def giving(rep: User) -> Game:
    """A live deal in which the player gives much away."""
    game: Game = game_create(player=rep, scenario="saas_enterprise", persona="shark", seat="seller", seed=5)
    for offer in (190_000.0, 165_000.0, 140_000.0):
        submit(game, act(offer, text=f"We could do {offer:,.0f}.", confirmed=True))
        resolve(game)
    game.refresh_from_db()
    assert game.is_live
    return game


def notes(game: Game) -> list[Any]:
    return list(Event.objects.filter(game=game, type="whispered").values_list("data", flat=True))


def ask(client: Client, game: Game) -> Any:
    return client.post(f"/deals/{game.pk}/hint/")


def test_the_first_hint_of_a_coach_comes_as_a_note_once_a_turn(
    giving: Game, rep: User, signed_in: SignIn
) -> None:
    found = hints_after(log_after(giving.pk, 0), catalogue.for_game(giving))
    assert found is not None
    assert found["hints"], "who gives so much is told something"
    client = signed_in(rep)
    assert ask(client, giving).json() == {"given": True, "message": ""}
    assert ask(client, giving).json()["given"]
    (note,) = notes(giving)
    assert (note["author"], note["text"]) == (AUTHOR, found["hints"][0]["say"])


def test_a_deal_with_a_hint_counts_for_learning_only(giving: Game, rep: User, signed_in: SignIn) -> None:
    ask(signed_in(rep), giving)
    giving.refresh_from_db()
    assert giving.assisted
    assert not Game.objects.filter(counting(), pk=giving.pk).exists()


def test_nobody_elses_deal_and_none_that_is_over_has_hints_to_ask_for(
    giving: Game, rep: User, stranger: User, signed_in: SignIn
) -> None:
    assert ask(signed_in(stranger), giving).status_code == 404
    over = give_away(rep)
    if over.is_live:
        game_walk_away(game_id=over.pk, player=rep, action_id=uuid.uuid4())
        resolve(over)
    assert ask(signed_in(rep), over).status_code == 409
    assert notes(giving) == notes(over) == []
