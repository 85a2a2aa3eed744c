"""Rollouts under common luck, rewards, judges, and the commands."""

import io
import json
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from contextlib import redirect_stderr, redirect_stdout

import numpy as np
import pytest

from negotiation.engine.diplomacy import Chance, advance, opening, possible_orders
from negotiation.engine.diplomacy.bots import DumbBot, TrustingBot
from negotiation.engine.diplomacy.geography import CENTRES, NODE_ID, POWER_ID
from negotiation.engine.diplomacy.position import standing, threat
from negotiation.engine.diplomacy.press.ledger import Ledger
from negotiation.engine.diplomacy.press.messages import Tag, said
from negotiation.engine.diplomacy.saved import (
    UnreadablePosition,
    game_from_json,
    game_to_json,
    position_from_json,
)
from negotiation.engine.diplomacy.state import OVER
from tests.diplomacy.test_bots import played
from trainer.commands import main
from trainer.domains.diplomacy.reward import BoardRewardSettings, hard, score
from trainer.domains.diplomacy.rollouts import Task, group, play_on
from trainer.domains.diplomacy.tables import Sample

FRANCE, GERMANY = POWER_ID["FRANCE"], POWER_ID["GERMANY"]
PLAIN = BoardRewardSettings()


def samples(state, power, count=4):
    possible = possible_orders(state, power)
    return [Sample(tuple(orders[i % len(orders)] for orders in possible.values())) for i in range(count)]


def peace_to_all(state, power, tag):
    return tuple(
        said(state, power, other, "I will not attack you.", tag) for other in range(7) if other != power
    )


def test_equal_samples_end_equally_and_a_pool_changes_nothing() -> None:
    task = Task(opening(), FRANCE, seed=4)
    same = [samples(opening(), FRANCE)[0]] * 2 + samples(opening(), FRANCE)[1:2]
    alone = group(task, same, 3, PLAIN)
    assert np.array_equal(alone.hards[0], alone.hards[1])
    assert not np.array_equal(alone.hards[0], alone.hards[2])
    with ProcessPoolExecutor(2) as pool:
        shared = group(task, same, 3, PLAIN, pool)
    assert np.array_equal(alone.hards, shared.hards)
    assert np.array_equal(alone.score.advantages, shared.score.advantages)


def test_a_rollout_lasts_two_winters() -> None:
    state = opening()
    assert play_on(Task(state, FRANCE), samples(state, FRANCE)[0], 0).state.phase == "S1903M"
    autumn = next(s for s, _ in played([DumbBot()] * 7, 1) if s.phase == "F1902M")
    assert play_on(Task(autumn, FRANCE), samples(autumn, FRANCE)[0], 0).state.phase == "S1904M"


@pytest.mark.slow
def test_common_luck_leaves_less_noise_in_a_difference_than_luck_of_ones_own() -> None:
    state = next(s for s, _ in played([DumbBot()] * 7, 2) if s.phase == "S1903M")
    one, other = samples(state, FRANCE)[:2]

    def difference(rollouts, shift):
        ends = [
            play_on(Task(state, FRANCE, seed=1), one, k).state.owners.count(FRANCE) for k in range(rollouts)
        ]
        rivals = [
            play_on(Task(state, FRANCE, seed=1), other, k + shift).state.owners.count(FRANCE)
            for k in range(rollouts)
        ]
        return np.var(np.subtract(ends, rivals))

    assert difference(40, 0) < difference(40, 1000)


def test_a_message_reaches_the_others_before_they_order() -> None:
    state = next(s for s, _ in played([DumbBot()] * 7, 3) if s.phase == "S1903M")
    orders = samples(state, FRANCE)[0].orders
    peace = peace_to_all(state, FRANCE, Tag.TRUTH)
    silent, spoken = Sample(orders), Sample(orders, peace)
    reads, deaf = Task(state, FRANCE, others=TrustingBot()), Task(state, FRANCE)
    assert any(play_on(reads, silent, k).state != play_on(reads, spoken, k).state for k in range(8))
    assert all(play_on(deaf, silent, k).state == play_on(deaf, spoken, k).state for k in range(8))


