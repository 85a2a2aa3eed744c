"""The same games as OpenSpiel and Axelrod have them. Both are development tools, in ``.venv-oracles`` only.

``bin/test --all`` makes it, and fails where these would skip.
"""

from __future__ import annotations

import numpy as np
import pytest

from negotiation.engine.drills.kuhn.rules import histories, payoffs, position_to_act
from negotiation.engine.drills.kuhn.strategies import STRATEGIES
from negotiation.engine.drills.kuhn.tables import tree
from negotiation.engine.drills.kuhn.theory import best_response, nash_conv, values
from tests.drills.kinds import dilemma_player, simultaneous


@pytest.fixture(scope="module")
def spiel():
    return pytest.importorskip("pyspiel", reason="OpenSpiel is in .venv-oracles only")


@pytest.fixture(scope="module")
def axelrod():
    return pytest.importorskip("axelrod", reason="Axelrod is in .venv-oracles only")


def walk(state, visit) -> None:
    visit(state)
    for action in state.legal_actions():
        walk(state.child(action), visit)


@pytest.mark.parametrize("seats", [2, 3])
def test_the_tree_and_every_payoff_are_those_of_openspiel(spiel, seats) -> None:
    nodes, sets, ends = [], set(), []

    def visit(state) -> None:
        nodes.append(state)
        if state.is_terminal():
            ends.append(state)
        elif not state.is_chance_node():
            sets.add(state.information_state_string())
            letters = "".join("pb"[action] for action in state.history()[seats:])
            assert state.current_player() == position_to_act(letters, seats)

    walk(spiel.load_game("kuhn_poker", {"players": seats}).new_initial_state(), visit)
    chance = sum(np.prod([seats + 1 - k for k in range(dealt)], dtype=int) for dealt in range(seats))
    assert len(nodes) == chance + tree(seats).nodes * tree(seats).roots
    assert len(sets) == len(histories(seats)[0]) * (seats + 1)
    for state in ends:
        cards, letters = state.history()[:seats], "".join("pb"[action] for action in state.history()[seats:])
        assert payoffs(letters, cards) == tuple(map(int, state.returns()))


def spiel_policy(spiel, game, behaviours, seats):
    """A tabular policy of OpenSpiel from our tables by position."""
    rows = {history: row for row, history in enumerate(histories(seats)[0])}
    table = {}

    def visit(state) -> None:
        if state.is_terminal() or state.is_chance_node():
            return
        letters = "".join("pb"[action] for action in state.history()[seats:])
        position = state.current_player()
        bet = float(behaviours[position][rows[letters], state.history()[position]])
        table[state.information_state_string()] = [(0, 1 - bet), (1, bet)]

    walk(game.new_initial_state(), visit)
    return spiel.TabularPolicy(table)


@pytest.mark.parametrize("name", sorted(STRATEGIES))
def test_values_and_nash_conv_for_two_are_those_of_openspiel(spiel, name) -> None:
    game = spiel.load_game("kuhn_poker")
    pair = [STRATEGIES[name].behaviour] * 2
    policy = spiel_policy(spiel, game, pair, 2)
    assert spiel.nash_conv(game, policy) == pytest.approx(nash_conv(pair), abs=1e-6)
    expected = spiel.expected_returns(game.new_initial_state(), policy, -1, True)
    assert expected == pytest.approx(values(pair).tolist(), abs=1e-6)


def test_best_responses_for_three_are_those_of_openspiel(spiel) -> None:
    game = spiel.load_game("kuhn_poker", {"players": 3})
    play = [np.random.default_rng(seat).random((12, 4)) for seat in range(3)]
    policy = spiel_policy(spiel, game, play, 3)
    for position in range(3):
        responder = spiel.TabularBestResponse(game, position, policy)
        ours = best_response(play, {position}).value
        assert responder.value_from_state(game.new_initial_state()) == pytest.approx(ours, abs=1e-6)


PLAYERS = {
    "tft": "TitForTat",
    "grim": "Grudger",
    "always_defect": "Defector",
    "always_cooperate": "Cooperator",
    "wsls": "WinStayLoseShift",
    "tf2t": "TitFor2Tats",
    "alternator": "Alternator",
}


@pytest.mark.parametrize("first", PLAYERS)
def test_deterministic_strategies_of_the_dilemma_play_as_axelrods_do(axelrod, first) -> None:
    ipd = simultaneous("ipd")
    for second in PLAYERS:
        match = axelrod.Match(
            (getattr(axelrod, PLAYERS[first])(), getattr(axelrod, PLAYERS[second])()), turns=8
        )
        theirs = [[int(str(action) == "D") for action in pair] for pair in match.play()]
        actions, _ = ipd.play(ipd.strategies[first], ipd.strategies[second], ipd.draws(1, 1, "test"))
        assert actions[:, :, 0].T.tolist() == theirs
        scores = ipd.payoffs(actions, np.zeros((2, 0, 1), dtype=np.int8))[:, :, 0].sum(axis=1)
        assert scores.tolist() == list(match.final_score())


@pytest.mark.parametrize(("name", "player"), [("generous_tft", "GTFT"), ("zd_extort_2", "ZDExtort2")])
def test_stochastic_strategies_of_the_dilemma_have_axelrods_numbers(axelrod, name, player) -> None:
    theirs = getattr(axelrod, player)(**({"p": 0.25} if player == "GTFT" else {}))
    four = {"".join(str(action) for action in pair): chance for pair, chance in theirs._four_vector.items()}
    ipd = simultaneous("ipd")
    for own, other in ((0, 0), (0, 1), (1, 0), (1, 1)):
        draws = ipd.draws(1, 1, "test")
        match = ipd.match(draws)
        match.play({0: own, 1: other})
        ours = float(dilemma_player(name).cooperation(match.view(0).seen())[0])
        assert ours == pytest.approx(four["CD"[own] + "CD"[other]], abs=1e-6)
