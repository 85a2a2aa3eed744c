"""Words in, promises out, and what became of them."""

import time
from pathlib import Path

import pytest

from negotiation.engine.diplomacy import advance, opening
from negotiation.engine.diplomacy.geography import POWER_ID, POWERS, PROVINCE_ID, PROVINCES
from negotiation.engine.diplomacy.phases import NO_ORDERS
from negotiation.engine.diplomacy.press.ledger import Ledger
from negotiation.engine.diplomacy.press.messages import LONGEST, Message, Tag, history, said
from negotiation.engine.diplomacy.press.promises import (
    EVERYONE,
    Kind,
    Promise,
    PromiseVerdict,
    turn_of,
    verdict,
)
from negotiation.engine.diplomacy.press.reading import read
from negotiation.engine.diplomacy.press.tags import TagCheck, TagScore, check
from negotiation.engine.diplomacy.saved import orders_from_json, position_from_json

FRANCE, GERMANY, ENGLAND = POWER_ID["FRANCE"], POWER_ID["GERMANY"], POWER_ID["ENGLAND"]


def shown(promise):
    places = ",".join(PROVINCES[place] for place in promise.places)
    unit = f"{PROVINCES[promise.unit]}:" if promise.unit is not None else ""
    return f"{promise.kind} {unit}{places} {promise.first}-{promise.last}".replace("  ", " ")


PROMISES = [
    ("I will not enter the English Channel this year.", ["NOT_ENTER ENG 0-1"]),
    ("I'll support you into Belgium with my army in Picardy.", ["SUPPORT PIC:BEL 0-0"]),
    ("I will support your army from Munich to Burgundy.", ["SUPPORT BUR 0-0"]),
    ("I support your army in Munich", ["SUPPORT MUN 0-0"]),
    ("A PAR - BUR and F BRE H this turn.", ["MOVE PAR:BUR 0-0", "HOLD BRE: 0-0"]),
    ("My fleet in Brest moves to MAO.", ["MOVE BRE:MAO 0-0"]),
    ("I am sending my army in Marseilles to Spain in the fall", ["MOVE MAR:SPA 1-1"]),
    ("I hold in Paris and will stay out of Burgundy and Picardy.", ["HOLD PAR: 0-0", "NOT_ENTER BUR,PIC 0-1"]),
    ("I'm not moving my army in Paris", ["HOLD PAR: 0-0"]),
    ("I won't attack you for two years.", ["NO_ATTACK 0-3"]),
    ("NAP through 1902.", ["NO_ATTACK 0-3"]),
    ("I will move to NAP next turn", ["MOVE NAP 1-1"]),
    ("I will leave you alone until spring 1903.", ["NO_ATTACK 0-4"]),
    ("You have my word: Burgundy stays demilitarized.", ["NOT_ENTER BUR 0-1"]),
    ("Your fleet looks great.", []),
    ("England is attacking you in the North Sea.", []),
    ("Russia will move to Sweden", []),
    ("Will you move to Denmark?", []),
    ("I will not hold you to it", []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "promises"), PROMISES, ids=[text for text, _ in PROMISES])
def test_a_message_promises_what_it_says_and_no_more(text, promises) -> None:
    assert [shown(promise) for promise in read(text, FRANCE, GERMANY, opening()).promises] == promises


SENTENCES = [
    tuple(part.strip() for part in line.split("|"))
    for line in (Path(__file__).parent / "sentences.txt").read_text().splitlines()[1:]
]
SILENT = [text for text, promises in SENTENCES if not promises]
MISSED = 5
"""Of the sentences that promise something, this many are known to be missed."""


@pytest.mark.parametrize("text", SILENT)
def test_refusals_threats_hedges_and_insults_promise_nothing(text) -> None:
    assert read(text, FRANCE, GERMANY, opening()).promises == ()


def test_promises_in_many_words_are_read_and_never_as_another() -> None:
    missed = 0
    for text, expected in SENTENCES:
        found = {shown(promise) for promise in read(text, FRANCE, GERMANY, opening()).promises}
        if expected:
            assert found <= {one.strip() for one in expected.split(";")}, text
            missed += not found
    assert missed <= MISSED
    assert len(SENTENCES) - len(SILENT) > 100


def test_peace_to_all_said_twice_in_a_sentence_is_one_promise_with_its_date() -> None:
    (promise,) = read(
        "Peace to all, I will not attack anybody this year.", FRANCE, EVERYONE, opening()
    ).promises
    assert (promise.to, promise.first, promise.last) == (EVERYONE, 0, 1)


UNASKED = [
    "I reject your truce.",
    "Your offer of peace is declined.",
    "Your alliance with Austria worries me.",
    "You are a poor ally.",
    "Why did you attack me during our truce?",
    "Would an alliance help you sleep?",
]


@pytest.mark.parametrize("text", UNASKED)
def test_a_refusal_or_an_insult_asks_for_nothing(text) -> None:
    assert read(text, FRANCE, GERMANY, opening()).asks == ()


OFTEN = ["really", "again", "friendship", "and peace", "it is", "you have my word", "not", "i will not"]


