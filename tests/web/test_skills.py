"""Skills, drills and the progress page: what a review teaches, when practice is due, and who may see it."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import product
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from fsrs import Rating

from accounts.models import Membership, Team, User
from accounts.services import membership_set, user_create
from coaching.analysis.evidence import evidence_of
from coaching.analysis.review import VERSION, read_played, review
from coaching.analysis.skills import RELIABLE_FROM, SKILLS
from coaching.reviews.models import MoveReview
from coaching.reviews.selectors import review_of
from coaching.room.leaving import account_delete
from coaching.room.mydata import archive_of
from coaching.skills import schedule, selectors, services
from coaching.skills.models import PracticeCard, PracticeRun, SkillEvidence
from coaching.skills.tasks import deal_drill
from negotiation import catalogue
from negotiation.models import Game
from negotiation.selectors import frames_after
from owed import queues
from tests.practice import play_out, review_now
from tests.remembering import remembered

pytestmark = pytest.mark.django_db(transaction=True)

SignIn = Callable[[User], Client]


@pytest.fixture
def learnt(rep: User, team: Team) -> Game:
    """A deal run down against a shark, reviewed and learnt from."""

    def play() -> Game:
        game = play_out(rep, team=team, seed=105, strategy="linear")
        review_now(game)
        return game

    return remembered("learnt", play)


def choice(label: str, regret: float) -> dict[str, Any]:
    return {"text": label, "value": 0.5 - regret, "regret": regret, "label": label, "reason": "Because."}


@pytest.fixture
def drill(rep: User) -> PracticeCard:
    """A drill with two positions dealt."""
    now = timezone.now()
    card = PracticeCard.objects.create(
        user=rep, kind="drill", skill="pacing", persona="shark", due=now, schedule=schedule.fresh(1, now)
    )
    position = {
        "scenario": "saas_enterprise", "title": "Enterprise software contract", "persona": "shark",
        "persona_name": "Viktor Kane", "seat": "seller", "turn": 5, "horizon": 20, "own_limit": 130_000.0,
        "claim": None, "words": "Here: $112,000.", "tension_band": "warm", "own_terms": "", "standing_terms": "",
        "own_worth": 170_000.0, "standing_worth": 112_000.0, "worths": [], "headlines": [],
        "offers": [
            {"turn": 4, "own": 170_000.0, "own_worth": 170_000.0, "theirs": 112_000.0, "theirs_worth": 112_000.0}
        ],
        "choices": [choice("mistake", 0.12), choice("best", 0.0), choice("blunder", 0.3)],
    }  # fmt: skip
    PracticeRun.objects.create(card=card, positions=[position, position])
    return card


def test_a_review_becomes_evidence_on_the_skills_it_put_to_the_test(learnt: Game, rep: User) -> None:
    rows = {row.skill: row for row in SkillEvidence.objects.filter(game=learnt)}
    assert {"opening", "probing", "pacing", "closing", "tension"} <= set(rows)
    assert all(row.user == rep and 0 <= row.score <= 1 and 0 < row.weight <= 2 for row in rows.values())
    review = review_of(learnt.pk)
    assert review is not None
    told = sum(m["regret"] for m in review["moves"] if m["label"] in ("inaccuracy", "mistake", "blunder"))
    assert sum(row.regret for row in rows.values()) == pytest.approx(told, abs=1e-6)


def test_learning_twice_changes_nothing(learnt: Game) -> None:
    before = list(SkillEvidence.objects.values_list("skill", "score", "weight").order_by("skill"))
    cards = PracticeCard.objects.count()
    review = review_of(learnt.pk)
    assert review is not None
    services.learn_from_review(learnt, review)
    assert list(SkillEvidence.objects.values_list("skill", "score", "weight").order_by("skill")) == before
    assert PracticeCard.objects.count() == cards


def test_a_review_that_nobody_learnt_from_is_found(learnt: Game, rep: User) -> None:
    assert services.reviews_learn() == 0
    services.practice_forget(user=rep)
    assert services.reviews_learn() == 1
    assert SkillEvidence.objects.filter(game=learnt).exists()
    account_delete(user=rep)
    assert services.reviews_learn() == 0, "who has left is learnt nothing about"


def test_a_game_with_help_counts_half(learnt: Game) -> None:
    alone = dict(SkillEvidence.objects.values_list("skill", "weight"))
    Game.objects.filter(pk=learnt.pk).update(assisted=True, assisted_reason="whisper")
    learnt.refresh_from_db()
    review = review_of(learnt.pk)
    assert review is not None
    services.learn_from_review(learnt, review)
    helped = dict(SkillEvidence.objects.values_list("skill", "weight"))
    assert helped == {skill: pytest.approx(weight / 2) for skill, weight in alone.items()}


def test_what_was_played_before_a_retry_is_not_counted_again(learnt: Game) -> None:
    frames, scenario = frames_after(learnt.pk, 0, "coach"), catalogue.for_game(learnt)
    review = review_of(learnt.pk)
    assert review is not None
    whole = {each.skill: each for each in evidence_of(frames, scenario, review)}
    rest = {each.skill: each for each in evidence_of(frames, scenario, review, first_turn=6)}
    assert "opening" not in rest
    assert "probing" not in rest or rest["probing"].observations < whole["probing"].observations
    assert rest["pacing"].observations < whole["pacing"].observations


def test_drills_are_chosen_where_regret_fell_and_no_more_than_three(learnt: Game, rep: User) -> None:
    drills = PracticeCard.objects.filter(user=rep, kind="drill")
    regret = dict(SkillEvidence.objects.filter(game=learnt, regret__gt=0).values_list("skill", "regret"))
    assert 1 <= drills.count() <= services.DRILLED
    assert {card.skill for card in drills} <= set(regret)
    assert selectors.due_cards(rep)[0].card.is_drill


def test_a_review_has_the_worker_deal_the_drills_that_it_chose_behind_the_reviews(
    learnt: Game, rep: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[tuple[int, ...], str]] = []
    monkeypatch.setattr(deal_drill, "apply_async", lambda words, queue: asked.append((words, queue)))
    review = review_of(learnt.pk)
    assert review is not None
    services.learn_from_review(learnt, review)
    drills = PracticeCard.objects.filter(user=rep, kind="drill")
    assert sorted(asked) == sorted(((card.pk,), queues.REST) for card in drills)


def test_a_drill_is_answered_position_by_position_and_put_away(drill: PracticeCard) -> None:
    now = timezone.now()
    first = services.drill_answer(card=drill, step=0, choice=1, now=now)
    assert first.finished_at is None
    again = services.drill_answer(card=drill, step=0, choice=2, now=now)
    assert again.answers == [{"choice": 1}], "the first answer counts"
    done = services.drill_answer(card=drill, step=1, choice=0, now=now)
    drill.refresh_from_db()
    assert done.finished_at == now
    assert done.score == 0.5, "one right, one wrong"
    assert drill.due >= now + timedelta(days=1)
    assert selectors.due_cards(drill.user, now) == []
    assert [one.card for one in selectors.due_cards(drill.user, drill.due)] == [drill]


@pytest.mark.parametrize(("step", "move"), [(0, 9), (0, -1), (1, 0), (7, 0)])
def test_an_answer_that_is_none_is_refused_and_changes_nothing(
    drill: PracticeCard, step: int, move: int
) -> None:
    with pytest.raises(services.NotNow):
        services.drill_answer(card=drill, step=step, choice=move)
    assert drill.runs.get().answers == []


def test_who_does_well_is_asked_again_later_than_who_does_badly() -> None:
    now = timezone.now()
    due = []
    for score in (0.2, 0.6, 0.8, 1.0):
        _, when = schedule.after(schedule.fresh(1, now), schedule.drill_rating(score), now)
        due.append(when)
    assert due == sorted(due)
    assert now < due[0] < due[-1]
    card, soon = schedule.after(schedule.fresh(1, now), Rating.Good, now)
    _, later = schedule.after(card, Rating.Good, soon)
    assert later - soon > soon - now, "what is known is asked for less and less often"


@pytest.mark.slow
def test_the_worker_deals_a_drill_once(rep: User) -> None:
    now = timezone.now()
    card = PracticeCard.objects.create(
        user=rep,
        kind="drill",
        skill="bluff_calls",
        persona="diplomat",
        due=now,
        schedule=schedule.fresh(1, now),
    )
    assert deal_drill(card.pk)
    run = card.runs.get()
    assert len(run.positions) == 3
    assert run.finished_at is None
    assert {position["persona"] for position in run.positions} != {"diplomat"}, (
        "who never bluffs is stood in for"
    )
    assert deal_drill(card.pk)
    assert card.runs.get() == run
    assert not deal_drill(card.pk + 1)


def test_the_progress_page_says_what_it_does_not_know_yet(learnt: Game, rep: User, signed_in: SignIn) -> None:
    page = signed_in(rep).get("/progress/").content.decode()
    assert f"Shown from {RELIABLE_FROM['pacing']} deals that test it; 1 so far" in page
    assert "For today" in page
    assert 'data-testid="weeks"' not in page, "one week is no row of weeks"


def test_a_newcomer_finds_a_calm_page(stranger: User, signed_in: SignIn) -> None:
    page = signed_in(stranger).get("/progress/").content.decode()
    assert "Nothing waits today" in page
    assert page.count("deals that test it") == len(SKILLS)
    assert "so far" not in page


def test_figures_come_with_the_second_game(learnt: Game, rep: User) -> None:
    assert selectors.progress_figures(rep) == []
    play_out(rep, seed=102, strategy="capitulator", days_ago=7)
    drawn = {figure["id"]: figure for figure in selectors.progress_figures(rep)}
    assert list(drawn) == ["shares", "regret", "weeks"]
    assert len(drawn["shares"]["table"]["rows"]) == 2
    assert len(drawn["regret"]["table"]["rows"]) == 1, "only one of them was reviewed"
    assert selectors.weeks_in_a_row(rep) == 2


def test_enough_games_give_a_figure_that_fades(rep: User) -> None:
    now = timezone.now()

    def pacing(at: datetime) -> selectors.SkillLine:
        return next(each for each in selectors.skill_lines(rep, now=at) if each.skill == "pacing")

    for number in range(RELIABLE_FROM["pacing"]):
        assert not pacing(now).sure, "a figure that does not tell people apart is none"
        game = Game.objects.create(
            player=rep, scenario="saas_enterprise", persona="shark", seat="seller", difficulty=0.5,
            seed=number, horizon=20,
        )  # fmt: skip
        SkillEvidence.objects.create(
            user=rep, game=game, skill="pacing", score=0.8, weight=1.6, at=now - timedelta(days=number)
        )
    line = pacing(now)
    assert line.sure
    assert 0.6 < line.rating.mean < 0.8
    assert line.spark is not None
    assert not pacing(now + timedelta(days=600)).sure


def test_a_card_is_its_owners_alone(
    drill: PracticeCard, manager: User, stranger: User, signed_in: SignIn
) -> None:
    for other in (manager, stranger):
        client = signed_in(other)
        assert client.get(f"/practice/{drill.pk}/").status_code == 404
        assert client.post(f"/practice/{drill.pk}/answer/", {"step": 1, "choice": 1}).status_code == 404
    assert signed_in(drill.user).get(f"/practice/{drill.pk}/").status_code == 200
    assert drill.runs.get().answers == []


def test_who_leads_the_team_sees_the_skills_but_not_the_practice(
    learnt: Game, rep: User, manager: User, team: Team, signed_in: SignIn
) -> None:
    page = signed_in(manager).get(f"/team/{team.pk}/progress/{rep.pk}/")
    assert page.status_code == 200
    assert "Robin Reyes" in page.content.decode()
    assert "For today" not in page.content.decode()
    peer = user_create(email="peer@example.com", password="correct horse")
    membership_set(user=peer, team=team, role=Membership.Role.REP)
    assert signed_in(peer).get(f"/team/{team.pk}/progress/{rep.pk}/").status_code == 404
    assert signed_in(rep).get(f"/team/{team.pk}/progress/{rep.pk}/").status_code == 404


def test_a_manager_sees_what_was_played_in_the_team_and_nothing_else(learnt: Game, rep: User) -> None:
    elsewhere = Team.objects.create(name="Elsewhere")
    assert all(line.games == 0 for line in selectors.skill_lines(rep, elsewhere))
    assert any(line.games == 1 for line in selectors.skill_lines(rep, learnt.team))


def test_the_better_move_stays_hidden_until_one_is_chosen(drill: PracticeCard, signed_in: SignIn) -> None:
    client = signed_in(drill.user)
    asked = client.get(f"/practice/{drill.pk}/").content.decode()
    assert "Because." not in asked
    assert "weighed" not in asked
    shown = client.post(
        f"/practice/{drill.pk}/answer/", {"step": 1, "choice": 0}, follow=True
    ).content.decode()
    assert "Because." in shown
    assert "A mistake" in shown


@pytest.mark.slow
def test_the_archive_holds_what_was_learnt_but_not_the_answers_of_a_drill_to_come(
    drill: PracticeCard, learnt: Game, rep: User
) -> None:
    with zipfile.ZipFile(io.BytesIO(archive_of(rep))) as archive:
        kept = json.loads(archive.read("skills.json"))
    assert {row["skill"] for row in kept["evidence"]} >= {"opening", "closing"}
    assert all("positions" not in run for run in kept["practice"])
    services.drill_answer(card=drill, step=0, choice=1)
    services.drill_answer(card=drill, step=1, choice=1)
    with zipfile.ZipFile(io.BytesIO(archive_of(rep))) as archive:
        played = [run for run in json.loads(archive.read("skills.json"))["practice"] if run["finished"]]
    assert [len(run["positions"]) for run in played] == [2]


def test_who_leaves_is_forgotten(learnt: Game, rep: User) -> None:
    account_delete(user=rep)
    assert not SkillEvidence.objects.exists()
    assert not PracticeCard.objects.exists()


def test_forgetting_takes_everything_along(learnt: Game, rep: User) -> None:
    services.practice_forget(user=rep)
    assert not SkillEvidence.objects.exists()
    assert not PracticeCard.objects.exists()
    assert MoveReview.objects.filter(game=learnt, version=VERSION).exists()


def mean_score(rep: User, strategy: str, skill: str, seeds: tuple[int, ...]) -> float:
    """A strategy's mean score on a skill over a deal of each seed with each of two personas."""
    scores = []
    for seed, persona in product(seeds, ("shark", "diplomat")):
        game = play_out(rep, seed=seed, strategy=strategy, persona=persona)
        frames, scenario = frames_after(game.pk, 0, "coach"), catalogue.for_game(game)
        found = evidence_of(frames, scenario, review(read_played(frames, scenario)))
        scores += [each.score for each in found if each.skill == skill]
    return sum(scores) / len(scores)


@pytest.mark.thorough  # tests/engine/test_skill_ratings.py asks it of drills
@pytest.mark.parametrize("seeds", [(201, 203)])
@pytest.mark.parametrize(
    ("skill", "good", "bad"),
    [
        ("pacing", "bayesian", "capitulator"),
        ("closing", "conceder", "stonewaller"),
    ],
)
def test_who_does_the_opposite_of_a_skill_scores_lower_on_it(
    rep: User, skill: str, good: str, bad: str, seeds: tuple[int, ...]
) -> None:
    assert mean_score(rep, good, skill, seeds) > mean_score(rep, bad, skill, seeds) + 0.1