def test_a_broken_truth_costs_and_an_admitted_lie_does_not() -> None:
    state = opening()
    orders = tuple(possible_orders(state, FRANCE)[NODE_ID["A PAR"]][:1])
    assert orders[0].at != NODE_ID["A PIC"]
    lines = [(said(state, FRANCE, GERMANY, "A PAR - PIC", tag),) for tag in (Tag.TRUTH, Tag.LIE)]
    result = group(Task(state, FRANCE), [Sample(orders, line) for line in lines], 2, PLAIN)
    assert result.mistagged.tolist() == [1.0, 0.0]
    assert result.score.rewards[0] < result.score.rewards[1]


def owning(count, units=("A PAR",)):
    state = position_from_json({"phase": "S1905M", "units": {"FRANCE": list(units)}, "centers": {}})
    return state._replace(owners=tuple(FRANCE if i < count else 7 for i in range(len(CENTRES))))


def test_the_hard_reward_is_a_win_an_elimination_or_progress() -> None:
    assert hard(owning(18)._replace(season=OVER), FRANCE, PLAIN) == 10.0
    assert hard(owning(0, units=()), FRANCE, PLAIN) == -1.0
    assert hard(owning(5), FRANCE, PLAIN) == pytest.approx(5 * 1.0 + 1 * 0.2 + 5 * 0.1)
    home = BoardRewardSettings(third_term="home")
    assert hard(opening(), FRANCE, home) == pytest.approx(3 + 3 * 0.2 + 3 * 0.1)
    forward = BoardRewardSettings(third_term="forward")
    assert hard(opening(), FRANCE, forward) == pytest.approx(
        3 + 3 * 0.2 + 1 * 0.1
    )  # only A MAR, beside Spain


def test_parts_are_standardised_within_the_group_and_a_group_without_spread_is_dropped() -> None:
    hards, softs = np.array([[1.0, 3], [5, 7], [9, 11]]), np.array([[0.3, 0.3], [0.2, 0.2], [0.1, 0.1]])
    result = score(hards, softs, np.zeros(3), PLAIN)
    z = (np.array([2.0, 6, 10]) - 6) / np.std([2, 6, 10])
    assert result.rewards == pytest.approx(z * (1 - 0.5), abs=1e-4)
    assert not result.dropped
    flat = score(np.ones((3, 2)), np.ones((3, 2)), np.zeros(3), PLAIN)
    assert flat.dropped
    assert flat.advantages.tolist() == [0, 0, 0]


def test_a_judge_marks_safety_word_and_room() -> None:
    state = opening()
    marks = standing(state, FRANCE, Ledger())
    assert marks == (1.0, 0.5, 0.25)  # nobody near, no promises, Spain
    pressed = position_from_json(
        {
            "phase": "S1902M",
            "units": {"FRANCE": ["A BRE"], "GERMANY": ["A BUR", "A PIC"]},
            "centers": {"FRANCE": ["PAR"]},
        }
    )
    assert standing(pressed, FRANCE, Ledger()).safety == 0.0
    assert threat(pressed, FRANCE, GERMANY) == "HIGH"
    assert threat(pressed, GERMANY, FRANCE) == "LOW"
    lone = position_from_json(
        {
            "phase": "S1902M",
            "units": {"FRANCE": ["A PAR"], "GERMANY": ["A BUR"]},
            "centers": {"FRANCE": ["PAR"]},
        }
    )
    assert threat(lone, FRANCE, GERMANY) == "MED"


def test_a_saved_game_is_played_again_to_the_same_end_and_a_forged_one_is_refused() -> None:
    game = played([DumbBot()] * 7, 6)
    page = json.loads(json.dumps(game_to_json(orders for _, orders in game)))
    start, steps = game_from_json(page)
    assert start == opening()
    assert steps[-1].state == advance(*game[-1]).state
    page["phases"][0]["orders"]["FRANCE"] = ["A PAR H"]
    with pytest.raises(UnreadablePosition):
        game_from_json(page)


