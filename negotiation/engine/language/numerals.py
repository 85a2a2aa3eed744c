"""Numbers as people say them: digits with suffixes, number words, and the short forms of the trade.

"one forty-eight" is 148, "buck fifty" 150, "a hundred and fifty-five thousand" 155,000, "twelve and a half
million" 12,500,000, "the mid one-fifties" about 155. What unit they carry is not decided here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from negotiation.engine.language.tokens import Token

UNITS: Final = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
"""The words for 0 to 19."""
TENS: Final = ("zero", "ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
"""The words for 0, 10, ... 90."""
_DECADES = "twenties thirties forties fifties sixties seventies eighties nineties"
SMALL: Final[dict[str, int]] = {
    **{word: value for value, word in enumerate(UNITS)},
    **{word: 10 * place for place, word in enumerate(TENS)},
    "fourty": 40,
}
DECADES: Final[dict[str, int]] = {
    **{word: 10 * place for place, word in enumerate(_DECADES.split(), 2)},
    "teens": 10,
}
SCALES: Final[dict[str, float]] = {
    "k": 1e3, "thousand": 1e3, "thousands": 1e3, "thou": 1e3, "grand": 1e3, "ks": 1e3,
    "m": 1e6, "mm": 1e6, "mn": 1e6, "mil": 1e6, "mill": 1e6, "mio": 1e6, "million": 1e6, "millions": 1e6,
    "b": 1e9, "bn": 1e9, "billion": 1e9,
}  # fmt: skip
_WITHIN_DECADE: Final = {
    "low": 2,
    "lower": 2,
    "early": 2,
    "mid": 5,
    "middle": 5,
    "high": 8,
    "upper": 8,
    "late": 8,
}
_PARTS: Final = {"half": 0.5, "quarter": 0.25, "third": 1 / 3}


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number found in ``tokens[start:stop]``. ``scale`` is the spoken multiplier, if one was spoken."""

    value: float
    start: int
    stop: int
    scale: float | None = None
    words: bool = False
    slang: bool = False  # a short form that leaves something to guess ("fourteen two")
    vague: bool = False  # "150ish", "the mid one-fifties"
    year: bool = False  # "twenty twenty-six"


def numeral_at(tokens: list[Token], at: int) -> Numeral | None:
    """The longest number that starts at ``tokens[at]``."""
    token = tokens[at]
    if token.kind == "number":
        found: Numeral | None = _digits(tokens, at)
    elif token.kind == "word":
        found = _spoken(tokens, at)
    else:
        return None
    return None if found is None else _ish(tokens, found)


def _word(tokens: list[Token], at: int) -> str:
    return tokens[at].norm if 0 <= at < len(tokens) and tokens[at].kind == "word" else ""


def _mark(tokens: list[Token], at: int) -> str:
    return tokens[at].norm if 0 <= at < len(tokens) and tokens[at].kind == "mark" else ""


def _digits(tokens: list[Token], at: int) -> Numeral:
    value, stop = tokens[at].value, at + 1
    if stop < len(tokens) and tokens[stop].norm in (".5", ".25", ".75") and "." not in tokens[at].norm:
        value, stop = value + tokens[stop].value, stop + 1
    if _word(tokens, stop) == "s" and tokens[stop].tight and value % 10 == 0:
        return _decade(tokens, Numeral(value, at, stop + 1))
    if _word(tokens, stop) == "hundred":
        value, stop = value * 100, stop + 1
        rest_at = stop + (_word(tokens, stop) == "and")
        if rest_at < len(tokens) and tokens[rest_at].kind == "number" and tokens[rest_at].value < 100:
            value, stop = value + tokens[rest_at].value, rest_at + 1
    fraction, stop = _and_a_half(tokens, stop)
    return _scaled(tokens, Numeral(value + fraction, at, stop))


def _and_a_half(tokens: list[Token], at: int) -> tuple[float, int]:
    """The fraction in "ten and a half"; nothing in "ten and a half-day workshop"."""
    if _word(tokens, at) == "and" and _word(tokens, at + 1) in ("a", "one"):
        part = _PARTS.get(_word(tokens, at + 2))
        if part is not None and _mark(tokens, at + 3) != "-":
            return part, at + 3
    if _word(tokens, at) == "and" and _word(tokens, at + 1) == "half":
        return 0.5, at + 2
    if [_word(tokens, place) for place in (at, at + 1, at + 2)] == ["and", "three", "quarters"]:
        return 0.75, at + 3
    return 0.0, at


