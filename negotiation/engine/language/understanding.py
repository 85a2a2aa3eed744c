"""From a person's words to a reading: every number weighed, the main one chosen, doubt made plain."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from negotiation.engine.language.clauses import Clause, clauses, masked, sentences
from negotiation.engine.language.cues import labels, ordered
from negotiation.engine.language.kinds import is_doubtful, is_rough, weigh
from negotiation.engine.language.magnitude import figure_of
from negotiation.engine.language.quantities import Quantity, quantities
from negotiation.engine.language.relative import relative_move
from negotiation.engine.language.tokens import Token, tokenise
from negotiation.engine.language.types import Kind, MoneyContext, Reading, Seat

_PRIORITY: Final[tuple[Kind, ...]] = ("offer", "limit", "hypothetical", "rejection", "quote", "none")
_NUMBERS: Final = re.compile(r"<([mnp])\d*>")
_CLEAR: Final = 2.0
"""A kind that leads by this weight is clear."""
_SENTENCES_READ: Final = 24
_TURNING: Final[tuple[Kind, ...]] = ("hypothetical", "rejection", "limit")
"""Kinds that a relative move can turn out to be when the clause says so."""
_UNKNOWN_USE: Final = 0.5
"""How sure a figure is that no pattern speaks for; such a figure beside an offer casts doubt on it."""
_FIGURES_READ: Final = 16
"""Nobody means to bind by the seventeenth number of one text; beyond this the reading is only unsure."""
_AMOUNTS: Final = frozenset(("money", "bare", "percent"))


@dataclass(frozen=True, slots=True)
class _Found:
    """One figure with its use. ``sure`` joins the certainty of value and of use."""

    kind: Kind
    value: float
    sure: float
    span: tuple[int, int] | None


def understand(
    text: str,
    *,
    money: MoneyContext,
    seat: Seat,
    standing_offer: float | None = None,
    own_offer: float | None = None,
) -> Reading:
    """Read one text of the person in ``seat``; the offers are the other side's and the speaker's last.

    Any text is safe. ``confidence`` under ``CONFIDENCE_TO_BIND`` says that a person has to be asked.
    """
    tokens = tokenise(text)
    numbers = quantities(tokens)
    plain = [
        _NUMBERS.sub(r"<\1>", masked(tokens, part, numbers)) for part in sentences(tokens)[:_SENTENCES_READ]
    ]
    acts = labels("acts", plain or [""])
    found: list[_Found] = []
    if numbers or any("split" in part or "half" in part or "mid" in part for part in plain):
        table = _Table(tokens, numbers, money, seat, standing_offer, own_offer)
        found = table.read()
    main, confidence = _main(found, plain, len(numbers), accepting="accept" in acts, standing=standing_offer)
    return _reading(main, confidence, plain, acts)


@dataclass(frozen=True, slots=True)
class _Table:
    """One text with what is known around it."""

    tokens: list[Token]
    numbers: list[Quantity]
    money: MoneyContext
    seat: Seat
    standing: float | None
    own: float | None

    def read(self) -> list[_Found]:
        """Every use of a figure, clause by clause."""
        found: list[_Found] = []
        for clause in clauses(self.tokens)[: 2 * _SENTENCES_READ]:
            found += self._clause(clause)
        return found

    def _clause(self, clause: Clause) -> list[_Found]:
        found: list[_Found] = []
        used: int | None = None
        shape = masked(self.tokens, clause, self.numbers)
        move = relative_move(
            shape, self.numbers, money=self.money, seat=self.seat, standing=self.standing, own=self.own
        )
        if move is not None:
            used = move.used
            kind = _kind_of_move(shape, move.refused, move.told)
            written = masked(self.tokens, clause, self.numbers, -1 if used is None else used)
            scores = weigh(written)
            turned: list[Kind] = [name for name in _TURNING if scores.get(name, 0.0) >= 4]
            if kind == "offer" and turned:
                kind = max(turned, key=lambda name: scores[name])
            steps = sum(
                clause.start <= one.start < clause.stop and one.unit in _AMOUNTS for one in self.numbers
            )
            sure = move.certainty if steps <= 1 else min(move.certainty, 0.6)
            if move.value is not None and move.value > 0 and (move.proposed or kind != "offer"):
                found.append(_Found(kind, move.value, sure, self._span(used, clause)))
        offers = tuple(offer for offer in (self.standing, self.own) if offer is not None and offer > 0)
        for index, number in enumerate(self.numbers[:_FIGURES_READ]):
            if index == used or not clause.start <= number.start < clause.stop:
                continue
            figure = figure_of(number, self.money, offers)
            if figure is None:
                continue
            written = masked(self.tokens, clause, self.numbers, index)
            kind, weight, sure = _judge(written)
            if not figure.plausible and (weight < 2.5 or kind in ("quote", "none")):
                continue
            if kind == "offer" and is_rough(written):
                sure = min(sure, 0.6)
            found.append(_Found(kind, figure.value, sure * figure.certainty, self._span(index, clause)))
        return _without_ranges(found, shape, self.seat)

    def _span(self, index: int | None, clause: Clause) -> tuple[int, int]:
        if index is None:
            return self.tokens[clause.start].start, self.tokens[clause.stop - 1].end
        number = self.numbers[index]
        return self.tokens[number.start].start, self.tokens[number.stop - 1].end


def _judge(clause: str) -> tuple[Kind, float, float]:
    """The kind that the clause speaks for, its weight and how sure that is."""
    scores = weigh(clause)
    if not scores:
        return "none", 0.0, 0.5
    kind = max(scores, key=lambda name: (scores[name], -_PRIORITY.index(name)))
    weight = scores[kind]
    rival = max((score for name, score in scores.items() if name != kind), default=0.0)
    lead = weight - rival
    sure = 0.97 if lead >= _CLEAR else 0.88 if lead >= 1 else 0.6
    weak = weight < 2 or (weight < 3 and "?" in clause)
    if kind == "offer" and (weak or is_doubtful(clause)):
        sure = min(sure, 0.6)
    return kind, weight, sure


_SUPPOSING: Final = re.compile(
    r"\b(?:what if|suppose|imagine|hypothetically|would it help|in theory"
    r"|if (?:i|we) (?:did|came|went|were|agreed|could|split|met|dropped|added|raised|[a-z]+ed))\b"
)


def _kind_of_move(clause: str, refused: bool, told: bool) -> Kind:
    if _SUPPOSING.search(clause):
        return "hypothetical"
    if refused:
        return "limit" if "more than" in clause else "rejection"
    return "quote" if told else "offer"


_RANGE = re.compile(r"<m\d+> ?(?:-|to|and|or|,)? ?<m\d+>")


def _without_ranges(found: list[_Found], shape: str, seat: Seat) -> list[_Found]:
    """A range ("145 to 150") is one vague figure: the end nearer to the listener, never sure."""
    if len(found) != 2 or _RANGE.search(shape) is None or re.search(r"\bfrom <m\d+>", shape):
        return found
    first, second = found
    if not 0.66 < first.value / second.value < 1.5 or (" not " in shape):
        return found
    chosen = (
        min(found, key=lambda one: one.value) if seat == "seller" else max(found, key=lambda one: one.value)
    )
    kinds = {first.kind, second.kind} - {"none"}
    kind = min(kinds, key=_PRIORITY.index) if kinds else "none"
    return [_Found(kind, chosen.value, 0.5, chosen.span)]


def _main(
    found: list[_Found], plain: list[str], numbers: int, *, accepting: bool, standing: float | None
) -> tuple[_Found | None, float]:
    """The figure that the text is about, and the confidence of the whole reading."""
    if not found:
        return None, 0.9 if plain else 0.95
    best = min(_PRIORITY.index(one.kind) for one in found)
    same = [one for one in found if _PRIORITY.index(one.kind) == best]
    main = same[-1]
    confidence = main.sure if numbers <= _FIGURES_READ else min(main.sure, 0.5)
    if len({round(one.value, 2) for one in same}) > 1:
        confidence = min(confidence, 0.5)
    if any(one.kind == "none" and one.sure <= _UNKNOWN_USE and one.value != main.value for one in found):
        confidence = min(confidence, 0.6)
    if main.kind == "offer" and accepting and standing is not None and main.value != standing:
        confidence = min(confidence, 0.6)
    return main, confidence


def _reading(main: _Found | None, confidence: float, plain: list[str], acts: set[str]) -> Reading:
    """Put the labels beside the figure."""
    tactics = labels("tactics", plain or [""])
    topics = labels("topics", plain)
    kind: Kind = main.kind if main is not None else "none"
    if kind in ("offer", "limit"):
        acts.add(kind)
    if kind == "rejection":
        acts.add("reject")
    if kind == "offer":
        tactics.discard("silence")
    if "deadline" in acts:
        tactics.add("time_pressure")
    tactics |= acts & {"skepticism", "question", "threat", "empathy"}
    if "injection" in acts:
        confidence = min(confidence, 0.4)
    if not acts:
        acts.add("inform" if any(re.search("[a-z]{2}", part) for part in plain) else "nonsense")
    return Reading(
        kind,
        main.value if main is not None and kind == "offer" else None,
        None if main is None else main.value,
        ordered("acts", acts),
        ordered("tactics", tactics),
        round(confidence, 3),
        None if main is None else main.span,
        ordered("topics", topics),
    )
