"""The Diplomacy table: phases, press, promises, clocks, seats; what a role may see; what if."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import models
from django.test import Client
from django.utils import timezone

from accounts.models import User
from negotiation.diplomacy import forks, services
from negotiation.diplomacy.events import REVEAL, shown
from negotiation.diplomacy.kind import BOARD
from negotiation.diplomacy.models import BoardEvent, BoardFork, BoardGame, BoardSeat
from negotiation.diplomacy.selectors import (
    Place,
    archive_of,
    frames_of,
    log_after,
    options_of,
    place_of,
    power_of,
    sitting_of,
)
from negotiation.diplomacy.services import Edited
from negotiation.diplomacy.tasks import close_overdue_phases
from negotiation.engine.diplomacy import POWERS
from negotiation.engine.diplomacy.saved import position_to_json
from negotiation.models import EventIsWritten
from negotiation.table.errors import MoveRefused

pytestmark = pytest.mark.django_db(transaction=True)

SEED = 1_234_567_890_123
PEACE = "I will not attack you until fall 1902."


def begin(host: User, power: str = "FRANCE", **options: Any) -> BoardGame:
    return services.game_create(host=host, power=power, seed=SEED, **options)[0]


def order(game: BoardGame, user: User, *orders: str, action: uuid.UUID | None = None) -> int:
    return services.orders_submit(
        game_id=game.pk, user=user, action_id=action or uuid.uuid4(), orders=list(orders)
    )


def say(game: BoardGame, user: User, to: str, text: str, **options: Any) -> int:
    return services.message_say(
        game_id=game.pk, user=user, action_id=uuid.uuid4(), to=to, text=text,
        **{"bluff": False, "edited": Edited(), **options},
    )  # fmt: skip


def placed(game: BoardGame, user: User) -> Place:
    place = place_of(game.pk, user)
    assert place is not None
    return place


def quiet(game: BoardGame, user: User) -> list[str]:
    """Orders that only hold, disband or leave empty: always possible."""
    place = placed(game, user)
    options = options_of(sitting_of(place.game).state, power_of(place.seat))
    if options["phase"].startswith("W"):
        if options["delta"] > 0:
            return ["WAIVE"] * options["delta"]
        return [rows[0] for rows in options["units"].values()][: -options["delta"]]
    return [f"{unit} {'D' if options['phase'].endswith('R') else 'H'}" for unit in options["units"]]


def play_out(game: BoardGame, user: User) -> None:
    while placed(game, user).game.is_live:
        order(game, user, *quiet(game, user))


def rows_of(game: BoardGame, kind: str) -> list[dict[str, Any]]:
    return [row.data for row in log_after(game.pk, 0) if row.type == kind]


def test_the_log_is_contiguous_and_a_replay_of_it_is_the_game(rep: User) -> None:
    game = begin(rep)
    say(game, rep, "GERMANY", PEACE)
    order(game, rep, "A PAR - BUR", "A MAR - SPA", "F BRE - MAO")
    order(game, rep, "A BUR - BEL", "A SPA - POR", "F MAO - SPA/SC")
    rows = log_after(game.pk, 0)
    assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
    sitting = sitting_of(game, rows)
    last = [row.data for row in rows if row.type == "played"][-1]
    assert position_to_json(sitting.state) == last["position"]
    game.refresh_from_db()
    assert (game.last_seq, game.phase) == (len(rows), sitting.state.phase)
    with pytest.raises(EventIsWritten):
        BoardEvent.objects.filter(game=game).update(data={})


def test_an_action_sent_twice_is_taken_once(rep: User) -> None:
    game, action = begin(rep), uuid.uuid4()
    first = order(game, rep, "A PAR - BUR", action=action)
    before = len(log_after(game.pk, 0))
    assert order(game, rep, "A PAR - BUR", action=action) == first
    assert len(log_after(game.pk, 0)) == before


@pytest.mark.parametrize(
    ("orders", "words"),
    [
        (["A PAR - MOS"], "not possible"),
        (["A BER - KIE"], "not possible"),
        (["A PAR - BUR", "A PAR H"], "two orders"),
        (["A PAR - NOWHERE"], "no place"),
        (["WAIVE"], "not possible"),
    ],
)
def test_an_order_that_cannot_be_is_refused_in_words_and_nothing_changes(
    rep: User, orders: list[str], words: str
) -> None:
    game = begin(rep)
    before = game.last_seq
    with pytest.raises(MoveRefused) as refused:
        order(game, rep, *orders)
    assert words in refused.value.message
    game.refresh_from_db()
    assert game.last_seq == before


@pytest.mark.slow
def test_everything_offered_to_click_is_taken(rep: User) -> None:
    game = begin(rep)
    options = options_of(sitting_of(game).state, POWERS.index("FRANCE"))
    for unit, choices in options["units"].items():
        for choice in choices:
            order(game, rep, choice)
            sitting = sitting_of(game)
            assert sitting.past[-1].step.void == (), (unit, choice)
            game = begin(rep)


def test_a_promise_is_entered_answered_and_judged_against_the_orders(rep: User) -> None:
    game = begin(rep)
    say(game, rep, "GERMANY", PEACE)
    said = [row for row in rows_of(game, "said") if "FRANCE" in (row["by"], row["to"])]
    mine = next(row for row in said if row["by"] == "FRANCE")
    answer = [row for row in said if row["by"] == "GERMANY" and row["to"] == "FRANCE"][-1]
    assert mine["promises"][0]["summary"] == "No attack on Germany, until Fall 1902"
    assert answer["promises"][0]["kind"] == "NO_ATTACK"
    order(game, rep, "A PAR - BUR")
    order(game, rep, "A BUR - MUN")
    verdicts = {row["id"]: row["verdict"] for played in rows_of(game, "played") for row in played["verdicts"]}
    assert verdicts[mine["promises"][0]["id"]] == "BROKEN"


def test_what_was_understood_can_be_corrected_before_it_binds(rep: User) -> None:
    game = begin(rep)
    say(game, rep, "GERMANY", PEACE, edited=Edited(until={0: 1}))
    say(game, rep, "ITALY", PEACE, edited=Edited(dropped=frozenset({0})))
    said = {row["to"]: row["promises"] for row in rows_of(game, "said") if row["by"] == "FRANCE"}
    assert (said["GERMANY"][0]["last"], said["ITALY"]) == (1, [])
    sitting = sitting_of(game)
    assert [e.promise.last for e in sitting.ledger.entries if e.promise.by == POWERS.index("FRANCE")] == [1]


def test_a_player_is_sent_no_word_tag_plan_or_promise_that_is_not_theirs(rep: User) -> None:
    game = begin(rep)
    say(game, rep, "GERMANY", PEACE, bluff=True)
    order(game, rep, "A PAR - BUR")
    rows = log_after(game.pk, 0)
    frames = frames_of(rows, "ENGLAND")
    assert [frame["seq"] for frame in frames] == [row.seq for row in rows]
    for row, frame in zip(rows, frames, strict=True):
        data = frame.get("data", {})
        if row.type == "said":
            theirs = "ENGLAND" in (row.data["by"], row.data["to"]) or row.data["to"] == "GLOBAL"
            assert ("data" in frame) == theirs
            assert data.get("tag") is None or row.data["by"] == "ENGLAND"
        if row.type == "planned":
            assert frame == {"seq": row.seq}
        if row.type == "ordered":
            assert set(data) == {"power"}
        if row.type == "played":
            assert all("ENGLAND" in (one["by"], one["to"]) for one in data["verdicts"])
    everything = frames_of(rows, REVEAL)
    assert {"TRUTH", "LIE"} <= {frame["data"]["tag"] for frame in everything if frame["type"] == "said"}
    assert any(frame["type"] == "planned" for frame in everything)


def test_other_peoples_secrets_change_nothing_in_what_a_player_is_sent(rep: User) -> None:
    """Two tables that differ by tags and by talk between others alone are the same page to France."""
    game = begin(rep)
    rows = log_after(game.pk, 0)
    other = [
        row._replace(
            data={
                **row.data,
                "tag": "LIE",
                **({} if "FRANCE" in (row.data["by"], row.data["to"]) else {"text": "?"}),
            }
        )
        if row.type == "said" and row.data["by"] != "FRANCE"
        else row._replace(data={"phase": "S1901M", "orders": {}})
        if row.type == "planned"
        else row
        for row in rows
    ]
    assert frames_of(rows, "FRANCE") == frames_of(other, "FRANCE")
    assert frames_of(rows, REVEAL) != frames_of(other, REVEAL)


def test_the_end_opens_everything_to_those_who_played(rep: User) -> None:
    game = begin(rep, years=1)
    say(game, rep, "GERMANY", PEACE, bluff=True)
    assert placed(game, rep).role == "FRANCE"
    play_out(game, rep)
    place = placed(game, rep)
    assert (place.role, place.game.phase) == (REVEAL, "S1902M")
    ended = rows_of(game, "ended")
    assert ended[0]["reason"] == "years"
    assert len(archive_of(rep)[0]["log"]) == place.game.last_seq
    with pytest.raises(MoveRefused, match="is over"):
        say(game, rep, "GERMANY", PEACE)


def test_two_people_are_awaited_and_neither_sees_the_others_orders(rep: User, manager: User) -> None:
    game, tokens = services.game_create(host=rep, power="FRANCE", invited=["GERMANY"], seed=SEED)
    services.seat_take(token=tokens["GERMANY"], user=manager)
    with pytest.raises(MoveRefused, match="was used"):
        services.seat_take(token=tokens["GERMANY"], user=rep)
    order(game, rep, "A PAR - BUR")
    assert rows_of(game, "played") == []
    secret = next(row for row in log_after(game.pk, 0) if row.type == "ordered")
    assert shown(seq=1, kind="ordered", data=secret.data, role="GERMANY")["data"] == {"power": "FRANCE"}
    services.orders_withdraw(game_id=game.pk, user=rep, action_id=uuid.uuid4())
    order(game, manager, "A MUN - BUR")
    assert rows_of(game, "played") == []
    order(game, rep, "A PAR - BUR")
    played = rows_of(game, "played")
    assert {"A PAR - BUR"} <= {row["order"] for row in played[0]["results"]["FRANCE"]}
    say(game, rep, "GERMANY", PEACE)
    assert rows_of(game, "said")[-1]["by"] == "FRANCE", "a person's own words are not a bot's to answer"


def deadline_of(game: BoardGame) -> datetime | None:
    """The deadline as it stands in the database; the game in hand is brought up to date."""
    game.refresh_from_db()
    return game.deadline


def test_when_time_is_up_a_bot_orders_for_who_is_missing_and_is_thanked(rep: User) -> None:
    game = begin(rep, seconds=120)
    assert game.deadline is not None
    assert services.phase_due(game_id=game.pk) is False
    BoardGame.objects.filter(pk=game.pk).update(deadline=timezone.now() - timedelta(seconds=1))
    assert close_overdue_phases() == 1
    assert [row["power"] for row in rows_of(game, "covered")] == ["FRANCE"]
    played = rows_of(game, "played")
    assert len(played) == 1
    assert played[0]["submitted"]["FRANCE"]
    assert deadline_of(game) is None, "nobody is at the table, so the clock stands"
    say(game, rep, "GERMANY", PEACE)
    assert deadline_of(game) is not None
    assert not BoardSeat.objects.get(game=game, user=rep).away


def test_leaving_alone_ends_the_game_leaving_others_does_not(rep: User, manager: User) -> None:
    alone = begin(rep)
    services.seat_leave(game_id=alone.pk, user=rep, action_id=uuid.uuid4())
    assert rows_of(alone, "ended")[0]["reason"] == "left"
    game, tokens = services.game_create(host=rep, power="FRANCE", invited=["GERMANY"], seed=SEED)
    services.seat_take(token=tokens["GERMANY"], user=manager)
    order(game, manager, "A MUN H")
    services.seat_leave(game_id=game.pk, user=rep, action_id=uuid.uuid4())
    assert len(rows_of(game, "played")) == 1, "the one who is left has ordered already"
    assert rows_of(game, "ended") == []


def test_games_of_one_seed_and_the_same_deeds_are_the_same(rep: User, manager: User) -> None:
    logs = []
    for person in (rep, manager):
        game = begin(person)
        order(game, person, "A PAR - BUR")
        logs.append([(row.type, row.data) for row in log_after(game.pk, 0) if row.type != "opened"])
    assert logs[0] == logs[1]


@pytest.mark.parametrize("number", [0, pytest.param(1, marks=pytest.mark.thorough)])
def test_a_what_if_is_worked_out_in_steps_and_says_what_may_come(rep: User, number: int) -> None:
    game = begin(rep)
    order(game, rep, "A PAR - BUR", "A MAR - SPA", "F BRE - MAO")
    fork = forks.fork_ask(place=placed(game, rep), user=rep, number=number, orders=None)
    forks.run(fork.pk)
    fork.refresh_from_db()
    assert fork.status in ("done", "running")
    result = BoardFork.objects.get(pk=fork.pk).result
    assert result is not None
    assert result["rollouts"] == forks.ROLLOUTS
    france = result["powers"]["FRANCE"]
    assert len(france["levels"]) == forks.YEARS
    assert all(level == sorted(level) for level in france["levels"])
    means = [sum(row["mean"][year] for row in result["powers"].values()) for year in range(forks.YEARS)]
    assert all(mean <= 34.001 for mean in means)


def test_a_what_if_that_is_stopped_leaves_no_result(rep: User, monkeypatch: pytest.MonkeyPatch) -> None:
    game = begin(rep)
    fork = BoardFork.objects.create(
        game=game, owner=rep, power="FRANCE", number=0, phase="S1901M", rollouts=48, years=3
    )
    forks.fork_cancel(fork_id=fork.pk, user=rep)
    forks.run(fork.pk)
    fork.refresh_from_db()
    assert (fork.status, fork.result, fork.done) == ("cancelled", None, 0)


def test_what_a_what_if_knows_of_promises_is_what_its_asker_knows(rep: User) -> None:
    game = begin(rep)
    say(game, rep, "GERMANY", PEACE, bluff=True)
    me = POWERS.index("FRANCE")
    known = forks.known_to(sitting_of(game), 0, me)
    assert known.entries
    assert all(me in (entry.promise.by, entry.promise.to) for entry in known.entries)
    assert {str(entry.tag) for entry in known.entries if entry.promise.by != me} <= {"TRUTH", "None"}


def test_a_phase_can_be_taken_up_as_a_game_of_ones_own(rep: User) -> None:
    game = begin(rep)
    order(game, rep, "A PAR - BUR", "A MAR - SPA", "F BRE - MAO")
    mine = forks.fork_take_up(place=placed(game, rep), user=rep, number=1)
    assert (mine.parent, mine.parent_phase, mine.phase) == (game, "F1901M", "F1901M")
    assert position_to_json(sitting_of(mine).state) == rows_of(game, "played")[0]["position"]
    order(mine, rep, "A BUR - BEL")
    with pytest.raises(MoveRefused, match="no such phase"):
        forks.fork_take_up(place=placed(game, rep), user=rep, number=7)


def test_pages_hold_no_secret_and_are_for_their_players(
    rep: User, manager: User, signed_in: Callable[[User], Client]
) -> None:
    game = begin(rep)
    say(game, rep, "GERMANY", PEACE)
    client = signed_in(rep)
    page = client.get(f"/diplomacy/{game.pk}/").content.decode()
    assert str(SEED) not in page
    assert "planned" not in page
    body = json.loads(page.split('<script id="page" type="application/json">')[1].split("</script>")[0])
    tags = [
        f["data"]["tag"] for f in body["frames"] if f.get("type") == "said" and f["data"]["by"] != "FRANCE"
    ]
    assert set(tags) == {None}
    assert signed_in(manager).get(f"/diplomacy/{game.pk}/").status_code == 404
    url = client.post(f"/diplomacy/{game.pk}/links/").json()["url"]
    assert client.get(url).status_code == 403, "nobody watches the truth of a game that they play"
    seen = Client().get(url)
    assert seen.status_code == 200
    assert seen.headers["X-Robots-Tag"] == "noindex, nofollow, noarchive"
    assert "planned" in seen.content.decode()
    client.post(f"/diplomacy/{game.pk}/links/revoke/")
    assert Client().get(url).status_code == 410


def test_words_and_games_go_with_the_one_who_wrote_them(rep: User, manager: User) -> None:
    game, tokens = services.game_create(host=rep, power="FRANCE", invited=["GERMANY"], seed=SEED)
    services.seat_take(token=tokens["GERMANY"], user=manager)
    say(game, rep, "GERMANY", PEACE)
    own = begin(rep)
    assert BOARD.own_words(rep) == 0, "the game is on: people still answer what was said"
    BOARD.leave(rep)
    assert not BoardGame.objects.filter(pk=own.pk).exists()
    game.refresh_from_db()
    assert game.is_live
    mine = next(row for row in rows_of(game, "said") if row["by"] == "FRANCE")
    assert (mine["text"], mine["promises"][0]["words"]) == ("", "")
    assert mine["promises"][0]["kind"] == "NO_ATTACK"
    assert len(sitting_of(game).ledger.entries) > 0
    assert models.QuerySet(BoardSeat).filter(user=rep).count() == 0
