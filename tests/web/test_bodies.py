"""Bodies that nest a hundred thousand deep or are enormous are answered 4xx in words, wherever JSON is taken."""

from __future__ import annotations

import uuid
from collections.abc import Callable

import pytest
from django.conf import settings
from django.test import Client

from accounts.models import User
from accounts.selectors import team_of
from negotiation.coalitions.services import deal_create
from negotiation.engine.coalition import SEATS, coalition_scenarios
from tests.web.test_diplomacy_table import begin
from trainer.domains.deal.rows import rows_of

pytestmark = pytest.mark.django_db(transaction=True)

DEEP = {"lists": "[" * 100_000, "tables": '{"a":' * 40_000, "closed": "[" * 50_000 + "]" * 50_000}


@pytest.fixture
def routes(rep: User) -> list[str]:
    scenario = next(iter(coalition_scenarios()))
    others: dict[str, str] = dict(
        zip([seat for seat in SEATS if seat != "seller"], ("shark", "diplomat"), strict=False)
    )
    deal = deal_create(player=rep, team=team_of(rep), scenario=scenario, seat="seller", opponents=others)
    return [f"/diplomacy/{begin(rep).pk}/forks/", f"/coalitions/{deal.pk}/act/", "/api/deals"]


@pytest.mark.parametrize("deep", DEEP)
def test_a_deep_body_is_refused(
    rep: User, signed_in: Callable[[User], Client], routes: list[str], deep: str
) -> None:
    for route in routes:
        answer = signed_in(rep).post(route, DEEP[deep], content_type="application/json")
        assert 400 <= answer.status_code < 500, route
        assert answer.content


def test_an_enormous_body_is_refused(
    rep: User, signed_in: Callable[[User], Client], routes: list[str]
) -> None:
    body = '"' + "x" * settings.DATA_UPLOAD_MAX_MEMORY_SIZE + '"'
    for route in routes:
        answer = signed_in(rep).post(route, body, content_type="application/json")
        assert 400 <= answer.status_code < 500, route


@pytest.mark.parametrize("deep", DEEP)
def test_a_deep_line_of_an_import_is_named(deep: str) -> None:
    # Newer interpreters read a list as deep as this one, and then find that it is no object.
    with pytest.raises(ValueError, match="Line 2 is not (a )?JSON"):
        rows_of(('{"text": "hi"}\n' + DEEP[deep]).encode(), f"{uuid.uuid4()}.jsonl")
