"""Tables in this process: what can be set up, and what a turn tells."""

from __future__ import annotations

import math
import subprocess
import sys
from dataclasses import fields, replace
from typing import Any

import pytest

from negotiation.engine.deal import Action, ActionRefused, Negotiation, Term
from negotiation.openenv.tables import Earned, Ending, LocalTables, Setup, SetupRefused, Turn


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        ({"scenario": "lemonade"}, "unknown_scenario"),
        ({"scenario": ["saas_enterprise"]}, "unknown_scenario"),
        ({"persona": None}, "unknown_persona"),
        ({"seat": "auctioneer"}, "unknown_seat"),
        ({"seed": -1}, "bad_seed"),
        ({"seed": True}, "bad_seed"),
        ({"seed": 2**63}, "bad_seed"),
        ({"seed": 1.0}, "bad_seed"),
        ({"difficulty": 1.01}, "bad_difficulty"),
        ({"difficulty": math.nan}, "bad_difficulty"),
        ({"difficulty": "hard"}, "bad_difficulty"),
        ({"horizon": 1}, "bad_horizon"),
        ({"horizon": 10**9}, "bad_horizon"),
        ({"training_step": -1}, "bad_training_step"),
        ({"speak": "yes"}, "bad_speak"),
        ({"case": "yes"}, "bad_case"),
        ({"rewards": "never"}, "bad_rewards"),
        ({"rewards": ["end"]}, "bad_rewards"),
    ],
)
def test_a_deal_that_cannot_be_set_up_is_refused_with_a_code_and_the_parameter(
    fault: dict[str, Any], code: str
) -> None:
    with pytest.raises(SetupRefused) as caught:
        replace(Setup(1), **fault).check()
    assert caught.value.code == code
    assert caught.value.field == next(iter(fault))


def test_a_turn_tells_the_rewards_parts_and_they_add_up_to_it() -> None:
    with LocalTables() as tables:
        (first,) = tables.reset([Setup(3, persona="shark")])
        turn = tables.step({0: Action(text="We can do 190,000.", offer=190_000)})[0]
    assert (first.reward, first.reward_terms, first.ending) == (None, (), None)
    assert isinstance(turn, Turn)
    assert turn.reward == pytest.approx(sum(part.points for part in turn.reward_terms))
    assert {part.name for part in turn.reward_terms} >= {"value", "theory_of_mind", "capitulation"}


def test_rewards_that_wait_for_the_end_come_in_one_sum() -> None:
    moves = [Action(text="We can do 190,000.", offer=190_000), Action(walk_away=True)]
    told = []
    for rewards in ("each", "end"):
        with LocalTables() as tables:
            tables.reset([Setup(3, persona="shark", rewards=rewards)])
            told.append([tables.step({0: move})[0] for move in moves])
    (first, last), (early, late) = told
    assert isinstance(first, Turn)
    assert isinstance(last, Turn)
    assert isinstance(early, Turn)
    assert isinstance(late, Turn)
    assert (early.reward, early.reward_terms, late.reward_terms) == (0.0, (), ())
    assert late.reward == pytest.approx((first.reward or 0) + (last.reward or 0))


def test_of_a_term_everything_is_told_but_the_words_which_name_hidden_figures() -> None:
    assert {f.name for f in fields(Earned)} == {f.name for f in fields(Term)} - {"why"}


def test_the_end_is_told_as_the_engine_counts_it() -> None:
    game = Negotiation("saas_enterprise", "diplomat", "seller", 5)
    game.step(Action(walk_away=True))
    with LocalTables() as tables:
        tables.reset([Setup(5)])
        turn = tables.step({0: Action(walk_away=True)})[0]
    assert isinstance(turn, Turn)
    assert turn.done
    assert turn.ending is not None
    assert game.outcome is not None
    assert all(getattr(turn.ending, f.name) == getattr(game.outcome, f.name) for f in fields(Ending))


def test_a_refused_action_changes_nothing_and_the_table_next_to_it_plays_on() -> None:
    with LocalTables() as tables:
        tables.reset([Setup(3), Setup(4)])
        answers = tables.step({0: Action(accept=True), 1: Action(offer=180_000)})
        again = tables.step({0: Action(offer=180_000)})[0]
    with LocalTables() as others:
        others.reset([Setup(3)])
        straight = others.step({0: Action(offer=180_000)})[0]
    assert isinstance(answers[0], ActionRefused)
    assert answers[0].code == "nothing_to_accept"
    assert isinstance(answers[1], Turn)
    assert again == straight


def test_the_warm_up_of_the_floor_reaches_the_reward() -> None:
    def breached(step: int | None) -> float:
        with LocalTables() as tables:
            tables.reset([Setup(3, training_step=step)])
            turn = tables.step({0: Action(offer=62_000)})[0]
        assert isinstance(turn, Turn)
        return next(part.points for part in turn.reward_terms if part.name == "floor_breach")

    assert (breached(None), breached(0), breached(30)) == (-200.0, -50.0, -200.0)


def test_a_learner_loads_neither_the_heavy_library_nor_the_web() -> None:
    code = (
        "import sys, negotiation.openenv.client, negotiation.openenv.tables\n"
        "print([name for name in ('openenv', 'fastapi', 'uvicorn', 'django', 'torch') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
