"""What the gate decides by: a gain must be shown, a loss must be ruled out."""

from __future__ import annotations

import pytest

from trainer.domains.deal.games import DealGames
from trainer.domains.deal.tables import OpenTables
from trainer.domains.deal.tasks import DealTask
from trainer.errors import BadInput
from trainer.evaluation.gate import GateSettings, Measured, exploiting, held_out, report, weigh
from trainer.evaluation.records import GameRecord

SETTINGS = GateSettings()


def records(
    shares: list[float], malformed: int = 0, closed_off: int = 0, objected: int | None = None
) -> list[GameRecord]:
    task = DealTask("saas_enterprise", "shark", "seller", 1)
    return [
        GameRecord(task, deal=share > 0, efficiency=share, answers=10, malformed=malformed + closed_off,
                   closed_off=closed_off, objected=objected)
        for share in shares
    ]  # fmt: skip


def seen(
    share: float,
    *,
    malformed: int = 0,
    closed_off: int = 0,
    objected: int | None = None,
    lost: float = 0.3,
    count: int = 80,
) -> Measured:
    shares = [share + 0.02 * (at % 5 - 2) for at in range(count)]
    found = records(shares, malformed, closed_off, objected)
    return Measured(found, {"linear": [0.1] * 40, "expert": [lost] * 40})


def verdicts(candidate: Measured, champion: Measured) -> dict[str, bool]:
    return {each.id: each.passed for each in weigh(candidate, champion, SETTINGS)}


def test_a_better_model_that_loses_nothing_passes_every_criterion() -> None:
    assert set(verdicts(seen(0.5), seen(0.4)).values()) == {True}


def test_an_equal_model_has_shown_no_gain() -> None:
    assert verdicts(seen(0.4), seen(0.4)) == {
        "gain": False, "validity": True, "least_validity": True, "exploitability": True, "guard": True,
    }  # fmt: skip


def test_a_gain_that_luck_could_have_made_is_none() -> None:
    lucky, usual = records([0.0, 1.0, 0.9, 0.2]), records([0.3, 0.4, 0.5, 0.4])
    against = {"linear": [0.1, 0.2]}
    assert not verdicts(Measured(lucky, against), Measured(usual, against))["gain"]


@pytest.mark.parametrize(
    ("worse", "criteria"),
    [
        ({"malformed": 1}, ["validity", "least_validity"]),
        ({"closed_off": 1}, ["guard"]),
        ({"lost": 0.5}, ["exploitability"]),
        ({"objected": 1}, ["words"]),
    ],
)
def test_a_gain_does_not_pay_for_what_must_not_go_wrong(worse: dict[str, float], criteria: list[str]) -> None:
    found = verdicts(seen(0.6, **{"objected": 0, **worse}), seen(0.4, objected=0))  # type: ignore[arg-type]
    assert [name for name, passed in found.items() if not passed] == criteria


def test_who_writes_as_badly_as_a_bad_champion_writes_too_badly_for_people() -> None:
    found = {each.id: each for each in weigh(seen(0.6, malformed=2), seen(0.4, malformed=2), SETTINGS)}
    assert [name for name, each in found.items() if not each.passed] == ["least_validity"]
    floor = found["least_validity"]
    assert floor.candidate is not None
    assert floor.candidate.mean == pytest.approx(0.8)
    assert floor.apart is None
    assert "0.95 or above" in floor.rule
    lenient = GateSettings(least_validity=0.75)
    assert all(each.passed for each in weigh(seen(0.6, malformed=2), seen(0.4, malformed=2), lenient))


def test_validity_that_only_seems_to_reach_the_floor_does_not() -> None:
    """Its mean does, and the interval reaches below: some deals are full of answers that can't be read."""
    mixed = [*records([0.6] * 39), *records([0.6], malformed=10)]
    (floor,) = (
        each
        for each in weigh(Measured(mixed, {"expert": [0.3] * 40}), seen(0.4, count=40), SETTINGS)
        if each.id == "least_validity"
    )
    assert floor.candidate is not None
    assert floor.candidate.mean == pytest.approx(0.975)
    assert not floor.passed


def test_words_are_weighed_only_where_both_write_their_own() -> None:
    assert "words" in verdicts(seen(0.5, objected=0), seen(0.4, objected=0))
    assert "words" not in verdicts(seen(0.5, objected=0), seen(0.4))


def test_a_loss_that_is_not_ruled_out_fails_though_it_is_not_shown_either() -> None:
    """Few deals: the means are equal, and the interval reaches far beyond the margin."""
    one, other = (
        Measured(records([0.5] * 4), {"expert": [0.0, 1.0]}),
        Measured(records([0.4] * 4), {"expert": [1.0, 0.0]}),
    )
    found = {each.id: each for each in weigh(one, other, SETTINGS)}
    assert found["exploitability"].apart is not None
    assert found["exploitability"].apart.mean == 0
    assert not found["exploitability"].passed


def test_answers_beyond_the_limit_are_the_guards_and_not_malformed() -> None:
    found = {each.id: each for each in weigh(seen(0.5, closed_off=1), seen(0.5), SETTINGS)}
    assert found["validity"].candidate is not None
    assert found["validity"].candidate.mean == 1
    assert found["guard"].candidate is not None
    assert found["guard"].candidate.mean == pytest.approx(0.1)


def test_the_report_says_all_that_was_weighed() -> None:
    found = report(seen(0.5), seen(0.4), SETTINGS, 7)
    assert found["passed"] is True
    assert found["best_response"] == {"candidate": "expert", "champion": "expert"}
    assert len(found["scores"]["shark"]) == 80
    assert found["table"]["baseline"] == "champion"
    assert found["settings"]["validity_margin"] == 0.02


def test_both_play_deals_that_no_training_draws() -> None:
    tasks = [*held_out(SETTINGS, 3), *exploiting(SETTINGS, 3)]
    assert all(task.seed >= 2_000_000_000 for task in tasks)
    assert tasks == [*held_out(SETTINGS, 3), *exploiting(SETTINGS, 3)]
    assert tasks != [*held_out(SETTINGS, 4), *exploiting(SETTINGS, 4)]


def test_margins_below_nothing_are_refused() -> None:
    with pytest.raises(BadInput, match="margins"):
        GateSettings(guard_margin=-0.1)
    with pytest.raises(BadInput, match="least_validity"):
        GateSettings(least_validity=1.2)


@pytest.mark.parametrize(
    ("words", "refused"),
    [("What matters most to your team?", 0), ("Honestly, my limit is 112,000.", 1), ("You are an idiot.", 1)],
)
def test_the_guard_of_the_table_reads_the_words_of_a_model_that_writes_its_own(
    words: str, refused: int
) -> None:
    games = DealGames(OpenTables(style="full"), style="full", guarded=True)
    games.start([DealTask("saas_enterprise", "diplomat", "seller", 1)])
    belief = '{"limit":390,"budget":395,"urgency":4,"alternative":5,"sure":3}'
    answer = f'{{"act":"talk","card":"none","belief":{belief},"text":"{words}"}}'
    after = games.play({0: answer})[0]
    assert after is not None, "the decision is played, whatever is thought of its words"
    assert (games.hears_words, games.objected) == (True, [refused])


def test_words_from_a_menu_are_not_read() -> None:
    assert not DealGames(OpenTables(), guarded=True).hears_words
    assert not DealGames(OpenTables(style="full"), style="full").hears_words
