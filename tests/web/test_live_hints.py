"""Hints for a coach: what they are read from, when each of them speaks, and in what order."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import pytest

from coaching.analysis.hints import Hint, hints
from negotiation import record
from negotiation.engine.deal import Action, Negotiation, Reply, personas
from negotiation.engine.deal.selfplay import STRATEGIES
from negotiation.engine.deal.streams import stream
from negotiation.events import redact
from negotiation.opponents import Answer

Row = tuple[Any, dict[str, Any]]
ASK = "What drives your budget?"


class Table:
    """A seller's deal with a scripted opponent, written down as the server would."""

    def __init__(self, scenario: str = "saas_enterprise", persona: str = "shark", seed: int = 7) -> None:
        self.game = Negotiation(scenario=scenario, persona=persona, seat="seller", seed=seed)
        view = self.game.observe()
        own = {"scenario": scenario, "persona": persona, "seat": "seller", "horizon": view.horizon}
        self.rows: list[Row] = [("game_started", {**own, "difficulty": 0.5, "player_name": "Robin"})]
        if self.game.opening is not None:
            self.rows.append(("opponent_moved", dict(record.opponent_moved(0, self.game.opening))))
        self.rows.append(("turn_closed", dict(record.turn_closed(view, 0))))
        self.rows.append(("turn_graded", dict(record.turn_graded(self.game, 0, (), 0.0))))

    def turn(self, offer: float | None, reply: Reply | None = None, text: str = "We can do that.") -> Table:
        view = self.game.observe()
        action = record.bound(Action(text=text, offer=offer), view)
        self.rows.append(("player_moved", dict(record.player_moved(view.turn, action, "id"))))
        told = record.answered(self.game, view.turn, action, Answer(reply=reply))
        self.rows += [(kind, dict(data)) for kind, data in told]
        return self

    def hints(self) -> list[Hint]:
        return read(self.rows, self.game)

    def standing(self) -> list[Hint]:
        """Also what was said a turn ago."""
        return read(self.rows, self.game, again=True)

    def kinds(self) -> list[str]:
        return [hint.kind for hint in self.hints()]

    def last(self, kind: str) -> dict[str, Any]:
        return next(data for name, data in reversed(self.rows) if name == kind)


def read(rows: list[Row], game: Negotiation, *, again: bool = False) -> list[Hint]:
    frames = [
        redact(seq=seq, kind=kind, data=data, role="player") for seq, (kind, data) in enumerate(rows, 1)
    ]
    posteriors = [data["posterior"] for kind, data in rows if kind == "turn_graded"]
    return hints(
        frames, posteriors[-1], game.scenario, None if again or len(posteriors) < 2 else posteriors[-2]
    )


def they(offer: float, claim: float | None = None) -> Reply:
    return Reply(text="That is where we are.", offer=offer, claim=claim)


@pytest.fixture
def table() -> Table:
    return Table()


def test_hints_never_read_hidden_truth(table: Table) -> None:
    """With every hidden figure of the log turned to nonsense, the hints are the same to the last letter."""
    table.turn(180_000, they(120_000), ASK).turn(172_000, they(123_000)).turn(168_000, they(126_000, 140_000))
    before = table.hints()
    assert before
    rows = copy.deepcopy(table.rows)
    for kind, data in rows:
        if kind == "turn_graded":
            data["truth"]["opponent"] = {"walk_away": 1.0, "urgency": 9.0, "has_alternative": None}
            data.update(open_claim_is_bluff=None, terms=[], reward=-99.0, total_reward=-99.0, hint="nonsense")
            data["truth"].update(zopa_low=0.0, zopa_high=0.0, zone=0.0, nash=0.0)
    assert read(rows, table.game) == before


def test_two_opponents_that_show_the_same_get_the_same_hints() -> None:
    """The limits differ; offers, claims and headlines are the same, and so are the hints."""

    def played(limit: float) -> list[Hint]:
        table = Table()
        truths = table.game._state.truths
        truths["buyer"] = replace(truths["buyer"], walk_away=limit)
        table.turn(180_000, they(120_000)).turn(172_000, they(123_000)).turn(168_000, they(126_000))
        assert table.game.truth.opponent.walk_away == pytest.approx(limit, rel=0.1)
        return table.hints()

    assert [hint.say for hint in played(150_000.0)] == [hint.say for hint in played(166_000.0)]


def test_a_quiet_table_gets_no_hint_that_is_not_needed(table: Table) -> None:
    assert table.kinds() == ["ask_first"]


def test_a_concession_without_an_answer_is_named_with_its_figures(table: Table) -> None:
    table.turn(180_000, they(130_000), ASK).turn(174_000, they(130_000), ASK).turn(
        170_000, they(130_000), ASK
    )
    found = next(hint for hint in table.hints() if hint.kind == "unanswered")
    assert "$10,000 for nothing" in found.say
    assert "Stay at $170,000" in found.say
    assert found.evidence == "The rep gave $6,000, $4,000; they gave nothing, nothing."


