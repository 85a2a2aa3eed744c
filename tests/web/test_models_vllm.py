"""Adapters on a real vLLM server: loaded, warmed up, offered, swapped in place, refused, restored."""

from __future__ import annotations

import io
import json
import shutil
import urllib.request
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.test import Client

from accounts.models import User
from negotiation.answering import turn_resolve
from negotiation.models import Game
from negotiation.services import game_create, game_walk_away
from negotiation.serving import health, server, services
from negotiation.serving.models import Adapter
from negotiation.serving.services import AdapterBusy
from negotiation.table.threads import in_database
from tests.servers import ModelServer, make_tiny

pytestmark = [pytest.mark.vllm, pytest.mark.django_db(transaction=True), pytest.mark.timeout(300)]

Status = Adapter.Status


@pytest.fixture(autouse=True)
def served(model_server: ModelServer, settings: Any) -> Iterator[None]:
    settings.MODEL_URL, settings.MODEL_NAME = model_server.url, model_server.name
    health.look(max_age=0)
    yield
    settings.MODEL_URL = model_server.url
    for model in server.models():
        if model.parent:
            server.unload(model.name)


async def register(name: str, folder: Path, title: str = "") -> Adapter:
    return await in_database(services.adapter_register, name=name, title=title or name, path=str(folder))


async def test_an_adapter_is_checked_loaded_and_warm_before_it_is_offered(tiny_model: Path) -> None:
    adapter = await register("first", tiny_model / "first")
    with pytest.raises(AdapterBusy, match="not loaded"):
        await in_database(services.adapter_offer, adapter_id=adapter.pk, offer=True)
    loaded = await services.adapter_load(adapter_id=adapter.pk)
    assert (loaded.status, loaded.rank, loaded.reason) == (Status.LOADED, 8, "")
    assert loaded.base == str(tiny_model / "model")
    assert len(loaded.sha256) == 64
    assert loaded.warm_up_ms is not None
    assert "first" in {model.name for model in server.models()}
    offered = await in_database(services.adapter_offer, adapter_id=adapter.pk, offer=True)
    assert offered.status == Status.OFFERED


async def test_new_weights_under_the_same_name_are_taken_in_place(tiny_model: Path, tmp_path: Path) -> None:
    folder = tmp_path / "changing"
    shutil.copytree(tiny_model / "first", folder)
    adapter = await register("changing", folder)
    before = await services.adapter_load(adapter_id=adapter.pk, offer=True)
    first_words = say("changing")
    shutil.copy(tiny_model / "second" / "adapter_model.safetensors", folder / "adapter_model.safetensors")
    after = await services.adapter_load(adapter_id=adapter.pk)
    assert after.status == Status.OFFERED, "who was offered stays offered"
    assert after.sha256 != before.sha256
    assert say("changing") != first_words


