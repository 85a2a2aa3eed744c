"""Turns on which the strategist spoke in a model's place: counted, told, and no model asked that never gets through."""

from __future__ import annotations

import asyncio
import uuid
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.test import override_settings
from prometheus_client import REGISTRY

from accounts.models import User
from negotiation import answering, standins
from negotiation.models import Event, Game
from negotiation.opponents import Account, Answer, Intervention
from negotiation.opponents.standins import GIVEN_UP, RUNNING, counted, how
from negotiation.services import game_create
from tests.web.moves import act, submit

REFUSED = Account(
    "narrated",
    "base",
    stand_in=True,
    why="the guard let neither line through",
    attempts=2,
    interventions=(Intervention("language", "is no English", "replaced"),),
)
AWAY = Account("narrated", "base", stand_in=True, why="no answer in time", attempts=1)


class Heard:
    """An opponent that answers as it is told, and counts how often it was asked."""

    instant = False

    def __init__(self, account: Account) -> None:
        self.account, self.asked = account, 0

    async def reply(self, **_: Any) -> Answer:
        self.asked += 1
        return Answer(account=self.account)


def test_a_turn_is_told_apart_by_its_account() -> None:
    spoke: dict[str, Any] = {"stand_in": False, "why": "", "interventions": []}
    stood = {**spoke, "stand_in": True}
    assert how({**spoke, "interventions": [{"check": "figures"}]}) == "spoke"
    assert how({**stood, "interventions": [{"check": "figures"}]}) == "refused"
    assert how({**stood, "why": GIVEN_UP}) == "given_up"
    assert how({**stood, "why": "no answer in time"}) == "away"
    assert counted([spoke, stood, {**stood, "why": GIVEN_UP}]) == {
        "turns": 3,
        "stand_ins": 2,
        "refused": 0,
        "given_up": 1,
        "away": 1,
    }


def played(rep: User, account: Account, turns: int) -> tuple[Game, Heard]:
    """A narrated deal whose model answers every turn with this account."""
    heard = Heard(account)
    game = game_create(
        player=rep,
        scenario="saas_enterprise",
        persona="diplomat",
        seat="seller",
        seed=12,
        opponent="narrated",
    )
    for turn in range(turns):
        submit(game, act(190_000.0 - 1_000 * turn), uuid.uuid4())
        asyncio.run(answering.turn_resolve(game_id=game.id, opponent=heard))
        game.refresh_from_db()
    return game, heard


def value(kind: str) -> float:
    return REGISTRY.get_sample_value("parlay_model_turns_total", {"how": kind}) or 0.0


@pytest.mark.django_db(transaction=True)
@override_settings(MODEL_URL="http://127.0.0.1:1/v1", MODEL_NAME="base")
def test_a_model_whose_lines_fail_three_times_running_is_not_asked_again(rep: User) -> None:
    before = value("refused"), value("given_up")
    game, heard = played(rep, REFUSED, RUNNING + 2)
    assert heard.asked == RUNNING
    accounts = Event.objects.filter(game=game, type="answer_explained").order_by("seq")
    kinds = [how(account) for account in accounts.values_list("data", flat=True)]
    assert kinds == ["refused"] * RUNNING + ["given_up"] * 2
    assert (value("refused") - before[0], value("given_up") - before[1]) == (RUNNING, 2)
    assert standins.lately()["base"]["stand_ins"] == RUNNING + 2


@pytest.mark.django_db(transaction=True)
@override_settings(MODEL_URL="http://127.0.0.1:1/v1", MODEL_NAME="base")
def test_a_server_that_is_away_is_asked_every_turn(rep: User) -> None:
    _, heard = played(rep, AWAY, RUNNING + 2)
    assert heard.asked == RUNNING + 2


def test_the_debrief_says_on_how_many_turns_and_why() -> None:
    voices = {"turns": 12, "stand_ins": 9, "refused": 3, "given_up": 6, "away": 0}
    text = " ".join(render_to_string("debrief/_voices.html", {"voices": voices}).split())
    assert "On 9 of 12 turns the house strategist spoke" in text
    assert "3 because the model’s lines were refused, 6 because it was asked no more after that." in text


def test_the_models_page_says_so_for_each_model() -> None:
    row = {"turns": 46, "stand_ins": 23, "refused": 20, "given_up": 3, "away": 0}
    page = render_to_string("serving/_now.html", {"turns": {"base": row}, "seen": {"answers": True}})
    assert 'data-testid="stand-ins"' in page
    assert "<strong>23</strong>" in page
