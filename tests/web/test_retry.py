"""Trying a finished deal again: the same table as it stood, against the same opponent, for learning only."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from accounts.services import guest_create
from coaching.room.models import Attempt, RatedGame
from negotiation import sessions
from negotiation.events import ROLES
from negotiation.kind import DEALS
from negotiation.models import Event, Game, Redaction
from negotiation.selectors import frames_after, log_after
from negotiation.services import game_branch, game_create, game_walk_away, game_whisper
from negotiation.table.errors import MoveRefused
from negotiation.table.forgetting import redact
from tests.web.moves import act, resolve, submit

pytestmark = pytest.mark.django_db(transaction=True)
SignIn = Callable[[User], Client]


def rows(game: Game) -> list[tuple[str, dict[str, Any]]]:
    return [(row.type, row.data) for row in log_after(game.pk, 0)]


def before(game: Game, turn: int) -> list[tuple[str, dict[str, Any]]]:
    """The log up to before the player's move on a turn."""
    found = rows(game)
    end = next(i for i, (kind, data) in enumerate(found) if kind == "player_moved" and data["turn"] == turn)
    return found[:end]


def retry(client: Client, game: Game, turn: object) -> Any:
    return client.post(f"/deals/{game.pk}/retry/", {"turn": str(turn)})


@pytest.mark.parametrize("turn", [1, 2, 3])
def test_a_retry_begins_with_the_log_up_to_before_its_turn(over: Game, turn: int) -> None:
    branch = game_branch(parent=over, turn=turn)
    assert rows(branch) == [*before(over, turn), ("assisted", {"reason": "retry"})]
    seqs = [row.seq for row in log_after(branch.pk, 0)]
    assert seqs == list(range(1, branch.last_seq + 1))
    assert (branch.turns, branch.branch_turn, branch.parent_id) == (turn - 1, turn, over.pk)
    assert branch.is_live


def test_the_same_move_gets_the_same_answer_and_the_same_truth(over: Game) -> None:
    branch = game_branch(parent=over, turn=2)
    sessions.kept.forget_all()
    submit(branch, act(170_000.0, text="We moved. What can you do?"))
    resolve(branch)
    kinds = ("opponent_moved", "news", "turn_closed", "turn_graded")
    again = [(k, d) for k, d in rows(branch) if d.get("turn") == 2 and k in kinds]
    assert again
    assert again == [(k, d) for k, d in rows(over) if d.get("turn") == 2 and k in kinds]


def test_another_move_leads_elsewhere_and_leaves_the_first_deal_alone(over: Game) -> None:
    was = rows(over)
    branch = game_branch(parent=over, turn=2)
    submit(branch, act(181_000.0, text="That was a mistake of mine. We are at 181."))
    resolve(branch)
    assert [d for k, d in rows(branch) if k == "turn_closed"][-1]["own_offer"] == 181_000.0
    assert rows(over) == was


def test_hidden_truth_is_hidden_in_a_retry_too(over: Game) -> None:
    branch = game_branch(parent=over, turn=3)
    for role in ROLES:
        mine = frames_after(branch.pk, 0, role)[:-1]
        assert mine == frames_after(over.pk, 0, role)[: len(mine)]
    assert "turn_graded" not in {frame.get("type") for frame in frames_after(branch.pk, 0, "player")}


def test_a_retry_counts_for_learning_only(over: Game) -> None:
    branch = game_branch(parent=over, turn=2)
    assert (branch.assisted, branch.assisted_reason) == (True, "retry")
    game_walk_away(game_id=branch.pk, player=branch.player, action_id=uuid.uuid4())
    resolve(branch)
    assert RatedGame.objects.filter(game=over).exists()
    assert not RatedGame.objects.filter(game=branch).exists()
    assert not Attempt.objects.filter(game=branch).exists()


def test_a_coachs_notes_stay_with_the_deal_they_were_meant_for(rep: User) -> None:
    game = game_create(player=rep, scenario="saas_enterprise", persona="shark", seat="seller", seed=5)
    submit(game, act(180_000.0))
    resolve(game)
    game_whisper(game_id=game.id, action_id=uuid.uuid4(), author="Morgan", text="Hold.")
    game_walk_away(game_id=game.id, player=rep, action_id=uuid.uuid4())
    resolve(game)
    game.refresh_from_db()
    branch = game_branch(parent=game, turn=2)
    kinds = [kind for kind, _ in rows(branch)]
    assert "whispered" not in kinds
    assert kinds.count("assisted") == 1


