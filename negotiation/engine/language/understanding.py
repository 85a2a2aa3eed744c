"""From a person's words to a reading: every number weighed, the main one chosen, doubt made plain."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from math import log
from typing import Final

from negotiation.engine.cards import DEADLINE, FLOOR, SILENCE
from negotiation.engine.language.classifier import Weights, opinion, relation_of, strangers, weights_in_use
from negotiation.engine.language.clauses import Clause, clauses, masked, sentences
from negotiation.engine.language.cues import labels, ordered
from negotiation.engine.language.kinds import is_doubtful, is_other_measure, is_rough, is_turned, weigh
from negotiation.engine.language.magnitude import figure_of
from negotiation.engine.language.quantities import Quantity, quantities
from negotiation.engine.language.relative import relative_move
from negotiation.engine.language.tokens import Token, tokenise
from negotiation.engine.language.types import CONFIDENCE_TO_BIND, Kind, MoneyContext, Reading, Seat

_PRIORITY: Final[tuple[Kind, ...]] = ("offer", "limit", "hypothetical", "rejection", "quote", "none")
_NUMBERS: Final = re.compile(r"<([mnp])\d*>")
_CLEAR: Final = 2.0
"""A kind that leads by this weight is clear."""
_UNLIKELY: Final = 0.03
"""Shares below this say no more than this."""
_OPINION: Final = 0.6
"""What the classifier's opinion (a logarithm of a share) counts for beside a pattern's weight."""
_WEAK: Final = 2.0
"""Patterns lighter than this only hint; the classifier may overrule them."""
_STRONG: Final = 4.0
"""Patterns from this weight on are whole phrases of offering ("we can do 150", "I accept your 150")."""
_NOT_AGAINST: Final = 0.25
"""The classifier's share that is enough beside a whole phrase."""
_BACKED: Final = 0.5
"""The classifier's share for an offer without which the patterns' offer is left unsure."""
_CONVINCED: Final = 0.65
"""The classifier's share from which it may speak where the patterns are silent."""
_CERTAIN: Final = 0.93
"""The classifier's share that an offer needs beside a word that could turn it around ("unless", "or")."""
_STRANGE: Final = 0.6
_REMEMBERED: Final = 512
"""Readings kept at hand: one move is read when it is made, when it is answered and when it is graded."""
_SENTENCES_READ: Final = 24
_TURNING: Final[tuple[Kind, ...]] = ("hypothetical", "rejection", "limit")
"""Kinds that a relative move can turn out to be when the clause says so."""
_UNKNOWN_USE: Final = 0.5
"""How sure a figure is that no pattern speaks for; such a figure beside an offer casts doubt on it."""
_MUCH_SURER: Final = 0.25
_BOTH: Final = 2
"""Figures of a text that names each side's offer and nothing else."""
_FIGURES_READ: Final = 16
"""Nobody means to bind by the seventeenth number of one text; beyond this the reading is only unsure."""
_COUNTED_ON: Final = 100
"""Larger numbers than this are no count of months or seats that goes without its noun."""
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
    return _understood(text, money, seat, standing_offer, own_offer, weights_in_use())