def test_smaller_steps_of_theirs_are_seen_and_the_advice_depends_on_the_reach() -> None:
    def slowed(own: float) -> Hint:
        table = Table()
        for offer in (130_000, 136_000, 142_000, 143_000):
            table.turn(own, they(offer), ASK)
        return next(hint for hint in table.standing() if hint.kind == "slowing")

    near, far = slowed(146_000), slowed(195_000)
    assert "They moved $6,000, $6,000, $1,000: slowing down." in near.evidence
    assert "Hold it" in near.say
    assert "small" in far.say
    assert near.spark is not None
    assert near.spark.values[-3:] == (136_000, 142_000, 143_000)
    assert near.spark.band is not None


def test_a_stated_limit_is_weighed_by_the_offers_around_it(table: Table) -> None:
    low, high = table.turn(180_000, they(120_000, 125_000), ASK).hints(), Table()
    assert low[0].kind == "claim"
    assert "back it up" in low[0].say
    plausible = high.turn(180_000, they(120_000, 185_000), ASK).hints()
    assert "Don't call it" in next(hint for hint in plausible if hint.kind == "claim").say


def test_giving_away_the_room_early_is_called_too_fast(table: Table) -> None:
    limit = table.game.observe().own.walk_away
    table.turn(limit + 50_000, they(100_000), ASK).turn(limit + 30_000, they(112_000), ASK)
    table.turn(limit + 8_000, they(124_000), ASK)
    found = next(hint for hint in table.hints() if hint.topic == "pace")
    assert found.kind == "pace_fast"
    assert found.say.startswith("You have used 84% of your room by turn 3.")


def test_heat_comes_before_news_and_numbers(table: Table) -> None:
    for _ in range(4):
        table.turn(300_000, they(100_000), "Take it or leave it, you are wasting our time.")
    first = table.standing()[0]
    assert table.last("turn_closed")["tension_band"] in ("strained", "critical")
    assert first.kind == "tension"
    assert first.spark is not None
    assert len(first.spark.values) == 5


def test_the_last_turns_ask_for_a_decision(table: Table) -> None:
    last = table.game.horizon - 1
    for turn in range(last):
        table.turn(185_000 - 500 * turn, they(135_000 + 500 * turn), ASK)
    found = next(hint for hint in table.hints() if hint.kind == "deadline")
    assert found.say.startswith("One turn left.")
    assert f"of {last + 1}." in found.evidence


def test_an_offer_that_leaves_little_is_said_to_be_worth_taking(table: Table) -> None:
    for offer in (160_000, 168_000, 174_000, 175_000):
        table.turn(190_000, they(offer), ASK)
    assert "close" in table.kinds()


def test_the_trade_that_is_left_out_is_named_with_what_it_is_worth() -> None:
    table = Table("procurement_hardware", "diplomat", 9)
    low, high = table.game.scenario.plausible_low, table.game.scenario.plausible_high
    table.turn(high * 0.9, None, ASK).turn(high * 0.88, None, ASK)
    assert low < high
    found = next(hint for hint in table.standing() if hint.kind == "terms")
    issue = next(one for one in table.game.scenario.issues if one.title.lower() in found.say)
    assert any(option.label in found.say for option in issue.options)
    assert "nobody gets now" in found.evidence


def test_at_most_three_are_shown_and_one_to_a_decision(table: Table) -> None:
    table.turn(180_000, they(120_000, 140_000)).turn(165_000, they(120_500)).turn(150_000, they(121_000))
    shown = table.hints()
    assert len(shown) == 3
    assert len({hint.topic for hint in shown}) == 3
    assert [hint.weight for hint in shown] == sorted((hint.weight for hint in shown), reverse=True)


def test_nothing_is_hinted_once_the_deal_is_over(table: Table) -> None:
    view = table.game.observe()
    action = Action(walk_away=True)
    table.rows.append(("player_moved", dict(record.player_moved(view.turn, action, "id"))))
    table.rows += [(kind, dict(data)) for kind, data in record.answered(table.game, view.turn, action, None)]
    assert table.hints() == []


@pytest.mark.parametrize("strategy", ["linear", "boulware", "random", "stonewaller"])
def test_no_hint_says_again_what_was_said_a_turn_ago_and_a_lapsed_offer_breaks_none(strategy: str) -> None:
    """Over whole deals, against every persona: the same words come back only with news."""
    for number, persona in enumerate(sorted(personas())):
        for scenario in ("saas_enterprise", "hiring_package", "procurement_hardware"):
            table = Table(scenario, persona, seed=40 + number)
            hand = STRATEGIES[strategy]()
            hand.told(table.game.scenario)
            before: set[str] = set()
            while not table.game.done:
                move = hand.act(table.game.observe(), stream(40 + number, "player", table.game.turn))
                if move.accept or move.walk_away:
                    break
                table.turn(move.offer, text=move.text or "That is where we are.")
                said = {hint.say for hint in table.hints()}
                assert not said & before
                before = said
