"""The data layer: what the database refuses, and what the services promise. Runs on PostgreSQL too."""

from __future__ import annotations

import asyncio
import uuid
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import IntegrityError, connections, transaction
from django.db.models import ProtectedError
from django.utils import timezone

from accounts.models import Team, User
from negotiation import answering, reading, selectors, services, sessions, tasks
from negotiation.engine.deal import Action, Negotiation, Reply
from negotiation.engine.deal.errors import ActionRefused
from negotiation.events import fold
from negotiation.models import Event, EventIsWritten, Game
from negotiation.opponents import Answer
from negotiation.services import Submitted
from negotiation.table.errors import LogDiverged, MoveRefused
from tests.web.conftest import SEED
from tests.web.moves import act, resolve, submit

pytestmark = pytest.mark.django_db(transaction=True)


def log(game: Game) -> list[tuple[int, str]]:
    return list(Event.objects.filter(game=game).order_by("seq").values_list("seq", "type"))


def test_a_new_game_opens_its_log(game: Game) -> None:
    assert [kind for _, kind in log(game)][:2] == ["game_started", "opponent_moved"]
    assert [seq for seq, _ in log(game)] == list(range(1, game.last_seq + 1))
    assert not game.awaiting_reply


def test_events_are_append_only(game: Game) -> None:
    event = Event.objects.filter(game=game).earliest("seq")
    event.data = {"changed": True}
    with pytest.raises(EventIsWritten):
        event.save()
    with pytest.raises(EventIsWritten):
        event.delete()
    with pytest.raises(EventIsWritten):
        Event.objects.filter(game=game).delete()
    with pytest.raises(EventIsWritten):
        Event.objects.filter(game=game).update(type="news")
    with pytest.raises(EventIsWritten):
        Event.objects.bulk_update([event], ["data"])
    with pytest.raises(ProtectedError):
        game.delete()


@pytest.mark.parametrize(
    "row",
    [
        {"seq": 1, "type": "news"},
        {"seq": 0, "type": "news"},
        {"seq": 99, "type": "gossip"},
    ],
    ids=["a number twice", "a number under one", "an unknown type"],
)
def test_the_database_refuses(game: Game, row: dict[str, object]) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Event.objects.create(game=game, data={}, **row)


def test_one_action_is_one_event(game: Game) -> None:
    action_id = uuid.uuid4()
    Event.objects.create(game=game, seq=90, type="news", data={}, action_id=action_id)
    with pytest.raises(IntegrityError), transaction.atomic():
        Event.objects.create(game=game, seq=91, type="news", data={}, action_id=action_id)


@pytest.mark.parametrize(
    "change",
    [
        {"difficulty": 1.5},
        {"status": "paused"},
        {"status": "finished"},
        {"status": "abandoned", "awaiting_reply": True},
        {"assisted": True},
    ],
    ids=str,
)
def test_the_database_refuses_games_that_cannot_be(game: Game, change: dict[str, object]) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Game.objects.filter(pk=game.pk).update(**change)


def awaits_reply(game: Game) -> bool:
    """Whether the database says so; the game in hand is brought up to date."""
    game.refresh_from_db()
    return game.awaiting_reply


def test_a_turn_is_two_steps(game: Game) -> None:
    before = game.last_seq
    answer = submit(game, act())
    assert answer == Submitted(seq=before + 1, repeated=False)
    assert awaits_reply(game)
    assert resolve(game)
    assert not awaits_reply(game)
    assert game.turns == 1
    kinds = [kind for seq, kind in log(game) if seq > answer.seq]
    assert kinds[-2:] == ["turn_closed", "turn_graded"]
    assert "opponent_moved" in kinds


def test_a_retry_is_not_a_second_move(game: Game) -> None:
    action_id = uuid.uuid4()
    first = submit(game, act(), action_id)
    resolve(game)
    again = submit(game, act(), action_id)
    assert again == Submitted(seq=first.seq, repeated=True)
    assert [kind for _, kind in log(game)].count("player_moved") == 1


def test_a_retry_is_recognised_after_the_end(game: Game) -> None:
    action_id = uuid.uuid4()
    first = services.game_walk_away(game_id=game.id, player=game.player, action_id=action_id)
    resolve(game)
    again = services.game_walk_away(game_id=game.id, player=game.player, action_id=action_id)
    assert again == Submitted(seq=first.seq, repeated=True)
    with pytest.raises(MoveRefused) as refused:
        submit(game, act())
    assert refused.value.code == "game_over"


