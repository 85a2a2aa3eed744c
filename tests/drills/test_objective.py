"""The objective of SEPO: the paper's two errors measured, and every switch doing what it says."""

from __future__ import annotations

import numpy as np
import pytest

from negotiation.engine.drills import Record
from negotiation.engine.drills.ipd import COOPERATE
from tests.drills.kinds import simultaneous
from trainer.domains.drills.objective import (
    PAPER,
    Group,
    ObjectiveSettings,
    advantages,
    auxiliary_penalty,
    rewards,
    switched,
)
from trainer.domains.drills.weights import TABLE_1, SafetyWeights

IPD = simultaneous("ipd")
WEIGHTS = TABLE_1["ipd"]
COIN = IPD.strategies["mixed"]
EPISODES = 200_000


def rolled(opponent, label="", count=EPISODES):
    """Actions of a player that cooperates half the time, and the record of its matches."""
    draws = IPD.draws(count, 1, opponent + label)
    actions, private = IPD.play(COIN, IPD.strategies[opponent], draws)
    return actions[0], IPD.measure(actions, private)


def slope(actions, paid):
    """The policy gradient along "cooperate more": mean and standard error over rollouts.

    The score of cooperating with probability p is (1 - p) where it cooperated and -p where it did not.
    """
    each = (paid * ((actions == COOPERATE) - 0.5)).sum(axis=0)
    return each.mean(), each.std() / np.sqrt(len(each))


def to_go(paid):
    return paid[::-1].cumsum(axis=0)[::-1]


def test_paid_by_the_round_alone_a_player_learns_to_betray_tit_for_tat_and_by_all_that_follows_to_trust_it() -> (
    None
):
    actions, record = rolled("tft")
    immediate = rewards(Group("train", record), SafetyWeights(0, 0, 0), 1.0, ObjectiveSettings())
    # Cooperating costs 2 where the other cooperates and 1 where it does not; it brings 3.5 in the round after.
    for paid, exact in ((immediate, (-2 - 7 * 1.5) / 4), (to_go(immediate), (-2 - 7 * 1.5 + 7 * 3.5) / 4)):
        mean, error = slope(actions, paid)
        assert abs(mean - exact) < 4 * error
        assert np.sign(mean) == np.sign(exact)
        assert abs(mean) > 20 * error


def test_a_penalty_from_auxiliary_episodes_teaches_nothing_and_one_from_its_own_episode_does() -> None:
    actions, _ = rolled("tft")
    own_actions, own = rolled("always_defect")
    partner = rolled("always_cooperate")[1]
    auxiliary = auxiliary_penalty([rolled("always_defect", "beside")[1]], [partner], WEIGHTS, 1.0)
    mean, error = slope(actions, np.broadcast_to(-auxiliary / IPD.rounds, actions.shape))
    assert abs(mean) < 4 * error, "independent of the actions that it is charged to"
    charged = rewards(Group("exploit", own), SafetyWeights(1, 0, 0), 1.0, ObjectiveSettings())
    mean, error = slope(own_actions, charged / IPD.rounds)
    assert abs(mean - -5 / 4) < 4 * error, (
        "cooperating with a defector gives away 5, a quarter of it in the slope"
    )


def record_of(margins):
    """A record in which the player always earns 0 and its opponent ``margins`` (rounds, n)."""
    margins = np.asarray(margins, dtype=np.float32)
    nothing = np.zeros_like(margins)
    return Record(np.stack([nothing, margins]), nothing, nothing > 0, nothing > 0)


def test_a_constant_penalty_cancels_whatever_its_weight() -> None:
    groups = [
        Group("train", rolled("tft", count=6)[1]),
        Group("exploit", rolled("always_defect", count=6)[1]),
    ]
    control = advantages(groups, WEIGHTS, 1.0, ObjectiveSettings(constant=True))
    without = advantages(
        groups, WEIGHTS, 1.0, ObjectiveSettings(exploit=False, collusion=False, externality=False)
    )
    assert np.allclose(control, without)
    assert not np.allclose(control, advantages(groups, WEIGHTS, 1.0, ObjectiveSettings()))


def test_each_penalty_can_be_left_out_alone() -> None:
    for name, without in (
        ("exploit", ObjectiveSettings(exploit=False)),
        ("collusion", ObjectiveSettings(collusion=False)),
        ("externality", ObjectiveSettings(externality=False)),
    ):
        left = switched(WEIGHTS, without)
        assert getattr(left, name) == 0
        assert sum(getattr(left, other) > 0 for other in ("exploit", "collusion", "externality")) == 2


