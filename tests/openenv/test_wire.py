"""What the wire carries: the engine's own fields, and nothing that nobody asked for."""

from __future__ import annotations

import json
from dataclasses import fields

import numpy as np
import pytest

pytest.importorskip("openenv", reason="openenv is installed in .venv-train only")

from openenv.core.env_server import WSObservationResponse, serialize_observation
from pydantic import ValidationError

from negotiation.engine.deal import Action, Belief, Observation, Talk, scenarios
from negotiation.engine.deal.issues import Package
from negotiation.engine.deal.selfplay import STRATEGIES, TALKERS
from negotiation.openenv.models import (
    VIEW_FIELDS,
    DealAction,
    DealObservation,
    StatedBelief,
    Written,
    observation_frame,
)
from negotiation.openenv.tables import LocalTables, Setup, Turn


def test_an_observation_has_all_that_a_player_may_see() -> None:
    assert set(VIEW_FIELDS) == {field.name for field in fields(Observation)}


HEARD_BY_THE_TABLE = {"asked"}
"""What a table adds to a move when it hears the words; whoever plays only writes them."""


def test_an_action_has_all_that_a_player_can_do() -> None:
    done = {field.name for field in fields(Action)} - HEARD_BY_THE_TABLE
    assert set(DealAction.model_fields) - {"metadata"} == done
    assert set(StatedBelief.model_fields) == {field.name for field in fields(Belief)}


def test_an_action_reaches_the_engine_whole() -> None:
    action = Action(
        text="Both of these work for us.",
        offer=150_000.0,
        card="anchor_high",
        belief=Belief(120_000.0, 140_000.0, 0.4, 0.5, 0.9),
        claim=140_000.0,
        challenge=True,
        event_estimate=-0.1,
        terms={"support": "gold"},
        alternatives=(Package(140_000.0, {"support": "basic"}),),
        talk=(Talk("ask_open", "pain"), Talk("isolate"), Talk("argue", "measure", "log")),
    )
    sent = DealAction.model_validate(
        {
            "text": "Both of these work for us.",
            "offer": 150_000,
            "card": "anchor_high",
            "belief": {
                "walk_away": 120_000,
                "budget": 140_000,
                "urgency": 0.4,
                "p_alternative": 0.5,
                "confidence": 0.9,
            },
            "claim": 140_000,
            "challenge": True,
            "event_estimate": -0.1,
            "terms": {"support": "gold"},
            "alternatives": [{"price": 140_000, "terms": {"support": "basic"}}],
            "talk": [
                {"act": "ask_open", "topic": "pain"},
                {"act": "isolate"},
                {"act": "argue", "topic": "measure", "id": "log"},
            ],
        }
    )
    assert sent.to_engine() == action


@pytest.mark.parametrize(
    "sent",
    [
        {"ofer": 1.0},
        {"offer": "158000"},
        {"offer": True},
        {"accept": 1},
        {"card": "ace_of_spades"},
        {"belief": {"walk_awy": 1.0}},
        {"alternatives": [{"price": 1.0}]},
        {"alternatives": [{"price": 1.0, "terms": {}, "sweet": 1}]},
        {"terms": {"support": 3}},
        {"talk": "ask_open"},
        {"talk": [{"act": "bribe"}]},
        {"talk": [{"act": "ask_open", "topic": "weather"}]},
        {"talk": [{"act": "isolate", "loudly": True}]},
    ],
)
def test_what_is_not_named_or_not_of_its_kind_is_refused(sent: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        DealAction.model_validate(sent)


def test_the_observation_refuses_fields_of_others_too() -> None:
    assert DealObservation.model_config["extra"] == "forbid"


@pytest.mark.parametrize("rep", ["expert", "discoverer"])
@pytest.mark.parametrize("scenario", sorted(scenarios()))
def test_a_frame_is_the_one_that_the_library_would_write(scenario: str, rep: str) -> None:
    with LocalTables() as tables:
        turns = tables.reset([Setup(3, scenario, "shark", "buyer", case=rep in TALKERS)])
        player = (STRATEGIES | TALKERS)[rep]()
        player.told(scenarios()[scenario])
        rng = np.random.default_rng(0)
        turn, written = turns[0], Written()
        while True:
            for metadata in ({}, {"seed": 3, "deal": {"goals": ["close"]}}):
                library = WSObservationResponse(
                    data=serialize_observation(DealObservation.of(turn, metadata))
                ).model_dump_json()
                assert json.loads(observation_frame(turn, metadata, written)) == json.loads(library)
            if turn.done:
                break
            answer = tables.step({0: player.act(turn.observation, rng)})[0]
            assert isinstance(answer, Turn)
            turn = answer
    assert turn.ending is not None
