"""Promotion onto a real vLLM: new deals meet the new model, deals under way end on the old one, one click goes back."""

from __future__ import annotations

import asyncio
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from accounts.models import User
from coaching.champion import services as champion
from negotiation.models import Game
from negotiation.services import game_create
from negotiation.serving import server as adapters
from negotiation.serving.choices import voices
from negotiation.serving.models import Adapter
from negotiation.serving.selectors import offered
from negotiation.table.threads import close_threads
from owed import services as owed
from tests.servers import ROOT, ModelServer
from tests.trainer_web.promoting import judged
from trainer.flywheel import store as files
from trainer.flywheel.models import Dataset
from trainer.flywheel.promotion import services
from trainer.flywheel.promotion.models import Generation
from trainer.flywheel.promotion.serving import champions_serve
from trainer.flywheel.runs.models import TrainingRun

pytestmark = [
    pytest.mark.vllm,
    pytest.mark.timeout(600),
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("pupil"),
    pytest.mark.skipif(
        not (ROOT / ".venv-serve").exists(), reason="the environment to serve in is not there"
    ),
]


@pytest.fixture
def server(model_server: ModelServer, settings: Any) -> Iterator[ModelServer]:
    """The house's model server, with the base alone before and after each test."""
    settings.MODEL_URL, settings.MODEL_NAME = model_server.url, model_server.name
    settings.MODEL_STYLE = "brief"
    yield model_server
    for model in adapters.models():
        if model.parent:
            adapters.unload(model.name)


def serve() -> int:
    async def once() -> int:
        try:
            return await champions_serve()
        finally:
            close_threads()

    return asyncio.run(once())


def promoted(dataset: Dataset, tiny: Path, name: str, admin: User) -> Generation:
    """A generation whose adapter is a real one of the server's base, past a gate of made-up games."""
    run = TrainingRun.objects.create(
        name=name, recipe="sft", dataset=dataset, base=str(tiny / "model"), state="done",
        results={"adapter": str(tiny / name)},
    )  # fmt: skip
    decision = services.run_promote(gate=judged(run), by=admin, reason="Better.")
    assert decision.after is not None
    return decision.after


def statuses() -> dict[str, str]:
    return dict(Adapter.objects.values_list("name", "status"))


def held(server: ModelServer) -> bool:
    with urllib.request.urlopen(f"{server.url}/models", timeout=10) as answer:  # noqa: S310  # our own server
        return b"generation-1" in answer.read()


def test_new_deals_meet_the_new_model_and_old_ones_end_on_theirs(
    dataset: Dataset, tiny_model: Path, admin: User, server: ModelServer, willing: User
) -> None:
    promoted(dataset, tiny_model, "first", admin)
    assert serve() == 1
    choice = voices()[-1]
    assert (choice.model, choice.certificate) == ("generation-1", "/generations/1/")
    assert choice.rating is not None
    under_way = game_create(
        player=willing, scenario="saas_enterprise", persona="diplomat", seat="seller",
        opponent=Game.Opponent.NEGOTIATOR, opponent_model="generation-1",
    )  # fmt: skip
    second = promoted(dataset, tiny_model, "second", admin)
    assert serve() == 1
    assert statuses() == {"generation-1": "loaded", "generation-2": "offered"}
    assert [adapter.name for adapter in offered()] == ["generation-2"]
    assert serve() == 0
    assert held(server), "its deal is not over"
    Game.objects.filter(pk=under_way.pk).update(status=Game.Status.ABANDONED)
    serve()
    assert statuses() == {"generation-1": "retired", "generation-2": "offered"}
    assert not held(server)
    services.champion_roll_back(champion=second, by=admin, reason="Too hard.")
    assert serve() == 1
    assert statuses() == {"generation-1": "offered", "generation-2": "loaded"}
    serve()
    assert statuses() == {"generation-1": "offered", "generation-2": "retired"}


def test_a_server_killed_while_a_model_is_promoted_gets_it_once_it_is_back(
    dataset: Dataset, tiny_model: Path, admin: User, server: ModelServer
) -> None:
    server.kill()
    promoted(dataset, tiny_model, "first", admin)
    assert serve() == 0
    assert statuses() == {"generation-1": "new"}
    server.start()
    assert serve() == 1
    assert statuses() == {"generation-1": "offered"}
    assert Generation.objects.count() == 1
    assert files.path_of("models").is_dir()


def test_the_champion_plays_a_finished_deal_from_the_players_chair(
    dataset: Dataset, tiny_model: Path, admin: User, server: ModelServer, over: Game
) -> None:
    promoted(dataset, tiny_model, "first", admin)
    assert serve() == 1
    asked = champion.replay_request(game=over)
    assert asked is not None
    assert owed.do(champion.REPLAY, asked.pk)
    asked.refresh_from_db()
    assert (asked.state, asked.model, asked.title) == ("done", "generation-1", "Generation 1")
    assert asked.data is not None
    assert 0 <= asked.data["efficiency"] <= 1
    moves = [line["player"] for line in asked.data["lines"] if line["player"]]
    assert 1 <= len(moves) <= over.horizon
    assert asked.stand_ins < len(moves)
    assert not owed.do(champion.REPLAY, asked.pk)
