"""A turn in one transaction: four statements, the same log as the long way, and nothing written where it no longer holds."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client

from accounts.models import User
from accounts.permits import Permit, let_in
from negotiation import record, sessions
from negotiation.answering import answer_at_once
from negotiation.ending import game_abandon
from negotiation.messages import ActData
from negotiation.models import Game
from negotiation.selectors import log_after
from negotiation.services import game_create, game_whisper, turn_submit
from negotiation.swift import turn_at_once
from negotiation.table import at_once

pytestmark = pytest.mark.django_db(transaction=True)
SignIn = Callable[[User], Client]


def act(text: str = "What drives your timeline?", offer: float | None = 180_000.0) -> ActData:
    return ActData(text, offer, None, None, None, None, None, confirmed=True)


def begin(player: User) -> Game:
    return game_create(player=player, scenario="saas_enterprise", persona="shark", seat="seller", seed=11)


def log_of(game: Game) -> list[Any]:
    return [(row.seq, row.type, {**row.data, "action_id": ""}) for row in log_after(game.pk, 0)]


@pytest.fixture
def permit(rep: User, signed_in: SignIn) -> Permit:
    found = let_in(signed_in(rep).cookies[settings.SESSION_COOKIE_NAME].value)
    assert found is not None
    return found[1]


@contextmanager
def statements() -> Iterator[list[str]]:
    """What the database itself was asked, BEGIN and COMMIT among it."""
    asked: list[str] = []
    connection.ensure_connection()
    connection.connection.set_trace_callback(asked.append)
    try:
        yield asked
    finally:
        connection.connection.set_trace_callback(None)


@pytest.mark.skipif("postgres" in str(settings.DATABASES["default"]["ENGINE"]), reason="SQLite's own trace")
def test_a_turn_is_four_statements(rep: User, permit: Permit) -> None:
    game = begin(rep)
    with statements() as asked:
        assert turn_at_once(game_id=game.pk, permit=permit, action_id=uuid.uuid4(), act=act()) is not None
    assert [each.split()[0] for each in asked] == ["BEGIN", "UPDATE", "INSERT", "COMMIT"]


def test_the_log_is_the_same_as_by_the_long_way(rep: User, permit: Permit) -> None:
    swiftly, slowly = begin(rep), begin(rep)
    for number in range(4):
        said = act(f"We could move, point {number}.", 185_000.0 - 2_000 * number)
        taken = turn_at_once(game_id=swiftly.pk, permit=permit, action_id=uuid.uuid4(), act=said)
        assert taken is not None
        turn_submit(game_id=slowly.pk, player=rep, action_id=uuid.uuid4(), act=said)
        answer_at_once(slowly.pk)
        assert taken.rows[0].seq == taken.seq
    assert log_of(swiftly) == log_of(slowly)
    swiftly.refresh_from_db()
    slowly.refresh_from_db()
    assert (swiftly.turns, swiftly.last_seq) == (slowly.turns, slowly.last_seq)
    sessions.kept.forget_all()
    sessions.rebuild(swiftly)


def test_a_table_that_another_process_laid_can_be_made_ready(rep: User, permit: Permit) -> None:
    game = begin(rep)
    sessions.kept.forget_all()
    assert turn_at_once(game_id=game.pk, permit=permit, action_id=uuid.uuid4(), act=act()) is None
    sessions.kept.ready(game)
    assert turn_at_once(game_id=game.pk, permit=permit, action_id=uuid.uuid4(), act=act()) is not None
    held = sessions.kept.pop(game.pk)
    assert held is not None
    sessions.kept.keep(*held)
    sessions.kept.ready(game)  # which knows of no move yet
    assert sessions.kept.pop(game.pk) == held, "what is at hand is of a later moment"


def test_what_was_made_ready_too_early_is_not_used(rep: User, permit: Permit) -> None:
    game = begin(rep)
    sessions.kept.forget_all()
    turn_submit(game_id=game.pk, player=rep, action_id=uuid.uuid4(), act=act())
    answer_at_once(game.pk)
    sessions.kept.forget_all()
    sessions.kept.ready(game)
    assert turn_at_once(game_id=game.pk, permit=permit, action_id=uuid.uuid4(), act=act()) is None
    turn_submit(game_id=game.pk, player=rep, action_id=uuid.uuid4(), act=act())
    answer_at_once(game.pk)
    game.refresh_from_db()
    assert game.turns == 2


def _signed_out(game: Game, permit: Permit) -> None:
    Session.objects.filter(session_key=permit.session_key).delete()


def _expired(game: Game, permit: Permit) -> None:
    Session.objects.filter(session_key=permit.session_key).update(expire_date="2020-01-01T00:00Z")


def _blocked(game: Game, permit: Permit) -> None:
    User.objects.filter(pk=permit.user_id).update(is_active=False)


def _new_password(game: Game, permit: Permit) -> None:
    user = User.objects.get(pk=permit.user_id)
    user.set_password("another horse")
    user.save()


def _somebody_whispered(game: Game, permit: Permit) -> None:
    game_whisper(game_id=game.pk, action_id=uuid.uuid4(), author="Coach", text="Hold.")


def _moved_elsewhere(game: Game, permit: Permit) -> None:
    Game.objects.filter(pk=game.pk).update(turns=1)


def _awaited(game: Game, permit: Permit) -> None:
    Game.objects.filter(pk=game.pk).update(awaiting_reply=True)


def _given_up(game: Game, permit: Permit) -> None:
    held = sessions.kept.pop(game.pk)
    assert held is not None
    game_abandon(game_id=game.pk)
    sessions.kept.keep(*held)


@pytest.mark.parametrize(
    "meanwhile",
    [
        _signed_out,
        _expired,
        _blocked,
        _new_password,
        _somebody_whispered,
        _moved_elsewhere,
        _awaited,
        _given_up,
    ],
)
def test_what_no_longer_holds_is_not_written(
    meanwhile: Callable[[Game, Permit], None], rep: User, permit: Permit
) -> None:
    game = begin(rep)
    meanwhile(game, permit)
    before = log_of(game)
    assert turn_at_once(game_id=game.pk, permit=permit, action_id=uuid.uuid4(), act=act()) is None
    assert log_of(game) == before


def test_nobody_moves_at_the_table_of_another(rep: User, manager: User, permit: Permit) -> None:
    game = begin(manager)
    assert turn_at_once(game_id=game.pk, permit=permit, action_id=uuid.uuid4(), act=act()) is None
    assert len(log_of(game)) == game.last_seq


def test_a_move_that_comes_again_is_written_once(rep: User, permit: Permit) -> None:
    game, action_id = begin(rep), uuid.uuid4()
    taken = turn_at_once(game_id=game.pk, permit=permit, action_id=action_id, act=act())
    assert taken is not None
    after = log_of(game)
    assert turn_at_once(game_id=game.pk, permit=permit, action_id=action_id, act=act()) is None
    repeated = turn_submit(game_id=game.pk, player=rep, action_id=action_id, act=act())
    assert (getattr(repeated, "seq", None), getattr(repeated, "repeated", None)) == (taken.seq, True)
    assert log_of(game) == after


@pytest.mark.parametrize(
    "asked",
    [act("", None), act("I can do $190,000.", 150_000.0), act("x" * 3_000, None)],
    ids=["nothing", "another figure", "too long"],
)
def test_a_question_or_a_refusal_leaves_the_table_as_it_was(
    asked: ActData, rep: User, permit: Permit
) -> None:
    game = begin(rep)
    unsure = ActData(asked.text, asked.offer, None, None, None, None, None, confirmed=False)
    assert turn_at_once(game_id=game.pk, permit=permit, action_id=uuid.uuid4(), act=unsure) is None
    assert sessions.kept.pop(game.pk) is not None, "the session is at hand for the long way"
    assert len(log_of(game)) == game.last_seq


class Gone(BaseException):
    """The process dies here."""


@pytest.mark.parametrize(
    "place", ["record.answered", "at_once._values", "at_once._insert", "at_once._insert_text"]
)
def test_death_at_any_step_before_the_commit_leaves_nothing_and_the_move_can_be_sent_again(
    place: str, rep: User, permit: Permit, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, action_id = begin(rep), uuid.uuid4()
    before = log_of(game)
    module, name = place.split(".")
    with monkeypatch.context() as dying:

        def die(*_: Any, **__: Any) -> None:
            raise Gone

        dying.setattr(record if module == "record" else at_once, name, die)
        with pytest.raises(Gone):
            turn_at_once(game_id=game.pk, permit=permit, action_id=action_id, act=act())
    sessions.kept.forget_all()
    assert log_of(game) == before
    turn_submit(game_id=game.pk, player=rep, action_id=action_id, act=act())
    answer_at_once(game.pk)
    assert log_of(game)[len(before)][1] == "player_moved"
