"""The log's vocabulary: who sees what, contiguous for everyone, and a fold that any prefix can start."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import Any, NotRequired, get_origin, get_type_hints

import pytest

from negotiation import events, record
from negotiation.engine.deal import Action, Belief, Negotiation
from negotiation.engine.deal.case.acts import Talk, Topic
from negotiation.events import EVENT_TYPES, ROLES, Frame, Role, fold, redact, visible_keys
from negotiation.models import Game
from tests.servers import ROOT

TYPED = {
    "game_started": events.GameStarted,
    "player_moved": events.PlayerMoved,
    "opponent_moved": events.OpponentMoved,
    "answer_explained": events.AnswerExplained,
    "news": events.News,
    "turn_closed": events.TurnClosed,
    "turn_graded": events.TurnGraded,
    "whispered": events.Whispered,
    "watched": events.Watched,
    "assisted": events.Assisted,
    "game_ended": events.GameEnded,
}


def play(persona: str, seat: str, seed: int, *, case: bool) -> list[tuple[str, Any]]:
    """The rows of a whole game, whispers included."""
    from accounts.models import User

    game = Game(
        player=User(email="rep@example.com", display_name="Robin"),
        scenario="saas_enterprise",
        persona=persona,
        seat=seat,
        difficulty=0.5,
        seed=seed,
        horizon=20,
    )
    table = Negotiation("saas_enterprise", persona, seat, seed, case=case)  # type: ignore[arg-type]
    rows: list[tuple[str, Any]] = list(record.started(game, table))
    offer, step = (190_000.0, -4_000.0) if seat == "seller" else (105_000.0, 4_000.0)
    turn = 0
    while not table.done:
        turn += 1
        belief = Belief(walk_away=150_000, urgency=0.4, confidence=0.6)
        topic: Topic = "support" if turn % 2 else "growth"
        talk = (Talk("ask_open", topic), Talk("isolate")) if case else ()
        action = Action(
            text="What drives your timeline?", offer=offer + turn * step, belief=belief, talk=talk
        )
        rows.append(("player_moved", record.player_moved(turn, action, f"id-{turn}")))
        if turn == 2:
            rows += [
                ("whispered", {"turn": 2, "text": "Hold.", "author": "Morgan"}),
                ("watched", {"turn": 2, "by": "", "maker": "Robin"}),
                ("assisted", {"reason": "whisper"}),
            ]
        rows += list(record.answered(table, turn, action, None))
    return rows


def frames(rows: list[tuple[str, Any]], role: Role) -> list[Frame]:
    stored = json.loads(json.dumps(rows))
    return [redact(seq=seq, kind=kind, data=data, role=role) for seq, (kind, data) in enumerate(stored, 1)]


PLAYED = [
    ("shark", "seller", False),
    ("diplomat", "buyer", True),
    ("veteran", "seller", True),
]


@pytest.fixture(scope="module", params=PLAYED)
def rows(request: pytest.FixtureRequest) -> list[tuple[str, Any]]:
    persona, seat, case = request.param
    return play(persona, seat, seed=3, case=case)


def test_every_type_is_typed_and_written_whole(rows: list[tuple[str, Any]]) -> None:
    assert set(TYPED) == set(EVENT_TYPES)
    for kind, data in rows:
        keys = get_type_hints(TYPED[kind], include_extras=True)
        always = {key for key, what in keys.items() if get_origin(what) is not NotRequired}
        assert always <= set(data) <= set(keys), kind


def test_a_case_is_in_the_log_where_there_is_one() -> None:
    rows = play("diplomat", "buyer", 3, case=True)
    started = rows[0][1]
    assert started["case"] == "saas_enterprise"
    assert len(started["sheet"]["facts"]) > 8
    answers = [data for kind, data in rows if kind == "opponent_moved"]
    assert sum(len(data.get("told", ())) for data in answers) >= 2
    assert any(data.get("raised") for data in answers)
    coach = fold(frames(rows, "coach"))["coach"]
    assert coach is not None
    told = {fact["id"] for fact in coach["facts"] if fact["told"] and fact["seat"] == "seller"}
    assert told == {fact["id"] for data in answers for fact in data.get("told", ())}
    assert {"facts", "objections"}.isdisjoint(coach["history"][0])


@pytest.mark.parametrize("role", ["player", "watcher"])
def test_facts_that_nobody_told_are_nowhere_in_what_a_player_is_sent(role: Role) -> None:
    rows = play("shark", "buyer", 4, case=True)
    told = {fact["says"] for _, data in rows for fact in data.get("told", ())}
    hidden = {fact["says"] for _, data in rows for fact in data.get("facts", ()) if fact["seat"] == "seller"}
    assert hidden - told, "everything was told"
    live = [frame for frame in frames(rows, role) if frame.get("type") != "game_ended"]
    for says in hidden - told:
        assert json.dumps(says) not in json.dumps(live)


@pytest.mark.parametrize("role", ROLES)
def test_sequences_are_contiguous_for_every_role(rows: list[tuple[str, Any]], role: Role) -> None:
    assert [frame["seq"] for frame in frames(rows, role)] == list(range(1, len(rows) + 1))


def test_who_sees_what() -> None:
    assert visible_keys("turn_graded", "player") == frozenset()
    assert visible_keys("turn_graded", "watcher") == frozenset()
    assert "truth" in visible_keys("turn_graded", "coach")
    assert "own" not in visible_keys("game_started", "watcher")
    assert "own" not in visible_keys("turn_closed", "watcher")
    assert "belief" not in visible_keys("player_moved", "watcher")
    assert visible_keys("whispered", "watcher") == frozenset()
    assert visible_keys("whispered", "player") == {"turn", "text", "author"}
    assert visible_keys("watched", "watcher") == frozenset()
    assert visible_keys("watched", "player") == {"turn", "by", "maker"}
    for kind in EVENT_TYPES:
        assert visible_keys(kind, "watcher") <= visible_keys(kind, "player") <= visible_keys(kind, "coach")


def test_a_key_that_nobody_listed_is_hidden_from_everyone() -> None:
    for role in ROLES:
        frame = redact(seq=4, kind="news", data={"text": "Rates rise.", "effect": -0.04}, role=role)
        assert frame == {"seq": 4, "type": "news", "data": {"text": "Rates rise."}}


@pytest.mark.parametrize("role", ROLES)
def test_a_snapshot_and_the_rest_equal_the_whole(rows: list[tuple[str, Any]], role: Role) -> None:
    sent = frames(rows, role)
    whole = fold(sent)
    for cut in range(len(sent) + 1):
        snapshot = json.loads(json.dumps(fold(sent[:cut])))
        assert fold(sent[cut:], snapshot) == whole
        assert fold(sent, snapshot) == whole, "frames that are held already must do no harm"


def test_a_turn_that_moved_ones_limit_is_folded_with_its_reasons_for_who_may_see_it() -> None:
    move = {"cause": "news", "before": 117_000, "after": 115_000, "words": "Rates rise"}
    data = {"turn": 3, "tension": 20.0, "own": {"walk_away": 115_000}, "limit_moves": [move]}
    sent: dict[Role, Frame] = {
        role: redact(seq=9, kind="turn_closed", data=data, role=role) for role in ROLES
    }
    assert fold([sent["player"]])["limits"] == [{"seq": 9, "turn": 3, "moves": [move]}]
    assert fold([sent["watcher"]])["limits"] == []


def test_folding_on_leaves_the_snapshot_as_it_was(rows: list[tuple[str, Any]]) -> None:
    sent = frames(rows, "coach")
    snapshot = fold(sent[:10])
    before = json.dumps(snapshot)
    fold(sent[10:], snapshot)
    assert json.dumps(snapshot) == before


def folded_by_the_browser(sent: list[Frame]) -> Any:
    """What ``static/js/fold.js`` makes of the frames."""
    script = (
        f"import {{ fold }} from {json.dumps(str(ROOT / 'static/js/fold.js'))};"
        "let text = ''; for await (const part of process.stdin) text += part;"
        "process.stdout.write(JSON.stringify(fold(JSON.parse(text))));"
    )
    done = subprocess.run(
        ["node", "--input-type=module", "-e", script],
        input=json.dumps(sent),
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


@pytest.mark.skipif(shutil.which("node") is None, reason="no node here")
@pytest.mark.parametrize("role", ROLES)
def test_the_browser_folds_the_same(rows: list[tuple[str, Any]], role: Role) -> None:
    sent = frames(rows, role)
    assert folded_by_the_browser(sent) == json.loads(json.dumps(fold(sent)))
