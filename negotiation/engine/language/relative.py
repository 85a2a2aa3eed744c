"""Moves that name no price: half-way, "3% off", "knock 10k off", "come up five", "add another 2k".

Which number a step starts from follows from who speaks: a seller who goes down and a buyer who goes up move
their own offer; the other way round it is a demand on the other side's. "Your" and "my" overrule that.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from negotiation.engine.language.magnitude import figure_of, step_of
from negotiation.engine.language.quantities import Quantity
from negotiation.engine.language.types import MoneyContext, Seat

_A: Final = (
    r"(?: (?:by|another|a|an|further|extra|additional|maybe|just|about|only|one more|full|the|up to|like|some|other|"
    r"again|more|at least|roughly))*"
)
_IT: Final = r"(?: (?:it|that|this|things|my|our|your|the|price|number|offer|figure|ask|bid|proposal))*"
_Q: Final = r"<([mp])(\d+)>"
_HALF: Final = re.compile(
    r"\b(?:split(?:ting)? (?:the|that|this|our)(?: \w+){0,2}(?: <[mn]\d*>)? ?(?:difference|gap|distance|spread|remainder)"
    r"|split(?:ting)? (?:it|this|that)(?: evenly| down the middle| in half| <n>| in two| \?|$)"
    r"|(?:meet|met|meeting)(?: (?:you|me|each other|us|up|somewhere|right|exactly|there))*"
    r" (?:half ?way|in the middle|at the midpoint)"
    r"|(?:go|settle|land|come|call it|do|take|agree)(?: \w+){0,3} (?:half ?way|the midpoint|the middle|down the middle)"
    r"|\bhalfsies\b|\b(?:an )?even split\b|\bhalf and half\b"
    r"|half ?way (?:between|point|there|works)|(?:the )?(?:midpoint|mid point|half way)(?: between| of|$| \?| and| works))"
)
_HALF_ASKED: Final = re.compile(
    r"\b(?:would|will|do|are|might|can|could|did) (?:you|he|she|they|your \w+)\b.*\?|\b(?:what|how) would\b.*\?"
    r"|\b(?:would|does|is|might) (?:it|that|this|splitting|meeting|half ?way)\b.*\?"
)
"""Whether the other side would go half-way is asked, and nothing is proposed by it."""
_UNSPOKEN: Final = 0.6
"""How sure a half-way is that is put as a question: the figure was never said, so it is shown before it binds."""
_DOWN: Final = (
    rf"\b(?:knock|take|shave|cut|trim|drop|slice|chop|get|give|lop|do|offer|go|see|want|need|manage|accept|have)"
    rf"(?: [a-z]+){{0,4}} {_Q} off\b",
    rf"\b(?:knock|take|shave|cut|trim|slice|chop|lop) off{_A} {_Q}",
    rf"{_Q}(?: [a-z]+)? off\b",
    rf"\b(?:come|go|move|drop|get|bring|step|inch|budge|slide|back|lower|take|knock){_IT} (?:down|off){_A} {_Q}",
    rf"\b(?:drop|reduce|lower|cut|trim|decrease|slash|shave|improve){_IT}{_A} {_Q}",
    rf"{_Q}(?: [a-z]+)? (?:discount|reduction|less|lower|cheaper|cut|price cut|price break|rebate|down)\b",
    rf"\b(?:discount|reduction|cut|price break|rebate) of{_A} {_Q}",
)
_UP: Final = (
    rf"\b(?:come|go|move|bring|step|inch|push){_IT} up{_A} {_Q}",
    rf"\b(?:add|throw in|kick in|put in|chip in|put up|raise|bump|increase|up|lift|sweeten|boost|improve){_IT}"
    rf"(?: up| on| in)?(?: by| with)?{_A} {_Q}",
    rf"{_Q}(?: [a-z]+)? (?:more|higher|extra|on top|bump|increase|better|uplift|additional)\b",
    rf"\b(?:another|an extra|an additional|a further) {_Q}",
    rf"\b(?:bump|increase|raise|uplift) of{_A} {_Q}",
)
_STEPS: Final = r"(?: [a-z]+){0,4} (?:up|down|off|add|drop|raise|lower|move|give|come|cut|increase|reduce)(?: [a-z]+){0,3}"
_BOTH: Final = (
    re.compile(
        rf"\byou{_STEPS} <[mp](?P<theirs>\d+)>(?: [a-z]+){{0,3}},?(?: and| then| so)? (?:i|we){_STEPS} <[mp](?P<mine>\d+)>"
    ),
    re.compile(
        rf"\b(?:i|we){_STEPS} <[mp](?P<mine>\d+)>(?: [a-z]+){{0,3}},?(?: and| then| if| so)? "
        rf"you{_STEPS} <[mp](?P<theirs>\d+)>"
    ),
    re.compile(
        r"\b(?:both|each)(?: of us| side)?(?: [a-z]+){0,2} "
        r"(?:come|give|move|concede|budge|shift)s?(?: [a-z]+){0,3} <[mp](?P<mine>\d+)>"
    ),
)
"""Steps of both sides in one breath."""
_STANDING: Final = re.compile(
    r"\b(?:your|yours|you (?:are|were) at|you (?:come|go|move|drop|add|raise|bump|lower|knock|take))\b"
)
_OWN: Final = re.compile(r"\b(?:my|mine|our|ours|where (?:i|we) (?:am|are))\b")
_TAKEN: Final = re.compile(
    r"\b(?:i|we|you) have(?: [a-z]+)? (?:come|gone|moved|dropped|given|added|raised|cut|taken|shown)\b"
    r"|\b(?:i|we) (?:came|went|moved|dropped|gave|raised|added|conceded)\b"
)
"""A step that was taken before: said again, it is no new one."""
_PAST: Final = re.compile(
    r"\b(?:you|they|he|she|competitors?|vendors?|rivals?|acme)(?: [a-z]+){0,2}"
    r" (?:want|wanted|asked|ask|are asking|offered|gave|give us|gives|are)\b"
    r"|\bfor (?:an|a|another|just an)? ?(?:extra|additional|further|more)? ?<[mp]\d+>(?: more| extra)?,? "
    r"(?:i|we) (?:can|could|will|would)\b"
    r"|\bthan <[mp]\d+>|\b(?:already|last time|previously|yesterday|was|were|competitors?|each year|every year|a year)\b"
)
_PROPOSES: Final = re.compile(
    r"^(?:(?:ok|okay|fine|alright|well|so|then|just|please|now|and|look|yes|,) ?)*(?:<[mp]\d+>|knock|take"
    r"|shave|cut|trim|drop"
    r"|come|go|add|throw|bump|raise|lower|reduce|give|bring|another|move|improve|increase|chip|kick|sweeten|put|slice|chop)"
    r"|\b(?:i|we|you)(?: [a-z]+)? (?:can|could|will|would|may|might|need|want|offer|propose|suggest|am|are)\b"
    r"|\b(?:can|could|would|will) (?:i|we|you)\b|\b(?:how|what) about\b|\blet (?:us|me)\b|\bif (?:you|we)\b|\bwhy not\b"
    r"|\btell you what\b|, (?:and )?(?:come|go|add|drop|take|knock)\b"
)
"""Signs that a step is proposed and not merely told of."""
_NEVER: Final = re.compile(
    r"\b(?:more than|not|never|no way)\b(?:(?! if | but ).)*<[mp]\d+>"
    r"|\b(?:can|will|would|do|am|are) not(?: \w+){0,3} (?:split|meet|go half)"
)
_TOWARDS: Final = re.compile(
    rf"\b(?:i|we)(?: [a-z]+){{0,3}} (?:move|budge|shift|concede|give up|come){_A} {_Q}(?! (?:more|off|up|down))"
)
"""A step without a direction: the speaker's own, towards the other."""
_COMPILED: Final = (
    *((-1, re.compile(pattern)) for pattern in _DOWN),
    *((1, re.compile(pattern)) for pattern in _UP),
)


