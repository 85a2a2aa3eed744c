"""With no model server configured nothing of models is loaded, offered or asked."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from django.test import Client

from accounts.models import User
from negotiation.services import game_create
from negotiation.table.errors import MoveRefused
from tests import database
from tests.servers import ROOT

HEAVY = ("openai", "httpx", "httpx2", "vllm", "torch", "transformers", "peft", "openenv")
WALK = f"""
import django, sys
import parlay_web.asgi, parlay_web.urls, parlay_web.celery
from django.test import Client
from accounts.services import user_create
from negotiation.answering import turn_resolve
from negotiation.services import game_create, turn_submit
from negotiation.messages import parse_act
import asyncio, uuid
rep = user_create(email="rep@example.com", password="correct horse")
client = Client(HTTP_HOST="localhost"); client.force_login(rep)
assert client.get("/deals/new/").status_code == 200
game = game_create(player=rep, scenario="saas_enterprise", persona="shark", seat="seller")
turn_submit(game_id=game.id, player=rep, action_id=uuid.uuid4(), act=parse_act({{"text": "Hello"}}))
assert asyncio.run(turn_resolve(game_id=game.id))
assert client.get(f"/deals/{{game.id}}/").status_code == 200
print([name for name in {HEAVY!r} if name in sys.modules])
"""


@pytest.mark.slow
def test_a_process_that_plays_a_turn_has_loaded_none_of_it(tmp_path: Path) -> None:
    database.copy_to(tmp_path / "parlay.sqlite3")
    environment = {
        "PATH": "/usr/bin:/bin",
        "DJANGO_SETTINGS_MODULE": "parlay_web.settings.dev",
        "PARLAY_VAR": str(tmp_path),
    }
    done = subprocess.run(
        [sys.executable, "-c", WALK], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[]"


@pytest.mark.django_db
def test_a_new_deal_asks_nothing_about_voices(rep: User) -> None:
    client = Client()
    client.force_login(rep)
    page = client.get("/deals/new/").content.decode()
    assert "Who speaks for them" not in page
    assert "/models/" not in page
    refused = client.post(
        "/deals/new/",
        {
            "scenario": "saas_enterprise",
            "persona": "shark",
            "seat": "seller",
            "difficulty": "0.5",
            "voice": "narrated",
        },
    )
    assert refused.status_code == 422
    with pytest.raises(MoveRefused, match="no model"):
        game_create(
            player=rep, scenario="saas_enterprise", persona="shark", seat="seller", opponent="narrated"
        )


@pytest.mark.django_db
def test_the_page_of_the_server_says_how_to_get_one(rep: User) -> None:
    client = Client()
    assert client.get("/models/").status_code == 302
    client.force_login(rep)
    assert client.get("/models/").status_code == 403
    assert client.post("/models/adapters/1/load/").status_code == 403
    rep.is_staff = True
    rep.save()
    client.force_login(rep)
    page = client.get("/models/").content.decode()
    assert "No model server is configured" in page
    assert "MODEL_URL" in page