@lru_cache(maxsize=_REMEMBERED)
def _understood(
    text: str,
    money: MoneyContext,
    seat: Seat,
    standing_offer: float | None,
    own_offer: float | None,
    weights: Weights,  # part of what the reading depends on, and so of what it is remembered by
) -> Reading:
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
    if main is not None and main.kind == "offer" and confidence < CONFIDENCE_TO_BIND:
        main = _refused(main, acts, standing_offer)
    if main is not None and main.kind == "offer" and _STEP_FROM <= confidence < CONFIDENCE_TO_BIND:
        others = any(one.kind == "offer" and one.value != main.value for one in found)
        if not others and _is_a_step(main, text, seat, standing_offer, own_offer):
            confidence = _A_STEP
    if (
        main is not None
        and main.kind == "offer"
        and len(numbers) == 1
        and any(map(_GUESSED_AT.search, plain))
    ):
        main = replace(main, kind="hypothetical")
    if main is not None and main.kind == "offer" and _is_no_news(main, plain, len(numbers), acts, own_offer):
        main, confidence = replace(main, kind="quote"), min(confidence, 0.9)
    return _reading(main, confidence, plain, acts, _is_elsewhere(main, plain, standing_offer, own_offer))


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
        used: tuple[int, ...] = ()
        shape = masked(self.tokens, clause, self.numbers)
        move = relative_move(
            shape, self.numbers, money=self.money, seat=self.seat, standing=self.standing, own=self.own
        )
        if move is not None:
            used = move.used
            kind = "hypothetical" if move.supposed else _kind_of_move(shape, move.refused, move.told)
            written = masked(self.tokens, clause, self.numbers, used[0] if used else -1)
            scores = weigh(written)
            turned: list[Kind] = [name for name in _TURNING if scores.get(name, 0.0) >= 4]
            if kind == "offer" and turned:
                kind = max(turned, key=lambda name: scores[name])
            steps = sum(
                clause.start <= one.start < clause.stop and one.unit in _AMOUNTS for one in self.numbers
            )
            sure = move.certainty if steps <= max(1, len(used)) else min(move.certainty, 0.6)
            if move.value is not None and move.value > 0 and (move.proposed or kind != "offer"):
                if self._against_oneself(move.value):
                    sure = min(sure, 0.6)
                found.append(_Found(kind, move.value, sure, self._span(used[0] if used else None, clause)))
        offers = tuple(offer for offer in (self.standing, self.own) if offer is not None and offer > 0)
        for index, number in enumerate(self.numbers[:_FIGURES_READ]):
            if index in used or not clause.start <= number.start < clause.stop:
                continue
            figure = figure_of(number, self.money, offers)
            if figure is None:
                continue
            written = masked(self.tokens, clause, self.numbers, index)
            kind, weight, sure = _judge(written, relation_of(figure.value, self.standing, self.own))
            if not figure.plausible and (
                weight < 2.5 or kind in ("quote", "none") or self._counts_on(number)
            ):
                continue
            vague = is_rough(written) or is_other_measure(written)
            if kind == "offer" and (vague or self._against_oneself(figure.value)):
                sure = min(sure, 0.6)
            found.append(_Found(kind, figure.value, sure * figure.certainty, self._span(index, clause)))
        return _without_ranges(found, shape, self.seat)

    def _counts_on(self, number: Quantity) -> bool:
        """Whether a bare number may go on counting what another one counted: "6 months free? I can give you 3"."""
        small = number.unit == "bare" and number.numeral.scale is None and number.value < _COUNTED_ON
        return small and any(one.unit in ("time", "count") for one in self.numbers)

    def _against_oneself(self, value: float) -> bool:
        """Whether the speaker would offer the other side more than it has asked for."""
        if self.standing is None:
            return False
        return value < self.standing if self.seat == "seller" else value > self.standing

    def _span(self, index: int | None, clause: Clause) -> tuple[int, int]:
        if index is None:
            return self.tokens[clause.start].start, self.tokens[clause.stop - 1].end
        number = self.numbers[index]
        return self.tokens[number.start].start, self.tokens[number.stop - 1].end


def _judge(clause: str, relation: str) -> tuple[Kind, float, float]:
    """The kind that the clause speaks for, its weight and how sure that is.

    The patterns decide where they speak clearly, the classifier where they do not; an offer that only one
    of them sees is left unsure.
    """
    weights = weigh(clause)
    shares = opinion(clause, relation)
    scores = {
        name: weights.get(name, 0.0) + _OPINION * log(max(shares[name], _UNLIKELY)) for name in _PRIORITY
    }
    kind = max(_PRIORITY, key=lambda name: scores[name])
    weight = weights.get(kind, 0.0)
    if weight == 0.0 and shares[kind] < _CONVINCED:
        return ("quote" if relation == "standing" else "none"), 0.0, _UNKNOWN_USE
    lead = weight - max((rival for name, rival in weights.items() if name != kind), default=0.0)
    sure = 0.97 if lead >= _CLEAR else 0.88 if lead >= 1 else 0.6
    if kind == "offer" and (is_turned(clause) or shares["offer"] < _backing(clause, weight)):
        sure = min(sure, 0.6)
    return kind, weight, sure


def _backing(clause: str, weight: float) -> float:
    """How sure the classifier must be of an offer that the patterns see with this weight.

    Each strange word takes away from what is left to certainty: phrases nobody foresaw are asked about.
    """
    if is_doubtful(clause):
        needed = _CERTAIN
    elif weight >= _STRONG:
        return _NOT_AGAINST
    elif weight < _WEAK or (weight < 3 and "?" in clause):
        needed = _CONVINCED
    else:
        needed = _BACKED
    return 1 - (1 - needed) * _STRANGE ** strangers(clause)


_UNCOMMITTED: Final = re.compile(
    r"\bnot (?:promis\w+|commit\w+|saying (?:yes|that|i|we)|offering|an offer|a promise|bind\w+|agreeing)\b"
    r"|\b(?:hypothetical\w*|in theory|theoretically|just curious|curious|out of curiosity|for argument|thinking out loud"
    r"|just asking|no promises|non binding|kidding|joking|just a thought|only a thought|i forget|i am not sure)\b"
)
"""Said anywhere in the text, it takes the binding out of every figure."""
_SUPPOSING: Final = re.compile(
    r"\b(?:what if|suppose|imagine|hypothetically|would it help|in theory"
    r"|if (?:i|we) (?:did|came|went|were|agreed|could|split|met|dropped|added|raised|[a-z]+ed))\b"
)


