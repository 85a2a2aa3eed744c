"""What each number counts: money, per cent, time, heads, or merely a label ("net 30", "24/7", "Q4")."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal

from negotiation.engine.language.lexicon import (
    AFTER_SIDE,
    BEFORE_SIDE,
    BETWEEN_NUMBER_AND_NOUN,
    COUNTED,
    GROUPS,
    LABELLED,
    MOMENTS,
    MONTHS,
    NOT_ADJECTIVES,
    NOT_BOUGHT,
    PERIODIC,
    RATE_UNITS,
    SIDE_AFTER,
    SIDE_BEFORE,
    TIME_UNITS,
    TIMES,
    VERBS_IN_S,
    YEARLY,
)
from negotiation.engine.language.numerals import Numeral, numeral_at
from negotiation.engine.language.tokens import CURRENCIES, Token

_OF_THESE: Final = frozenset(("us", "our", "your", "them", "the", "my", "those", "these"))
_OBJECTS: Final = frozenset(("us", "me", "our", "your", "my", "the", "it", "you", "them", "this"))
"""After a word in "s" they show that it is a verb: "10 undervalues us"."""
_LATEST_YEAR: Final = 30
"""Contracts count their years no further than this: "from year 2 on"."""
Unit = Literal["money", "bare", "percent", "time", "count", "label", "rate"]


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with its unit, standing in ``tokens[start:stop]``.

    ``money`` carries a currency or a money multiplier; ``bare`` may be money if the deal's prior says so.
    ``side`` marks an amount of something beside the price (a bonus, revenue, a fee). A ``rate`` says in ``per``
    what it buys one of: "month", "tablet".
    """

    unit: Unit
    numeral: Numeral
    start: int
    stop: int
    currency: str | None = None
    side: bool = False
    per: str = ""

    @property
    def value(self) -> float:
        return self.numeral.value


def quantities(tokens: list[Token]) -> list[Quantity]:
    """Every number in the text, left to right, never overlapping."""
    found: list[Quantity] = []
    at = 0
    while at < len(tokens):
        quantity = _quantity_at(tokens, at)
        if quantity is None:
            at += 1
        else:
            found.append(quantity)
            at = quantity.stop
    return _totals(tokens, _share_scales(tokens, found))


def _word(tokens: list[Token], at: int) -> str:
    return tokens[at].norm if 0 <= at < len(tokens) and tokens[at].kind == "word" else ""


def _norm(tokens: list[Token], at: int) -> str:
    return tokens[at].norm if 0 <= at < len(tokens) else ""


def _quantity_at(tokens: list[Token], at: int) -> Quantity | None:
    currency = None
    start = at
    if tokens[at].kind == "currency":
        currency = tokens[at].norm
        at += 1
        if at >= len(tokens):
            return None
    numeral = numeral_at(tokens, at)
    if numeral is None:
        return None
    stop = numeral.stop
    if currency is None and stop < len(tokens):
        after = tokens[stop]
        adjective = after.norm == "dollar" and _word(tokens, stop + 1) in ("question", "deal", "mark")
        if (after.kind == "currency" or after.norm in ("pound", "dollar")) and not adjective:
            nothing_after = stop + 1 >= len(tokens) or tokens[stop + 1].kind != "number"
            if nothing_after or not tokens[stop + 1].tight:
                currency, stop = CURRENCIES.get(after.norm, after.norm), stop + 1
    quantity = Quantity("bare", numeral, start, stop, currency)
    label = _label(tokens, quantity)
    if label is not None:
        return label
    return _with_unit(tokens, quantity)


