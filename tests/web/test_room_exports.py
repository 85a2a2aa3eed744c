"""What a manager takes away as CSV opens in a spreadsheet as words and numbers, and runs nothing."""

from __future__ import annotations

import csv
import io
import uuid
from collections.abc import Callable, Iterator

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import Team, User
from accounts.streaming import AT_ONCE, RowByRow
from coaching.live.models import Verdict
from coaching.room import exports
from coaching.room.assignments import assignment_create, attempt_start
from coaching.room.exports import safe
from negotiation.models import Game

pytestmark = pytest.mark.django_db(transaction=True)

SignIn = Callable[[User], Client]


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        ("=HYPERLINK(1)", "'=HYPERLINK(1)"),
        ("+1", "'+1"),
        ("-2+3", "'-2+3"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'\t=1"),
        ("  =1", "'  =1"),
        ("＝1", "'＝1"),
        ("Robin, Reyes", "Robin, Reyes"),
        (-0.25, -0.25),
        (None, ""),
        (True, "yes"),
    ],
    ids=str,
)
def test_words_never_begin_like_a_formula(cell: object, written: object) -> None:
    assert safe(cell) == written


def rows_of(browser: Client, team: Team, kind: str) -> list[dict[str, str]]:
    answer = browser.get(f"/team/{team.pk}/export/{kind}.csv")
    assert answer.status_code == 200
    assert answer.headers["Content-Disposition"].startswith("attachment;")
    text = b"".join(answer.streaming_content).decode()  # type: ignore[attr-defined]
    assert text.startswith("\ufeff")
    return list(csv.DictReader(io.StringIO(text.lstrip("\ufeff"))))


def test_games_and_ratings(manager: User, rep: User, team: Team, over: Game, signed_in: SignIn) -> None:
    rep.display_name = '=cmd|"/c calc"!A1, the "rep"'
    rep.save()
    browser = signed_in(manager)
    (row,) = rows_of(browser, team, "games")
    assert row["rep"] == "'" + rep.display_name
    assert (row["status"], row["game"]) == ("finished", str(over.pk))
    assert "seed" not in row
    assert [row["pool"] for row in rows_of(browser, team, "ratings")] == [
        "overall",
        "Enterprise software contract",
    ]


def test_more_deals_are_read_with_no_more_queries(manager: User, team: Team, over: Game) -> None:
    """Several judgements of a deal: the latest stands."""
    grades = ("weak", "solid")
    for number, grade in enumerate(grades):
        Verdict.objects.create(game=over, grade=grade, sentence=f"Look {number}.", by=manager)
    with CaptureQueriesContext(connection) as of_one:
        header, row = exports.games(team)
    assert row[header.index("verdict")] == "solid"
    for _ in range(5):
        over.pk = uuid.uuid4()
        over.save(force_insert=True)
        Verdict.objects.create(game=over, grade="mixed", by=manager)
    with CaptureQueriesContext(connection) as of_six:
        rows = list(exports.games(team))
    assert len(rows) == 7
    assert len(of_six) == len(of_one)


async def test_an_asynchronous_server_sends_what_is_made_before_the_rest_is(db: None) -> None:
    made = []

    def lines() -> Iterator[str]:
        for number in range(5 * AT_ONCE):
            made.append(number)
            yield f"{number}\n"

    sent = aiter(RowByRow(lines()))
    first = await anext(sent)
    assert first.startswith(b"0\n")
    assert len(made) == AT_ONCE
    assert (first + b"".join([part async for part in sent])).split() == [b"%d" % number for number in made]
    assert len(made) == 5 * AT_ONCE


def test_attempts(manager: User, rep: User, team: Team, signed_in: SignIn) -> None:
    assignment = assignment_create(
        team=team, by=manager, title="Hold", scenario="saas_enterprise", persona="shark", pass_efficiency=0.5,
        assignees=[],
    )  # fmt: skip
    attempt_start(assignment=assignment, user=rep, seat="seller")
    (row,) = rows_of(signed_in(manager), team, "attempts")
    assert (row["assignment"], row["outcome"], row["pass mark"]) == ("Hold", "playing", "0.5")


def test_only_three_tables_can_be_taken(manager: User, team: Team, signed_in: SignIn) -> None:
    assert signed_in(manager).get(f"/team/{team.pk}/export/users.csv").status_code == 404
