"""The typed API of deals and who may speak there: listed, chosen, refused in words."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from accounts.models import User
from negotiation.models import Game
from negotiation.serving import health
from negotiation.serving.choices import Voice
from negotiation.serving.models import Adapter
from tests.opponents.model_double import Double, Said, speaking_apart

pytestmark = pytest.mark.django_db

DEAL = {"scenario": "saas_enterprise", "persona": "shark", "seat": "seller"}


@pytest.fixture
def browser(rep: User) -> Client:
    client = Client()
    client.force_login(rep)
    return client


@pytest.fixture
def model(settings: Settings) -> Iterator[Double]:
    """A model server that knows one model, ``base``."""
    with speaking_apart(lambda body: Said(())) as double:
        settings.MODEL_URL, settings.MODEL_NAME, settings.MODEL_STYLE = double.url, "base", "full"
        health.look(max_age=0)
        yield double
    settings.MODEL_URL = ""


def create(client: Client, **more: Any) -> tuple[int, dict[str, Any]]:
    answer = client.post("/api/deals", json.dumps({**DEAL, **more}), content_type="application/json")
    return answer.status_code, answer.json()


def test_without_a_word_about_it_the_strategist_speaks(browser: Client) -> None:
    status, made = create(browser)
    assert status == 201
    game = Game.objects.get(pk=made["id"])
    assert (game.opponent, game.opponent_model) == ("strategic", "")
    assert [voice["id"] for voice in browser.get("/api/voices").json()] == ["strategic"]


def test_a_voice_that_is_listed_can_be_chosen(browser: Client, model: Double) -> None:
    listed = {voice["id"]: voice for voice in browser.get("/api/voices").json()}
    assert set(listed) == {"strategic", "narrated"}
    assert listed["narrated"]["model"] == "base"
    status, made = create(browser, voice="narrated")
    assert status == 201
    game = Game.objects.get(pk=made["id"])
    assert (game.opponent, game.opponent_model) == ("narrated", "base")


def test_a_trained_model_is_chosen_by_its_name_where_it_is_offered_and_served(
    browser: Client, model: Double
) -> None:
    adapter = Adapter.objects.create(
        name="base",
        title="Third generation",
        path="/adapters/x",
        sha256="0" * 64,
        status=Adapter.Status.LOADED,
    )
    assert create(browser, voice="negotiator:base")[0] == 422, "loaded is not offered"
    adapter.status = Adapter.Status.OFFERED
    adapter.save()
    status, made = create(browser, voice="negotiator:base")
    assert status == 201
    game = Game.objects.get(pk=made["id"])
    assert (game.opponent, game.opponent_model) == ("negotiator", "base")


def test_a_persona_may_have_words_of_its_own_where_the_server_holds_them(
    browser: Client, model: Double, settings: Settings
) -> None:
    settings.MODEL_NAME = "another"
    settings.MODEL_VOICES = {"shark": "base", "veteran": "not-loaded"}
    health_names = {voice["id"] for voice in browser.get("/api/voices").json()}
    assert "narrated" not in health_names, "the model for everybody else has to be there"
    settings.MODEL_NAME = "base"
    settings.MODEL_VOICES = {"shark": "base", "veteran": "not-loaded"}
    (narrated,) = [voice for voice in browser.get("/api/voices").json() if voice["id"] == "narrated"]
    assert narrated["by_persona"] == {"shark": "base"}
    voice = Voice("narrated", "", "", "narrated", "base", by_persona={"shark": "shark-voice"})
    assert (voice.model_for("shark"), voice.model_for("veteran")) == ("shark-voice", "base")


def test_where_a_voice_is_chosen_stands_what_speaks(
    browser: Client, model: Double, settings: Settings
) -> None:
    settings.MODEL_NOTE = "It is untrained."
    (narrated,) = [voice for voice in browser.get("/api/voices").json() if voice["id"] == "narrated"]
    assert "the model base finds the words" in narrated["words"]
    assert narrated["words"].endswith("It is untrained.")


def listed(client: Client) -> set[str]:
    return {voice["id"] for voice in client.get("/api/voices").json()}


def offered(name: str) -> Adapter:
    return Adapter.objects.create(
        name=name,
        title=name,
        path="/adapters/x",
        sha256="0" * 64,
        status=Adapter.Status.OFFERED,
        loaded_at=timezone.now(),
    )


def test_what_was_promoted_since_the_last_look_is_listed_at_once(browser: Client, model: Double) -> None:
    assert "negotiator:generation-1" not in listed(browser)
    model.holds.append("generation-1")
    offered("generation-1")
    assert "negotiator:generation-1" in listed(browser)


def test_what_the_server_lost_is_looked_for_once_and_again_when_it_was_loaded_anew(
    browser: Client, model: Double
) -> None:
    lost = offered("lost")
    assert "negotiator:lost" not in listed(browser)
    looks = model.listed
    assert "negotiator:lost" not in listed(browser)
    assert model.listed == looks, "a page asks the server for nothing that the last look did not find"
    model.holds.append("lost")
    lost.loaded_at = timezone.now()
    lost.save()
    assert "negotiator:lost" in listed(browser)
    assert model.listed == looks + 1


@pytest.mark.parametrize("voice", ["narrated", "negotiator:nobody"])
def test_one_that_is_not_at_hand_is_refused_with_a_way_on(browser: Client, voice: str) -> None:
    status, problem = create(browser, voice=voice)
    assert status == 422
    assert (problem["code"], problem["field"]) == ("voice_not_at_hand", "voice")
    assert voice in problem["message"]
    assert "GET /api/voices" in problem["message"]
    assert not Game.objects.exists()


@pytest.mark.parametrize("voice", ["", "Narrated", "negotiator", "negotiator:", "gpt"])
def test_one_that_could_never_be_is_told_what_could(browser: Client, voice: str) -> None:
    status, problem = create(browser, voice=voice)
    assert status == 422
    assert (problem["code"], problem["field"]) == ("unknown_voice", "voice")
    assert "negotiator:NAME" in problem["message"]


def test_the_schema_tells_of_it(browser: Client) -> None:
    schema = browser.get("/api/openapi.json").json()
    voice = schema["components"]["schemas"]["DealIn"]["properties"]["voice"]
    assert voice["default"] == "strategic"
    assert "GET /voices" in voice["description"]
    assert "/api/voices" in schema["paths"]
    assert "422" in schema["paths"]["/api/deals"]["post"]["responses"]