def _label(tokens: list[Token], quantity: Quantity) -> Quantity | None:
    """Numbers that measure nothing: dates, times, versions, ratios, idioms."""
    start, stop, numeral = quantity.start, quantity.stop, quantity.numeral
    before, after = _norm(tokens, start - 1), _norm(tokens, stop)
    tight_after = stop < len(tokens) and tokens[stop].tight
    label = replace(quantity, unit="label")
    if quantity.currency is not None:
        return None
    if after in (".", ")") and tight_after and numeral.value < 10 and before in ("", ".", "\n", "?", "!"):
        return label  # "2. They are fine"
    if numeral.words and stop - start == 1 and tokens[start].norm in ("one", "zero"):
        return label
    if numeral.year or _is_year(tokens, quantity):
        return replace(label, stop=_end_of_chain(tokens, stop))
    if (
        after in (":", "/", "x")
        and tight_after
        and stop + 1 < len(tokens)
        and tokens[stop + 1].kind == "number"
    ):
        return replace(label, stop=_end_of_chain(tokens, stop))
    if tight_after and after in ("st", "nd", "rd", "th", "x", "am", "pm"):
        return replace(label, stop=stop + 1)
    if after == "-" and _end_of_chain(tokens, stop) - stop > 3:
        return replace(label, stop=_end_of_chain(tokens, stop))
    if numeral.value == 401_000 or (numeral.value == 401 and after == "("):
        return label
    if before == "#" or (before in LABELLED and before != "may" and _word(tokens, start - 1)):
        return label
    if before in ("-", ".") and _word(tokens, start - 2) in ("net", "no", "fy", "tier", "phase"):
        return label
    if start and tokens[start].kind == "number" and tokens[start].tight and tokens[start - 1].kind == "word":
        return label
    if after in MONTHS and after not in ("may", "march") and numeral.value <= 31:
        return label
    if before == "of" and _word(tokens, start - 2) in GROUPS:
        return label
    if before in ("year", "years", "yr") and numeral.scale is None and numeral.value <= _LATEST_YEAR:
        return label  # "from year 2 on"
    if before == "of" and _word(tokens, start - 2) == "price" and numeral.value <= 2:
        return label  # "two for the price of 1"
    idiom = (before, _word(tokens, start - 2)) == ("in", "one") or after in ("dollar", "percenter")
    return label if idiom else None


def _is_year(tokens: list[Token], quantity: Quantity) -> bool:
    raw = tokens[quantity.start].norm
    return (
        quantity.numeral.scale is None and len(raw) == 4 and raw.isdigit() and 1900 <= quantity.value <= 2100
    )


def _end_of_chain(tokens: list[Token], at: int) -> int:
    """The end of digits joined by tight marks: 2026-01-15, 12/31/25, 10:30, 555-12-34."""
    while (
        at + 1 < len(tokens)
        and tokens[at].norm in ("-", "/", ":", "x", ".")
        and tokens[at].tight
        and tokens[at + 1].kind == "number"
        and tokens[at + 1].tight
    ):
        at += 2
    return at


def _with_unit(tokens: list[Token], quantity: Quantity) -> Quantity:
    numeral, stop = quantity.numeral, quantity.stop
    at = stop + (_norm(tokens, stop) == "-" and stop < len(tokens) and tokens[stop].tight)
    after = _norm(tokens, at)
    if after == "%" or after in ("percent", "pct", "percentage", "bps", "points", "pts"):
        return replace(quantity, unit="percent", stop=at + 1)
    if after == "per" and _norm(tokens, at + 1) == "cent":
        return replace(quantity, unit="percent", stop=at + 2)
    if after == "basis":
        return replace(quantity, unit="label", stop=at + 1)
    if quantity.currency is None:
        counted = _counted(tokens, at, numeral)
        if counted is not None:
            return replace(quantity, unit=counted[0], stop=counted[1])
    rate = _rate(tokens, stop)
    if rate is not None and rate[0]:
        return replace(quantity, unit="rate", per=rate[0], stop=rate[1])
    if rate is not None:
        quantity = replace(quantity, stop=rate[1])
    unit: Unit = "money" if quantity.currency is not None or numeral.scale is not None else "bare"
    return replace(quantity, unit=unit, side=_beside_the_price(tokens, quantity))


def _counted(tokens: list[Token], at: int, numeral: Numeral) -> tuple[Unit, int] | None:
    """The unit and end of "3-year", "3 competing offers", "two weeks", "10k seats"; None for money."""
    noun = at
    while _word(tokens, noun) in BETWEEN_NUMBER_AND_NOUN and noun < at + 3:
        noun += 1
    if numeral.scale is None:
        noun = _past_adjectives(tokens, noun)
    word = _word(tokens, noun)
    if word in TIME_UNITS and not (word in ("min", "mo") and numeral.scale):
        return "time", noun + 1
    if numeral.scale == 1e6 and _norm(tokens, at - 1) == "m" and numeral.value <= 60e6:
        term = word in ("contract", "commitment", "agreement", "subscription", "lock")
        if term or (word == "term" and _word(tokens, noun + 1) != "sheet"):
            return "time", noun
    if word == "of":
        return ("count", noun + 1) if not numeral.scale and _word(tokens, noun + 1) in _OF_THESE else None
    if word in COUNTED:
        return "count", noun + 1
    if word in SIDE_AFTER:
        return None
    verb = word in VERBS_IN_S or _word(tokens, noun + 1) in _OBJECTS
    plural = word.endswith("s") and len(word) > 3 and not word.endswith("ss") and not verb
    if plural and (numeral.scale is None or noun > at):
        return "count", noun + 1
    return None


