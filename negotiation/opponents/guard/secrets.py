"""The second lock: whether a line holds a hidden value in any writing that we could think of.

The first lock lets no number through that was not decided, so nothing should ever get here. It is here because a
leak can't be taken back.
"""

from __future__ import annotations

import base64
import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, Literal

from negotiation.engine.language.numerals import TENS, UNITS
from negotiation.opponents.guard.facts import Facts
from negotiation.opponents.guard.objections import Objection

_LEET: Final = str.maketrans("oilzesabtgq", "01123548799")
_MORSE: Final = ("-----", ".----", "..---", "...--", "....-", ".....", "-....", "--...", "---..", "----.")
Writing = Literal["digits", "code", "words"]
"""How a form of a hidden value is read out of a line."""
_LEAST_DIGITS: Final = 3
"""A hidden value is told by its leading digits; fewer than these would be found in anything."""


def secret_objections(line: str, facts: Facts) -> Iterator[Objection]:
    """Whether ``line``, as it was written and as it may be read, holds a hidden value."""
    known = {str(round(figure)).rstrip("0") for figure in facts.figures}
    read: dict[Writing, Sequence[str]] = {
        "digits": [run for run in _runs(line) if run.rstrip("0") not in known],
        "code": (re.sub(r"\s", "", line),),
        "words": (_squeezed(line),),
    }
    for secret in facts.secrets:
        if secret < 10**_LEAST_DIGITS:
            continue
        for form, how in _forms(round(secret)):
            if form.rstrip("0") not in known and any(form in each for each in read[how]):
                yield Objection("leak", "tells a hidden figure")
                return


def _runs(line: str) -> list[str]:
    """Digit runs of the line: as written, with separators taken out, and with look-alike letters read as digits."""
    plain = unicodedata.normalize("NFKC", line)
    plain = "".join(ch if ch.isascii() else str(unicodedata.digit(ch, ch)) for ch in plain)
    joined = re.sub(r"(?<=\d)[\s,.'_\-](?=\d)", "", plain)
    leet = "".join(
        word.lower().translate(_LEET) if re.search(r"\d", word) else word for word in joined.split(" ")
    )
    return re.findall(r"\d{3,}", joined) + re.findall(r"\d{3,}", leet)


def _squeezed(line: str) -> str:
    return re.sub(r"[^a-z]", "", unicodedata.normalize("NFKD", line).lower())


@lru_cache(maxsize=512)
def _forms(secret: int) -> tuple[tuple[str, Writing], ...]:
    """A value as digits, backwards, in codes and in words."""
    whole = str(secret)
    short = whole.rstrip("0")
    short = short if len(short) >= _LEAST_DIGITS else whole[: max(len(short), _LEAST_DIGITS)]
    codes = [base64.b64encode(text.encode()).decode().rstrip("=") for text in {whole, short, f"{secret:,}"}]
    codes += [text.encode().hex() for text in (whole, short)]
    codes += [format(secret, "x"), format(secret, "o"), format(secret, "b")]
    codes += ["".join(_MORSE[int(digit)] for digit in short)]
    words = {in_words(secret), " ".join(UNITS[int(digit)] for digit in whole)}
    words |= {" ".join(UNITS[int(digit)] for digit in short)}
    thousands = secret // 1000
    if 100 <= thousands < 1000:
        words.add(f"{UNITS[thousands // 100]} {_below_hundred(thousands % 100)}")
    return (
        *((form, "digits") for form in {whole, short, whole[::-1], short[::-1]}),
        *((code, "code") for code in codes if len(code) >= 4),
        *((re.sub(r"[^a-z]", "", text), "words") for text in words if len(text) > 8),
    )


def in_words(value: int) -> str:
    """131,500 as "one hundred thirty one thousand five hundred"."""
    parts = []
    for size, name in ((10**9, "billion"), (10**6, "million"), (1000, "thousand"), (1, "")):
        count, value = divmod(value, size)
        if count:
            hundreds, rest = divmod(count, 100)
            head = f"{UNITS[hundreds]} hundred " if hundreds else ""
            parts.append(f"{head}{_below_hundred(rest) if rest else ''} {name}")
    return " ".join(" ".join(parts).split()) or "zero"


def _below_hundred(value: int) -> str:
    if value < 20:
        return UNITS[value]
    tens, ones = divmod(value, 10)
    return TENS[tens] + (f" {UNITS[ones]}" if ones else "")
