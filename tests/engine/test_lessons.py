"""Lessons say only what happened: each sentence is held against the deal's own figures, worked out here once more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pytest

from bench.reps import Rep, Skills, played_by
from coaching.analysis.findings import decided
from coaching.analysis.review import read_played, report
from coaching.analysis.review.lessons import BY_ID, TABLE, FoundLesson, Lesson, opposite, taught
from coaching.analysis.review.moment import Moment
from coaching.analysis.wording import spoken
from negotiation.engine.deal import SIGN, Action, Observation, personas, scenarios
from negotiation.engine.deal.issues import bundle_worths
from negotiation.engine.deal.strategies import Strategy
from negotiation.engine.language import understand
from tests.effort import few
from tests.reviewing import brief_reviews  # noqa: F401


class GivesIn(Rep):
    """Gives nearly all its room on its second number, and once more than they ask."""

    def act(self, observation: Observation, rng: np.random.Generator) -> Action:
        action, sign = super().act(observation, rng), SIGN[observation.seat]
        if observation.turn == 2 and action.offer is not None:
            return Action(action.text, offer=observation.own.walk_away + sign * 2 * self.scenario.step)
        standing = observation.standing_offer
        if observation.turn == 3 and standing is not None and not self.scenario.issues:
            return Action("Fine.", offer=standing - sign * 3 * self.scenario.step)
        return action


class Stubborn(Rep):
    """Names one number and stays there."""

    def act(self, observation: Observation, rng: np.random.Generator) -> Action:
        action = super().act(observation, rng)
        if observation.own_offer is None or action.accept or action.walk_away:
            return action
        return Action("That is my number.", offer=observation.own_offer, terms=observation.own_terms)


class Rude(Rep):
    """Plays as it can, and insults."""

    def act(self, observation: Observation, rng: np.random.Generator) -> Action:
        action = super().act(observation, rng)
        if observation.turn % 3 or action.accept:
            return action
        return Action(
            "You are an idiot and that number is an insult.", offer=action.offer, terms=action.terms
        )


class Bluffer(Rep):
    """States a limit that is far from its own."""

    def act(self, observation: Observation, rng: np.random.Generator) -> Action:
        action, sign = super().act(observation, rng), SIGN[observation.seat]
        if observation.turn == 2 and "batna_reveal" in observation.cards and action.offer is not None:
            claim = observation.own.walk_away * (1 + sign * 0.3)
            return Action("That is my limit.", offer=action.offer, card="batna_reveal", claim=claim)
        return action


KINDS: tuple[type[Rep], ...] = (Rep, GivesIn, Stubborn, Rude, Bluffer)


def found(
    monkeypatch: pytest.MonkeyPatch, deals: Iterable[int]
) -> Iterator[tuple[list[tuple[Lesson, Moment]], dict[str, Any]]]:
    """Deals of all kinds of player: what was taught in each, with its moments, and the review."""
    people, tables = list(personas()), list(scenarios().values())
    for number in deals:
        kept: list[tuple[Lesson, Moment]] = []

        def keeping(lesson: Lesson, moment: Moment, kept: list[tuple[Lesson, Moment]] = kept) -> FoundLesson:
            kept.append((lesson, moment))
            return taught(lesson, moment)

        monkeypatch.setattr(report, "taught", keeping)
        rng = np.random.default_rng(number)
        player: Strategy = KINDS[number % len(KINDS)](Skills.drawn(rng))
        scenario = tables[number % len(tables)]
        seat = ("seller", "buyer")[number // 2 % 2]
        _, frames = played_by(player, scenario, people[number % len(people)], seat, 7_000 + number)
        yield kept, report.review(read_played(frames, scenario))


def _values(moment: Moment) -> list[tuple[int, float]]:
    """The player's packages before a move, by turn, as what each was worth to it then."""
    worths = bundle_worths(moment.played.scenario.issues, moment.turn.before.own.values)
    return [
        (each.turn, moment.sign * each.move.offer + float(worths[each.move.bundle]))
        for each in moment.played.turns
        if each.turn < moment.turn.turn and each.move.offer is not None
    ]


def _theirs(moment: Moment) -> list[float]:
    worths = bundle_worths(moment.played.scenario.issues, moment.played.turns[0].before.own.values)
    replies = [moment.played.opening, *(t.reply for t in moment.played.turns if t.turn < moment.turn.turn)]
    return [
        moment.sign * reply.offer + float(worths[reply.bundle])
        for reply in replies
        if reply is not None and reply.offer is not None
    ]


GIVES = ("gave_most", "gave_at_deadline", "gave_unasked", "gave_too_much", "gave_too_little")
STAYS = ("answered_nothing", "stood_still", "stayed_put")