def _past_adjectives(tokens: list[Token], at: int) -> int:
    """Over at most two unknown words to a noun that is surely counted ("25 paid days", "3 rent-free months")."""
    hyphen = _norm(tokens, at + 1) == "-"
    for noun in (at, at + 2, at + 3) if hyphen else (at, at + 1, at + 2):
        word = _word(tokens, noun)
        if word in TIME_UNITS or word in COUNTED:
            return noun if word != "of" or noun == at else at
        if not word or word in NOT_ADJECTIVES or word in VERBS_IN_S:
            break
    return at


def _rate(tokens: list[Token], at: int) -> tuple[str, int] | None:
    """(what is bought one of, end) for "a month", "per tablet", "/user", "each"; "" for a year, as deals are made."""
    joint, unit = _norm(tokens, at), _word(tokens, at + 1)
    if joint in ("/", "per", "a", "an", "each", "every"):
        if unit in YEARLY:
            return "", at + 2
        moment = joint in ("a", "an") and _word(tokens, at + 2) in MOMENTS
        if unit in RATE_UNITS and not moment:
            return RATE_UNITS[unit], at + 2
    if joint == "per" and len(unit) > 2 and unit not in NOT_ADJECTIVES and unit not in NOT_BOUGHT:
        return unit.removesuffix("s"), at + 2
    if joint in PERIODIC:
        return PERIODIC[joint], at + 1
    if joint in ("annually", "yearly", "pa"):
        return "", at + 1
    both = any(token.norm == "both" for token in tokens[max(0, at - 8) : at])  # "we both give 5 each"
    if joint == "apiece" or (joint == "each" and not both):
        return "piece", at + 1
    return None


def _beside_the_price(tokens: list[Token], quantity: Quantity) -> bool:
    at = quantity.stop
    while (_norm(tokens, at) in BEFORE_SIDE or _norm(tokens, at) == "-") and at < quantity.stop + 3:
        at += 1
    if _word(tokens, at) in SIDE_AFTER:
        return True
    back = quantity.start - 1
    while (_norm(tokens, back) in AFTER_SIDE or _norm(tokens, back) == ":") and back > quantity.start - 4:
        back -= 1
    return _word(tokens, back) in SIDE_BEFORE


def _share_scales(tokens: list[Token], found: list[Quantity]) -> list[Quantity]:
    """In "145-150k", "12 to 13 million" and "30 to 45 days" the first number has the second's multiplier or unit."""
    for index in range(len(found) - 1):
        one, two = found[index], found[index + 1]
        joined = two.start - one.stop == 1 and _norm(tokens, one.stop) in ("-", "to", "and", "or", "/")
        if not joined or one.unit != "bare" or one.currency is not None:
            continue
        scale = two.numeral.scale
        if two.unit in ("time", "count", "percent") and one.value <= two.value:
            found[index] = replace(one, unit=two.unit)
        elif two.unit == "money" and scale is not None and two.value / 3 < one.value * scale < two.value * 3:
            numeral = replace(one.numeral, value=one.value * scale, scale=scale)
            found[index] = replace(one, unit="money", numeral=numeral, currency=two.currency)
    return found


def _totals(tokens: list[Token], found: list[Quantity]) -> list[Quantity]:
    """ "900 tablets at $1,050 each" is one amount, reckoned and so never quite sure."""
    joined: list[Quantity] = []
    for quantity in found:
        before = joined[-1] if joined else None
        if before is not None and {before.unit, quantity.unit} == {"count", "rate"}:
            between = {token.norm for token in tokens[before.stop : quantity.start]}
            if between and between <= TIMES:
                value = round(before.value * quantity.value, 2)
                numeral = Numeral(value, before.start, quantity.stop, scale=1.0, slang=True)
                currency = before.currency or quantity.currency
                joined[-1] = Quantity("money", numeral, before.start, quantity.stop, currency)
                continue
        joined.append(quantity)
    return joined