@pytest.mark.parametrize("word", OFTEN)
def test_words_over_and_over_are_read_at_once(word) -> None:
    started = time.process_time()
    read((f"{word} " * LONGEST)[: LONGEST - 1] + "x", FRANCE, GERMANY, opening())
    assert time.process_time() - started < 0.5


ASKS = [
    ("DMZ in Channel?", ["NOT_ENTER ENG 0-1"]),
    ("Let's keep the Channel neutral", ["NOT_ENTER ENG 0-1"]),
    ("Please support A PAR - BUR", ["SUPPORT BUR 0-0"]),
    ("Can you move A MUN - RUH?", ["MOVE MUN:RUH 0-0"]),
    ("I propose a non-aggression pact.", ["NO_ATTACK 0-3"]),
    ("We should ally against England", ["NO_ATTACK 0-3"]),
]


@pytest.mark.parametrize(("text", "asks"), ASKS, ids=[text for text, _ in ASKS])
def test_a_request_is_no_promise_of_the_one_who_asks(text, asks) -> None:
    speech = read(text, FRANCE, GERMANY, opening())
    assert speech.promises == ()
    assert [shown(ask) for ask in speech.asks] == asks
    assert {ask.by for ask in speech.asks} == {GERMANY}


def test_an_if_makes_a_promise_conditional_and_its_condition_is_not_promised() -> None:
    (promise,) = read(
        "If you stay out of Belgium I will not enter the Channel.", FRANCE, GERMANY, opening()
    ).promises
    assert promise.conditional
    assert promise.places == (PROVINCE_ID["ENG"],)


def conversation(*lines, state=None):
    ledger = Ledger()
    for sender, target, text, *tag in lines:
        ledger = ledger.heard(said(state or opening(), sender, target, text, *tag), state or opening())
    return ledger


def test_agreeing_to_a_zone_binds_both_and_agreeing_to_a_request_the_one_who_was_asked() -> None:
    zone = conversation((ENGLAND, FRANCE, "DMZ in the Channel?"), (FRANCE, ENGLAND, "Agreed."))
    assert {(e.promise.by, e.promise.kind) for e in zone.entries} == {
        (FRANCE, Kind.NOT_ENTER),
        (ENGLAND, Kind.NOT_ENTER),
    }
    help_ = conversation((ENGLAND, FRANCE, "Can you support me into Belgium?"), (FRANCE, ENGLAND, "Yes"))
    assert [(e.promise.by, e.promise.to, e.promise.kind) for e in help_.entries] == [
        (FRANCE, ENGLAND, Kind.SUPPORT)
    ]
    assert conversation((FRANCE, ENGLAND, "Agreed.")).entries == ()


def orders(**rows):
    page = {name.upper(): [o.strip() for o in row.split(",")] for name, row in rows.items()}
    return orders_from_json(page, opening())


VERDICTS = [
    ("A PAR - BUR", "A PAR - BUR", PromiseVerdict.KEPT),
    ("A PAR - BUR", "A PAR - PIC", PromiseVerdict.BROKEN),
    ("A PAR - BUR", "A MAR - BUR", PromiseVerdict.BROKEN),
    ("I will move to Burgundy", "A MAR - BUR", PromiseVerdict.KEPT),
    ("A PAR H", "A PAR S A MAR", PromiseVerdict.KEPT),
    ("A PAR H", "A PAR - GAS", PromiseVerdict.BROKEN),
    ("I will stay out of Burgundy and Picardy", "A PAR - GAS", PromiseVerdict.KEPT),
    ("I will stay out of Burgundy and Picardy this turn", "A PAR - BUR", PromiseVerdict.PARTIAL),
    ("I will stay out of Burgundy", "A PAR - BUR", PromiseVerdict.BROKEN),
    ("I will move my fleet in London to the Channel", "A PAR H", PromiseVerdict.UNVERIFIABLE),
    ("I will move my fleet south", "F BRE - MAO", PromiseVerdict.UNVERIFIABLE),
    ("I won't attack you", "A MAR - BUR", PromiseVerdict.KEPT),
    ("If you move to Ruhr I will stay out of Burgundy", "A PAR - BUR", PromiseVerdict.UNVERIFIABLE),
]


@pytest.mark.parametrize(("text", "order", "expected"), VERDICTS, ids=[f"{t} / {o}" for t, o, _ in VERDICTS])
def test_a_promise_is_held_against_the_orders_submitted(text, order, expected) -> None:
    (promise,) = read(text, FRANCE, GERMANY, opening()).promises
    assert verdict(promise, opening(), orders(france=order)) == expected


BORDER = {
    "phase": "S1902M",
    "units": {"FRANCE": ["A BUR", "A PIC"], "GERMANY": ["A MUN", "A RUH", "A KIE"]},
    "centers": {"GERMANY": ["MUN", "BER", "KIE"]},
}


