"""Hints that name what was said: an objection that the own sheet answers, what they told, what nobody asked."""

from __future__ import annotations

from typing import Any

from coaching.analysis.hints import Hint, hints
from negotiation import record
from negotiation.engine.deal import Action, Negotiation
from negotiation.engine.deal.case.acts import Talk
from negotiation.engine.deal.case.file import cases
from negotiation.engine.deal.case.labels import OPENING_QUESTIONS
from negotiation.events import redact

Row = tuple[Any, dict[str, Any]]


class Table:
    """A seller's deal with a case, written down as the server would."""

    def __init__(self, scenario: str = "saas_enterprise", persona: str = "diplomat", seed: int = 5) -> None:
        self.game = Negotiation(scenario, persona, "seller", seed, case=True)
        view = self.game.observe()
        opening = {"scenario": scenario, "persona": persona, "seat": "seller", "horizon": view.horizon}
        self.rows: list[Row] = [
            ("game_started", {**opening, "case": scenario, "difficulty": 0.5, "player_name": ""})
        ]
        self.rows.append(("turn_closed", dict(record.turn_closed(view, 0))))
        self.rows.append(("turn_graded", dict(record.turn_graded(self.game, 0, (), 0.0))))

    def turn(self, *talk: Talk, offer: float | None = None) -> Table:
        turn, action = self.game.turn, Action(text="Listen.", offer=offer, talk=talk)
        self.rows.append(("player_moved", dict(record.player_moved(turn, action, "id"))))
        self.rows += [(kind, dict(data)) for kind, data in record.answered(self.game, turn, action)]
        return self

    def hints(self) -> dict[str, Hint]:
        frames = [
            redact(seq=seq, kind=kind, data=data, role="player")
            for seq, (kind, data) in enumerate(self.rows, 1)
        ]
        graded = [data for kind, data in self.rows if kind == "turn_graded"]
        return {each.kind: each for each in hints(frames, graded[-1]["posterior"], self.game.scenario)}

    def said(self, part: str) -> list[dict[str, Any]]:
        return [each for kind, data in self.rows if kind == "opponent_moved" for each in data.get(part, ())]


def with_an_objection() -> Table:
    table = Table()
    while not table.said("raised"):
        table.turn(offer=210_000)
    return table


def test_an_objection_is_answered_from_the_own_sheet_with_what_meets_it() -> None:
    table = with_an_objection()
    hint = table.hints()["objection"]
    case, (raised, *_) = cases()["saas_enterprise"], table.said("raised")
    meets = case.seats["buyer"].objection[raised["id"]].answers
    answer = next(each for each in case.seats["seller"].arguments if each.says in hint.say)
    assert raised["says"] in hint.say
    assert meets[answer.id] == max(meets.get(each.id, 0) for each in case.seats["seller"].arguments)


def test_once_something_that_meets_it_was_said_the_hint_is_gone() -> None:
    table = with_an_objection()
    case, (raised, *_) = cases()["saas_enterprise"], table.said("raised")
    meets = case.seats["buyer"].objection[raised["id"]].answers
    said = next(each for each in case.seats["seller"].arguments if each.id in meets)
    table.turn(Talk("answer", said.topic, said.id))
    found = table.hints().get("objection")
    assert found is None or raised["says"] not in found.say


def test_what_they_told_is_asked_on_about() -> None:
    table = Table()
    for topic in ("pain", "timeline", "rollout", "support"):
        table.turn(Talk("ask_open", topic))
        told = table.said("told")
        if told:
            break
    hint = table.hints()["told"]
    assert told[-1]["says"] in hint.say


def test_the_question_that_is_suggested_was_neither_asked_nor_answered() -> None:
    first = Table().turn().hints()["ask_first"].say
    assert "What goes wrong today?" in first
    table = Table()
    table.turn(Talk("ask_open", "pain"), offer=210_000)
    for _ in range(3):
        table.turn(offer=205_000)
    later = table.hints()["ask"].say
    assert "What goes wrong today?" not in later
    assert any(question in later for question in OPENING_QUESTIONS["buyer"].values())
