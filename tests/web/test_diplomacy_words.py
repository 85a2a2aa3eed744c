"""What bots say and mean, and what words are worth: the envoy, the outlook, the alliance lesson."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from itertools import product

import pytest
from django.test import Client

from accounts.models import User
from negotiation.diplomacy.lessons import services as lessons
from negotiation.diplomacy.models import AllianceLesson
from negotiation.engine.diplomacy import POWERS, Chance, State, opening, parse
from negotiation.engine.diplomacy.bots import BOTS, EnvoyBot
from negotiation.engine.diplomacy.bots.envoy import (
    AGREED,
    NOT_BELIEVED,
    NOTED,
    NOTHING_TO_SIGN,
    TOO_MUCH,
    answer,
    keeping,
    proposals,
)
from negotiation.engine.diplomacy.bots.trusting import trust
from negotiation.engine.diplomacy.lesson import Phase, chapters
from negotiation.engine.diplomacy.outlook import course, fan
from negotiation.engine.diplomacy.phases import advance
from negotiation.engine.diplomacy.press.ledger import Ledger
from negotiation.engine.diplomacy.press.messages import Message, Tag, said
from negotiation.engine.diplomacy.press.promises import EVERYONE, Kind, PromiseVerdict
from negotiation.engine.diplomacy.press.reading import Speech, read
from owed import services as owed
from tests.web.test_diplomacy_table import PEACE, begin, order, placed, play_out, say

FRANCE, GERMANY, ITALY, TURKEY = (POWERS.index(name) for name in ("FRANCE", "GERMANY", "ITALY", "TURKEY"))
BOTH = (False, True)
Heard = tuple[Message, Speech]


def speak(state: State, by: int, to: int, text: str, tag: Tag | None = Tag.TRUTH) -> Heard:
    return said(state, by, to, text, tag), read(text, by, to, state)


def told(ledger: Ledger, state: State, heard: Heard) -> Ledger:
    return ledger.heard(heard[0], state, heard[1])


@pytest.mark.parametrize(("power", "sly"), list(product(range(len(POWERS)), BOTH)))
def test_what_an_envoy_proposes_binds_it_in_the_ledger(power: int, sly: bool) -> None:
    state = opening()
    for message, speech in proposals(state, power, Ledger(), opportunist=sly):
        ledger = told(Ledger(), state, (message, speech))
        assert [entry.promise.kind for entry in ledger.entries] == [Kind.NO_ATTACK]
        assert ledger.entries[0].tag == message.tag
        assert sly or message.tag == Tag.TRUTH
        again = proposals(state, power, ledger, opportunist=sly)
        assert message.target not in [other.message.target for other in again], "nobody is asked twice"


def test_an_envoy_answers_peace_with_peace_until_its_trust_was_broken() -> None:
    state = opening()
    heard = speak(state, FRANCE, GERMANY, PEACE)
    reply = answer(state, GERMANY, Ledger(), *heard, opportunist=False)
    assert reply is not None
    assert [promise.kind for promise in reply.speech.promises] == [Kind.NO_ATTACK]
    orders = [(parse("A PAR - BUR", state.standing()),) if power == FRANCE else () for power in range(7)]
    following = advance(state, orders).state
    ledger = told(Ledger(), state, heard).judged(state, orders)
    attack = [(parse("A BUR - MUN", following.standing()),) if power == FRANCE else () for power in range(7)]
    ledger = ledger.judged(following, attack)
    assert ledger.entries[0].verdict == PromiseVerdict.BROKEN
    reply = answer(following, GERMANY, ledger, *speak(following, FRANCE, GERMANY, PEACE), opportunist=False)
    assert reply is not None
    assert reply.message.text == NOT_BELIEVED
    assert reply.speech == Speech()
    reply = answer(following, GERMANY, ledger, *speak(following, FRANCE, GERMANY, "hi"), opportunist=False)
    assert reply is not None
    assert reply.speech == Speech(), "small talk mends nothing"


def test_no_two_powers_propose_peace_to_one_player_in_the_same_words() -> None:
    """Over a hundred openings and the first springs after them."""
    for seed in range(100):
        for year in (1901, 1902):
            state = opening()._replace(year=year)
            heard: dict[int, list[str]] = {}
            for power in range(len(POWERS)):
                for each in proposals(state, power, Ledger(), opportunist=bool(seed >> power & 1)):
                    heard.setdefault(each.message.target, []).append(each.message.text)
            assert any(len(texts) > 1 for texts in heard.values())
            assert all(len(texts) == len(set(texts)) for texts in heard.values())


@pytest.mark.parametrize("seed", range(12))
def test_an_envoy_keeps_what_it_meant_and_only_that(seed: int) -> None:
    """Over whole games: no promise of peace or of keeping off that was tagged TRUTH is broken by its maker."""
    state, ledger, bot = opening(), Ledger(), EnvoyBot()
    while state.year < 1904:
        for power in range(len(POWERS)):
            for heard in proposals(state, power, ledger, opportunist=power % 2 == seed % 2):
                reply = answer(state, heard.message.target, ledger, *heard, opportunist=False)
                ledger = told(ledger, state, heard)
                if reply:
                    ledger = told(ledger, state, reply)
        chance = Chance(seed)
        orders = [
            bot.orders(state, power, chance.draws(state, power), ledger) for power in range(len(POWERS))
        ]
        ledger = ledger.judged(state, orders)
        step = advance(state, orders)
        assert step.void == ()
        state = step.state
    for entry in ledger.entries:
        assert not (entry.tag == Tag.TRUTH and entry.verdict == PromiseVerdict.BROKEN), entry
    assert any(entry.tag == Tag.LIE for entry in ledger.entries)


TOLD = [
    ("hi", NOTHING_TO_SIGN),
    ("You are a fool and a coward.", NOTHING_TO_SIGN),
    ("I refuse your non-aggression pact.", NOTHING_TO_SIGN),
    ("Please support A PAR - BUR", TOO_MUCH),
    ("DMZ in Burgundy?", AGREED),
    ("I will stay out of Burgundy.", NOTED),
    ("I will not attack you this year.", "Good. I will not attack you until fall 1901 either."),
    ("I will not attack you in spring 1902.", "Good. I will not attack you until spring 1902 either."),
]


@pytest.mark.parametrize(("text", "words"), TOLD, ids=[text for text, _ in TOLD])
def test_every_answer_of_an_envoy_says_in_words_what_it_means_and_no_more(text: str, words: str) -> None:
    state = opening()
    reply = answer(state, GERMANY, Ledger(), *speak(state, FRANCE, GERMANY, text), opportunist=False)
    assert reply is not None
    assert reply.message.text == words
    assert read(words, GERMANY, FRANCE, state) == reply.speech
    made = [entry.promise for entry in told(Ledger(), state, reply).entries]
    assert bool(made) == words.startswith("Good.")


def test_every_proposal_of_whole_games_says_in_words_what_it_means() -> None:
    state, ledger, bot, said_so = opening(), Ledger(), EnvoyBot(), 0
    while state.year < 1904:
        for power in range(len(POWERS)):
            for proposal in proposals(state, power, ledger, opportunist=False):
                message, speech = proposal
                assert read(message.text, power, message.target, state) == speech
                ledger, said_so = told(ledger, state, proposal), said_so + 1
        chance = Chance(5)
        orders = [
            bot.orders(state, power, chance.draws(state, power), ledger) for power in range(len(POWERS))
        ]
        ledger, state = ledger.judged(state, orders), advance(state, orders).state
    assert said_so > 5


def test_a_promise_to_everybody_broken_against_one_costs_trust_with_all() -> None:
    state = opening()
    everybody = said(state, FRANCE, EVERYONE, "I will not attack anybody.", Tag.TRUTH)
    moved = [(parse("A PAR - BUR", state.standing()),) if power == FRANCE else () for power in range(7)]
    following = advance(state, moved).state
    attack = [(parse("A BUR - MUN", following.standing()),) if power == FRANCE else () for power in range(7)]
    before = Ledger().heard(everybody, state).judged(state, moved)
    after = before.judged(following, attack)
    for power in set(range(7)) - {FRANCE}:
        assert EnvoyBot().trusted(following, power, before) == {FRANCE}
        assert trust(after, FRANCE, power) < 0.5
        again = after.heard(said(following, FRANCE, EVERYONE, "I will not attack anybody."), following)
        assert EnvoyBot().trusted(following, power, again) == frozenset()


def test_keeping_turns_the_orders_that_would_break_a_promise_to_holds_and_no_others() -> None:
    state = opening()
    ledger = told(Ledger(), state, speak(state, FRANCE, GERMANY, "I will keep out of Burgundy."))
    orders = [parse(words, state.standing()) for words in ("A PAR - BUR", "A MAR - SPA")]
    assert [order.kind for order in keeping(state, FRANCE, orders, ledger)] == [0, orders[1].kind]
    lied = told(Ledger(), state, speak(state, FRANCE, GERMANY, "I will keep out of Burgundy.", Tag.LIE))
    assert keeping(state, FRANCE, orders, lied) == orders


def test_a_course_is_its_luck_and_the_orders_given_are_played() -> None:
    bots = [BOTS["dumbbot"]()] * len(POWERS)
    first, again = (course(opening(), bots, Chance(3, 1), years=2) for _ in range(2))
    assert first == again
    assert [sum(year) for year in first.years] == sorted(sum(year) for year in first.years)
    hold = {FRANCE: [parse(f"{unit} H", opening().standing()) for unit in ("A PAR", "A MAR", "F BRE")]}
    assert course(opening(), bots, Chance(3, 1), years=2, given=hold) != first
    assert len({one.years for one in fan(opening(), bots, seed=3, rollouts=6, years=2)}) > 1


def test_words_that_nobody_acts_on_are_worth_exactly_nothing() -> None:
    """Common random numbers: the same orders under the same luck come to the same, whatever was said."""
    state = opening()
    heard = speak(state, FRANCE, GERMANY, "My army in Paris will hold this turn.")
    orders = [(parse("A PAR - BUR", state.standing()),) if power == FRANCE else () for power in range(7)]
    ledger = told(Ledger(), state, heard).judged(state, orders)
    (chapter,) = chapters([Phase(state, Ledger(), [heard], orders)], ledger, FRANCE, seed=1, rollouts=6)
    assert (chapter.made, chapter.broken) == ((0,), (0,))
    assert chapter.words is not None
    assert (chapter.words.mean, chapter.words.low, chapter.words.high) == (0.0, 0.0, 0.0)


def test_the_worth_of_words_is_the_mean_of_pairs_under_one_luck_with_its_interval() -> None:
    state, times = opening(), 10
    heard = speak(state, FRANCE, GERMANY, "I will not attack you until fall 1903.")
    mine = tuple(parse(words, state.standing()) for words in ("A PAR - BUR", "A MAR - SPA", "F BRE - MAO"))
    orders = [mine if power == FRANCE else () for power in range(7)]
    ledger = told(Ledger(), state, heard)
    (chapter,) = chapters(
        [Phase(state, Ledger(), [heard], orders)],
        ledger.judged(state, orders),
        FRANCE,
        seed=7,
        rollouts=times,
    )
    differences = []
    for k in range(times):
        said_it, silent = (
            course(state, [EnvoyBot()] * 7, Chance(7, 0, k), years=2, given={FRANCE: mine}, ledger=known)
            for known in (ledger, Ledger())
        )
        differences.append(said_it.years[-1][FRANCE] - silent.years[-1][FRANCE])
    mean = sum(differences) / times
    error = 1.96 * statistics.stdev(differences) / times**0.5
    assert chapter.words is not None
    assert tuple(chapter.words) == pytest.approx((mean, mean - error, mean + error), abs=0.006)
    assert any(differences), "words that bind do change something"


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_the_lesson_of_a_game_names_its_promises_and_what_breaking_one_was_worth(
    rep: User, stranger: User, signed_in: Callable[[User], Client]
) -> None:
    game = begin(rep, years=1)
    say(game, rep, "GERMANY", PEACE)
    order(game, rep, "A PAR - BUR", "A MAR - SPA", "F BRE - MAO")
    assert signed_in(rep).get(f"/diplomacy/{game.pk}/lesson/").status_code == 404, "not while it is on"
    order(game, rep, "A BUR - MUN")
    play_out(game, rep)
    page = signed_in(rep).get(f"/diplomacy/{game.pk}/lesson/").content.decode()
    assert "Being worked out" in page
    AllianceLesson.objects.update(state="failed", reason="MemoryError")
    address = f"/diplomacy/{game.pk}/lesson/"
    assert "could not be worked out" in signed_in(rep).get(address).content.decode()
    assert "Being worked out" in signed_in(rep).post(address, follow=True).content.decode()
    lesson = AllianceLesson.objects.get()
    assert owed.do(lessons.LESSON, lesson.pk)
    assert not owed.do(lessons.LESSON, lesson.pk), "once is enough"
    lesson.refresh_from_db()
    assert lesson.chapters is not None
    assert [row["phase"] for row in lesson.chapters] == ["S1901M", "F1901M"]
    made, broke = lesson.chapters
    assert made["made"][0] == {
        "to": "GERMANY",
        "summary": "No attack on Germany, until Fall 1902",
        "verdict": "BROKEN",
    }
    assert made["words"]["low"] <= made["words"]["mean"] <= made["words"]["high"]
    assert broke["breach"] is not None
    assert lesson.chapters == lessons.chapters_of(placed(game, rep).seat), "the same luck, the same lesson"
    page = signed_in(rep).get(f"/diplomacy/{game.pk}/lesson/").content.decode()
    assert "against keeping it" in page
    assert signed_in(stranger).get(f"/diplomacy/{game.pk}/lesson/").status_code == 404