_CONDITIONAL: Final = re.compile(
    r"\bif you (?:did|were|went|came|took|gave|paid|signed|[a-z]+ed)\b.*\b(?:i|we)(?: [a-z]+)? (?:could|might|would)\b"
    r"|\b(?:i|we)(?: [a-z]+)? (?:could|might|would)\b.*\bif you (?:did|were|went|came|took|gave|paid|signed|[a-z]+ed)\b"
)
"""A step that waits for one of the other side's ("if you did three years, I could get to 150"): never bound unasked."""
_GUESSED_AT: Final = re.compile(
    r"\byour(?: [a-z]+){0,2} (?:ceiling|limit|floor|bottom|rock bottom|maximum|max|minimum|top|budget)\b.*<m>.*\?"
)
"""A guess at the other side's limit ("what's your real ceiling then, 140?"): a question, and nobody's offer."""
_OURS: Final = re.compile(r"\b(?:i am|we are|me|us) at <m>")
_THEIRS: Final = re.compile(r"\b(?:you are|you) at <m>")


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
    main = max(same, key=lambda one: one.sure)
    if main.sure - same[-1].sure < _MUCH_SURER:
        main = same[-1]  # people correct themselves: the last word counts
    confidence = main.sure if numbers <= _FIGURES_READ else min(main.sure, 0.5)
    if len({round(one.value, 2) for one in same}) > 1:
        confidence = min(confidence, 0.5)
    if any(one.kind == "none" and one.sure <= _UNKNOWN_USE and one.value != main.value for one in found):
        confidence = min(confidence, 0.6)
    if main.kind == "offer" and accepting and standing is not None and main.value != standing:
        confidence = min(confidence, 0.6)
    return main, confidence


def _refused(main: _Found, acts: set[str], standing: float | None) -> _Found:
    """The other side's own figure beside a refusal ("168? For that? No chance.") is rejected, not offered."""
    refuses = main.value == standing and acts & {"reject", "skepticism"}
    return replace(main, kind="rejection") if refuses else main


_STEP_FROM: Final = 0.5
_A_STEP: Final = 0.8
"""What an unsure offer rises to where it is a step that its speaker could make now."""
_NO_STEP: Final = re.compile(
    r"\b(?:(?:end|stop)s?|bottom|top|band|cap|ceiling|floor|limit|max\w*|min\w*|budget|lost|lose|loses|below|under|above"
    r"|you|your|they|their|he|she|his|her)\b[^.!?;]{0,30}$",
    re.IGNORECASE,
)
"""Words shortly before a figure with which it is more than a step: a bound, a loss, or somebody else's."""


_BOUND_BEHIND: Final = re.compile(
    r"[^.!?;,]{0,20}\b(?:bottom|top|cap|ceiling|floor|limit|max\w*|min\w*|budget)\b", re.IGNORECASE
)


def _is_a_step(main: _Found, text: str, seat: Seat, standing: float | None, own: float | None) -> bool:
    """Whether an offer lies where its speaker would go now: from its own last one towards what the other side asks, and
    not past it. In a question, or behind words of bounds or of others, it is not taken for one."""
    if main.span is None or (standing is None and own is None):
        return False
    sign = 1 if seat == "seller" else -1
    before, behind = text[: main.span[0]], text[main.span[1] :]
    ending = re.search(r"[.!?;](?!\d)|$", behind)
    asked = "?" in (text[main.span[1] - 1 : main.span[1]], "" if ending is None else ending.group())
    if asked or _NO_STEP.search(before) or _BOUND_BEHIND.match(behind):
        return False
    given = own is None or sign * (own - main.value) > 0
    kept = standing is None or sign * (main.value - standing) > 0
    return given and kept


def _is_no_news(main: _Found, plain: list[str], numbers: int, acts: set[str], own: float | None) -> bool:
    """Whether the speaker only says where both stand ("we're at 610, you're at 540"), or takes its own figure back."""
    if "withdraw" in acts and main.value == own:
        return True
    ours = any(_OURS.search(part) for part in plain)
    return ours and numbers == _BOTH and any(_THEIRS.search(part) for part in plain)


def _is_elsewhere(main: _Found | None, plain: list[str], standing: float | None, own: float | None) -> bool:
    """Whether the main figure is neither side's: quoted, it is what a third party offers."""
    if main is None or main.value in (standing, own):
        return False
    return not any(re.search(r"\b(?:you|your|yours)\b", part) for part in plain if "<m>" in part)


def _reading(
    main: _Found | None, confidence: float, plain: list[str], acts: set[str], elsewhere: bool
) -> Reading:
    """Put the labels beside the figure."""
    tactics = labels("tactics", plain or [""])
    topics = labels("topics", plain)
    kind: Kind = main.kind if main is not None else "none"
    if kind in ("offer", "limit"):
        acts.add(kind)
    if kind == "rejection":
        acts.add("reject")
    if kind == "offer":
        tactics.discard(SILENCE)
    if "deadline" in acts:
        tactics.add(DEADLINE)
    if kind == "quote" and elsewhere:
        tactics.add(FLOOR)
    tactics |= acts & {"skepticism", "question", "threat", "empathy"}
    if "injection" in acts:
        confidence = min(confidence, 0.4)
    if kind == "offer" and any(_UNCOMMITTED.search(part) or _CONDITIONAL.search(part) for part in plain):
        confidence = min(confidence, 0.6)
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
