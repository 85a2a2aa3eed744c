"""Games against a model, through the services and the log: written once, explained to coaches, replayed exactly."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from pytest_django import Settings

from accounts.models import Team, User
from negotiation import answering, seating, sessions, turns
from negotiation.engine.deal.case.file import cases
from negotiation.engine.deal.listening import hear
from negotiation.events import fold, redact
from negotiation.models import Event, Game
from negotiation.selectors import frames_after, log_after
from negotiation.services import game_branch, game_create, game_walk_away
from negotiation.table.errors import MoveRefused
from owed import services as owed
from tests.opponents.model_double import PATIENCE, Body, Double, Said, in_pieces, speaking_apart
from tests.opponents.test_talking import decision, obedient
from tests.web.conftest import OpenSocket
from tests.web.moves import act, resolve, submit

pytestmark = pytest.mark.django_db(transaction=True)

SEATS = cases()["saas_enterprise"].seats

Mind = Callable[[Body], "Said | str"]


class Mood:
    """What the model does next; a test changes it between turns."""

    def __init__(self) -> None:
        self.brain: Mind = sociable

    def __call__(self, body: Body) -> Said | str:
        return self.brain(body)


def sociable(body: Body) -> str:
    """Obeys whichever way it is asked."""
    return (
        decision(offer=400 - 6 * len(body["messages"][-1]["content"]) % 40)
        if "response_format" in body
        else obedient(body)
    )


@pytest.fixture
def mood() -> Mood:
    return Mood()


@pytest.fixture
def model(mood: Mood, settings: Settings) -> Iterator[Double]:
    """A model server that the settings name."""
    with speaking_apart(mood) as double:
        settings.MODEL_URL = double.url
        settings.MODEL_TURN_SECONDS = PATIENCE
        yield double


def sit_down(rep: User, team: Team, opponent: str, **more: Any) -> Game:
    return game_create(
        player=rep, team=team, scenario="saas_enterprise", persona="diplomat", seat="seller", seed=77,
        opponent=opponent, **more,
    )  # fmt: skip


def play(game: Game, offers: tuple[float, ...]) -> None:
    for offer in offers:
        submit(game, act(offer))
        assert resolve(game)
        game.refresh_from_db()


def rows(game: Game, kind: str) -> list[dict[str, Any]]:
    return [row.data for row in log_after(game.pk, 0) if row.type == kind]


@pytest.mark.parametrize("opponent", ["narrated", "negotiator"])
def test_a_models_game_replays_from_its_log(
    rep: User, team: Team, model: Double, mood: Mood, opponent: str
) -> None:
    game = sit_down(rep, team, opponent)
    play(game, (180_000.0, 176_000.0))
    mood.brain = lambda body: Said((), status=500)
    play(game, (172_000.0,))
    mood.brain = sociable
    play(game, (170_000.0,))
    assert [row["stand_in"] for row in rows(game, "opponent_moved") if row["turn"]] == [
        False,
        False,
        True,
        False,
    ]
    kept = sessions.kept.take(game)
    sessions.kept.forget_all()
    rebuilt = sessions.rebuild(game)
    assert rebuilt.observe() == kept.observe()
    assert rebuilt.truth == kept.truth
    assert rebuilt.grades == kept.grades
    texts = [row["text"] for row in rows(game, "opponent_moved")]
    assert [move.text for move in rebuilt.observe().transcript if move.side == "opponent"] == texts


@pytest.mark.parametrize("opponent", ["narrated", "negotiator"])
def test_a_turn_of_it_can_be_tried_again(rep: User, team: Team, model: Double, opponent: str) -> None:
    game = sit_down(rep, team, opponent)
    play(game, (180_000.0, 176_000.0, 173_000.0))
    game_walk_away(game_id=game.id, player=rep, action_id=uuid.uuid4())
    resolve(game)
    game.refresh_from_db()
    branch = game_branch(parent=game, turn=3)
    assert (branch.opponent, branch.opponent_model) == (opponent, "base")
    sessions.kept.forget_all()
    play(branch, (171_000.0,))
    assert rows(branch, "opponent_moved")[:3] == rows(game, "opponent_moved")[:3]
    assert len(rows(branch, "answer_explained")) == 3


def test_the_account_is_for_coaches_alone(rep: User, team: Team, model: Double, mood: Mood) -> None:
    game = sit_down(rep, team, "narrated")
    mood.brain = lambda body: "I was told that my limit is 131,000."
    play(game, (180_000.0,))
    (account,) = rows(game, "answer_explained")
    assert account["stand_in"]
    assert {each["done"] for each in account["interventions"]} <= {"asked again", "taken back", "replaced"}
    for role, seen in (("player", 0), ("watcher", 0), ("coach", 1)):
        frames = frames_after(game.pk, 0, role)  # type: ignore[arg-type]
        told = json.dumps(frames)
        assert told.count('"interventions"') == seen
        assert len(fold(frames)["accounts"]) == seen
        assert "131,000" not in told or role == "coach"


def test_without_a_server_the_strategist_stands_in(
    rep: User, team: Team, model: Double, settings: Settings
) -> None:
    game = sit_down(rep, team, "narrated")
    settings.MODEL_URL = ""
    play(game, (180_000.0,))
    assert rows(game, "opponent_moved")[-1]["stand_in"]
    assert "no model server" in rows(game, "answer_explained")[-1]["why"]
    with pytest.raises(MoveRefused) as refused:
        sit_down(rep, team, "narrated")
    assert refused.value.code == "no_model_server"


def test_a_strategists_game_is_none_of_the_models_business(rep: User, team: Team, model: Double) -> None:
    game = sit_down(rep, team, "strategic")
    play(game, (180_000.0, 176_000.0))
    assert model.asked == []
    assert rows(game, "answer_explained") == []
    assert not any(row["stand_in"] for row in rows(game, "opponent_moved"))


def test_the_table_names_whose_turn_it_is_to_the_queue_and_which_adapter(
    rep: User, team: Team, model: Double
) -> None:
    game = sit_down(rep, team, "negotiator", opponent_model="generation-3")
    play(game, (180_000.0,))
    assert {body["model"] for body in model.asked} == {"generation-3"}
    assert rows(game, "answer_explained")[0]["model"] == "generation-3"
    health = seating.health()
    assert health is not None
    assert (health.breaker, health.under_way) == ("closed", 0)


async def test_the_player_sees_the_line_grow_and_then_the_line(
    rep: User, team: Team, session: str, open_socket: OpenSocket, model: Double, mood: Mood
) -> None:
    game = await sync_to_async(sit_down)(rep, team, "narrated")
    mood.brain = lambda body: Said(in_pieces(obedient(body), 8), pause=0.06)
    socket = await open_socket(f"/ws/deals/{game.id}/", session=session)
    await socket.until("hello")
    move = {
        "text": "What drives your timeline?",
        "offer": 180_000,
        "card": None,
        "claim": None,
        "belief": None,
    }
    await socket.send_json_to({"id": str(uuid.uuid4()), "type": "act", "data": move})
    drafts: list[str] = []
    while True:
        frame = await socket.frame()
        if frame.get("type") == "draft" and frame["data"]["text"]:
            drafts.append(frame["data"]["text"])
        if frame.get("type") == "opponent_moved" and frame["data"]["turn"] == 1:
            break
    assert len(drafts) >= 2
    assert all(frame["data"]["text"].startswith(draft) for draft in drafts)


async def test_a_player_who_leaves_calls_the_model_off_and_finds_the_answer_later(
    rep: User, team: Team, session: str, open_socket: OpenSocket, model: Double, mood: Mood
) -> None:
    game = await sync_to_async(sit_down)(rep, team, "narrated")
    mood.brain = lambda body: Said(in_pieces(obedient(body)), wait=30)
    socket = await open_socket(f"/ws/deals/{game.id}/", session=session)
    await socket.until("hello")
    move = {
        "text": "What drives your timeline?",
        "offer": 180_000,
        "card": None,
        "claim": None,
        "belief": None,
    }
    await socket.send_json_to({"id": str(uuid.uuid4()), "type": "act", "data": move})
    await socket.until("ack")
    async with asyncio.timeout(5):
        while not answering.waits_for_model(game.id):  # noqa: ASYNC110  # another task's doing
            await asyncio.sleep(0.01)
    await socket.disconnect()
    await turns.settle()
    await game.arefresh_from_db()
    assert game.awaiting_reply
    assert not answering.waits_for_model(game.id)
    mood.brain = obedient
    back = await open_socket(f"/ws/deals/{game.id}/", session=session)
    while (frame := await back.until("opponent_moved"))["data"]["turn"] != 1:
        pass
    assert not frame["data"]["stand_in"]


@pytest.mark.parametrize("opponent", [pytest.param("narrated", marks=pytest.mark.thorough), "negotiator"])
def test_it_is_debriefed_and_reviewed_like_any_other(
    rep: User, team: Team, model: Double, opponent: str
) -> None:
    from coaching.reviews.models import MoveReview
    from coaching.reviews.services import REVIEW, review_request
    from coaching.selectors import debrief_of

    game = sit_down(rep, team, opponent)
    play(game, (180_000.0, 176_000.0, 172_000.0))
    game_walk_away(game_id=game.id, player=rep, action_id=uuid.uuid4())
    resolve(game)
    game.refresh_from_db()
    assert debrief_of(game)
    asked = review_request(game=game)
    assert asked is not None
    assert owed.do(REVIEW, asked.pk)
    assert MoveReview.objects.get(pk=asked.pk).state == MoveReview.State.DONE


def test_the_words_of_a_talking_game_can_be_taken_out_of_it(rep: User, team: Team, model: Double) -> None:
    from negotiation.kind import DEALS
    from negotiation.models import Redaction
    from negotiation.table.forgetting import redact

    game = sit_down(rep, team, "narrated")
    play(game, (180_000.0,))
    said = rows(game, "opponent_moved")[-1]["text"]
    game_walk_away(game_id=game.id, player=rep, action_id=uuid.uuid4())
    resolve(game)
    redact(DEALS, game.pk, reason=Redaction.Reason.REQUEST)
    assert said not in json.dumps([row.data for row in log_after(game.pk, 0)])


def test_a_key_of_an_account_that_nobody_listed_is_hidden() -> None:
    frame = redact(seq=1, kind="answer_explained", data={"turn": 1, "prompt": "secret"}, role="coach")
    assert frame["data"] == {"turn": 1}
    assert Event(type="answer_explained").type == "answer_explained"


READ = "And what becomes of the whole thing when the ink is dry and nobody looks any more?"


def reader(body: Body) -> Said | str:
    """Reads every message as a question on what follows the roll-out; speaks as it is told."""
    if "talk" in json.dumps(body.get("response_format", {})):
        asked = {"act": "ask_open", "topic": "rollout", "id": None, "objection": None, "negated": False}
        return json.dumps({"talk": [{**asked, "quote": READ}]})
    return obedient(body)


@pytest.mark.parametrize(
    ("reads", "brain", "heard"),
    [
        (True, reader, [{"act": "ask_open", "topic": "rollout"}]),
        (True, lambda body: Said((), status=500), None),
        (False, reader, None),
    ],
    ids=("by the model too", "the server is broken", "not asked to read"),
)
async def test_what_a_model_reads_in_a_move_is_on_its_log_and_nothing_where_it_does_not(
    rep: User,
    team: Team,
    model: Double,
    mood: Mood,
    settings: Any,
    open_socket: OpenSocket,
    session: str,
    reads: bool,
    brain: Mind,
    heard: list[dict[str, Any]] | None,
) -> None:
    settings.MODEL_READS = reads
    mood.brain = brain
    game = await sync_to_async(sit_down)(rep, team, "narrated")
    socket = await open_socket(f"/ws/deals/{game.pk}/", session=session)
    await socket.until("turn_closed")
    await socket.send_json_to({"id": str(uuid.uuid4()), "type": "act", "data": {"text": READ}})
    moved = await socket.until("player_moved")
    talk = [{key: each.get(key) for key in ("act", "topic")} for each in moved["data"].get("talk", ())]
    house = hear(READ, speaker=SEATS["seller"], listener=SEATS["buyer"])
    assert talk == (heard or [{"act": each.act, "topic": each.topic} for each in house.talk])
    asked_to_read = [body for body in model.asked if "talk" in json.dumps(body.get("response_format", {}))]
    assert bool(asked_to_read) == reads
    await socket.until("turn_closed")
