"""What there was to learn, by what it was worth: each figure once, and every total the sum of what stands beside it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from coaching.debriefs.learnt import learnt
from coaching.selectors import debrief_of
from negotiation.catalogue import case_for
from negotiation.models import Game
from tests.practice import play_out

SignIn = Callable[[User], Client]


def row(turn: int | None, money: int | None) -> dict[str, Any]:
    return {"turn": turn, "money": money}


def test_what_was_heard_stands_first_and_then_the_dearest() -> None:
    found = learnt(
        {
            "learned": [row(2, 4_000), row(3, None)],
            "missed": [row(None, 9_000), row(None, 0), row(None, None)],
            "objections": [{"raised": 4, "held": 6_000}, {"raised": None, "held": 3_000}],
        }
    )
    assert found is not None
    assert [(each["heard"], each["money"]) for each in found["priced"]] == [
        (True, 6_000),
        (True, 4_000),
        (False, 9_000),
        (False, 3_000),
        (False, 0),
    ]
    assert [each["width"] for each in found["priced"]] == [66.7, 44.4, 100.0, 33.3, 0.0]
    assert (found["heard"], found["total"]) == (10_000, 22_000)
    assert (len(found["learned"]), len(found["missed"])) == (1, 1)
    assert learnt(None) is None


@pytest.fixture
def with_terms(rep: User) -> Game:
    return play_out(
        rep, seed=4, strategy="conceder", scenario="software_licensing", persona="diplomat", seat="seller"
    )


@pytest.mark.django_db(transaction=True)
def test_a_need_that_terms_meet_counts_once_what_the_best_of_them_makes_for_both(with_terms: Game) -> None:
    found = debrief_of(with_terms)["discovery"]
    priced = [each for each in (*found["learned"], *found["missed"]) if each["money"] is not None]
    case = case_for(with_terms)
    assert case is not None
    met = [need.id for need in case.seats["buyer"].needs if need.options]
    assert len(priced) == len(met) > 1
    assert all(each["money"] >= 0 for each in priced)


@pytest.mark.django_db(transaction=True)
def test_the_page_adds_up(rep: User, signed_in: SignIn, with_terms: Game) -> None:
    page = signed_in(rep).get(f"/deals/{with_terms.pk}/debrief/").content.decode()
    part = page.split('data-testid="discovery-map"')[1].split("</section>")[0]
    amounts = [int(each.replace(",", "")) for each in re.findall(r'class="worth figure">\$([\d,]+)<', part)]
    told = {
        name: int(re.search(rf'data-testid="learnt-{name}">\$([\d,]+)<', part)[1].replace(",", ""))  # type: ignore[index]
        for name in ("heard", "total")
    }
    assert len(amounts) > 3
    assert sum(amounts) == told["total"]
    missed = part.split('class="found priced"')[1].split("</ul>")[0].split('data-stands="missed"', 1)[1]
    assert told["heard"] == told["total"] - sum(
        int(each.replace(",", "")) for each in re.findall(r'class="worth figure">\$([\d,]+)<', missed)
    )
