"""Packages on the wire and in the log: strictly read, bound whole, replayed, and shown to whom they belong."""

from __future__ import annotations

import json
import shutil
import uuid
from typing import Any

import pytest

from accounts.models import User
from negotiation import record, services, sessions
from negotiation.engine.deal import Action, Negotiation, scenarios
from negotiation.engine.deal.issues import Package, terms_of
from negotiation.events import ROLES, Role, fold
from negotiation.messages import parse_act
from negotiation.models import Event, Game
from negotiation.reading import Clarify
from negotiation.selectors import bootstrap_of, snapshot_of
from negotiation.services import game_accept, game_create
from negotiation.table.errors import MoveRefused
from negotiation.table.wire import FrameRefused
from tests.web.conftest import SEED
from tests.web.moves import act, resolve, submit
from tests.web.test_events import folded_by_the_browser, frames

pytestmark = pytest.mark.django_db(transaction=True)
DESIGN = scenarios()["software_licensing"]
LONG = {"term": "y3", "billing": "yearly", "support": "named_engineer"}
SHORT = {"term": "y1", "billing": "yearly", "support": "office_hours"}


@pytest.fixture
def licences(rep: User) -> Game:
    return game_create(
        player=rep, scenario="software_licensing", persona="diplomat", seat="seller", seed=SEED
    )


def logged(game: Game, kind: str) -> dict[str, Any]:
    data: dict[str, Any] = Event.objects.filter(game=game, type=kind).latest("seq").data
    return data


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ({"terms": "y3"}, "terms"),
        ({"terms": ["y3"]}, "terms"),
        ({"terms": {"term": 3}}, "terms"),
        ({"alternatives": {"price": 1.0}}, "alternatives"),
        ({"alternatives": ["y3"]}, "alternatives"),
        ({"alternatives": [{"terms": {}}]}, "alternatives"),
        ({"alternatives": [{"price": True, "terms": {}}]}, "price"),
        ({"alternatives": [{"price": 2e5, "terms": {"term": None}}]}, "alternatives"),
        ({"alternatives": [{"price": 2e5, "worth": 3e5}]}, "alternatives"),
    ],
)
def test_what_is_no_package_is_refused_and_the_field_is_named(data: dict[str, Any], field: str) -> None:
    with pytest.raises(FrameRefused) as refused:
        parse_act({"text": "Look at this.", "offer": 240_000, **data})
    assert refused.value.code == "bad_field"
    assert refused.value.field == field


def test_a_move_is_logged_with_every_term_written_out(licences: Game) -> None:
    submit(licences, act(262_000.0, terms={"term": "y3"}, alternatives=(Package(258_000.0, LONG),)))
    moved = logged(licences, "player_moved")
    assert moved["terms"] == {"term": "y3", "billing": "yearly", "support": "office_hours"}
    assert moved["alternatives"] == [{"price": 258_000.0, "terms": LONG}]
    resolve(licences)
    preferred = logged(licences, "opponent_moved")["preferred"]
    standing = [moved["terms"], LONG][preferred]
    assert logged(licences, "turn_closed")["own_terms"] == standing
    licences.refresh_from_db()
    submit(licences, act(255_000.0, text="And now?"))
    assert logged(licences, "player_moved")["terms"] == standing


def test_words_alone_carry_no_terms(licences: Game) -> None:
    submit(licences, act(None, text="What matters to you beside the fee?"))
    moved = logged(licences, "player_moved")
    assert moved["terms"] is None
    assert moved["alternatives"] == []


def test_a_log_with_packages_replays_to_the_same_game(licences: Game) -> None:
    beside = (Package(258_000.0, LONG), Package(270_000.0, SHORT))
    submit(licences, act(262_000.0, terms={"term": "y2"}, alternatives=beside))
    resolve(licences)
    licences.refresh_from_db()
    submit(licences, act(251_000.0, text="We moved.", terms=LONG))
    resolve(licences)
    licences.refresh_from_db()
    kept = sessions.kept.take(licences)
    again = sessions.rebuild(licences)
    assert again is not kept
    assert again.observe() == kept.observe()
    assert again.truth == kept.truth