def test_a_second_move_waits_for_the_reply(game: Game) -> None:
    submit(game, act())
    with pytest.raises(MoveRefused) as refused:
        submit(game, act(165_000.0))
    assert refused.value.code == "awaiting_reply"


def test_many_frames_at_once_are_one_move(game: Game) -> None:
    def one(_: int) -> str:
        try:
            submit(game, act())
        except MoveRefused as refused:
            return refused.code
        finally:
            connections.close_all()
        return "bound"

    with ThreadPoolExecutor(8) as pool:
        answers = sorted(pool.map(one, range(8)))
    assert answers == ["awaiting_reply"] * 7 + ["bound"]
    assert [seq for seq, _ in log(game)] == list(range(1, len(log(game)) + 1))


def test_resolving_twice_at_once_writes_one_reply(game: Game) -> None:
    submit(game, act())

    def one(_: int) -> bool:
        try:
            return resolve(game)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(one, range(4))) == [False, False, False, True]
    assert [kind for _, kind in log(game)].count("turn_closed") == 2


def test_a_game_replays_to_the_same_table(game: Game) -> None:
    for offer in (185_000.0, 180_000.0, 172_000.0):
        submit(game, act(offer))
        resolve(game)
    game.refresh_from_db()
    kept = sessions.kept.take(game)
    assert sessions.rebuild(game).observe() == kept.observe()
    assert sessions.rebuild(game).truth == kept.truth


def test_a_killed_turn_is_resolved_the_same(game: Game, rep: User, team: Team) -> None:
    """The process that took the move dies; another one answers it exactly as the first would have."""
    twin = services.game_create(
        player=rep, team=team, scenario="saas_enterprise", persona="diplomat", seat="seller", seed=SEED
    )
    for table in (game, twin):
        submit(table, act(180_000.0))
        resolve(table)
        submit(table, act(174_000.0))
    sessions.kept.forget_all()
    Game.objects.filter(pk=game.pk).update(updated_at=timezone.now() - timedelta(minutes=1))
    assert tasks.resume_stuck_turns() == 1
    assert tasks.resume_stuck_turns() == 0
    resolve(twin)
    said = [
        list(Event.objects.filter(game=g, type="opponent_moved").values_list("data", flat=True))
        for g in (game, twin)
    ]
    assert said[0] == said[1]


def test_an_opponent_that_breaks_down_is_answered_for_by_the_strategist(game: Game) -> None:
    class Broken:
        instant = False

        async def reply(self, **asked: object) -> Answer:
            raise ConnectionError("the model is away")

    table = sessions.rebuild(game)
    own = table.step(reading.heard(Action("What drives your timeline?", offer=170_000.0), table)).reply
    submit(game, act())
    assert asyncio.run(answering.turn_resolve(game_id=game.id, opponent=Broken()))
    game.refresh_from_db()
    assert not game.awaiting_reply
    assert Event.objects.get(game=game, type="opponent_moved", data__turn=1).data["text"] == own.text


def test_a_recorded_reply_of_another_opponent_is_played(game: Game) -> None:
    class Model:
        instant = False

        async def reply(self, *, table: Negotiation, **asked: object) -> Answer:
            assert table.turn == 1
            return Answer(reply=Reply(text="Done.", accept=True))

    submit(game, act(150_000.0))
    assert asyncio.run(answering.turn_resolve(game_id=game.id, opponent=Model()))
    game.refresh_from_db()
    assert (game.status, game.price, game.outcome_reason) == ("finished", 150_000.0, "opponent_accepted")


def test_accepting_takes_only_the_offer_that_was_seen(game: Game) -> None:
    submit(game, act(180_000.0))
    resolve(game)
    standing = Event.objects.filter(game=game, type="turn_closed").latest("seq").data["standing_offer"]
    for seen in (standing - 1000, None):
        with pytest.raises(MoveRefused) as refused:
            services.game_accept(game_id=game.id, player=game.player, action_id=uuid.uuid4(), offer=seen)
        assert refused.value.code == "offer_changed"
    services.game_accept(game_id=game.id, player=game.player, action_id=uuid.uuid4(), offer=standing)
    resolve(game)
    game.refresh_from_db()
    assert (game.status, game.price, game.outcome_reason) == ("finished", standing, "player_accepted")
    assert game.efficiency is not None
    assert log(game)[-1][1] == "game_ended"


