"""A deal taken away as CSV: a line a turn, nothing that runs, no better move before it was tried."""

from __future__ import annotations

import csv
import io
import uuid
from collections.abc import Callable

import pytest
from django.test import Client

from accounts.models import User
from coaching.reviews.services import REVIEW, review_request
from coaching.turns import COLUMNS
from negotiation.models import Game
from negotiation.services import game_create, game_walk_away
from owed import services as owed
from tests.web.moves import act, resolve, submit

pytestmark = pytest.mark.django_db(transaction=True)
SignIn = Callable[[User], Client]


@pytest.fixture
def sly(rep: User) -> Game:
    """A deal whose words would run in a spreadsheet."""
    game = game_create(player=rep, scenario="saas_enterprise", persona="shark", seat="seller", seed=11)
    for offer, text in ((170_000.0, '=HYPERLINK("http://x.example")'), (150_000.0, "We can do 150.")):
        submit(game, act(offer, text=text, confirmed=True))
        resolve(game)
    game_walk_away(game_id=game.id, player=rep, action_id=uuid.uuid4())
    resolve(game)
    game.refresh_from_db()
    return game


def taken(client: Client, game: Game) -> list[dict[str, str]]:
    answer = client.get(f"/deals/{game.pk}/debrief/turns.csv")
    assert answer.status_code == 200
    assert answer.headers["Content-Disposition"].startswith("attachment;")
    text = b"".join(answer.streaming_content).decode()  # type: ignore[attr-defined]
    return list(csv.DictReader(io.StringIO(text.lstrip("\ufeff"))))


def test_each_turn_has_its_line_and_nothing_in_it_runs(sly: Game, signed_in: SignIn) -> None:
    rows = taken(signed_in(sly.player), sly)
    assert list(rows[0]) == list(COLUMNS)
    assert [row["turn"] for row in rows] == ["0", "1", "2", "3"]
    assert rows[1]["you said"].startswith("'=HYPERLINK")
    assert float(rows[1]["your offer"]) == 170_000
    assert rows[3]["you said"] == "(walks away)"
    assert all(not cell.startswith(("=", "+", "@")) for row in rows for cell in row.values())


def test_verdicts_come_with_the_review_and_better_moves_do_not(sly: Game, signed_in: SignIn) -> None:
    client = signed_in(sly.player)
    assert {row["verdict"] for row in taken(client, sly)} == {""}
    asked = review_request(game=sly)
    assert asked is not None
    owed.do(REVIEW, asked.pk)
    asked.refresh_from_db()
    assert asked.data is not None
    rows = {row["turn"]: row for row in taken(client, sly)}
    for move in asked.data["moves"]:
        row = rows[str(move["turn"])]
        assert row["verdict"] == (move["label"] or "")
        if move["better"] is not None:
            assert move["better"]["text"] not in row.values()


def test_a_live_deal_is_not_given_away(rep: User, signed_in: SignIn) -> None:
    game = game_create(player=rep, scenario="saas_enterprise", persona="shark", seat="seller", seed=11)
    assert signed_in(rep).get(f"/deals/{game.pk}/debrief/turns.csv").status_code == 404
