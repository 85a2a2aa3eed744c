"""A deal that was begun under another law of the personas goes on where it stood, and a finished one can be tried again."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import models

from negotiation import sessions
from negotiation.engine.deal.law import LAW
from negotiation.models import Event, Game
from negotiation.services import game_branch
from negotiation.table.errors import LogDiverged
from tests.web.moves import act, resolve, submit

pytestmark = pytest.mark.django_db(transaction=True)


def written(game: Game, kind: str, turn: int | None = None) -> Event:
    rows = Event.objects.filter(game=game, type=kind)
    return (rows if turn is None else rows.filter(data__turn=turn)).get()


def rewrite(row: Event, data: dict[str, Any]) -> None:
    """As a law of before would have had it: logs are append-only for everybody else."""
    models.QuerySet(Event).filter(pk=row.pk).update(data=data)


def decided_otherwise(game: Game, law: int | None) -> float:
    """A turn whose answer the persona of today would not give, in a log of ``law``."""
    submit(game, act())
    resolve(game)
    answer = written(game, "opponent_moved", 1)
    offer = float(answer.data["offer"]) + 3_000.0
    claim = {"card": "batna_reveal", "claim": offer + 20_000.0}
    rewrite(answer, {**answer.data, **claim, "offer": offer})
    start = written(game, "game_started")
    told = {key: value for key, value in start.data.items() if key != "law"}
    rewrite(start, told if law is None else {**told, "law": law})
    sessions.kept.forget_all()
    game.refresh_from_db()
    return offer


@pytest.mark.parametrize("law", [None, LAW - 1], ids=["no number", "another number"])
def test_what_another_law_decided_stands_and_the_deal_goes_on(game: Game, law: int | None) -> None:
    offer = decided_otherwise(game, law)
    table = sessions.rebuild(game)
    assert table.observe().standing_offer == offer
    assert table.observe().open_claim == offer + 20_000.0
    submit(game, act(178_000.0, text="And what else?"))
    assert resolve(game)
    game.refresh_from_db()
    sessions.kept.forget_all()
    assert sessions.rebuild(game).turn == 3


def test_what_this_law_decided_must_be_decided_so_again(game: Game) -> None:
    decided_otherwise(game, LAW)
    with pytest.raises(LogDiverged):
        sessions.rebuild(game)


def test_a_deal_of_before_can_be_tried_again(over: Game) -> None:
    start = written(over, "game_started")
    rewrite(start, {key: value for key, value in start.data.items() if key != "law"})
    branch = game_branch(parent=over, turn=2)
    assert submit(branch, act(175_000.0, text="Once more."))
    assert resolve(branch)


def test_a_new_game_keeps_the_law_that_it_is_played_by(game: Game) -> None:
    assert written(game, "game_started").data["law"] == LAW
