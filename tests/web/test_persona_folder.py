"""A persona is added by its folder alone: it plays in both minds, speaks, is previewed, reviewed, dealt and drawn."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.template.loader import render_to_string
from django.test import Client

from accounts.models import User
from bench.reps import Skills, play
from coaching.analysis.review import read_played, review
from negotiation import scenario_preview
from negotiation.engine.coalition import CoalitionGame
from negotiation.engine.coalition.speech import pools as pools_of_three
from negotiation.engine.deal import Action, Negotiation, personas, scenarios
from negotiation.engine.language.grammar import pools
from negotiation.engine.personas import HOME, beside, folders, manner
from negotiation.models import Game
from negotiation.opponents.brief import brief
from tests.engine.test_batch import play_side_by_side

NAME = "Nils Brandt"
WORDS = "A clerk says {offer} and nothing else of note."


@pytest.fixture
def clerk(tmp_path: Path) -> Iterator[str]:
    """A persona that is nowhere but in a folder of this test: the Auditor's, with another name, mind and line."""
    folder = tmp_path / "clerk"
    shutil.copytree(HOME / "auditor", folder)
    (folder / "rating.toml").unlink(missing_ok=True)
    numbers = folder / "numbers.toml"
    told = numbers.read_text().replace("Samuel Osei", NAME).replace("order = 15", "order = 99")
    numbers.write_text(told.replace("patience = 0.70", "patience = 0.35"))
    lines = folder / "lines.toml"
    said = lines.read_text()
    first, last = said.index("[hold]\n"), said.index("[final]\n")
    lines.write_text(f'{said[:first]}[hold]\nstay = ["{WORDS}"]\n\n{said[last:]}')
    with beside(tmp_path):
        yield "clerk"


def test_it_is_there_as_long_as_its_folder_is(clerk: str) -> None:
    assert list(folders())[-1] == clerk
    assert personas()[clerk].name == NAME
    assert (personas()[clerk].voice, personas()[clerk].patience) == (clerk, 0.35)


def test_without_the_folder_nobody_knows_it() -> None:
    assert "clerk" not in personas()
    assert "clerk" not in folders()


@pytest.mark.parametrize("scenario", ["saas_enterprise", "software_licensing"])
def test_both_minds_play_it_alike(clerk: str, scenario: str) -> None:
    play_side_by_side(scenario, clerk, "seller", 0.5, True)
    play_side_by_side(scenario, clerk, "buyer", 0.9, False)


def test_it_speaks_its_own_lines_and_a_model_is_told_its_manner(clerk: str) -> None:
    game = Negotiation("saas_enterprise", clerk, "seller", 3)
    said = [
        game.step(Action(text=f"We stay here, point {turn}.", offer=190_000)).reply.text for turn in range(6)
    ]
    assert any("A clerk says" in line for line in said), said
    assert [part.text for part in pools(clerk)["hold.stay"]] == [WORDS]
    speech = game.speech
    assert speech is not None
    told = brief(speech, game.observe(), personas()[clerk], scenarios()["saas_enterprise"])
    assert NAME in told[0]["content"]
    assert manner(clerk).told in told[0]["content"]


def test_it_sits_at_a_table_of_three(clerk: str) -> None:
    game = CoalitionGame("cold_store", {"seller": clerk, "buyer_a": "shark"}, 5)
    first = game.table.entries[0]
    assert first.seat == "seller"
    stems = [re.split(r"[{]", line)[0] for pool in pools_of_three(clerk).values() for line in pool]
    assert any(stem and stem in first.text for stem in stems), first.text


def test_a_scenario_is_previewed_against_it(clerk: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scenario_preview, "ROUNDS", 1)
    told = scenario_preview.preview(scenarios()["saas_enterprise"], lambda done, total: None)
    assert any(NAME in cell["name"] for cell in told["opponents"])
    assert told["games"] == 9 * len(personas()) * 2


@pytest.mark.slow
def test_a_deal_against_it_is_reviewed(clerk: str) -> None:
    scenario = scenarios()["saas_enterprise"]
    game, frames = play(scenario, clerk, "seller", 11, Skills())
    assert game.outcome is not None
    report = review(read_played(frames, scenario))
    assert len(report["moves"]) >= game.outcome.turns - 1


def test_its_portrait_is_drawn_and_a_folder_without_one_gets_an_outline(clerk: str, tmp_path: Path) -> None:
    drawn = render_to_string("partials/portrait.html", {"persona": clerk})
    assert 'data-persona="clerk"' in drawn
    assert "#c9b98c" in drawn, "the rims of its glasses"
    outline = render_to_string("partials/portrait.html", {"persona": "nobody"})
    assert "#c9b98c" not in outline
    assert "#547263" in outline


@pytest.mark.django_db
def test_a_person_is_dealt_a_table_with_it(
    clerk: str, rep: User, signed_in: Callable[[User], Client]
) -> None:
    browser = signed_in(rep)
    page = browser.get("/deals/new/").text
    assert 'data-testid="persona-clerk"' in page
    setup = {"scenario": "saas_enterprise", "persona": clerk, "seat": "seller", "difficulty": "0.5"}
    dealt = browser.post("/deals/new/", {**setup, "voice": "strategic"})
    assert dealt.status_code == 302, dealt.text
    assert Game.objects.get(player=rep).persona == clerk
    table = browser.get(dealt["Location"]).text
    assert NAME in table
    assert "&quot;shows&quot;: 0.75" in table, "how the figure holds a chair comes with the page"