def test_asking_twice_opens_one_table(over: Game) -> None:
    first = game_branch(parent=over, turn=2)
    assert game_branch(parent=over, turn=2).pk == first.pk
    submit(first, act(175_000.0))
    resolve(first)
    assert game_branch(parent=over, turn=2).pk != first.pk


def test_a_retry_can_be_tried_again(over: Game) -> None:
    branch = game_branch(parent=over, turn=2)
    game_walk_away(game_id=branch.pk, player=branch.player, action_id=uuid.uuid4())
    resolve(branch)
    branch.refresh_from_db()
    third = game_branch(parent=branch, turn=2)
    assert rows(third) == [*before(over, 2), ("assisted", {"reason": "retry"})]


def test_the_table_and_the_lobby_say_what_it_is(over: Game, signed_in: SignIn) -> None:
    client = signed_in(over.player)
    answer = retry(client, over, 2)
    assert answer.status_code == 302
    table = client.get(answer["Location"]).content.decode()
    assert f'Practice<span class="practice-from">: from turn 2 of {over.horizon}</span>' in table
    assert f"Practice: from turn 2 of {over.horizon}" in client.get("/").content.decode()


def test_both_endings_stand_side_by_side(over: Game, signed_in: SignIn) -> None:
    client = signed_in(over.player)
    branch = game_branch(parent=over, turn=2)
    game_walk_away(game_id=branch.pk, player=branch.player, action_id=uuid.uuid4())
    resolve(branch)
    Game.objects.filter(pk=branch.pk).update(efficiency=0.41)
    late = client.get(f"/deals/{branch.pk}/debrief/").content.decode()
    assert "Tried again from turn 2" in late
    assert f'href="/deals/{over.pk}/debrief/"' in late
    early = client.get(f"/deals/{over.pk}/debrief/").content.decode()
    assert "What you tried afterwards" in early
    assert "41%" in early


@pytest.mark.parametrize("turn", ["0", "4", "99999", "x", "", "-1", "²"])
def test_a_turn_that_never_was_is_refused(over: Game, signed_in: SignIn, turn: str) -> None:
    answer = retry(signed_in(over.player), over, turn)
    assert answer.status_code == 422
    assert "turn" in answer.content.decode()
    assert not over.retries.exists()


def test_a_live_deal_is_not_tried_again(game: Game, signed_in: SignIn) -> None:
    submit(game, act())
    resolve(game)
    answer = retry(signed_in(game.player), game, 1)
    assert answer.status_code == 409
    assert "Only a deal that is over" in answer.content.decode()


def test_nobody_takes_up_the_deal_of_another(over: Game, manager: User, signed_in: SignIn) -> None:
    assert retry(signed_in(manager), over, 1).status_code == 404
    assert not over.retries.exists()


def test_a_guest_takes_up_an_own_deal(signed_in: SignIn) -> None:
    guest = guest_create()
    game = game_create(player=guest, scenario="saas_enterprise", persona="shark", seat="seller", seed=5)
    game_walk_away(game_id=game.id, player=guest, action_id=uuid.uuid4())
    resolve(game)
    game.refresh_from_db()
    assert retry(signed_in(guest), game, 1).status_code == 302


@pytest.mark.parametrize("turn", [1, 3])
def test_a_deal_that_the_engine_would_play_differently_is_refused(
    over: Game, signed_in: SignIn, turn: int
) -> None:
    Game.objects.filter(pk=over.pk).update(seed=over.seed + 1)
    answer = retry(signed_in(over.player), over, turn)
    assert answer.status_code == 409
    assert "earlier version" in answer.content.decode()
    assert Event.objects.exclude(game=over).count() == 0, "nothing is left behind"


def test_a_deal_without_its_words_is_refused(over: Game, signed_in: SignIn) -> None:
    redact(DEALS, over.pk, reason=Redaction.Reason.REQUEST)
    answer = retry(signed_in(over.player), over, 2)
    assert answer.status_code == 409
    assert "words" in answer.content.decode()


def test_a_turn_beyond_the_end_is_refused_with_its_field(over: Game) -> None:
    with pytest.raises(MoveRefused) as refused:
        game_branch(parent=over, turn=9)
    assert refused.value.field == "turn"
