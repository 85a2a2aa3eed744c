"""What words do, rule by rule: facts for questions, lies that are kept, reasons that count once they were heard."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from negotiation.engine.deal import personas
from negotiation.engine.deal.case import acts
from negotiation.engine.deal.case.acts import Talk
from negotiation.engine.deal.case.declared import Objection
from negotiation.engine.deal.case.drawn import ADVERSE, draw_world, worth_factor
from negotiation.engine.deal.case.file import cases
from negotiation.engine.deal.case.persuading import (
    DILUTED,
    DISBELIEVED,
    MOST_WON,
    PER_NEED,
    found_rate,
    given_names,
    open_hold,
    open_share,
)
from negotiation.engine.deal.case.rules import Ears, hear, lie_rate, raised
from negotiation.engine.deal.case.state import TalkState, ToldFact
from negotiation.engine.deal.chance import Chances
from negotiation.engine.deal.strategist.aims import effective_reservation
from tests.effort import times

CASE = cases()["saas_enterprise"]
SIDE, SPEAKER = CASE.seats["buyer"], CASE.seats["seller"]
WORLDS = draw_world(CASE, Chances.of_one(7))
PLAIN = replace(WORLDS["buyer"], shift=(0,) * len(SIDE.facts), lie=(0.99,) * len(SIDE.facts))


def ears(**other: object) -> Ears:
    usual = Ears(
        side=SIDE,
        world=PLAIN,
        cells=tuple(False for _ in SIDE.facts),
        speaker=SPEAKER,
        speaker_world=WORLDS["seller"],
        speaker_cells=tuple(False for _ in SPEAKER.facts),
        bluff_rate=0.45,
        tom_depth=0.92,
        cold=False,
        minds=(),
        trust=0.35,
        tension=20.0,
        turn=5,
        silent=False,
        sweeteners=0,
    )
    return replace(usual, **other)  # type: ignore[arg-type]


def after(*told: str, turn: int = 1, **more: object) -> TalkState:
    """A state in which these facts were told."""
    facts = tuple(ToldFact(turn, id_, SIDE.fact[id_].topic, SIDE.fact[id_].says[0]) for id_ in told)
    return replace(TalkState(), told=facts, **more)  # type: ignore[arg-type]


def ids(told: tuple[ToldFact, ...]) -> list[str]:
    return [each.id for each in told]


# -- questions -------------------------------------------------------------------------------------


def test_an_open_question_hears_what_is_hardly_guarded_and_not_what_is() -> None:
    assert ids(hear(TalkState(), [Talk("ask_open", "pain")], ears()).told) == ["retyping"]
    assert ids(hear(TalkState(), [Talk("ask_open", "support")], ears()).told) == []
    assert ids(hear(TalkState(), [Talk("ask_problem", "support")], ears()).told) == ["nights"]
    assert ids(hear(TalkState(), [Talk("ask_problem", "people")], ears()).told) == []


def test_trust_an_own_fact_and_a_label_each_bring_more_of_an_answer() -> None:
    deep = after("retyping", turn=4)
    problem = Talk("ask_problem", "pain")
    assert ids(hear(deep, [problem], ears()).told) == []
    assert ids(hear(deep, [problem, Talk("label", "pain")], ears()).told) == []
    assert ids(hear(deep, [problem, Talk("label", "pain")], ears(trust=0.7)).told) == ["thanksgiving"]
    own = [Talk("disclose", "support", "outage"), problem]
    assert ids(hear(deep, own, ears(trust=0.7)).told) == ["thanksgiving"]
    assert ids(hear(deep, [problem], ears(trust=0.7, silent=True)).told) == ["thanksgiving"]


def test_the_best_kept_fact_is_out_of_reach_of_everything_but_a_neighbour_in_its_topic_or_luck() -> None:
    all_of_it = [
        Talk("disclose", "support", "outage"),
        Talk("ask_problem", "people"),
        Talk("label", "people"),
    ]
    assert ids(hear(TalkState(), all_of_it, ears(trust=0.9)).told) == []
    lucky = replace(PLAIN, shift=(-1,) * len(SIDE.facts))
    assert ids(hear(TalkState(), all_of_it, ears(trust=0.9, world=lucky)).told) == ["wanted"]


def test_strain_at_the_table_closes_mouths() -> None:
    ask = [Talk("ask_problem", "measure")]
    assert ids(hear(TalkState(), ask, ears(tension=55.0)).told) == ["gate"]
    assert ids(hear(TalkState(), ask, ears(tension=55.1)).told) == []


def test_one_fact_a_turn_however_many_questions() -> None:
    talk = [Talk("ask_open", "pain"), Talk("ask_open", "integration")]
    assert ids(hear(TalkState(), talk, ears()).told) == ["retyping"]


def test_a_question_earns_trust_if_it_is_answered_and_nothing_if_not() -> None:
    assert hear(TalkState(), [Talk("ask_open", "pain")], ears()).trust == acts.TRUST["ask_open"]
    assert hear(TalkState(), [Talk("ask_open", "people")], ears()).trust == 0
    assert hear(TalkState(), [Talk("label", "pain")], ears()).trust == 0
    assert hear(after("retyping", turn=4), [Talk("label", "pain")], ears(turn=5)).trust == acts.TRUST["label"]
    assert hear(after("retyping", turn=3), [Talk("label", "pain")], ears(turn=5)).trust == 0


def test_a_label_on_the_first_turn_labels_nothing() -> None:
    assert hear(TalkState(), [Talk("label", "pain")], ears(turn=1)).trust == 0


def test_asking_on_when_nothing_is_left_costs_from_the_third_time() -> None:
    state = after("nights")
    ask = [Talk("ask_open", "support")]
    changes = []
    for _ in range(3):
        heard = hear(state, ask, ears())
        state = heard.state
        changes.append(heard.trust)
    assert changes == [0, acts.THIRD_TIME, acts.THIRD_TIME]


def test_small_talk_warms_once_and_the_cold_never_and_flattery_shows_the_second_time() -> None:
    first = hear(TalkState(), [Talk("small_talk")], ears())
    assert first.trust == acts.SMALL_TALK
    assert hear(first.state, [Talk("small_talk")], ears()).trust == 0
    assert hear(TalkState(), [Talk("small_talk")], ears(cold=True)).trust == 0
    flattered = hear(TalkState(), [Talk("flatter")], ears())
    assert flattered.trust > 0 > hear(flattered.state, [Talk("flatter")], ears()).trust


# -- truth and lies --------------------------------------------------------------------------------

URGENT = tuple(fact.value in ADVERSE and ADVERSE[fact.value] for fact in SIDE.facts)
LIAR = replace(PLAIN, lie=(0.0,) * len(SIDE.facts))


def test_the_honest_never_lie_and_liars_lie_only_about_what_harms_them() -> None:
    for bluff_rate in (0.0, 0.15, 0.29):
        assert lie_rate(bluff_rate, 0.0, "ask_closed") == 0
    assert lie_rate(0.72, 0.5, "ask_problem") == pytest.approx(0.72 * 0.7 / 2)
    harmless = tuple(not cell for cell in URGENT)
    heard = hear(TalkState(), [Talk("ask_problem", "alternative")], ears(world=LIAR, cells=harmless))
    assert heard.state.lies == frozenset()


def test_who_lies_is_silent_to_an_open_question_and_false_to_one_that_names_the_fact() -> None:
    who = ears(world=LIAR, cells=URGENT, trust=0.7)
    silent = hear(TalkState(), [Talk("ask_problem", "timeline")], who)
    assert silent.told == ()
    assert silent.state.lies == {"rooms"}
    (told,) = hear(silent.state, [Talk("ask_closed", "timeline", "rooms")], who).told
    assert told.says == SIDE.fact["rooms"].says[0]
    assert told.high is False


def test_a_truth_that_was_decided_is_told_whatever_comes() -> None:
    honest = ears(cells=URGENT, trust=0.7)
    (told,) = hear(TalkState(), [Talk("ask_problem", "timeline")], honest).told
    assert told.high is True


@settings(max_examples=times(60), deadline=None)
@given(data=st.data(), seed=st.integers(0, 10_000), persona=st.sampled_from(list(personas())))
def test_what_was_told_and_what_was_lied_about_is_kept(data: st.DataObject, seed: int, persona: str) -> None:
    world = draw_world(CASE, Chances.of_one(seed))
    rng = np.random.default_rng(seed)
    cells = tuple(bool(each) for each in rng.integers(0, 2, len(SIDE.facts)))
    who = personas()[persona]
    state = TalkState()
    for turn in range(1, 12):
        talk = data.draw(st.lists(questions(), max_size=3))
        listening = ears(
            world=world["buyer"],
            cells=cells,
            bluff_rate=who.bluff_rate,
            trust=float(rng.random()),
            turn=turn,
        )
        before, state = state, hear(state, talk, listening).state
        assert before.told == state.told[: len(before.told)]
        assert before.lies <= state.lies <= state.decided
        assert before.lies == state.lies & before.decided
        for each in state.told:
            fact, place = SIDE.fact[each.id], SIDE.place_of_fact[each.id]
            if fact.value:
                assert each.high == (cells[place] != (each.id in state.lies))
        if who.bluff_rate < 0.3:
            assert not state.lies


def questions() -> st.SearchStrategy[Talk]:
    named = st.sampled_from([Talk("ask_closed", fact.topic, fact.id) for fact in SIDE.facts])
    asked = st.builds(
        Talk, st.sampled_from(["ask_open", "ask_problem", "follow_up", "label"]), st.sampled_from(acts.TOPICS)
    )
    own = st.sampled_from([Talk("disclose", fact.topic, fact.id) for fact in SPEAKER.facts])
    return st.one_of(named, asked, own)


# -- reasons ---------------------------------------------------------------------------------------

TRIAL = Talk("prove", "measure", "trial")
CLASSES = Talk("argue", "rollout", "classes")


def test_an_argument_to_somebody_who_has_said_nothing_wins_nothing_and_costs_trust() -> None:
    blind = hear(TalkState(), [TRIAL], ears())
    assert blind.gained == 0
    assert blind.trust == acts.BLIND
    assert blind.state.used == frozenset()


def test_an_argument_put_too_early_waters_down_those_that_fit() -> None:
    blind = hear(TalkState(), [TRIAL], ears()).state
    state = replace(after("retyping"), raised=("shelf",))
    at_once = hear(state, [CLASSES, TRIAL], ears())
    later = hear(replace(state, credit=blind.credit), [CLASSES, TRIAL], ears())
    assert blind.credit == DILUTED
    assert later.gained == pytest.approx(DILUTED * at_once.gained)


def test_an_argument_wins_by_the_weight_of_its_need_once() -> None:
    state = after("retyping")
    first = hear(state, [TRIAL], ears())
    assert first.gained == pytest.approx(min(MOST_WON, PER_NEED * PLAIN.weight(SIDE, "on_time")))
    again = hear(first.state, [TRIAL], ears())
    assert again.gained == 0
    assert again.trust == 0


def test_words_spent_on_a_need_still_answer_an_objection_raised_later() -> None:
    spent = hear(after("leavers"), [CLASSES], ears()).state
    open_now = raised(spent, SIDE, PLAIN, ())
    assert open_now.raised == ("shelf",)
    heard = hear(open_now, [CLASSES], ears())
    assert heard.gained == pytest.approx(0.10 * 0.7)


def test_an_objection_that_was_not_raised_is_not_answered() -> None:
    heard = hear(TalkState(), [Talk("prove", "legal", "cap")], ears())
    assert heard.state.lifted == {}


def test_what_else_is_open_is_said_to_those_who_have_earned_it() -> None:
    isolate = [Talk("isolate")]
    assert hear(TalkState(), isolate, ears()).state.raised == ()
    own = [Talk("disclose", "support", "outage"), *isolate]
    assert hear(TalkState(), own, ears()).state.raised == ()
    assert hear(TalkState(), own, ears(trust=0.7)).state.raised == ("shelf",)


def test_an_argument_that_cites_a_gift_waits_for_it() -> None:
    case = cases()["saas_enterprise"]
    seller = case.seats["seller"]
    worlds = draw_world(case, Chances.of_one(3))
    told = replace(TalkState(), told=(ToldFact(1, "nameless", "references", "x"),))
    hears = ears(
        side=seller, world=worlds["seller"], speaker=case.seats["buyer"], speaker_world=worlds["buyer"]
    )
    story = [Talk("argue", "references", "story")]
    assert hear(told, story, hears).gained == 0
    assert hear(told, story, replace(hears, sweeteners=1)).gained > 0


def test_a_false_claim_answers_until_it_is_found_out_and_never_again() -> None:
    opened = replace(TalkState(), raised=("shelf", "renewal", "gap"))
    claim = [Talk("answer", "roadmap", "connector_date")]
    lucky = replace(WORLDS["seller"], found=(0.99,) * 8)
    believed = hear(opened, claim, ears(speaker_world=lucky))
    assert believed.gained == pytest.approx(0.06 * 0.8)
    assert not believed.exposed
    caught = hear(opened, claim, ears(speaker_world=replace(lucky, found=(0.01,) * 8)))
    assert caught.exposed
    assert caught.trust == acts.FOUND_FALSE
    assert caught.gained == 0
    assert caught.state.credit == DISBELIEVED
    assert not hear(caught.state, claim, ears(speaker_world=replace(lucky, found=(0.01,) * 8))).exposed


def test_an_untrue_claim_is_found_out_by_anybody_at_times_and_more_often_by_who_reads_others_well() -> None:
    claim = [Talk("answer", "roadmap", "connector_date")]
    for tom_depth, found in ((0.0, 0.19), (0.0, 0.21), (0.9, 0.55), (0.9, 0.57)):
        speaker = replace(WORLDS["seller"], found=(found,) * 8)
        caught = hear(TalkState(), claim, ears(speaker_world=speaker, tom_depth=tom_depth)).exposed
        assert caught == (found < found_rate(tom_depth))


def test_finding_a_claim_out_reopens_what_it_answered() -> None:
    opened = replace(TalkState(), raised=("gap",), lifted={"gap": 0.8})
    caught = hear(
        opened,
        [Talk("answer", "roadmap", "connector_date")],
        ears(speaker_world=replace(WORLDS["seller"], found=(0.01,) * 8)),
    )
    assert caught.state.lifted["gap"] == 0


@given(
    st.lists(st.sampled_from([each.id for each in SPEAKER.arguments]), max_size=12), st.integers(0, 2**14 - 1)
)
def test_words_never_win_more_than_their_cap_nor_lift_more_than_there_is(said: list[str], told: int) -> None:
    facts = [fact.id for place, fact in enumerate(SIDE.facts) if told >> place & 1]
    state = replace(after(*facts), raised=tuple(each.id for each in SIDE.objections))
    total = 0.0
    for id_ in said:
        heard = hear(state, [Talk("argue", SPEAKER.argument[id_].topic, id_)], ears())
        state, total = heard.state, total + heard.gained
        assert heard.gained >= 0
    assert state.won <= MOST_WON
    assert all(share <= 1 for share in state.lifted.values())
    assert total <= MOST_WON + sum(each.hold for each in SIDE.objections) + 1e-9


# -- what objections hold --------------------------------------------------------------------------

shares = st.floats(0, 1)


@given(shares, shares, st.floats(-1e6, 1e6), st.floats(0, 0.4), st.floats(1, 1e6), st.booleans())
def test_the_effective_limit_lies_between_the_limit_and_the_standing_offer(
    above: float, less: float, limit: float, hold: float, scale: float, is_last: bool
) -> None:
    standing = limit + above * scale
    kept = effective_reservation(limit, hold, scale, standing, is_last)
    assert limit <= kept <= max(standing, limit)
    assert effective_reservation(limit, hold * less, scale, standing, is_last) <= kept
    assert effective_reservation(limit, hold, scale, standing, True) <= kept or is_last


@given(st.sampled_from(SIDE.objections), shares, shares, st.integers(0, 2))
def test_what_is_answered_holds_no_more_than_what_is_not(
    objection: Objection, lifted: float, more: float, given: int
) -> None:
    low, high = sorted((lifted, more))
    assert (
        open_share(objection, high, given_names((), given))
        <= open_share(objection, low, given_names((), given))
        <= 1
    )
    assert open_share(objection, low, given_names((), 2)) <= open_share(objection, low, ())


def test_terms_and_gifts_answer_objections_without_a_word() -> None:
    tablets = cases()["procurement_hardware"].seats["buyer"]
    nothing = open_hold(TalkState(), tablets, ())
    assert nothing == pytest.approx(0.29)
    assert open_hold(TalkState(), tablets, given_names(("warranty.spares_3",), 0)) == pytest.approx(
        0.29 - 0.10 * 0.8
    )
    assert open_hold(TalkState(), tablets, given_names((), 1)) == pytest.approx(0.29 - 0.05 * 0.8)


# -- chance ----------------------------------------------------------------------------------------


def test_needs_weigh_one_on_average_and_a_term_that_meets_one_keeps_its_figure_on_average() -> None:
    weights = [draw_world(CASE, Chances.of_one(seed))["buyer"].weight(SIDE, "fit") for seed in range(600)]
    assert np.mean(weights) == pytest.approx(1.0, abs=0.08)
    assert np.mean([worth_factor(each) for each in weights]) == pytest.approx(1.0, abs=0.04)
    assert np.std(weights) == pytest.approx(
        np.sqrt(4 / (5 * 1.5 + 1)), rel=0.15
    )  # of a Dirichlet(3/2) over five


def test_facts_are_mistaken_and_shifted_as_often_as_is_said() -> None:
    worlds = [draw_world(CASE, Chances.of_one(seed))["seller"] for seed in range(400)]
    assert np.mean([each.mistaken for each in worlds]) == pytest.approx(0.10, abs=0.02)
    shifts = np.array([each.shift for each in worlds])
    assert [np.mean(shifts == step) for step in (-1, 0, 1)] == pytest.approx([0.2, 0.6, 0.2], abs=0.03)


def test_a_seed_gives_one_world_and_another_seed_another() -> None:
    assert draw_world(CASE, Chances.of_one(1)) == draw_world(CASE, Chances.of_one(1))
    assert draw_world(CASE, Chances.of_one(1)) != draw_world(CASE, Chances.of_one(2))
