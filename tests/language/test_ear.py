"""The second ear: its numbers are the reference's, it weighs questions and nothing else, and the house does without it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pytest

from negotiation.engine.deal import Action, Negotiation
from negotiation.engine.deal.case.acts import QUESTIONS, Asked
from negotiation.engine.deal.case.file import cases
from negotiation.engine.deal.case.trade import COVERS
from negotiation.engine.deal.listening import Listening, hear, listen
from negotiation.engine.deal.listening.ear import hearing, intents, particular
from negotiation.engine.deal.listening.ear.encoder import Encoder, Floats, published
from negotiation.engine.deal.listening.ear.intents import LABELS, Ear, clauses_of, second_ear
from negotiation.engine.deal.listening.ear.particular import particular_ear
from negotiation.engine.deal.listening.ear.points import digest, kept_points
from negotiation.engine.deal.wire import action_from_json, to_json
from tests.language.ear_reference import REFERENCE, SHOWN
from tests.language.talk_gold import Said, talk_batches

CASE = cases()["saas_enterprise"]
ASKED = "What usually goes wrong between the dock and the dispatcher when you are three people short?"


@pytest.fixture(scope="module")
def ear() -> Ear:
    found = second_ear()
    assert found is not None, "requirements/ear.txt is not installed"
    return found


@pytest.fixture
def deaf(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hearing, "second_ear", lambda: None)


def everything_said() -> Iterator[tuple[Said, Listening, Listening]]:
    """A fifth of the labelled messages, as the house hears them and as both do."""
    for said in (said for batch in talk_batches() for said in batch.said[::5]):
        yield said, said.heard(), said.heard(hear)


def test_every_piece_and_every_number_is_the_references() -> None:
    folder = published()
    assert folder is not None
    bare = Encoder(folder, {})
    reference = json.loads(REFERENCE.read_text(encoding="utf-8"))
    texts = [each["text"] for each in reference]
    assert [bare.pieces(text) for text in texts] == [each["pieces"] for each in reference]
    points = bare.encode(texts)
    assert np.allclose(points[:, :SHOWN], [each["point"] for each in reference], atol=2e-6)
    assert np.allclose(np.linalg.norm(points, axis=1), 1)


def test_a_text_has_the_same_point_alone_and_among_others() -> None:
    folder = published()
    assert folder is not None
    encoder = Encoder(folder, intents.kept(intents.ADAPTER))
    together = encoder.encode(["Who signs?", ASKED, "No."])
    assert np.allclose(together[1], encoder.encode([ASKED])[0], atol=2e-6)


def test_the_shipped_clauses_need_not_be_put_through_it_again(ear: Ear) -> None:
    texts = {
        text for case in cases().values() for seat in case.seats.values() for _, text in clauses_of(seat)
    }
    some = sorted(texts)[::97]
    kept = kept_points(intents.CLAUSES)
    assert {digest(text) for text in texts} <= set(kept)
    assert _alike(ear._points._encoder, kept, some) > 0.99


def test_nor_need_the_shipped_particulars() -> None:
    ear = particular_ear()
    assert ear is not None
    texts = {
        text
        for case in cases().values()
        for seat in case.seats.values()
        for each in seat.particulars
        for text in (*each.asks, *each.says)
    }
    kept = kept_points(particular.POINTS)
    assert {digest(text) for text in texts} <= set(kept)
    assert _alike(ear._points._encoder, kept, sorted(texts)[::997]) > 0.97


def _alike(encoder: Encoder, kept: Mapping[int, Floats], texts: Sequence[str]) -> float:
    """How near the points that are kept lie to those that the encoder finds now, the farthest."""
    found = np.stack([kept[digest(text)] for text in texts])
    return float((found * encoder.encode(texts)).sum(axis=1).min())


def test_shares_are_of_every_label_and_sum_to_one(ear: Ear) -> None:
    (intent,) = ear.intents([ASKED], CASE.seats["buyer"])
    assert len(intent.shares) == len(LABELS)
    assert sum(intent.shares) == pytest.approx(1)
    assert intent.share(*LABELS) == pytest.approx(1)
    assert intent.best == "pain"


def test_a_question_that_no_pattern_knows_is_heard_by_what_it_means() -> None:
    seats = CASE.seats
    heard = hear(ASKED, speaker=seats["seller"], listener=seats["buyer"])
    assert [each.topic for each in heard.talk] == ["pain"]
    assert heard.asked is not None
    assert heard.asked.labels == ("pain",)


@pytest.mark.usefixtures("deaf")
def test_without_the_weights_the_house_listens_alone() -> None:
    assert all(house == both for _, house, both in everything_said())


def test_only_questions_are_weighed() -> None:
    """What is told, argued, threatened, taken back or insulted is heard as the house hears it."""
    changed = 0
    for said, house, both in everything_said():
        untouched = [
            [each for each in listening.heard if each.talk.act not in QUESTIONS]
            for listening in (house, both)
        ]
        assert untouched[0] == untouched[1], said.text
        manners = [(each.insult, each.wants_out, each.withdraws) for each in (house, both)]
        assert manners[0] == manners[1], said.text
        changed += house.heard != both.heard
    assert changed > 0


def test_what_lies_on_the_table_is_left_to_the_table() -> None:
    seats = CASE.seats
    heard = hear(ASKED, speaker=seats["seller"], listener=seats["buyer"], settled=lambda _quote: True)
    assert heard.heard == listen(ASKED, speaker=seats["seller"], listener=seats["buyer"]).heard
    assert heard.asked == Asked()


def test_what_the_ear_heard_is_on_the_log_and_plays_again_without_it() -> None:
    """A move carries what was heard, so that a machine without the weights replays it word for word."""
    seats = CASE.seats
    listening = hear(ASKED, speaker=seats["seller"], listener=seats["buyer"])
    action = Action(text=ASKED, talk=listening.talk, asked=listening.asked)
    again = action_from_json(json.loads(json.dumps(to_json(action))))
    assert again == action
    tables = [Negotiation("saas_enterprise", "veteran", seed=7, case=True) for _ in range(2)]
    assert tables[0].step(action).reply == tables[1].step(again).reply


def test_what_was_written_before_there_was_an_ear_stays_as_it_was() -> None:
    assert "asked" not in to_json(Action(text="Hello."))
    assert action_from_json({"text": "Hello."}).asked is None


def test_the_labels_are_those_of_the_cases() -> None:
    assert set(COVERS) < set(LABELS)
    assert len(set(LABELS)) == len(LABELS)


UNKNOWN = "What do your engineers think the rewrite of the billing core would cost?"


def test_a_question_that_nobody_understood_is_said_back_beside_an_offer_too() -> None:
    for offer in (None, 150_000.0):
        table = Negotiation("saas_enterprise", "veteran", seed=7, case=True)
        asked = Asked(labels=("none",), left=(0,))
        reply = table.step(Action(UNKNOWN, offer=offer, asked=asked)).reply
        assert "What do our engineers think the rewrite of the billing core would cost?" in reply.text


def test_which_of_the_things_just_named_is_left_to_whoever_is_asked() -> None:
    text = "We want six months and the floors. Which of those hurts you more?"
    heard = hear(text, speaker=CASE.seats["seller"], listener=CASE.seats["buyer"])
    assert heard.asked is not None
    assert heard.asked.left
    assert not [each for each in heard.talk if each.act in QUESTIONS]


def test_a_log_without_what_was_left_plays_on() -> None:
    data = to_json(Action(UNKNOWN, asked=Asked(labels=("none",))))
    del data["asked"]["left"]
    assert action_from_json(data).asked == Asked(labels=("none",))


def test_a_question_behind_a_sentence_of_another_matter_is_heard_by_itself() -> None:
    text = (
        "Hi Dana, thanks for meeting me. A good outcome would be a plan your teams really use. "
        "What goes wrong with the tool you have today?"
    )
    heard = hear(text, speaker=CASE.seats["seller"], listener=CASE.seats["buyer"])
    assert [each.topic for each in heard.talk] == ["pain"]


def test_nobody_parrots_a_question_is_said_back_a_few_times_a_deal() -> None:
    table = Negotiation("saas_enterprise", "veteran", seed=7, case=True)
    asked = Asked(labels=("none",), left=(0,))
    things = ("rewrite", "move", "repair", "trial", "upgrade", "search")
    said = [
        table.step(Action(f"What do your engineers think the {thing} costs?", asked=asked)).reply.text
        for thing in things
    ]
    back = [each for each in said if "What do our engineers think" in each]
    assert 1 <= len(back) <= 4 < len(said)
    assert len(set(said)) == len(said)


def test_a_question_without_the_words_of_a_greeting_is_none() -> None:
    seats = cases()["acquisition_term_sheet"].seats
    for text in ("How many founders have you used that line on?", "What took your people so long?"):
        heard = hear(text, speaker=seats["seller"], listener=seats["buyer"])
        assert heard.asked is not None
        assert "greeting" not in heard.asked.labels
    asked = hear("How are you today?", speaker=seats["seller"], listener=seats["buyer"]).asked
    assert asked is None or set(asked.labels) <= {"greeting", "none"}
