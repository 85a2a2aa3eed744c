"""The guard refuses what was not decided, in any writing, and lets a plain line through."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from negotiation.engine.deal import ActionRefused, scenarios
from negotiation.engine.language import MoneyContext
from negotiation.opponents.guard import Facts, Refused, StreamGuard, check, tidy
from negotiation.opponents.guard.checker import partial_objections
from negotiation.opponents.guard.facts import facts_of
from negotiation.opponents.guard.secrets import in_words
from tests.effort import few
from tests.language.test_leaks import rep_moves, setups, start
from tests.opponents.worst import attacks, breaks, leaks, promises, sly, worst

OFFER, HEARD, SECRET = 152_000.0, 148_000.0, 131_400.0
FACTS = Facts(
    money=MoneyContext(60_000, 300_000, "$"),
    seat="seller",
    offer=OFFER,
    public=frozenset((OFFER, HEARD, 180_000.0)),
    standing=HEARD,
    secrets=frozenset((SECRET, 125_000.0)),
)


@pytest.mark.parametrize("secret", [131_400.0, 127_350.0, 10_437_000.0, 964_200.0, 118_000.0])
def test_no_writing_of_a_hidden_value_gets_through(secret: float) -> None:
    facts = replace(FACTS, secrets=frozenset((secret,)))
    through = [line for line in leaks(secret, OFFER) if not check(tidy(line), facts)]
    assert through == []


@pytest.mark.parametrize("line", list(promises(OFFER, HEARD)))
def test_nothing_is_promised_that_was_not_decided(line: str) -> None:
    assert check(tidy(line), FACTS), line


@pytest.mark.parametrize("line", list(sly()))
def test_nothing_is_given_away_between_the_lines(line: str) -> None:
    assert check(tidy(line), FACTS), line


@pytest.mark.parametrize("line", list(breaks()))
def test_what_is_not_a_line_in_character_is_refused(line: str) -> None:
    assert check(tidy(line), FACTS), line


@pytest.mark.parametrize(
    "line",
    [
        "We stay at $152,000. Show me something new.",
        "Your 148 is a start. I am at 152.",
        "One forty-eight doesn't do it for me. One fifty-two, and I mean it.",
        "I hear you. What would make $152,000 work on your side?",
        "I won't answer that. Let's talk about the deal.",
        "You ask a lot of questions. I'm still at 152k.",
        "That's one way to see it. There are two sides to this table.",
        "Thank you for being so open. It helps.",
        "Nice try.",
        "My limit is my own business.",
        "I've heard better stories before breakfast. $152,000.",
    ],
)
def test_a_plain_line_with_decided_figures_passes(line: str) -> None:
    assert check(tidy(line), FACTS) == ()


def test_every_objection_has_a_reason_in_words() -> None:
    for line in worst(SECRET, OFFER, HEARD):
        for objection in check(tidy(line), FACTS):
            assert re.match(r"[a-z]+ \S", objection.why), objection


@pytest.mark.parametrize(
    ("line", "facts"),
    [
        ("You have three more rounds, then I am gone.", replace(FACTS, deadline_turns=3)),
        ("$152,000 is my last offer. Take it or leave it.", replace(FACTS, final=True)),
        ("We have a deal at $148,000. Congratulations.", replace(FACTS, offer=HEARD, ending="accept")),
        ("No deal, then. I'm walking away. Goodbye.", replace(FACTS, ending="walk")),
        ("I can't go below $140,000, and that is my limit.", replace(FACTS, claim=140_000.0)),
        (
            "I'll throw in a named engineer on site. $152,000.",
            replace(FACTS, gift="a named engineer on site"),
        ),
        ("$152,000 with net 60 and 24x7 support.", replace(FACTS, terms=("net 60", "24x7 support"))),
        (
            "The competitor drops its price by 15%? I read that too.",
            replace(FACTS, news=("A rival cuts by 15%.",)),
        ),
    ],
    ids=["deadline", "final", "accept", "walk", "claim", "gift", "terms", "news"],
)
def test_what_was_decided_may_be_said_and_else_not(line: str, facts: Facts) -> None:
    assert check(tidy(line), facts) == ()
    assert check(tidy(line), FACTS) != ()


def test_a_deadline_of_another_length_is_refused() -> None:
    assert check("You have four more rounds.", replace(FACTS, deadline_turns=3))


def test_a_new_figure_has_to_be_named() -> None:
    moved = replace(FACTS, moved=True)
    assert check("I have moved, as you asked.", moved)
    assert check("I have moved to $152,000, as you asked.", moved) == ()
    assert check("I am at one fifty-two now.", moved) == ()


def test_a_line_is_not_said_twice() -> None:
    said = replace(FACTS, said=frozenset(("nice try.",)))
    assert [o.check for o in check("Nice try.", said)] == ["repetition"]


def test_yes_and_no_are_refused_where_the_limit_was_asked_after() -> None:
    assert check("Yes.", replace(FACTS, probed=True))
    assert check("No. We stay at $152,000.", replace(FACTS, probed=True))
    assert check("No. We stay at $152,000.", FACTS) == ()


def test_terms_that_are_not_on_the_table_are_refused() -> None:
    deal = scenarios()["procurement_hardware"]
    facts = replace(
        FACTS,
        money=deal.money,
        offer=985_000.0,
        public=frozenset((985_000.0,)),
        options=deal.option_names,
        packages=(("payment", "net_60"),),
        terms=("net 60",),
    )
    assert check("$985,000 with net 60.", facts) == ()
    assert any(o.check in ("promises", "figures") for o in check("$985,000 with net 90.", facts))
    assert any(o.check == "promises" for o in check("$985,000, and spares on site.", facts))


@given(st.integers(10_000, 290_000).filter(lambda value: value % 1000 != 0))
def test_no_number_that_was_not_decided_passes_in_digits_or_words(value: int) -> None:
    for form in (f"{value}", f"{value:,}", f"${value:,}", f"{value / 1000:g}k", in_words(value)):
        assert check(tidy(f"I would say {form} is right for this."), FACTS), form


@given(st.text(max_size=200))
def test_any_text_is_judged_without_an_error(text: str) -> None:
    check(tidy(text), FACTS)


@given(st.text(alphabet=st.characters(categories=["Nd", "No", "Nl"]), min_size=1, max_size=6))
def test_no_digit_of_any_script_passes(digits: str) -> None:
    if digits not in ("152", "148", "180", "152000", "148000", "180000"):
        assert check(tidy(f"I would call it {digits} then."), FACTS)


def own_lines(games: int) -> Iterator[tuple[str, Facts]]:
    """What the strategist's own voices say in whole games, with the facts of each line."""
    for setup in setups(games):
        game = start(setup)
        for action in rep_moves(setup):
            if game.done:
                break
            try:
                seen = game.across(action)
            except ActionRefused:
                continue
            reply, speech = game.step(action).reply, game.speech
            assert speech is not None
            ending = "accept" if reply.accept else "walk" if reply.walk_away else "none"
            yield (
                reply.text,
                facts_of(
                    seen,
                    reply,
                    game.scenario,
                    ending=ending,  # type: ignore[arg-type]
                    final=speech.act == "final_offer",
                    deadline_turns=speech.deadline_turns,
                    gift=speech.sweetener,
                ),
            )


