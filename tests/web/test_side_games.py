"""The house stands without any of its side games: it starts, a deal is played, no page misses what is not there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from parlay_web.env import SIDE_GAMES
from tests import database
from tests.servers import ROOT

HOUSE = """
import json, uuid, django
django.setup()
from django.core.management import call_command
from django.test import Client
from django.urls import NoReverseMatch, reverse
call_command("check", fail_level="WARNING")
call_command("migrate", verbosity=0)
from accounts.models import Team
from accounts.services import membership_set, user_create
from coaching.room import leaving, mydata, retention
from negotiation.answering import answer_at_once
from negotiation.messages import ActData
from negotiation.services import game_create, game_walk_away, turn_submit
from negotiation.table import kinds
import parlay_web.asgi, parlay_web.celery

rep = user_create(email="rep@example.com", password="correct horse")
team = Team.objects.create(name="Field")
membership_set(user=rep, team=team, role="manager")
game = game_create(player=rep, team=team, scenario="saas_enterprise", persona="shark", seat="seller")
words = ActData("Where do you stand?", 180000.0, None, None, None, None, None, confirmed=True)
turn_submit(game_id=game.pk, player=rep, action_id=uuid.uuid4(), act=words)
answer_at_once(game.pk)
game_walk_away(game_id=game.pk, player=rep, action_id=uuid.uuid4())
answer_at_once(game.pk)
client = Client()
client.force_login(rep, backend="allauth.account.auth_backends.AuthenticationBackend")
pages = ["/", "/deals/new/", f"/deals/{game.pk}/debrief/", "/progress/", "/account/privacy/", "/team/", "/admin/"]
found = {page.replace(str(game.pk), "ID"): client.get(page, follow=True).status_code for page in pages}
found["archive"] = len(mydata.archive_of(rep)) > 500
retention.purge()
client.logout()
leaving.account_delete(user=user_create(email="gone@example.com", password="correct horse"))
doors = {}
for door in ("coalition-new", "pair-new", "board-games", "small-games"):
    try:
        doors[door] = reverse(door)
    except NoReverseMatch:
        doors[door] = ""
print(json.dumps({"kinds": [kind.name for kind in kinds.every()], "pages": found, "doors": doors}))
"""
KIND = {"coalitions": "coalition", "pairs": "pair", "diplomacy": "diplomacy", "smallgames": "small"}
DOOR = {
    "coalitions": "coalition-new",
    "pairs": "pair-new",
    "diplomacy": "board-games",
    "smallgames": "small-games",
}


@pytest.mark.slow
@pytest.mark.parametrize("without", [*SIDE_GAMES, "all of them"])
def test_the_house_stands_without(without: str, tmp_path: Path) -> None:
    left = [game for game in SIDE_GAMES if without not in (game, "all of them")]
    if left:  # a house that had the game once; without any of them it begins with nothing
        database.copy_to(tmp_path / "parlay.sqlite3")
    environment = {
        **os.environ,
        "PARLAY_VAR": str(tmp_path),
        "PARLAY_SIDE_GAMES": ",".join(left) or "none",
        "DJANGO_SETTINGS_MODULE": "parlay_web.settings.dev",
        "SECRET_KEY": "not secret",
        "DATABASE_URL": "",
        "ALLOWED_HOSTS": "testserver",
    }
    done = subprocess.run(
        [sys.executable, "-c", HOUSE], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr[-3000:]
    house = json.loads(done.stdout.splitlines()[-1])
    assert house["kinds"] == ["deal", *(KIND[game] for game in left)]
    assert {name for name, url in house["doors"].items() if url} == {DOOR[game] for game in left}
    assert house["pages"].pop("/admin/") == 403
    assert house["pages"].pop("archive") is True
    assert set(house["pages"].values()) == {200}, house["pages"]


def test_a_game_that_there_is_not_stops_the_start() -> None:
    environment = {**os.environ, "PARLAY_SIDE_GAMES": "poker", "SECRET_KEY": "x"}
    done = subprocess.run(
        [sys.executable, "manage.py", "check"], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert done.returncode != 0
    assert "PARLAY_SIDE_GAMES" in done.stderr