@dataclass(frozen=True, slots=True)
class Move:
    """A step found in a clause. ``value`` is where it leads, None when its starting point is unknown."""

    value: float | None
    certainty: float
    used: tuple[int, ...]  # the numbers that it consumes
    refused: bool  # "I can't come down another 5k"
    told: bool  # someone's step is reported, none is proposed
    proposed: bool = True  # False: a step is only mentioned ("a 15% increase last year")
    supposed: bool = False  # "would you rather split the difference?"


def relative_move(
    clause: str,
    numbers: list[Quantity],
    *,
    money: MoneyContext,
    seat: Seat,
    standing: float | None,
    own: float | None,
) -> Move | None:
    """The relative move of one clause (written by ``masked`` without a target)."""
    refused = _NEVER.search(clause) is not None
    if _HALF.search(clause):
        middle = None if standing is None or own is None else round((standing + own) / 2, 2)
        asked = _HALF_ASKED.search(clause) is not None
        return Move(middle, _UNSPOKEN if "?" in clause else 0.95, (), refused, told=False, supposed=asked)
    both = _both_sides(clause, numbers, money, seat, standing, own)
    if both is not None:
        return both
    towards = (-1 if seat == "seller" else 1, _TOWARDS)
    for direction, pattern in (*_COMPILED, towards):
        found = pattern.search(clause)
        if found is None:
            continue
        index = int(found[2])
        if numbers[index].unit == "bare" and _is_a_price(numbers[index], money):
            continue
        reference = _reference(clause, direction, seat, standing, own)
        told = any(pattern.search(clause) for pattern in (_PAST, _TAKEN))
        if reference is None:
            plausible = numbers[index].unit == "percent" or numbers[index].value < money.low / 4
            return Move(None, 0.3, (index,), refused, told) if plausible else None
        step = step_of(numbers[index], reference, money)
        if step is None or step[1] < 0.5:
            return None
        proposed = _PROPOSES.search(clause) is not None
        return Move(round(reference + direction * step[0], 2), step[1], (index,), refused, told, proposed)
    return None