def test_only_an_adversary_that_came_out_ahead_is_charged_for() -> None:
    paid = rewards(
        Group("exploit", record_of([[5, 5], [0, -6]])), SafetyWeights(2, 0, 0), 0.5, ObjectiveSettings()
    )
    assert paid.tolist() == [[-5, 0], [0, 0]]


def test_harm_beside_a_defector_is_not_charged_or_forgiving_it_would_pay() -> None:
    """Where nothing was taken, defecting back used to cost more than cooperating did: it does more harm."""
    draws = IPD.draws(1, 1, "always_defect")
    for name in ("always_cooperate", "always_defect"):
        actions, private = IPD.play(IPD.strategies[name], IPD.strategies["always_defect"], draws)
        record = IPD.measure(actions, private)
        level = Group("exploit", record, ahead=False)
        assert (rewards(level, WEIGHTS, 1.0, ObjectiveSettings()) == 0).all()
        harm = WEIGHTS.externality * float(record.externality.mean())
        charged = rewards(level, WEIGHTS, 1.0, ObjectiveSettings(harm="all"))
        assert charged.mean() == pytest.approx(-harm)
        assert harm == pytest.approx(WEIGHTS.externality * (1 / 6 if name == "always_cooperate" else 2 / 3))


def test_harm_beside_partners_in_training_is_charged() -> None:
    _, record = rolled("tft", count=50)
    paid = rewards(Group("train", record), WEIGHTS, 1.0, ObjectiveSettings())
    assert np.allclose(paid, record.payoffs[0] - WEIGHTS.externality * record.externality)


def test_a_greedy_round_beside_a_partner_is_charged_where_it_counts() -> None:
    _, record = rolled("always_cooperate", count=5)
    paid = rewards(Group("collusive", record), WEIGHTS, 1.0, ObjectiveSettings())
    assert np.array_equal(paid, -1.0 * record.greedy)


def test_one_divergent_round_is_seen_by_the_round_and_drowned_by_the_episode() -> None:
    groups = [Group("train", record_of(np.zeros((3, 4))))]
    groups[0].record.payoffs[0] = [[3, 3, 3, 3], [3, 3, 3, 5], [5, 5, 5, 3]]
    settings = ObjectiveSettings(returns="immediate")
    (by_round,) = advantages(groups, SafetyWeights(0, 0, 0), 1.0, settings)
    (by_episode,) = advantages(
        groups, SafetyWeights(0, 0, 0), 1.0, ObjectiveSettings(returns="immediate", normalise="episode")
    )
    assert (by_round[0] == 0).all()
    assert by_round[1, 3] > 0 > by_round[2, 3]
    assert (by_episode == 0).all(), "the totals are equal"


def test_under_the_papers_settings_every_round_of_a_group_has_mean_zero_and_population_spread_one() -> None:
    groups = []
    for opponent in ("tft", "mixed"):
        _, record = rolled(opponent, count=8)
        beside = [rolled(name, opponent, count=8)[1] for name in ("always_defect", "alternate_defect")]
        groups.append(Group("train", record, auxiliary=auxiliary_penalty(beside, [], WEIGHTS, 1.0)))
    for advantage in advantages(groups, WEIGHTS, 1.0, PAPER):
        assert advantage.mean(axis=1) == pytest.approx(np.zeros(8), abs=1e-7)
        assert advantage.std(axis=1) == pytest.approx(np.ones(8), abs=1e-6)
    with pytest.raises(ValueError, match="auxiliary"):
        advantages([Group("train", groups[0].record)], WEIGHTS, 1.0, PAPER)


def test_a_weight_still_weighs_after_normalising_and_opponents_count_alike_within_a_pool() -> None:
    """Each group over its own spread would give the same advantages under any weight."""
    groups = [
        Group("train", rolled("tft", count=8)[1]),
        Group("exploit", rolled("always_defect", count=8)[1], share=0.5),
    ]
    settings = ObjectiveSettings(externality=False)
    light, heavy = (
        advantages(groups, SafetyWeights(exploit, 0, 0), 1.0, settings)[1] for exploit in (0.5, 4.0)
    )
    assert (np.abs(heavy).max(axis=1) > 1.2 * np.abs(light).max(axis=1)).all()
    whole = [groups[0], Group("exploit", groups[1].record)]
    assert np.allclose(2 * heavy, advantages(whole, SafetyWeights(4, 0, 0), 1.0, settings)[1])


def test_rollouts_that_do_not_differ_teach_nothing() -> None:
    (nothing,) = advantages([Group("train", record_of(np.zeros((4, 5))))], WEIGHTS, 1.0, ObjectiveSettings())
    assert (nothing == 0).all()
