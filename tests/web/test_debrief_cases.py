"""An expert at the player's own table, and two deals side by side."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from accounts.models import User
from coaching.analysis.cases import beside
from coaching.analysis.debrief import debrief
from coaching.cases.models import CaseNote, ExpertReplay
from coaching.cases.selectors import case_of_game
from coaching.cases.services import MAX_NOTE, expert_replay
from coaching.reviews.services import REVIEW, review_request
from negotiation.engine.deal.selfplay import play_one
from negotiation.kind import DEALS
from negotiation.models import Event, Game, Redaction
from negotiation.selectors import frames_after
from negotiation.services import game_branch, game_create, game_walk_away
from negotiation.table.forgetting import redact
from owed import services as owed
from tests.web.moves import act, resolve, submit

pytestmark = pytest.mark.django_db(transaction=True)
SignIn = Callable[[User], Client]


def left(player: User, seed: int = 5) -> Game:
    """Another finished game."""
    game = game_create(player=player, scenario="saas_enterprise", persona="shark", seat="buyer", seed=seed)
    submit(game, act(120_000.0, text="What drives your timeline?"))
    resolve(game)
    game_walk_away(game_id=game.id, player=player, action_id=uuid.uuid4())
    resolve(game)
    game.refresh_from_db()
    return game


def test_the_expert_meets_the_very_same_table(over: Game) -> None:
    case: Any = expert_replay(game=over)
    alone = play_one(over.scenario, over.persona, "seller", "discoverer", over.seed, over.difficulty)
    assert (case["price"], case["efficiency"], case["turns"]) == (alone.price, alone.efficiency, alone.turns)
    own = debrief(frames_after(over.pk, 0, "coach"))
    opening = case["lines"][0]["opponent"] if case["lines"][0]["turn"] == 0 else None
    told = own["offers"][0]["theirs"] if own["offers"][0]["turn"] == 0 else None
    assert (opening["offer"] if opening else None) == told


def test_it_is_worked_out_once_with_the_review(over: Game) -> None:
    asked = review_request(game=over)
    assert asked is not None
    owed.do(REVIEW, asked.pk)
    kept = ExpertReplay.objects.get(game=over)
    Game.objects.filter(pk=over.pk).update(seed=over.seed + 1)
    over.refresh_from_db()
    assert expert_replay(game=over) == kept.case


def test_a_table_that_cannot_be_set_up_again_has_no_expert(over: Game, signed_in: SignIn) -> None:
    Game.objects.filter(pk=over.pk).update(seed=over.seed + 1)
    over.refresh_from_db()
    assert expert_replay(game=over) is None
    client = signed_in(over.player)
    assert "nobody can sit down" in client.get(f"/deals/{over.pk}/debrief/").content.decode()
    assert client.get(f"/deals/{over.pk}/compare/").status_code == 200


def test_the_expert_of_a_retry_is_that_of_its_parent(over: Game) -> None:
    branch = game_branch(parent=over, turn=2)
    game_walk_away(game_id=branch.pk, player=branch.player, action_id=uuid.uuid4())
    resolve(branch)
    branch.refresh_from_db()
    assert expert_replay(game=branch) == expert_replay(game=over)


def test_the_facts_of_a_case_are_those_of_its_log(over: Game) -> None:
    case = case_of_game(over)
    assert case["opening"] == {"turn": 1, "price": 180_000.0, "worth": 180_000.0}
    assert (case["questions"], case["questions_first"]) == (2, 0)
    stood = [row["their_worth"] for row in debrief(frames_after(over.pk, 0, "coach"))["offers"][:2]]
    moved = None not in stood and stood[1] > stood[0]
    assert (case["unasked"], case["unasked_money"]) == ((0, 0) if moved else (1, 10_000.0))
    assert case["turns"] == over.turns
    said = Event.objects.get(game=over, type="player_moved", data__turn=2).data["text"]
    assert next(row for row in case["lines"] if row["turn"] == 2)["player"]["text"] == said


def test_a_shorter_deal_is_blank_where_it_was_over() -> None:
    row = {"player": None, "opponent": None}
    found = beside([{"turn": 1, **row}], [{"turn": 1, **row}, {"turn": 2, **row}])
    assert [(each["turn"], each["own"] is None, each["other"] is None) for each in found] == [
        (1, False, False),
        (2, True, False),
    ]


def test_two_deals_and_a_note_on_both(over: Game, signed_in: SignIn) -> None:
    other, client = left(over.player), signed_in(over.player)
    address = f"/deals/{over.pk}/compare/"
    page = client.get(address, {"with": str(other.pk)}).content.decode()
    assert "What do these two have in common?" in page
    answer = client.post(address, {"with": str(other.pk), "text": "  In both I spoke first.  "})
    assert answer.status_code == 302
    assert CaseNote.objects.get(game=over, other=other).text == "In both I spoke first."
    client.post(address, {"with": str(other.pk), "text": "In both they were in no hurry."})
    assert "no hurry" in client.get(answer["Location"]).content.decode()
    assert "no hurry" in client.get(f"/deals/{over.pk}/debrief/").content.decode()
    client.post(address, {"with": str(other.pk), "text": " "})
    assert not CaseNote.objects.exists()


def test_a_note_on_the_expert_is_kept_once(over: Game, signed_in: SignIn) -> None:
    client = signed_in(over.player)
    for text in ("One.", "Two."):
        client.post(f"/deals/{over.pk}/compare/", {"text": text})
    note = CaseNote.objects.get(game=over)
    assert (note.other, note.text) == (None, "Two.")


def test_a_note_too_long_is_not_cut_but_refused(over: Game, signed_in: SignIn) -> None:
    client = signed_in(over.player)
    client.post(f"/deals/{over.pk}/compare/", {"text": "x" * (MAX_NOTE + 1)})
    assert not CaseNote.objects.exists()
    assert "at most" in client.get(f"/deals/{over.pk}/compare/").content.decode()


@pytest.mark.parametrize("named", ["nonsense", str(uuid.UUID(int=5)), "self", "anothers", "live"])
def test_what_cannot_stand_beside_it_is_not_found(
    over: Game, stranger: User, signed_in: SignIn, named: str
) -> None:
    if named == "self":
        named = str(over.pk)
    elif named == "anothers":
        named = str(left(stranger).pk)
    elif named == "live":
        named = str(
            game_create(player=over.player, scenario="saas_enterprise", persona="shark", seat="buyer").pk
        )
    assert signed_in(over.player).get(f"/deals/{over.pk}/compare/", {"with": named}).status_code == 404


def test_a_manager_reads_the_comparison_and_writes_no_note(
    over: Game, manager: User, signed_in: SignIn
) -> None:
    client = signed_in(manager)
    assert client.get(f"/deals/{over.pk}/compare/").status_code == 200
    assert client.post(f"/deals/{over.pk}/compare/", {"text": "Mine."}).status_code == 404
    # A deal outside the team is not the manager's to read, though the same rep played it.
    alone = left(over.player)
    assert client.get(f"/deals/{over.pk}/compare/", {"with": str(alone.pk)}).status_code == 404


def test_notes_go_with_the_words(over: Game, signed_in: SignIn) -> None:
    signed_in(over.player).post(f"/deals/{over.pk}/compare/", {"text": "In both I said sorry."})
    redact(DEALS, over.pk, reason=Redaction.Reason.REQUEST)
    assert not CaseNote.objects.exists()


def test_the_command_prints_the_whole_of_it(over: Game, capsys: pytest.CaptureFixture[str]) -> None:
    asked = review_request(game=over)
    assert asked is not None
    owed.do(REVIEW, asked.pk)
    call_command("debrief", str(over.pk), "--json")
    printed = json.loads(capsys.readouterr().out)
    assert len(printed["review"]["moves"]) == over.turns
    assert printed["expert"] == expert_replay(game=over)
    assert set(printed["advice"]) == {"keep", "start", "stop"}
    assert printed["conduct"]["concessions"]["steps"]