def _both_sides(
    clause: str,
    numbers: list[Quantity],
    money: MoneyContext,
    seat: Seat,
    standing: float | None,
    own: float | None,
) -> Move | None:
    """ "You come up 10, I come down 10": the meeting point if that closes the gap, else the speaker's new place."""
    if standing is None or own is None:
        return None
    steps = next((step for pattern in _BOTH if (step := _mutual(pattern, clause)) is not None), None)
    if steps is None:
        return None
    theirs, mine = (step_of(numbers[index], own, money) for index in steps)
    if theirs is None or mine is None:
        return None
    up = 1 if seat == "buyer" else -1
    new_own, new_standing = round(own + up * mine[0], 2), round(standing - up * theirs[0], 2)
    certainty = min(theirs[1], mine[1]) if new_own == new_standing else 0.5
    return Move(
        new_own, certainty, tuple(sorted(set(steps))), refused=False, told=_TAKEN.search(clause) is not None
    )


def _mutual(pattern: re.Pattern[str], clause: str) -> tuple[int, int] | None:
    """The numbers of (their step, my step) where both are named."""
    found = pattern.search(clause)
    if found is None:
        return None
    named = found.groupdict()
    return int(named.get("theirs") or named["mine"]), int(named["mine"])


def _is_a_price(number: Quantity, money: MoneyContext) -> bool:
    figure = figure_of(number, money, ())
    return figure is not None and figure.plausible


def _reference(
    clause: str, direction: int, seat: Seat, standing: float | None, own: float | None
) -> float | None:
    if _STANDING.search(clause):
        return standing
    if _OWN.search(clause):
        return own
    moves_own = (direction < 0) == (seat == "seller")
    return own if moves_own else standing