@pytest.mark.parametrize(
    ("text", "order", "expected"),
    [
        ("I will support you into Belgium", "A BUR S A RUH - BEL", PromiseVerdict.KEPT),
        ("I will support you into Belgium", "A BUR S A MUN", PromiseVerdict.PARTIAL),
        ("I will support you into Belgium", "A BUR H", PromiseVerdict.BROKEN),
        ("I will support your army in Munich", "A BUR S A MUN", PromiseVerdict.KEPT),
        ("Peace", "A BUR - MUN", PromiseVerdict.BROKEN),
        ("Peace", "A PIC S A BUR - BEL", PromiseVerdict.KEPT),
    ],
)
def test_support_and_peace_are_held_against_units_and_centres_of_the_other(text, order, expected) -> None:
    state = position_from_json(BORDER)
    (promise,) = read(text, FRANCE, GERMANY, state).promises
    assert verdict(promise, state, orders_from_json({"FRANCE": [order]}, state)) == expected


def test_a_promise_of_two_phases_is_open_until_the_last_and_broken_at_once() -> None:
    promised = conversation((FRANCE, GERMANY, "I will stay out of Burgundy this year."))
    spring = promised.judged(opening(), orders(france="A PAR - PIC"))
    assert spring.entries[0].verdict is None
    autumn = advance(opening(), NO_ORDERS).state
    assert spring.judged(autumn, NO_ORDERS).entries[0].verdict == PromiseVerdict.KEPT
    assert (
        promised.judged(opening(), orders(france="A PAR - BUR")).entries[0].verdict == PromiseVerdict.BROKEN
    )
    assert promised.closed().entries[0].verdict == PromiseVerdict.UNVERIFIABLE


def test_a_fork_keeps_its_own_ledger() -> None:
    before = conversation((FRANCE, GERMANY, "A PAR - PIC"))
    before.judged(opening(), orders(france="A PAR - BUR"))
    assert before.entries[0].verdict is None
    assert before.counts(FRANCE) == (0, 0)


@pytest.mark.parametrize(
    ("tag", "order", "expected"),
    [
        (Tag.TRUTH, "A PAR - BUR", TagCheck.HONEST),
        (Tag.TRUTH, "A PAR - PIC", TagCheck.MISTAGGED),
        (Tag.LIE, "A PAR - PIC", TagCheck.LIE),
        (Tag.LIE, "A PAR - BUR", TagCheck.IDLE_LIE),
    ],
)
def test_a_tag_is_checked_against_the_deed(tag, order, expected) -> None:
    ledger = conversation((FRANCE, GERMANY, "A PAR - BUR", tag)).judged(opening(), orders(france=order))
    assert check(ledger.entries[0]) == expected


def test_tags_are_summed_up_over_what_was_decided() -> None:
    told = [(FRANCE, GERMANY, "A PAR - BUR", Tag.TRUTH), (FRANCE, GERMANY, "A MAR - SPA", Tag.TRUTH),
            (FRANCE, GERMANY, "F BRE - MAO", Tag.LIE), (FRANCE, GERMANY, "I will move my fleet south", Tag.LIE)]  # fmt: skip
    ledger = conversation(*told).judged(opening(), orders(france="A PAR - BUR, A MAR H, F BRE - ENG"))
    assert TagScore.of(ledger.entries) == TagScore(4, 0.5, 1.0, 2 / 3)


def test_nobody_sees_a_tag_or_what_others_say_in_private() -> None:
    messages = [
        said(opening(), FRANCE, GERMANY, "hush", Tag.LIE),
        said(opening(), FRANCE, EVERYONE, "hello"),
        said(opening(), ENGLAND, FRANCE, "psst"),
    ]
    assert history(messages, ENGLAND, 1901) == [
        {"phase": "S1901M", "sender": "FRANCE", "target": "GLOBAL", "content": "hello"},
        {"phase": "S1901M", "sender": "ENGLAND", "target": "FRANCE", "content": "psst"},
    ]
    assert "LIE" not in str(history(messages, GERMANY, 1901))


def test_two_years_are_kept_word_for_word_and_older_ones_in_a_line() -> None:
    messages = [
        Message(FRANCE, GERMANY, year, f"S{year}M", f"word of {year}") for year in (1901, 1901, 1902, 1903)
    ]
    kept = history(messages, GERMANY, 1903)
    assert kept[0] == {"year": 1901, "summary": 'FRANCE wrote 2, at last to GERMANY: "word of 1901"'}
    assert [row["content"] for row in kept[1:]] == ["word of 1902", "word of 1903"]


def test_a_message_has_a_length() -> None:
    with pytest.raises(ValueError, match=str(LONGEST)):
        said(opening(), FRANCE, GERMANY, "x" * (LONGEST + 1))


def test_turns_are_counted_in_movement_phases() -> None:
    seasons = [turn_of(opening()._replace(year=1902, season=season)) for season in range(5)]
    assert seasons == [2, 3, 3, 4, 4]


def test_talk_of_any_kind_can_be_read() -> None:
    for text in (
        "",
        "?",
        "!!!",
        "A PAR -",
        "if",
        "Agreed " * 40,
        "DMZ " * 50,
        "if you " * 30,
        "A XXX - YYY",
        "<5> <99>",
    ):
        speech = read(text[:LONGEST], FRANCE, EVERYONE, opening())
        assert all(
            isinstance(promise, Promise) and promise.by in range(len(POWERS)) for promise in speech.promises
        )