def _scaled(tokens: list[Token], number: Numeral) -> Numeral:
    """``number`` with the multiplier that follows it, and what may follow that ("a million two")."""
    at = number.stop
    if _mark(tokens, at) == "-" and _word(tokens, at + 1) in ("k", "thousand", "million"):
        at += 1
    scale = SCALES.get(_word(tokens, at))
    if scale is None:
        return number
    value, stop, slang = round(number.value * scale, 2), at + 1, number.slang
    fraction, stop = _and_a_half(tokens, stop)
    if fraction:
        return replace(number, value=round(value + fraction * scale, 2), stop=stop, scale=scale, slang=slang)
    following = stop + (_word(tokens, stop) == "and")
    rest = numeral_at(tokens, following) if following < len(tokens) and scale >= 1e3 else None
    if rest is not None and rest.start == following and not rest.vague:
        if rest.scale is not None and rest.value < scale:
            value, stop = value + rest.value, rest.stop
        elif (
            rest.scale is None
            and following == stop
            and rest.words
            and scale >= 1e6
            and rest.value in range(1, 10)
        ):
            value, stop, slang = round(value + rest.value * scale / 10, 2), rest.stop, True
        elif rest.scale is None and rest.words and 100 <= rest.value < 1000:
            value, stop = value + rest.value * (1e3 if scale >= 1e6 else 1.0), rest.stop
    return replace(number, value=value, stop=stop, scale=scale, slang=slang)


def _small(tokens: list[Token], at: int) -> tuple[int, int] | None:
    """A number under one hundred in words: "eight", "forty-eight", "oh five"."""
    word = _word(tokens, at)
    if word in ("oh", "o"):
        unit_at = at + 1 + (_mark(tokens, at + 1) == "-")
        unit = SMALL.get(_word(tokens, unit_at), 0)
        return (unit, unit_at + 1) if 0 < unit < 10 else None
    value = SMALL.get(word)
    if value is None:
        return None
    at += 1
    if value >= 20:
        after = at + (_mark(tokens, at) == "-")
        unit = SMALL.get(_word(tokens, after), 0)
        if 0 < unit < 10:
            return value + unit, after + 1
    return value, at


def _spoken(tokens: list[Token], at: int) -> Numeral | None:
    word = _word(tokens, at)
    if word in _PARTS or word == "three":
        fraction = _fraction_of_a_scale(tokens, at)
        if fraction is not None:
            return fraction
    if word in ("a", "an", "buck") or (word == "one" and _word(tokens, at + 1) == "buck"):
        return _with_article(tokens, at)
    if word == "hundred":
        return _scaled(tokens, _hundreds(tokens, 1, at, at + 1))
    first = _small(tokens, at)
    if first is None:
        return None
    value, stop = first
    if _word(tokens, stop) == "hundred":
        return _scaled(tokens, _hundreds(tokens, value, at, stop + 1))
    if _word(tokens, stop) == "point":
        return _pointed(tokens, value, at, stop + 1)
    return _chained(tokens, value, at, stop)


def _fraction_of_a_scale(tokens: list[Token], at: int) -> Numeral | None:
    """ "half a million", "a quarter of a million" (its article is read before), "three quarters of a million"."""
    part, stop = _PARTS.get(_word(tokens, at), 0.0), at + 1
    if _word(tokens, at) == "three":
        if _word(tokens, stop) not in ("quarters", "quarter"):
            return None
        part, stop = 0.75, stop + 1
    stop += _word(tokens, stop) == "of"
    stop += _word(tokens, stop) in ("a", "an")
    scale = SCALES.get(_word(tokens, stop))
    if scale is None or len(_word(tokens, stop)) < 3:
        return None
    return Numeral(part * scale, at, stop + 1, scale, words=True)