def test_a_log_from_before_there_were_terms_still_replays_and_folds(game: Game) -> None:
    submit(game, act(180_000.0))
    resolve(game)
    game.refresh_from_db()
    late = {
        "terms",
        "alternatives",
        "preferred",
        "own_terms",
        "standing_terms",
        "own_worth",
        "standing_worth",
    }
    standing = sessions.rebuild(game).observe()
    for event in list(Event.objects.filter(game=game)):
        data = {key: value for key, value in event.data.items() if key not in late}
        Event.objects.filter(pk=event.pk)._raw_delete("default")
        Event(game=game, seq=event.seq, type=event.type, data=data, action_id=event.action_id).save(
            force_insert=True
        )
    assert sessions.rebuild(game).observe() == standing
    assert snapshot_of(game.id, "player")["transcript"][-1]["side"] == "opponent"


def test_accepting_takes_the_package_that_was_seen_and_no_other(licences: Game) -> None:
    submit(licences, act(262_000.0, terms=LONG))
    resolve(licences)
    licences.refresh_from_db()
    closed = logged(licences, "turn_closed")
    seen: dict[str, Any] = {
        "game_id": licences.id,
        "player": licences.player,
        "offer": closed["standing_offer"],
    }
    with pytest.raises(MoveRefused) as refused:
        game_accept(action_id=uuid.uuid4(), terms={**closed["standing_terms"], "term": "other"}, **seen)
    assert refused.value.code == "offer_changed"
    game_accept(action_id=uuid.uuid4(), terms=closed["standing_terms"], **seen)
    resolve(licences)
    outcome = logged(licences, "game_ended")["outcome"]
    assert outcome["agreed"] == closed["standing_terms"]
    assert outcome["price"] == closed["standing_offer"]


def played(seat: str, seed: int = 5) -> list[tuple[str, Any]]:
    """The rows of a whole game over packages."""
    game = Game(
        player=User(email="rep@example.com", display_name="Robin"),
        scenario=DESIGN.id,
        persona="veteran",
        seat=seat,
        difficulty=0.5,
        seed=seed,
        horizon=DESIGN.horizon,
    )
    table = Negotiation(DESIGN, "veteran", seat, seed)  # type: ignore[arg-type]
    rows: list[tuple[str, Any]] = list(record.started(game, table))
    price, step = (284_000.0, -4_000.0) if seat == "seller" else (190_000.0, 4_000.0)
    while not table.done:
        turn = table.turn
        terms = terms_of(DESIGN.issues, turn % 27)
        beside = (Package(price + 2 * step, LONG),) if turn % 3 == 0 else ()
        action = Action(text="Look at the whole.", offer=price, terms=terms, alternatives=beside)
        rows.append(("player_moved", record.player_moved(turn, action, f"id-{turn}")))
        rows += list(record.answered(table, turn, action, None))
        price += step
    return rows


def test_a_watcher_learns_nothing_of_what_terms_are_worth_to_the_player() -> None:
    rows = played("seller")
    own = next(data["own"]["values"] for kind, data in rows if kind == "turn_closed")
    worths = {
        str(data[key])
        for kind, data in rows
        if kind == "turn_closed"
        for key in ("own_worth", "standing_worth")
        if data[key] not in (None, data["own_offer"], data["standing_offer"])
    }
    # A package may by chance be worth what another one costs: a price on the table is no secret.
    prices = {
        str(price)
        for kind, data in rows
        if kind in ("player_moved", "opponent_moved")
        for price in (data["offer"], *(each["price"] for each in data.get("alternatives") or ()))
    }
    private = ({str(value) for issue in own for value in issue if value} | worths) - prices
    # The outcome is public once the game has ended.
    seen = json.dumps([frame for frame in frames(rows, "watcher") if frame.get("type") != "game_ended"])
    assert len(private) > 6
    assert not [figure for figure in private if figure in seen]
    assert "own_terms" in seen
    assert "preferred" in seen
    told = json.dumps(frames(rows, "player"))
    assert all(figure in told for figure in private)


def test_the_player_never_sees_the_values_of_the_other_side_while_it_lasts() -> None:
    rows = played("buyer")
    graded = next(data for kind, data in rows if kind == "turn_graded")
    theirs = {str(v) for issue in graded["truth"]["opponent"]["values"] for v in issue if v}
    own = {str(v) for issue in graded["truth"]["player"]["values"] for v in issue if v}
    live = json.dumps([frame for frame in frames(rows, "player") if frame.get("type") != "game_ended"])
    assert theirs - own
    assert not [figure for figure in theirs - own if figure in live]
    coach = json.dumps(frames(rows, "coach"))
    assert all(figure in coach for figure in theirs)