def say(model: str) -> str:
    """What a model answers when it takes the likeliest word each time."""
    asked = {
        "model": model,
        "messages": [{"role": "user", "content": "Good morning."}],
        "max_tokens": 24,
        "temperature": 0,
    }
    request = urllib.request.Request(  # noqa: S310
        f"{settings.MODEL_URL}/chat/completions",
        data=json.dumps(asked).encode(),
        headers={"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=20) as answer:  # noqa: S310
        return str(json.load(answer)["choices"][0]["message"]["content"])


async def test_an_adapter_of_another_base_never_reaches_the_server(tiny_model: Path, tmp_path: Path) -> None:
    make_tiny(tmp_path / "other", tmp_path / "theirs", seed=9)
    adapter = await register("theirs", tmp_path / "theirs")
    failed = await services.adapter_load(adapter_id=adapter.pk, offer=True)
    assert failed.status == Status.FAILED
    assert "made for" in failed.reason
    assert "theirs" not in {model.name for model in server.models()}


async def test_what_the_server_itself_refuses_is_told_in_its_words(tiny_model: Path, tmp_path: Path) -> None:
    make_tiny(tiny_model / "model", tmp_path / "wide", rank=64)
    adapter = await register("wide", tmp_path / "wide")
    failed = await services.adapter_load(adapter_id=adapter.pk)
    assert failed.status == Status.FAILED
    assert failed.reason == "LoRA rank 64 is greater than max_lora_rank 16"


async def test_nobody_is_left_alone_at_a_table(tiny_model: Path, rep: User) -> None:
    adapter = await register("first", tiny_model / "first")
    await services.adapter_load(adapter_id=adapter.pk, offer=True)
    game = await in_database(deal_with, rep, "first")
    with pytest.raises(AdapterBusy, match="A deal is under way with first"):
        await services.adapter_unload(adapter_id=adapter.pk)
    await in_database(game_walk_away, game_id=game.id, player=rep, action_id=uuid.uuid4())
    assert await turn_resolve(game_id=game.id)
    retired = await services.adapter_unload(adapter_id=adapter.pk)
    assert retired.status == Status.RETIRED
    assert "first" not in {model.name for model in server.models()}


def deal_with(player: User, name: str) -> Game:
    return game_create(
        player=player,
        scenario="saas_enterprise",
        persona="diplomat",
        seat="seller",
        opponent="negotiator",
        opponent_model=name,
    )


async def test_what_a_restart_lost_comes_back_by_itself(tiny_model: Path) -> None:
    adapter = await register("first", tiny_model / "first")
    await services.adapter_load(adapter_id=adapter.pk, offer=True)
    server.unload("first")  # as a restart does
    assert await services.adapters_restore() == 1
    assert "first" in {model.name for model in server.models()}
    assert await services.adapters_restore() == 0
    await in_database(adapter.refresh_from_db)
    assert adapter.status == Status.OFFERED


def test_staff_do_all_of_it_on_the_page(tiny_model: Path, admin_user: User, rep: User) -> None:
    staff, player = Client(), Client()
    staff.force_login(admin_user)
    player.force_login(rep)
    sent = {
        "name": "first",
        "title": "First generation",
        "path": str(tiny_model / "first"),
        "offer": "1",
    }
    page = staff.post("/models/adapters/", sent, follow=True).content.decode()
    assert "first is loaded and warm." in page
    assert 'data-status="offered"' in page
    assert 'data-state="up"' in page
    health.look(max_age=0)
    assert "First generation" in player.get("/deals/new/").content.decode()
    adapter = Adapter.objects.get(name="first")
    for action, status in (("withdraw", "loaded"), ("load", "loaded"), ("unload", "retired")):
        page = staff.post(f"/models/adapters/{adapter.pk}/{action}/", follow=True).content.decode()
        assert f'data-status="{status}"' in page
    refused = staff.post("/models/adapters/", {**sent, "path": "relative", "name": "Not a Name"})
    assert refused.status_code == 422
    assert "Give the whole path" in refused.content.decode()
    assert staff.post("/models/adapters/999/load/").status_code == 404


def test_operators_do_all_of_it_from_the_command_line(tiny_model: Path) -> None:
    def told(*arguments: str) -> Any:
        out = io.StringIO()
        call_command("adapters", *arguments, "--json", stdout=out)
        return json.loads(out.getvalue())

    loaded = told("load", str(tiny_model / "first"), "--name", "first", "--offer")
    assert (loaded["name"], loaded["status"]) == ("first", "offered")
    assert told("list")["adapters"][0]["base"] == str(tiny_model / "model")
    assert told("restore") == {"restored": 0}
    assert told("unload", "--name", "first")["status"] == "retired"
    for wrong, named in (
        (("load", str(tiny_model), "--name", "Not a name"), "--name"),
        (("load", "--name", "first"), "folder"),
        (("unload", "--name", "nobody"), "nobody"),
    ):
        with pytest.raises(CommandError, match=named) as refused:
            told(*wrong)
        assert refused.value.returncode == 2


async def test_a_server_that_is_away_changes_nothing_about_an_adapter(
    tiny_model: Path, settings: Any
) -> None:
    adapter = await register("first", tiny_model / "first")
    settings.MODEL_URL = "http://127.0.0.1:9/v1"
    with pytest.raises(AdapterBusy, match="the server does not answer"):
        await services.adapter_load(adapter_id=adapter.pk)
    await in_database(adapter.refresh_from_db)
    assert adapter.status == Status.NEW
    assert not health.look(max_age=0).answers
