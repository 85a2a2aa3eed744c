"""The debrief in words: its five rules, over whole deals as people play them."""

from __future__ import annotations

import re
from typing import Any

import pytest

from accounts.models import User
from coaching.analysis.review.lessons import BY_ID
from coaching.analysis.story import NO_ROOM, Story, story
from coaching.analysis.wording import spoken
from coaching.cases.pages import lessons_of
from coaching.selectors import debrief_of
from negotiation import catalogue
from negotiation.engine.deal import scenarios
from negotiation.models import Game
from negotiation.selectors import snapshot_of
from tests.practice import give_away, play_out, review_now
from tests.web.test_debrief_rewrites import best, facts, move

pytestmark = pytest.mark.django_db(transaction=True)


def told(game: Game) -> Story:
    found: Story = lessons_of(game, debrief_of(game), snapshot_of(game.pk, "coach")["transcript"])["story"]
    return found


def test_before_the_review_there_is_the_ending_and_nothing_is_decided_or_praised(rep: User) -> None:
    said = told(give_away(rep))
    assert said["ended"][0].startswith(("You closed with", "No deal."))
    assert (said["reviewed"], said["decided"], said["next"], said["kept"]) == (False, None, None, [])


def test_a_deal_given_away_is_told_by_one_turn_one_act_and_one_line(rep: User, signed_in: Any) -> None:
    game = give_away(rep)
    review_now(game)
    said = told(game)
    assert said["decided"] is not None
    assert said["next"] is not None
    assert said["decided"]["text"]
    assert said["next"]["act"] in {spoken(lesson.act) for lesson in BY_ID.values()}
    page = signed_in(rep).get(f"/deals/{game.pk}/debrief/").content.decode()
    assert f'data-testid="costliest-turn">Turn {said["decided"]["turn"]} ' in page
    assert f"Play on from turn {said['decided']['turn']}" in page
    assert said["next"]["act"] in page


@pytest.mark.slow
@pytest.mark.parametrize(
    ("strategy", "scenario", "persona"),
    [
        pytest.param("linear", "saas_enterprise", "shark", marks=pytest.mark.thorough),
        ("conceder", "procurement_hardware", "diplomat"),
        pytest.param("stonewaller", "hiring_package", "auditor", marks=pytest.mark.thorough),
        pytest.param("expert", "software_licensing", "veteran", marks=pytest.mark.thorough),
    ],
)
def test_figures_of_the_story_are_those_of_the_debrief_and_in_steps_of_the_deal(
    rep: User, strategy: str, scenario: str, persona: str
) -> None:
    game = play_out(rep, seed=901, strategy=strategy, scenario=scenario, persona=persona)
    review_now(game)
    debriefed, said = debrief_of(game), told(game)
    text = " ".join(said["ended"])
    assert not re.search(r"\d\.\d\d\b", text), "no cents"
    head = debriefed["headline"]
    if head["deal"]:
        assert f"{head['price']:,.0f}" in text
    else:
        assert "No deal." in text
    step = catalogue.for_game(game).step
    if said["decided"] is not None and said["decided"]["cost"] is not None:
        assert said["decided"]["cost"] % step == 0


def reviewed(*moves: dict[str, Any], regret: float = 0.0) -> dict[str, Any]:
    return {"moves": list(moves), "regret": regret}


def test_where_no_price_suited_both_only_what_is_grave_is_told() -> None:
    debriefed = facts()
    head = {
        **debriefed["headline"],
        "zone_existed": False,
        "deal": False,
        "reason": "player_walked",
        "turns": 3,
    }
    hopeless = {**debriefed, "headline": head}
    scenario = scenarios()["saas_enterprise"]
    calm = story(hopeless, reviewed(move(2, "gave_most", 0.3, "blunder")), scenario, "Ruth")
    assert (calm["decided"], calm["nothing"]) == (None, NO_ROOM)
    rude = story(hopeless, reviewed(move(2, "insulted", 0.0, None)), scenario, "Ruth")
    assert rude["decided"] is not None


def test_a_share_far_above_the_experts_despite_faults_is_called_luck() -> None:
    debriefed = facts()
    head = {
        **debriefed["headline"],
        "deal": True,
        "efficiency": 0.9,
        "price": 150_000.0,
        "floor_breached": False,
    }
    lucky = {**debriefed, "headline": {**head, "sums": None, "further": None}}
    scenario, faults = (
        scenarios()["saas_enterprise"],
        reviewed(move(2, "gave_most", 0.3, "blunder"), regret=0.3),
    )
    assert "luck" in story(lucky, faults, scenario, "Ruth", {"efficiency": 0.4})["luck"]
    assert story(lucky, faults, scenario, "Ruth", {"efficiency": 0.85})["luck"] == ""
    assert story(lucky, reviewed(best(2)), scenario, "Ruth", {"efficiency": 0.4})["luck"] == ""
