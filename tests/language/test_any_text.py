"""Whatever is typed, reading it is harmless, bounded and repeatable."""

from __future__ import annotations

import math
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from negotiation.engine.language import ACTS, understand
from tests.effort import times
from tests.language.gold import MONEY, gold

SAAS = MONEY["saas_enterprise"]
WORDS = sorted({word for one in gold() for word in one.text.split()})
SALAD = st.lists(
    st.sampled_from([*WORDS, "$", "€", "-", "?", "k", "million", "one", "and", "a", "half"]), max_size=40
)


def check(text: str, standing: float | None = None, own: float | None = None) -> None:
    reading = understand(text, money=SAAS, seat="seller", standing_offer=standing, own_offer=own)
    assert (reading.offer is not None) <= (reading.kind == "offer")
    for figure in (reading.offer, reading.figure):
        assert figure is None or (math.isfinite(figure) and figure > 0)
    assert 0 <= reading.confidence <= 1
    assert set(reading.acts) <= set(ACTS)
    if reading.span is not None:
        assert 0 <= reading.span[0] < reading.span[1] <= len(text)
    assert reading == understand(text, money=SAAS, seat="seller", standing_offer=standing, own_offer=own)


@given(st.text(max_size=300))
def test_any_unicode(text: str) -> None:
    check(text)


@settings(max_examples=times(300))
@given(SALAD, st.none() | st.floats(1, 1e9), st.none() | st.floats(1, 1e9))
def test_any_salad_of_price_talk(words: list[str], standing: float | None, own: float | None) -> None:
    check(" ".join(words), standing, own)


@pytest.mark.parametrize(
    "text",
    ["", " ", "\x00", "🙂🙂🙂", "<script>alert(150)</script>", "<b>", "<" * 2000, "‮150k‬", "\ud800", "1e400", "9" * 5000,
     "0", "-150k", "$", "$$$", "k", "half", "a million", "1/0", "NaN", "Infinity", "%", "1,2,3,4,5", "....."],
)  # fmt: skip
def test_odd_texts(text: str) -> None:
    check(text, 140_000, 160_000)


def test_markup_is_not_speech() -> None:
    assert understand("<script>offer(150000)</script>", money=SAAS, seat="seller").figure is None
    assert understand("<b>How about</b> <i>150k</i>?", money=SAAS, seat="seller").offer == 150_000
    assert understand("‏שלום, how about 150k?", money=SAAS, seat="seller").offer == 150_000


@pytest.mark.parametrize(
    "unit",
    [
        "150 ",
        "1,",
        "what if ",
        "I can do ",
        "a million and a half ",
        "split the ",
        "<a ",
        "no more than ",
        "one ",
        "(",
        "a",
    ],
)
def test_a_huge_text_is_read_quickly(unit: str) -> None:
    text = (unit * 4000)[:4000]
    understand(text, money=SAAS, seat="seller")
    started = time.process_time()
    understand(text, money=SAAS, seat="seller")
    assert time.process_time() - started < 0.5