def _is_so(lesson: Lesson, moment: Moment) -> bool:
    """Whether what the lesson says happened, from the raw moves."""
    mine, theirs, move = _values(moment), _theirs(moment), moment.turn.move
    half = moment.played.scenario.step / 2
    worths = bundle_worths(moment.played.scenario.issues, moment.turn.before.own.values)
    now = None if move.offer is None else moment.sign * move.offer + float(worths[move.bundle])
    gave = None if now is None or not mine else mine[-1][1] - now
    step = theirs[-1] - theirs[-2] if len(theirs) > 1 else None
    stood = moment.turn.before.own_offer is not None  # else it had lapsed, and counts from elsewhere
    if lesson.id in GIVES and (gave is None or (stood and gave <= half)):
        return False
    if lesson.id in ("answered_nothing", "answered_little", "accepted_moving") and (
        step is None or step <= 0
    ):
        return False
    if lesson.id in STAYS and stood and gave is not None and abs(gave) > 2 * half:
        return False
    if lesson.id == "gave_unasked" and (step is None or step > 2 * half):
        return False
    if lesson.id == "took_back" and (gave is None or gave >= 0):
        return False
    if lesson.id in ("opened_low", "opened_far") and (mine or move.offer is None):
        return False
    if lesson.id == "no_anchor" and (mine or move.offer is not None):
        return False
    if lesson.id == "insulted":
        return "idiot" in move.words
    if lesson.id == "overbid":
        return now is not None and bool(theirs) and now < theirs[-1]
    if lesson.id.startswith("accepted"):
        return move.accept
    if lesson.id.startswith("left_"):
        return move.walk_away
    return True


pytestmark = pytest.mark.timeout(600)  # the first of them reviews all deals, on a busy machine for minutes


@pytest.fixture(scope="module")
def deals() -> Iterator[list[tuple[list[tuple[Lesson, Moment]], dict[str, Any]]]]:
    patch = pytest.MonkeyPatch()
    yield list(found(patch, few([1, 3], range(15))))
    patch.undo()


Deals = list[tuple[list[tuple[Lesson, Moment]], dict[str, Any]]]


def test_what_a_lesson_says_happened(deals: Deals) -> None:
    said = Counter(lesson.id for told, _ in deals for lesson, _ in told)
    wrong = [
        (lesson.id, moment.turn.turn, lesson.says(moment))
        for told, _ in deals
        for lesson, moment in told
        if not _is_so(lesson, moment)
    ]
    assert wrong == []
    assert len(said) >= few(4, 10), said


def test_an_insult_an_overbid_and_a_called_bluff_are_told_and_never_called_good(deals: Deals) -> None:
    told = Counter[str]()
    for _, review in deals:
        for move in review["moves"]:
            if move["code"] in BY_ID and BY_ID[move["code"]].grave:
                told[move["code"]] += 1
                assert move["label"] not in ("best", "good")
    assert told["insulted"]
    assert told["overbid"]


def test_no_line_tells_a_limit_threatens_or_offers_beyond_it(deals: Deals) -> None:
    for told, _ in deals:
        for lesson, moment in told:
            line, scenario = lesson.line(moment), moment.played.scenario
            if not line:
                continue
            heard = understand(line, money=scenario.money, seat=moment.played.seat)
            assert not {"threat", "deadline", "insult"} & {*heard.acts, *heard.tactics}, line
            assert moment.price(moment.turn.before.own.walk_away) not in line or lesson.id in (
                "overbid",
                "should_have_taken",
                "left_within",
            ), line
            figure = lesson.figure(moment)
            if figure is not None and lesson.direction in ("less", "more") and not scenario.issues:
                assert moment.sign * (figure - moment.turn.before.own.walk_away) >= 0


def test_every_lesson_has_its_act_a_point_and_a_skill_and_no_two_share_an_id() -> None:
    assert len({lesson.id for lesson in TABLE}) == len(TABLE)
    for lesson in BY_ID.values():
        assert spoken(lesson.act).endswith(".")
        assert bool(lesson.start) != bool(lesson.stop) or lesson.id == "worth_more"
    assert TABLE[-1].id == "worth_more"


def test_what_asks_for_more_is_the_opposite_of_what_asks_for_less() -> None:
    assert opposite("less", "more")
    assert opposite("stay", "take")
    assert not opposite("less", "ask")


def test_no_advice_is_the_one_of_more_than_a_third_of_unlike_deals(deals: Deals) -> None:
    """The one thing that a debrief asks for."""
    keys = [decided(review) for _, review in deals]
    acts = Counter(key["lesson"]["act"] for key in keys if key is not None)
    assert max(acts.values()) <= max(few(3, 0), len(deals) / 3)