def strangers_call(*arguments, stdin=""):
    return subprocess.run(
        [sys.executable, "-m", "trainer", "diplomacy", *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
    )


def command(*arguments, stdin=""):
    """The same in this process: what is answered, or refused and in which words, needs no new one."""
    out, error = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(error):
        patch.setattr("sys.stdin", io.StringIO(stdin))
        try:
            status = main(["diplomacy", *arguments])
        except SystemExit as left:
            status = int(left.code or 0)
    return subprocess.CompletedProcess([], status, out.getvalue(), error.getvalue())


def test_adjudicate_prints_what_came_of_a_phase() -> None:
    orders = {
        "FRANCE": ["A BUR - MUN", "A RUH S A BUR - MUN"],
        "GERMANY": ["a mun - tyr", "A KIE H"],
        "ITALY": [],
    }
    page = {
        "phase": "F1901M",
        "units": {"FRANCE": ["A BUR", "A RUH"], "GERMANY": ["A MUN"]},
        "centers": {"FRANCE": ["PAR"], "GERMANY": ["MUN"]},
        "orders": orders,
    }
    orders["GERMANY"][0] = "A MUN H"
    answer = json.loads(strangers_call("adjudicate", "--json", stdin=json.dumps(page)).stdout)
    assert answer["next_phase"] == "F1901R"
    assert answer["units"]["FRANCE"] == ["A MUN", "A RUH"]
    assert answer["units"]["GERMANY"] == []
    assert answer["dislodged"] == {"GERMANY": ["A MUN"]}
    assert answer["results"] == {
        "A BUR - MUN": [], "A RUH S A BUR - MUN": [], "A MUN H": ["dislodged"], "A KIE H": ["void"],
    }  # fmt: skip
    back = {"phase": answer["next_phase"], "orders": {"GERMANY": ["A MUN R TYR"]}, **{
        key: answer[key] for key in ("units", "centers", "retreats")}}  # fmt: skip
    after = json.loads(command("adjudicate", "--json", stdin=json.dumps(back)).stdout)
    assert after["units"]["GERMANY"] == ["A TYR"]
    assert after["centers"]["FRANCE"] == ["MUN", "PAR"]
    assert after["next_phase"] == "W1901A" or after["next_phase"] == "S1902M"


BAD = [
    ("not json", "stdin"),
    ("[]", "stdin"),
    ('{"phase": "X1"}', "X1"),
    ('{"phase": "S1901M", "units": {"NARNIA": []}}', "NARNIA"),
    ('{"phase": "S1901M", "units": {"FRANCE": ["A XYZ"]}}', "XYZ"),
    ('{"phase": "S1901M", "units": {"FRANCE": ["A PAR"], "ITALY": ["A PAR"]}}', "PAR"),
    ('{"phase": "S1901M", "units": {"FRANCE": ["A PAR"]}, "orders": {"FRANCE": ["go west"]}}', "go west"),
    ('{"phase": "S1901M", "units": {}, "centers": {"FRANCE": ["BUR"]}}', "BUR"),
    ('{"phase": "S1901R", "units": {}}', "retreats"),
]


@pytest.mark.parametrize(("stdin", "named"), BAD, ids=[named for _, named in BAD])
def test_bad_input_ends_in_one_line_that_names_it(stdin, named) -> None:
    done = command("adjudicate", "--json", stdin=stdin)
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert named in done.stderr


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--seats", "dumbbot:1,random:5"], "dumbbot:1,random:5"),
        (["--seats", "clever:7"], "clever"),
        (["--seats", "dumbbot:x,random:6"], "dumbbot:x"),
        (["--seats", "dumbbot:7", "--games", "0"], "games"),
        (["--seats", "dumbbot:7", "--years", "-1"], "years"),
        ([], "seats"),
    ],
)
def test_a_bad_arena_is_refused_by_name(arguments, named) -> None:
    done = command("arena", *arguments, "--json")
    assert done.returncode == 2
    assert named in done.stderr


def test_an_arena_prints_shares_with_intervals_and_a_seed_repeats_it() -> None:
    arguments = (
        "arena",
        "--seats",
        "dumbbot:1,random:6",
        "--games",
        "7",
        "--years",
        "3",
        "--seed",
        "5",
        "--json",
    )
    first, again = (json.loads(command(*arguments).stdout) for _ in range(2))
    assert first == again
    bot, other = first["policies"]["dumbbot"], first["policies"]["random"]
    assert bot["centre_share"]["ci95"][0] > other["centre_share"]["ci95"][1]
    assert set(bot["by_power"]) == set(json.loads(json.dumps(list(POWER_ID))))
    assert 0 <= bot["solo_rate"] <= 1


def test_numbers_of_a_phase_are_laid_out_once() -> None:
    chance = Chance(1, 2)
    assert chance.draws(opening(), FRANCE) is not None
    assert np.array_equal(chance.draws(opening(), FRANCE), Chance(1, 2).draws(opening(), FRANCE))
