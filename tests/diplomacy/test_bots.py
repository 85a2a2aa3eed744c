"""Bots order what is possible, the same under one seed, and as well as their reference points say."""

import numpy as np
import pytest

from negotiation.engine.diplomacy import Chance, advance, opening, possible_orders
from negotiation.engine.diplomacy.bots import BOTS, DumbBot, TrustingBot
from negotiation.engine.diplomacy.bots.trusting import trust
from negotiation.engine.diplomacy.bots.values import desires
from negotiation.engine.diplomacy.geography import (
    CENTRES,
    NEXT,
    NODE_ID,
    NODES,
    POWER_ID,
    POWERS,
    PROVINCE,
    REACH,
)
from negotiation.engine.diplomacy.orders import BUILD, MOVE
from negotiation.engine.diplomacy.press.ledger import Ledger
from negotiation.engine.diplomacy.press.messages import said
from negotiation.engine.diplomacy.saved import position_from_json
from negotiation.engine.diplomacy.state import OVER, SPRING
from trainer.domains.diplomacy.arena import arena, read_seats

FRANCE, GERMANY = POWER_ID["FRANCE"], POWER_ID["GERMANY"]
SILENCE = Ledger()


def played(bots, seed, years=6):
    """States and orders of one game."""
    state, chance, game = opening(), Chance(seed), []
    while state.season != OVER and state.year < 1901 + years:
        rows = [bot.orders(state, p, chance.draws(state, p), SILENCE) for p, bot in enumerate(bots)]
        game.append((state, rows))
        state = advance(state, rows).state
    return game


@pytest.mark.parametrize("name", BOTS)
def test_every_order_of_a_bot_is_possible_and_counts(name) -> None:
    for seed in range(4):
        for state, rows in played([BOTS[name]() for _ in POWERS], seed):
            step = advance(state, rows)
            assert step.void == ()
            for power, row in enumerate(rows):
                possible = {order for orders in possible_orders(state, power).values() for order in orders}
                assert set(row) <= possible


@pytest.mark.parametrize("name", ["random", "dumbbot"])
def test_a_seed_plays_the_same_game_and_another_seed_another(name) -> None:
    first, again, other = (played([BOTS[name]() for _ in POWERS], seed) for seed in (3, 3, 4))
    assert first == again
    assert first != other


def test_common_numbers_do_not_depend_on_what_others_did() -> None:
    here, there = opening(), opening()._replace(units=((), *opening().units[1:]))
    assert np.array_equal(Chance(5).draws(here, FRANCE), Chance(5).draws(there, FRANCE))
    assert not np.array_equal(Chance(5).draws(here, FRANCE), Chance(5).draws(here, GERMANY))
    later = here._replace(year=1902)
    assert not np.array_equal(Chance(5).draws(here, FRANCE), Chance(5).draws(later, FRANCE))


def test_nearness_is_what_its_definition_says_step_by_step() -> None:
    state = opening()
    size = [c * c + 4 * c + 16 for c in [*state.centre_counts(), state.owners.count(7)]]
    near: dict[int, float] = {}
    for node in range(len(NODES)):
        owners = [
            owner for centre, owner in zip(CENTRES, state.owners, strict=True) if centre == PROVINCE[node]
        ]
        near[node] = 700 * size[owners[0]] if owners and owners[0] != FRANCE else 0
        if owners and owners[0] == FRANCE:
            near[node] = 300 * max(
                (size[q] for q in range(7) if q != FRANCE and _can_be_in(state, q, node)), default=0
            )
    total = {node: 100 * value for node, value in near.items()}
    for weight in (1000, 30, 10, 6, 5, 4, 3, 2, 1):
        near = {node: (near[node] + _around(near, node)) / 5 for node in near}
        total = {node: total[node] + weight * near[node] for node in near}
    wanted = desires(state, FRANCE)
    for name in ("A BUR", "F MAO", "A SPA", "F SPA/NC", "F BUL/EC", "A MUN", "F NTH", "A TYR", "A PAR"):
        n = NODE_ID[name]
        counts = [sum(PROVINCE[n] in _places(unit) for unit in row) for row in state.units]
        most = max(count for power, count in enumerate(counts) if power != FRANCE)
        assert wanted.value[n] == pytest.approx(total[n] + 1000 * counts[FRANCE] - 1000 * most, abs=0.02)
        assert wanted.competition[PROVINCE[n]] == most


def _places(unit):
    return {PROVINCE[unit], *REACH[unit]}


