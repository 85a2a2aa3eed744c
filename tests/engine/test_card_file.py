"""A card is added by its one module: played by both minds, priced, heard and said, tried by the coach, shown on the page.

The house is copied without its data, the module is put beside the others, and what follows runs in a process of its own.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from typing import Any

import pytest

from tests.servers import ROOT

# Of the cards that ship, everything here is told by quick tests; this one costs a copy of the house and a process.
pytestmark = pytest.mark.slow

MODULE = '''
"""A card of this test alone: a walk round the building moves the impatient, and a warm persona suggests one."""

from negotiation.engine.cards.base import Card, Coaching, Habit, Nature, Number, Pressed


def _presses(at: Pressed[Number]) -> Number | float:
    return 0.20 * at.scale * at.impatience * at.worn


def _chance(nature: Nature, warmth: float) -> float:
    return 0.9 * (1 - nature.aggression)


CARD = Card(
    id="walk_round", order=7, title="A walk", cost=7, limit=3, does="A walk cools.", hint="Walk and talk.",
    theory="A test of this house.",
    heat=-5.0, their_heat=-4.0, trust=0.05, presses=_presses, wears_off=0.5,
    habit=Habit(rank=5, draw="give", chance=_chance, from_turn=2),
    coaching=Coaching(step=0.0, say="{offer} and suggest a walk", why="Air helps.", skill="tension", mark="walk_unused"),
    told="Suggest a walk.", said=("Shall we walk a little while we talk about it?",), heard=("A walk, then. Gladly.",),
)
'''
PLAYED = """
import json
import numpy as np
from bench.reps import Skills, play
from coaching.analysis.review import read_played, review
from coaching.analysis.review.candidates import _CARD_STEPS
from negotiation.engine.deal import CARDS, Action, ActionRefused, Negotiation, personas, scenarios
from negotiation.engine.deal.batch.moves import CARD_IDS
from negotiation.engine.language.types import TACTICS
from negotiation.engine.personas import folders
from negotiation.opponents.brief import brief
from negotiation.opponents.protocol.shape import shape_of
from negotiation.public import card_shown
from tests.engine.test_batch import play_side_by_side

told = {"ids": list(CARD_IDS), "shown": card_shown(CARDS["walk_round"]), "tactic": "walk_round" in TACTICS}
for persona in folders():
    play_side_by_side("saas_enterprise", persona, "seller", 0.5, True)
asked = {}
for card in (None, "walk_round"):
    game = Negotiation("saas_enterprise", "shark", "seller", 4)
    for turn in range(4):
        played = card if turn in (1, 2) else None
        step = game.step(Action(text=f"Our case, point {turn}.", offer=180_000 - 9_000 * turn, card=played))
        if turn == 1:
            told["points_" + str(card)] = step.observation.credibility_points
            told["tension_" + str(card)] = step.observation.tension
            asked["heard_" + str(card)] = step.reply.text
    asked[str(card)] = step.observation.standing_offer
told |= asked
game = Negotiation("saas_enterprise", "shark", "seller", 4)
refused = []
for turn in range(4):
    try:
        game.step(Action(text=f"Again {turn}.", offer=180_000 - turn, card="walk_round"))
    except ActionRefused as no:
        refused.append((turn, no.code))
told["refused"] = refused
said = 0
for seed in range(6):
    game = Negotiation("saas_enterprise", "diplomat", "seller", seed)
    while not game.done and game.turn < 6:
        reply = game.step(Action(text=f"Let us see, {game.turn}.", offer=190_000 - game.turn)).reply
        if reply.card == "walk_round":
            said += "Shall we walk" in reply.text
            chat = brief(game.speech, game.observe(), personas()["diplomat"], scenarios()["saas_enterprise"])
            told["brief"] = chat[1]["content"]
told["said"] = said
told["shape"] = list(shape_of(game.observe(), scenarios()["saas_enterprise"]).cards)
told["coached"] = _CARD_STEPS["walk_round"]
_, frames = play(scenarios()["saas_enterprise"], "diplomat", "seller", 3, Skills())
told["reviewed"] = len(review(read_played(frames, scenarios()["saas_enterprise"]))["moves"])
print(json.dumps(told))
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the copied house says of the card."""
    house = tmp_path_factory.mktemp("house")
    for room in ("negotiation", "coaching", "accounts", "bench", "tests", "parlay_web"):
        shutil.copytree(
            ROOT / room,
            house / room,
            ignore=shutil.ignore_patterns("__pycache__", "results", "*.jsonl", "browser"),
        )
    (house / "negotiation/engine/cards/walk_round.py").write_text(MODULE)
    environment = {
        **os.environ,
        "PYTHONPATH": str(house),
        "DJANGO_SETTINGS_MODULE": "parlay_web.settings.test",
    }
    ran = subprocess.run(
        [sys.executable, "-c", PLAYED],
        cwd=house,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr[-3000:]
    found: dict[str, Any] = json.loads(ran.stdout.splitlines()[-1])
    return found


def test_it_stands_in_the_hand_and_on_the_page(told: dict[str, Any]) -> None:
    assert told["ids"][-1] == "walk_round"
    assert told["shown"]["title"] == "A walk"
    assert told["shown"]["cost"] == 7
    assert set(told["shown"]) == {"id", "title", "cost", "does", "hint", "theory", "limit", "needs_offer"}


def test_the_rules_price_and_limit_it_and_it_cools_the_room(told: dict[str, Any]) -> None:
    assert told["points_None"] == 100
    assert told["points_walk_round"] == 100 - 7 + 5, "five come back with every turn"
    assert told["tension_walk_round"] < told["tension_None"]
    assert told["refused"] == [[3, "card_spent"]]


def test_both_minds_gave_the_same_games_and_it_moves_the_impatient(told: dict[str, Any]) -> None:
    """Game for game equal, or the copied house would have said so; the Shark pays more to a seller who walks."""
    assert told["walk_round"] > told["None"]


def test_any_voice_says_and_hears_it_and_a_model_is_told(told: dict[str, Any]) -> None:
    assert told["said"] > 0
    assert "A walk, then. Gladly." in told["heard_walk_round"]
    assert "Suggest a walk." in told["brief"]
    assert "walk_round" in told["shape"]
    assert told["tactic"]


def test_the_coach_tries_it(told: dict[str, Any]) -> None:
    assert told["coached"] == 0.0
    assert told["reviewed"] > 3
