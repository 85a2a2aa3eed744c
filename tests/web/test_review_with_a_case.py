"""The review of a deal with a case: the opponents that it imagines hear what was said, and are weighed by what they told."""

from __future__ import annotations

from dataclasses import replace

from accounts.models import User
from coaching.analysis.review import read_played
from coaching.analysis.review.information import InformationSet
from negotiation import record
from negotiation.engine.deal import Negotiation, scenarios
from negotiation.engine.deal.case.file import cases
from negotiation.engine.deal.case.rules import Record
from negotiation.engine.deal.case.state import ToldFact
from negotiation.engine.deal.discoverer import Discoverer
from negotiation.engine.deal.streams import stream
from negotiation.events import redact
from negotiation.models import Game
from tests.effort import few


def test_a_deal_with_a_case_is_reviewed_by_opponents_that_hear_and_doubt() -> None:
    """The opponents that could have been there are led through what was said, and what they told tells them apart."""
    scenario, case = scenarios()["saas_enterprise"], cases()["saas_enterprise"]
    table = Negotiation(scenario, "veteran", "seller", 11, case=True, speak=False)
    game = Game(scenario=scenario.id, persona="veteran", seat="seller", difficulty=0.5, horizon=20)
    game.player = User(email="rep@example.com", display_name="Robin")
    rows = list(record.started(game, table))
    player = Discoverer()
    player.told(scenario)
    while not table.done and table.turn < few(4, 9):
        turn = table.turn
        action = record.bound(player.act(table.observe(), stream(11, "player", turn)), table.observe())
        rows.append(("player_moved", record.player_moved(turn, action, "")))
        rows += record.answered(table, turn, action)
    frames = [
        redact(seq=seq, kind=kind, data=data, role="player") for seq, (kind, data) in enumerate(rows, 1)
    ]
    played = read_played(frames, scenario, case)
    known = InformationSet(played)
    alone = InformationSet(played)
    for each in played.turns:
        known.follow(each)
        alone.follow(replace(each, record=Record()))
    told = table.observe().told
    assert told
    assert known.batch.table.talks is not None
    said = known.batch.table.talks.said[0]
    assert {each.id for each in said.told} == {each.id for each in told}, (
        "every opponent has told what was told"
    )
    fact = next(each for each in told if each.high is not None)
    assert belief(known, fact) > belief(alone, fact), "what was told is taken to be more likely so"


def belief(opponents: InformationSet, fact: ToldFact) -> float:
    """How likely the opponents that could be across, by their weights, say of this fact what was said."""
    table = opponents.batch.table
    assert table.talks is not None
    says = table.talks.likelihood(table.truths, fact.id, fact.high is True, 0.5, is_named=False)
    return float(says @ opponents.weights())