def _can_be_in(state, power, node):
    return any(PROVINCE[node] in _places(unit) for unit in state.units[power])


def _around(near, node):
    best: dict[int, float] = {}
    for there in NEXT[node]:
        best[PROVINCE[there]] = max(best.get(PROVINCE[there], 0), near[there])
    return sum(best.values())


def test_a_dumbbot_builds_all_it_can_and_never_two_in_one_place() -> None:
    page = {
        "phase": "W1901A",
        "units": {"FRANCE": ["A BEL"]},
        "centers": {"FRANCE": ["PAR", "BRE", "MAR", "SPA"]},
    }
    state = position_from_json(page)
    orders = DumbBot().orders(state, FRANCE, Chance(1).draws(state, FRANCE), SILENCE)
    assert [order.kind for order in orders] == [BUILD] * 3
    assert len({PROVINCE[order.node] for order in orders}) == 3


def promised(state, *texts, by=GERMANY, to=FRANCE):
    ledger = SILENCE
    for text in texts:
        ledger = ledger.heard(said(state, by, to, text), state)
    return ledger


def attacks_on_germany(bot, ledger, games=20):
    """How often France walks into a German unit or centre in the spring of a tense border."""
    page = {
        "phase": "S1903M",
        "units": {"FRANCE": ["A BUR", "A RUH", "A BEL"], "GERMANY": ["A MUN", "F HOL"]},
        "centers": {"FRANCE": ["PAR", "BRE", "MAR", "BEL"], "GERMANY": ["MUN", "KIE", "BER", "HOL"]},
    }
    state = position_from_json(page)
    german = {PROVINCE[node] for node in state.units[GERMANY]} | set(state.centres(GERMANY))
    return sum(
        order.kind == MOVE and PROVINCE[order.at] in german
        for seed in range(games)
        for order in bot.orders(state, FRANCE, Chance(seed).draws(state, FRANCE), ledger)
    )


def test_a_promise_of_peace_turns_a_trusting_bot_away_and_a_dumbbot_not() -> None:
    state = opening()._replace(year=1903, season=SPRING)
    pact = promised(state, "I will not attack you.")
    assert attacks_on_germany(TrustingBot(), pact) < attacks_on_germany(TrustingBot(), SILENCE) / 2
    assert attacks_on_germany(DumbBot(), pact) == attacks_on_germany(DumbBot(), SILENCE)


def test_a_trusting_bot_without_promises_plays_as_a_dumbbot() -> None:
    assert [rows for _, rows in played([TrustingBot() for _ in POWERS], 9)] == [
        rows for _, rows in played([DumbBot() for _ in POWERS], 9)
    ]


def test_trust_falls_with_a_broken_promise_and_stays_low_until_it_is_earned_back() -> None:
    state = opening()
    broken = promised(state, "A MUN H").judged(
        state,
        [[] if p != GERMANY else [possible_orders(state, GERMANY)[NODE_ID["A MUN"]][0]] for p in range(7)],
    )
    assert trust(broken, GERMANY, FRANCE) == pytest.approx(0.4)
    later = state._replace(year=1902)
    again = broken.heard(said(later, GERMANY, FRANCE, "Peace for two years"), later)
    assert TrustingBot().trusted(later, FRANCE, again) == frozenset()
    assert TrustingBot(remembers=False).trusted(later, FRANCE, again) == {GERMANY}
    assert TrustingBot().trusted(later, FRANCE, promised(later, "Peace for two years")) == {GERMANY}


REFERENCE_ERROR = 1.96 * 0.06 / 130**0.5
"""Of the reference points themselves: a spread of .06 from game to game, about 130 games."""
REFERENCES = [("dumbbot:1,random:6", "dumbbot", 0.559), ("dumbbot:7", "dumbbot", 0.136),
              ("hold:1,dumbbot:6", "hold", 0.080), ("random:1,dumbbot:6", "random", 0.055)]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seats", "policy", "reference"),
    [
        pytest.param(*row, id=row[0], marks=[] if row[0] == "dumbbot:1,random:6" else pytest.mark.thorough)
        for row in REFERENCES
    ],
)
def test_arenas_come_out_near_their_reference_points(seats, policy, reference) -> None:
    share = arena(read_seats(seats), 70, 10, 11)["policies"][policy]["centre_share"]
    low, high = share["ci95"]
    assert low - REFERENCE_ERROR <= reference <= high + REFERENCE_ERROR