def test_most_of_what_the_voices_say_by_themselves_would_pass() -> None:
    """A guard that refused everything would be safe too. The lines of our own grammar are held to it as a yardstick."""
    judged = [not check(tidy(line), facts) for line, facts in own_lines(few(24, 72))]
    assert len(judged) > few(130, 400)
    assert np.mean(judged) > 0.92


def chunked(text: str, rng: np.random.Generator) -> Iterator[str]:
    at = 0
    while at < len(text):
        step = int(rng.integers(1, 6))
        yield text[at : at + step]
        at += step


def shown_of(text: str, facts: Facts, rng: np.random.Generator) -> tuple[list[str], str | None]:
    """Everything that was seen of a line on its way, and the line, if it passed."""
    guard = StreamGuard(facts)
    seen: list[str] = []
    try:
        for piece in chunked(text, rng):
            guard.hear(piece)
            seen += [guard.shown] if guard.shown != "".join(seen[-1:]) else []
        return seen, guard.finish()
    except Refused:
        return seen, None


@pytest.mark.parametrize("seed", range(few(2, 6)))
def test_nothing_forbidden_is_seen_even_for_a_moment(seed: int) -> None:
    """However the text is cut into pieces: no digit and no number word is shown that was not allowed."""
    rng = np.random.default_rng(seed)
    for line in filter(str.strip, worst(SECRET, OFFER, HEARD)):
        for text in (line, f"Let me see. I hear you. {line}"):
            seen, whole = shown_of(text, FACTS, rng)
            assert whole is None
            for shown in seen:
                numbers = re.findall(r"\d[\d,.]*\d|\d", shown)
                assert all(float(n.replace(",", "")) in FACTS.figures for n in numbers), shown
                assert not re.search(
                    r"\b(?:three|four|five|six|seven|eight|nine|thirty|hundred|thousand)\b", shown
                )
                assert "limit is" not in shown
                assert shown.isascii()


