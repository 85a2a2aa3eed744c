"""Their side of a reviewed deal, on demand: what was so on each turn, and what the player's offers told of its own limit."""

from __future__ import annotations

import json
import re

import pytest
from django.test import Client

from accounts.models import User
from coaching.analysis.debrief import debrief
from coaching.analysis.finished_log import FinishedLog
from coaching.debriefs.their_side import TheirSide, their_side
from negotiation.kind import DEALS
from negotiation.models import Game, Redaction
from negotiation.selectors import frames_after
from negotiation.table.forgetting import redact
from tests.practice import give_away, play_out

pytestmark = pytest.mark.django_db(transaction=True)


def sides(game: Game) -> tuple[FinishedLog, list[TheirSide]]:
    frames = frames_after(game.pk, 0, "coach")
    log = FinishedLog(frames, None)
    return log, their_side(log, debrief(frames))


def test_each_turn_has_their_truth_as_it_stood_while_it_was_played(rep: User) -> None:
    log, found = sides(give_away(rep))
    assert [side["turn"] for side in found] == sorted(log.player)
    for side in found:
        truth = log.truth_before(side["turn"])["opponent"]
        assert side["limit"] == truth["walk_away"]
        assert side["urgency"] == truth["urgency"]
        assert side["alternative"] == truth["has_alternative"]


@pytest.mark.parametrize(
    ("seat", "scenario"), [("seller", "saas_enterprise"), ("buyer", "procurement_hardware")]
)
def test_what_offers_told_comes_from_the_first_offer_on_and_moves_with_them(
    rep: User, seat: str, scenario: str
) -> None:
    log, found = sides(play_out(rep, seed=3, scenario=scenario, seat=seat, strategy="linear"))
    first = min(turn for turn, move in log.player.items() if move["offer"] is not None)
    assert all((side["yours"] is None) == (side["turn"] < first) for side in found)
    told = [side["yours"] for side in found if side["yours"] is not None]
    assert all(guess["low"] < guess["high"] for guess in told)
    middles = [(guess["low"] + guess["high"]) / 2 for guess in told]
    gave_way = middles[-1] < middles[0] if seat == "seller" else middles[-1] > middles[0]
    assert gave_way, "who concedes lets a weaker limit be seen"


def test_a_deal_without_words_shows_its_figures_and_offers_no_way_back(client: Client, rep: User) -> None:
    game = give_away(rep)
    redact(DEALS, game.pk, reason=Redaction.Reason.REQUEST, by=rep)
    client.force_login(rep)
    page = client.get(f"/deals/{game.pk}/moves/").content.decode()
    assert "data-wordless" in page
    assert "data-retry" not in page
    found = re.search(r'<script id="theirs" type="application/json">(.*?)</script>', page)
    assert found is not None
    assert len(json.loads(found[1])) == game.turns
