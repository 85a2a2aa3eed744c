"""How much a spoken number is: "148" is 148,000 where deals lie near 148,000, "14" is 14 million elsewhere."""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import Final

from negotiation.engine.language.lexicon import PERIODS
from negotiation.engine.language.quantities import Quantity
from negotiation.engine.language.types import MoneyContext

_SCALES: Final = (1.0, 1e3, 1e6)
IN_RANGE: Final = 0.97
NEAR_RANGE: Final = 0.82
FAR: Final = 0.4
AMBIGUOUS: Final = 0.5


@dataclass(frozen=True, slots=True)
class Figure:
    """A quantity read as a deal figure. ``certainty`` is about the value, not about what is done with it."""

    value: float
    certainty: float
    plausible: bool


def figure_of(quantity: Quantity, money: MoneyContext, offers: tuple[float, ...]) -> Figure | None:
    """The deal figure that ``quantity`` states; None when it cannot be one."""
    if quantity.unit not in ("money", "bare", "rate") or quantity.side or quantity.value <= 0:
        return None
    low, high = money.low, money.high
    if quantity.unit == "rate" and quantity.per != money.per:
        return _of_a_rate(quantity, money)
    if offers:
        low, high = min(low, *offers), max(high, *offers)
    if quantity.numeral.scale is not None:
        return _judged(quantity, quantity.value, low, high, money)
    within = [scale for scale in _SCALES if low <= quantity.value * scale <= high]
    if not within:
        within = [scale for scale in _SCALES if low / 2 <= quantity.value * scale <= high * 2]
    if within:
        figure = _judged(
            quantity, quantity.value * _closest(quantity.value, within, low, high, offers), low, high, money
        )
        return figure if len(within) == 1 else Figure(figure.value, min(figure.certainty, AMBIGUOUS), True)
    if quantity.currency is not None:
        return _judged(quantity, quantity.value, low, high, money)
    guess = round(quantity.value * _closest(quantity.value, list(_SCALES), low, high, offers), 2)
    return Figure(guess, FAR, False) if low / 4 <= guess <= high * 4 else None


def _of_a_rate(quantity: Quantity, money: MoneyContext) -> Figure | None:
    """ "$1,800 a month" is the figure where deals are struck by the month, a twelfth of a yearly one elsewhere."""
    if money.low <= quantity.value <= money.high:
        return Figure(quantity.value, NEAR_RANGE if quantity.per in PERIODS else AMBIGUOUS, True)
    yearly = round(12 * quantity.value, 2)
    if money.per == "year" and quantity.per == "month" and money.low <= yearly <= money.high:
        return Figure(yearly, AMBIGUOUS, True)
    return None


def _closest(value: float, scales: list[float], low: float, high: float, offers: tuple[float, ...]) -> float:
    centre = sum(offers) / len(offers) if offers else (low * high) ** 0.5
    return min(scales, key=lambda scale: abs(log(value * scale / centre)))


def _judged(quantity: Quantity, value: float, low: float, high: float, money: MoneyContext) -> Figure:
    value = round(value, 2)
    if low <= value <= high:
        certainty, plausible = IN_RANGE, True
    elif low / 2 <= value <= high * 2:
        certainty, plausible = NEAR_RANGE, True
    else:
        certainty, plausible = FAR, False
    if quantity.numeral.slang or quantity.numeral.vague:
        certainty = min(certainty, 0.55)
    if quantity.currency not in (None, money.currency):
        certainty = min(certainty, 0.6)
    return Figure(value, certainty, plausible)


def step_of(quantity: Quantity, reference: float, money: MoneyContext) -> tuple[float, float] | None:
    """How far "come down 5" or "3% off" moves from ``reference``: the amount and its certainty."""
    value = quantity.value
    if value <= 0:
        return None
    if quantity.unit == "percent":
        return (reference * value / 100, 0.95 if value <= 30 else 0.6) if value < 100 else None
    if quantity.numeral.scale is not None or value >= reference / 2000:
        certainty = 0.95
    else:
        value, certainty = value * (1e6 if money.low >= 1e6 else 1e3), 0.85
    if quantity.numeral.vague or quantity.numeral.slang:
        certainty = 0.55
    if value > 0.4 * reference:
        certainty = min(certainty, 0.4)
    return (value, certainty) if value < reference else None
