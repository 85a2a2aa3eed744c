"""Weighing: the likest particular is taken where it answers, and what was written and read to fit that holds together."""

from __future__ import annotations

import random

import pytest

from negotiation.engine.deal.case.declared import SeatCase
from negotiation.engine.deal.case.file import cases
from negotiation.engine.deal.listening.ear.particular import CLEAR, particular_ear
from negotiation.engine.deal.listening.ear.weighing import (
    Likeness,
    Vocabulary,
    Weights,
    kept_weights,
    words_of,
)
from tests.language.asked import more, strangers
from tests.language.fit_weighing import fit, heard

SEATS = [(scenario, seat, side) for scenario, case in cases().items() for seat, side in case.seats.items()]
each_seat = pytest.mark.parametrize(
    ("scenario", "seat", "side"), SEATS, ids=[f"{scenario}-{seat}" for scenario, seat, _ in SEATS]
)
LIKE = Likeness(score=1.4, ahead=0.2, around=1.2, ask=0.7, asks=0.6, says=0.4, fresh=False)


@each_seat
def test_every_particular_has_more_ways_to_ask_and_a_question_that_it_does_not_answer(
    scenario: str, seat: str, side: SeatCase
) -> None:
    beside = more(scenario, seat)
    assert beside.keys() == {each.id for each in side.particulars}
    for each in side.particulars:
        ways = beside[each.id].ways
        assert len({*ways, beside[each.id].near}) == len(ways) + 1
        assert not set(ways) & set(each.asks)


def test_what_readers_read_is_among_the_particulars_of_the_seat() -> None:
    for each in strangers():
        known = {one.id for one in cases()[each.scenario].seats[each.seat].particulars}
        assert each.read <= known
        assert each.full <= each.read
        assert each.near <= each.read


def test_words_are_one_by_their_first_letters() -> None:
    assert words_of("Dispatchers, the dispatcher's desk.") == {"dispat", "the", "desk"}


def test_a_chance_is_one_however_far_the_traits_lie() -> None:
    far = Weights([0.0], [1e-6], [1.0], 0.0)
    assert 0 < far.chance([-1e9]) < far.chance([0.0]) < far.chance([1e9]) < 1


def test_every_trait_has_its_weight() -> None:
    _, _, side = SEATS[0]
    weights = kept_weights()
    traits = Vocabulary(side).traits(words_of("Who was it?"), side.particulars[0], LIKE)
    assert len(traits) == len(weights.weights) == len(weights.means) == len(weights.deviations)


@pytest.mark.slow
def test_of_questions_that_were_not_learnt_from_what_is_taken_mostly_answers() -> None:
    """The regression fitted to one half of 400 of the questions, drawn by deals, and asked of the other half."""
    if particular_ear() is None:
        pytest.skip("the published weights are not installed")
    deals = sorted({each.deal for each in strangers()})
    random.Random(0).shuffle(deals)
    some = [each for each in strangers() if each.deal in set(deals[:30])]
    learnt, asked = (
        list(heard([each for each in some if (each.deal in set(deals[:15])) is half]))
        for half in (True, False)
    )
    weights = fit(learnt)
    best = [
        (each, *max(((weights.chance(traits), one.id) for one, traits in weighed), default=(0.0, "")))
        for each, weighed in asked
    ]
    taken = [(each, id_) for each, chance, id_ in best if chance >= CLEAR]
    assert len(taken) > 0.2 * len(asked)
    assert sum(id_ in each.full for each, id_ in taken) > 0.65 * len(taken)