def _with_article(tokens: list[Token], at: int) -> Numeral | None:
    """ "a hundred and fifty", "a million and a half", "a half million", "a buck forty"."""
    after = at + (_word(tokens, at) != "buck")
    word = _word(tokens, after)
    if word == "buck":
        rest = _small(tokens, after + 1)
        if rest is None or rest[0] < 10:
            return None
        return _scaled(tokens, _tail(tokens, Numeral(100 + rest[0], at, rest[1], words=True)))
    if word == "hundred":
        return _scaled(tokens, _hundreds(tokens, 1, at, after + 1))
    if word in _PARTS:
        fraction = _fraction_of_a_scale(tokens, after)
        return None if fraction is None else replace(fraction, start=at)
    if word in SCALES and len(word) > 2:
        return _scaled(tokens, Numeral(1, at, after, words=True))
    return None


def _hundreds(tokens: list[Token], count: int, start: int, at: int) -> Numeral:
    """ "one hundred (and) forty-eight", "two hundred and a half"."""
    fraction, stop = _and_a_half(tokens, at)
    if fraction:
        return Numeral((count + fraction) * 100, start, stop, words=True)
    after = at + (_word(tokens, at) == "and")
    rest = _small(tokens, after)
    if rest is None:
        return Numeral(count * 100, start, at, words=True)
    fraction, stop = _and_a_half(tokens, rest[1])
    return Numeral(count * 100 + rest[0] + fraction, start, stop, words=True)


def _pointed(tokens: list[Token], whole: int, start: int, at: int) -> Numeral | None:
    """ "twelve point four", "one point two five"."""
    digits, stop = "", at
    while 0 <= (digit := SMALL.get(_word(tokens, stop), -1)) < 10:
        digits, stop = digits + str(digit), stop + 1
    if not digits:
        return Numeral(whole, start, at - 1, words=True)
    return _scaled(tokens, Numeral(float(f"{whole}.{digits}"), start, stop, words=True))


def _chained(tokens: list[Token], value: int, start: int, at: int) -> Numeral:
    """Numbers said one after the other: "one forty-eight", "two oh five", "fourteen two", a year."""
    number = Numeral(value, start, at, words=True)
    after = at + (_mark(tokens, at) == "-")
    decade = DECADES.get(_word(tokens, after))
    if decade is not None and 0 < value < 10:
        return _decade(tokens, Numeral(value * 100 + decade, start, after + 1, words=True))
    following = _small(tokens, after)
    if following is not None:
        spoken_oh = _word(tokens, after) in ("oh", "o")
        if 0 < value < 10 and (following[0] >= 10 or spoken_oh):
            number = _tail(tokens, Numeral(value * 100 + following[0], start, following[1], words=True))
        elif value >= 10 and following[0] >= 10:
            return Numeral(value * 100 + following[0], start, following[1], words=True, year=True)
        elif value >= 10 and 0 < following[0] < 10 and not spoken_oh:
            number = _tail(tokens, number)
    fraction, stop = _and_a_half(tokens, number.stop)
    return _scaled(tokens, replace(number, value=number.value + fraction, stop=stop))


def _tail(tokens: list[Token], number: Numeral) -> Numeral:
    """A last digit after the point that nobody said: "one forty-eight five", "twelve-five"."""
    after = number.stop + (_mark(tokens, number.stop) == "-")
    digit = SMALL.get(_word(tokens, after), 0)
    if 0 < digit < 10 and _word(tokens, after + 1) not in SMALL:
        return replace(number, value=number.value + digit / 10, stop=after + 1, slang=True)
    return number


def _decade(tokens: list[Token], number: Numeral) -> Numeral:
    """ "the mid 150s": about 155."""
    before = number.start - 1 - (_mark(tokens, number.start - 1) == "-")
    step = 10 if number.value >= 100 or number.value < 20 else 1
    return replace(
        number, value=number.value + _WITHIN_DECADE.get(_word(tokens, before), 5) * step / 10, vague=True
    )


def _ish(tokens: list[Token], number: Numeral) -> Numeral:
    after = number.stop + (_mark(tokens, number.stop) == "-")
    if _word(tokens, after) == "ish":
        return replace(number, stop=after + 1, vague=True)
    return number