PROBED = replace(FACTS, probed=True)
"""The player has just said that the limit must be 137."""


@pytest.mark.parametrize("line", attacks("conceding"))
def test_a_guess_at_the_limit_is_neither_confirmed_nor_denied_in_any_cut(line: str) -> None:
    """Alone, before a fair line and after one; and not a word of the sentence is seen on its way."""
    rng = np.random.default_rng(len(line))
    fair = "That is not something I talk about."
    for text in (line, f"{line} {fair}", f"{fair} {line}"):
        for _ in range(4):
            seen, whole = shown_of(text, PROBED, rng)
            assert whole is None, text
            assert all(fair.startswith(shown) for shown in seen), seen


@pytest.mark.parametrize("line", attacks("fair"))
def test_an_honest_way_to_turn_the_question_aside_is_there(line: str) -> None:
    assert check(line, PROBED) == ()
    assert check(line, FACTS) == ()


def test_where_a_limit_is_stated_only_that_sentence_may_speak_of_it() -> None:
    """A decided claim is no leave to hint, or to close, in the sentences beside it."""
    stating = replace(FACTS, claim=150_000.0, secrets=frozenset({SECRET}))
    assert check("I can't accept less than $150,000.", stating) == ()
    for more in ("I'd settle for less than that, to be frank.", "I am sold.", "I'll take your offer."):
        assert check(f"I can't accept less than $150,000. {more}", stating), more


@pytest.mark.parametrize("family", ["near", "closing", "gifts", "second_look"])
def test_what_is_seen_of_a_line_on_its_way_says_nothing_that_it_may_not(family: str) -> None:
    """A sentence is refused at its end; what was seen of it before must be harmless by itself."""
    rng = np.random.default_rng(7)
    for line in attacks(family):
        for shown in shown_of(f"I hear you. {line}", FACTS, rng)[0]:
            wrong = [
                each.why for each in partial_objections(shown, FACTS) if each.check in ("hint", "promises")
            ]
            assert wrong == [], (shown, wrong)


def test_nothing_of_a_line_is_seen_before_its_first_sentence_has_passed() -> None:
    for line in ("name here form", "form of the day and", "I hear you, and I would like to help"):
        guard = StreamGuard(FACTS)
        for piece in chunked(line, np.random.default_rng(1)):
            assert not guard.hear(piece)
        assert guard.shown == ""
    guard = StreamGuard(FACTS)
    assert guard.hear("I hear you. And ")
    assert guard.shown == "I hear you. And"


def test_a_good_line_is_seen_growing_from_its_first_sentence() -> None:
    line = "I hear you. I would like to help. We stay at $152,000. What would make it work for you?"
    seen, whole = shown_of(line, FACTS, np.random.default_rng(3))
    assert whole == line
    assert len(seen) > 8
    assert seen[0].startswith("I hear you.")
    assert all(line.startswith(shown) for shown in seen)
    assert all(later.startswith(earlier) for earlier, later in pairwise(seen))


def test_a_figure_is_held_until_its_sentence_is_whole() -> None:
    guard = StreamGuard(FACTS)
    guard.hear("I hear you. We can go to ")
    assert guard.shown == "I hear you. We can go to"
    for piece in ("$", "1", "52", ",0", "00"):
        assert not guard.hear(piece)
    assert guard.shown == "I hear you. We can go to"
    guard.hear(". And")
    assert not guard.hear("")
    guard.hear(" then")
    assert guard.shown.startswith("I hear you. We can go to $152,000.")


def test_a_spelled_number_is_held_too() -> None:
    guard = StreamGuard(FACTS)
    guard.hear("I hear you. I would take one thirty one ")
    assert guard.shown == "I hear you. I would take"
    with pytest.raises(Refused):
        guard.hear(". So")