@pytest.mark.skipif(shutil.which("node") is None, reason="no node here")
@pytest.mark.parametrize("role", ROLES)
def test_the_browser_folds_a_game_over_packages_the_same(role: Role) -> None:
    sent = frames(played("seller"), role)
    assert folded_by_the_browser(sent) == json.loads(json.dumps(fold(sent)))


def test_the_table_names_the_issues_and_no_values(licences: Game) -> None:
    issues = bootstrap_of(licences, role="watcher", ws_url="/ws/")["scenario"]["issues"]
    assert [issue["id"] for issue in issues] == ["term", "billing", "support"]
    assert issues[0]["options"][2] == {"id": "y3", "label": "3 years"}


def test_the_api_lists_the_issues_by_the_ids_that_a_move_names(rep: User, signed_in: Any) -> None:
    listed = signed_in(rep).get("/api/scenarios").json()
    issues = {each["id"]: [issue["id"] for issue in each["issues"]] for each in listed}
    assert issues["software_licensing"] == ["term", "billing", "support"]
    assert issues["saas_enterprise"] == []


def test_a_package_that_cannot_be_is_refused_and_nothing_is_logged(licences: Game) -> None:
    head = Event.objects.filter(game=licences).count()
    with pytest.raises(Exception, match="not an option for contract term"):
        services.turn_submit(
            game_id=licences.id,
            player=licences.player,
            action_id=uuid.uuid4(),
            act=act(262_000.0, terms={"term": "for ever"}),
        )
    assert Event.objects.filter(game=licences).count() == head


def asked(game: Game, offer: float | None, text: str, **more: Any) -> Clarify | None:
    answer = services.turn_submit(
        game_id=game.id, player=game.player, action_id=uuid.uuid4(), act=act(offer, text=text, **more)
    )
    return answer if isinstance(answer, Clarify) else None


@pytest.mark.parametrize(
    ("offer", "text", "reason", "message"),
    [
        (262_000.0, "Let's make it three years.", "terms_differ", "offer 3 years, the package says 1 year."),
        (262_000.0, "Not three years.", None, ""),
        (262_000.0, "Would three years help?", None, ""),
        (262_000.0, "One year is fine.", None, ""),
        (None, "Three years would be a different conversation.", None, ""),
        (
            262_000.0,
            "We offer 255,000 with three years.",
            "figure_differs",
            "offer $255,000 with 3 years, the package says $262,000 with 1 year.",
        ),
        (
            None,
            "We offer 255,000 with three years.",
            "figure_differs",
            "offer $255,000 with 3 years, the package holds no price, with 1 year.",
        ),
        (262_000.0, "We offer 262,000 with three years.", "terms_differ", "offer 3 years, the package"),
        (262_000.0, "We offer 255,000.", "figure_differs", "offer $255,000, the offer field says $262,000."),
    ],
)
def test_words_that_name_other_terms_are_asked_about_before_anything_binds(
    licences: Game, offer: float | None, text: str, reason: str | None, message: str
) -> None:
    head = licences.last_seq
    question = asked(licences, offer, text, terms=SHORT if offer else None)
    licences.refresh_from_db()
    if reason is None:
        assert question is None
        assert licences.last_seq == head + 1
        return
    assert question is not None
    assert licences.last_seq == head
    assert question.reason == reason
    assert message in question.message
    assert question.field_terms == SHORT
    assert question.text_terms == {**SHORT, **({"term": "y3"} if "three" in text else {})}
    assert asked(licences, offer or 255_000.0, text, terms=question.text_terms, confirmed=True) is None
    assert logged(licences, "player_moved")["terms"] == question.text_terms


def test_words_may_name_any_of_the_packages_side_by_side(licences: Game) -> None:
    beside = (Package(255_000.0, LONG),)
    text = "Either 262,000 with one year, or 255,000 with three years and a named engineer."
    assert asked(licences, 262_000.0, text, terms=SHORT, alternatives=beside) is None
