"""Words that mean nothing buy nothing at the table, and a word broken to everybody is no bargain (bench.press)."""

import pytest

from bench.press_games import SCRIPTS, play
from negotiation.engine.diplomacy.geography import POWER_ID
from tests.effort import few, matrix

GAMES, YEARS = few(3, 6), 4


@pytest.fixture(scope="module")
def silent():
    return {
        power: [play(SCRIPTS["silent"], POWER_ID[power], seed, YEARS) for seed in range(GAMES)]
        for power in ("FRANCE", "AUSTRIA")
    }


@pytest.mark.parametrize(
    ("words", "power"), matrix(("hi", "insult", "refusal"), ("FRANCE", "AUSTRIA"), one_in=5)
)
def test_a_greeting_an_insult_and_a_refusal_change_nothing_at_all(words, power, silent) -> None:
    """Whatever is said, the bots that read it order what they would have ordered."""
    spoken = [play(SCRIPTS[words], POWER_ID[power], seed, YEARS) for seed in range(GAMES)]
    assert spoken == silent[power]


def test_whoever_promises_peace_to_all_and_attacks_ends_no_better_than_in_silence(silent) -> None:
    liar = [play(SCRIPTS["public promise"], POWER_ID["FRANCE"], seed, YEARS) for seed in range(GAMES)]
    assert sum(game.centres for game in liar) <= sum(game.centres for game in silent["FRANCE"])
    assert liar != silent["FRANCE"], "it was believed, for a while"