def test_a_refused_move_changes_nothing(game: Game) -> None:
    before = log(game)
    for move, code in [
        (act(float("nan")), "offer_not_finite"),
        (act(float("inf")), "offer_not_finite"),
        (act(-5.0), "offer_not_positive"),
        (act(0.0), "offer_not_positive"),
        (act(text="x" * 2001), "text_too_long"),
        (act(text="a\x00b"), "text_binary"),
        (act(card="trump"), "unknown_card"),
        (act(None, text=" "), "empty_action"),
    ]:
        with pytest.raises(ActionRefused) as refused:
            submit(game, move)
        assert refused.value.code == code
    assert log(game) == before
    submit(game, act())


def test_a_card_without_points_is_refused(game: Game) -> None:
    """Play costly cards until the points are spent; the refusal names the card."""
    code = ""
    for turn in range(12):
        try:
            submit(game, act(190_000.0 - turn * 500, card="batna_reveal", claim=128_000.0))
        except ActionRefused as refused:
            code = f"{refused.field}: {refused.code}"
            break
        resolve(game)
    assert code in ("card: card_unaffordable", "card: card_spent")


def test_another_user_cannot_move(game: Game, stranger: User, manager: User) -> None:
    for other in (stranger, manager):
        with pytest.raises(MoveRefused) as refused:
            services.turn_submit(game_id=game.id, player=other, action_id=uuid.uuid4(), act=act())
        assert refused.value.code == "no_such_game"


def test_assisted_is_marked_once(game: Game) -> None:
    assert services.game_mark_assisted(game_id=game.id, reason="reveal_link_opened")
    assert not services.game_mark_assisted(game_id=game.id, reason="whisper")
    game.refresh_from_db()
    assert (game.assisted, game.assisted_reason) == (True, "reveal_link_opened")
    assert [kind for _, kind in log(game)].count("assisted") == 1


def test_a_whisper_is_logged_once_and_marks_the_game(game: Game) -> None:
    action_id = uuid.uuid4()
    for _ in range(2):
        services.game_whisper(game_id=game.id, action_id=action_id, author="Morgan", text="Hold.")
    assert [kind for _, kind in log(game)][-2:] == ["whispered", "assisted"]
    assert selectors.snapshot_of(game.id, "player")["whispers"][0]["text"] == "Hold."
    assert selectors.snapshot_of(game.id, "watcher")["whispers"] == []


def test_idle_games_are_abandoned(game: Game) -> None:
    submit(game, act())
    Game.objects.filter(pk=game.pk).update(updated_at=timezone.now() - timedelta(days=8))
    assert tasks.abandon_idle_games() == 1
    game.refresh_from_db()
    assert (game.status, game.awaiting_reply) == ("abandoned", False)
    assert not resolve(game)


def test_a_log_that_another_engine_wrote_is_not_played_on(game: Game) -> None:
    submit(game, act())
    resolve(game)
    sessions.kept.forget_all()
    Game.objects.filter(pk=game.pk).update(seed=game.seed + 1)
    with pytest.raises(LogDiverged):
        submit(game, act(165_000.0))


@pytest.mark.parametrize(
    ("choice", "field"),
    [
        ({"scenario": "moon_landing"}, "scenario"),
        ({"persona": "pirate"}, "persona"),
        ({"seat": "judge"}, "seat"),
        ({"difficulty": 7.0}, "difficulty"),
    ],
)
def test_a_game_that_cannot_be_is_refused(rep: User, choice: dict[str, object], field: str) -> None:
    good: dict[str, object] = {"scenario": "saas_enterprise", "persona": "shark", "seat": "buyer"}
    with pytest.raises(MoveRefused) as refused:
        services.game_create(player=rep, **{**good, **choice})  # type: ignore[arg-type]
    assert refused.value.field == field


def test_the_snapshot_is_the_fold_of_the_log(game: Game) -> None:
    submit(game, act())
    resolve(game)
    for role in ("player", "watcher", "coach"):
        frames = selectors.frames_after(game.id, 0, role)
        assert selectors.snapshot_of(game.id, role) == fold(frames)
        assert fold(selectors.frames_after(game.id, 3, role), fold(frames[:3])) == fold(frames)


def test_lobby_rows(game: Game, rep: User, team: Team) -> None:
    (row,) = selectors.games_of(rep, status=Game.Status.LIVE)
    assert (row["id"], row["player_name"], row["persona"]) == (str(game.id), "Robin Reyes", "diplomat")
    assert selectors.games_of(rep, status=Game.Status.FINISHED) == []
    assert [row["id"] for row in selectors.games_of_teams([team])] == [str(game.id)]
