"""What the house promises of every table it keeps of every kind of game: played, taken along, kept so long, forgotten."""

from __future__ import annotations

import io
import json
import zipfile
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.utils import timezone

from accounts.models import Team, User
from coaching.room import leaving, mydata, retention
from negotiation.table import forgetting, kinds
from negotiation.table.forgetting import StillPlaying
from negotiation.table.kinds import Kind
from negotiation.table.models import RedactionReason
from negotiation.table.seeds import draw_seed
from negotiation.table.signals import table_ended
from tests.tables import SAID, table_of

pytestmark = pytest.mark.django_db
NAMES = ["deal", "coalition", "pair", "diplomacy", "small"]


@pytest.fixture(params=NAMES)
def kind(request: pytest.FixtureRequest) -> Kind[Any]:
    return next(each for each in kinds.every() if each.name == request.param)


def words_of(kind: Kind[Any]) -> str:
    return json.dumps([row.data for row in kind.events.objects.all()])


def archive_of(user: User) -> str:
    with zipfile.ZipFile(io.BytesIO(mydata.archive_of(user))) as archive:
        return "".join(archive.read(name).decode() for name in archive.namelist())


def test_no_kind_is_without_a_table_to_prove_it_by() -> None:
    assert [each.name for each in kinds.every()] == NAMES


def test_the_log_is_whole_and_its_end_is_told_once(kind: Kind[Any], rep: User, team: Team) -> None:
    ended: list[Any] = []

    def hear(sender: Any, table: Any, **_: Any) -> None:
        ended.append((sender, table.pk))

    table_ended.connect(hear)
    table = table_of(kind, rep, team)
    table_of(kind, rep, team, end=False)
    table_ended.disconnect(hear)
    assert ended == [(kind.tables, table.pk)]
    assert table.finished_at is not None
    assert [row.seq for row in kind.read(table.pk, 0)] == list(range(1, table.last_seq + 1))


def test_it_is_in_its_players_archive_and_in_nobody_elses(
    kind: Kind[Any], rep: User, manager: User, team: Team
) -> None:
    table = table_of(kind, rep, team)
    assert (SAID in archive_of(rep)) is (kind.redactions is not None)
    assert str(table.seed) not in archive_of(rep)
    assert SAID not in archive_of(manager)


def test_words_go_when_they_were_kept_long_enough_and_not_before(
    kind: Kind[Any], rep: User, team: Team
) -> None:
    table, live = table_of(kind, rep, team), table_of(kind, rep, team, end=False)
    told = words_of(kind).count(SAID)
    assert retention.purge(timezone.now() + timedelta(days=settings.RETENTION_DAYS - 1)) == 0
    changed = retention.purge(timezone.now() + timedelta(days=settings.RETENTION_DAYS + 1))
    if kind.redactions is None:
        assert (changed, told) == (0, 0)
        return
    assert (changed, told > 0) == (1, True)
    assert SAID not in json.dumps([row.data for row in kind.read(table.pk, 0)])
    assert SAID in json.dumps([row.data for row in kind.read(live.pk, 0)]), (
        "a live table is replayed from its words"
    )
    table.refresh_from_db()
    assert (table.redaction.reason, table.redaction.rows > 0) == ("retention", True)
    assert retention.purge(timezone.now() + timedelta(days=settings.RETENTION_DAYS + 1)) == 0, "done once"


def test_words_go_at_their_players_wish(kind: Kind[Any], rep: User, team: Team) -> None:
    table = table_of(kind, rep, team)
    if kind.alone:
        assert forgetting.tables_with_words(rep) == (kind.redactions is not None)
    forgetting.transcripts_delete(player=rep)
    assert SAID not in words_of(kind)
    table.refresh_from_db()
    assert table.finished_at is not None, "the figures stay"


def test_a_live_table_keeps_its_words(kind: Kind[Any], rep: User, team: Team) -> None:
    table = table_of(kind, rep, team, end=False)
    if kind.redactions is None:
        assert forgetting.redact(kind, table.pk, reason=RedactionReason.REQUEST, by=rep) is False
        return
    with pytest.raises(StillPlaying):
        forgetting.redact(kind, table.pk, reason=RedactionReason.REQUEST, by=rep)


def test_nothing_said_is_left_when_an_account_goes(
    kind: Kind[Any], rep: User, manager: User, team: Team
) -> None:
    for end in (True, False):
        table_of(kind, rep, team, end=end)
    leaving.account_delete(user=rep)
    assert SAID not in words_of(kind)
    assert rep.display_name not in words_of(kind)


def test_no_two_tables_share_a_seed_though_one_be_deleted(rep: User, team: Team, settings: Any) -> None:
    settings.FIRST_SEED = 7
    drawn = [draw_seed(kind) for kind in kinds.every() for _ in range(3)]
    small = next(kind for kind in kinds.every() if kind.name == "small")
    match = table_of(small, rep, team, end=False)
    drawn.append(match.seed)
    match.delete()
    drawn.append(table_of(small, rep, team, end=False).seed)
    assert len(set(drawn)) == len(drawn)


def test_a_second_kind_of_one_name_is_refused() -> None:
    class Other(type(kinds.every()[0])):  # type: ignore[misc]
        pass

    with pytest.raises(ValueError, match="two kinds"):
        kinds.register(Other())
