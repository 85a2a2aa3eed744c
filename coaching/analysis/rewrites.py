"""A rep's own sentences, said better: by rule, with their own figures, and nothing made up.

What only the rep can know (what to ask for in return, why the figure is right) is left as "…" to be filled in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from negotiation.engine.deal.scenario import Scenario
from negotiation.engine.deal.types import Seat
from negotiation.engine.language import Reading, understand

Habit = Literal["threat", "limit", "unasked", "hedge", "no_reason", "stacked"]
HABITS: Final[dict[Habit, str]] = {
    "threat": "Threats",
    "limit": "Telling your limit",
    "unasked": "Giving without asking",
    "hedge": "Apologising for your number",
    "no_reason": "Numbers without a reason",
    "stacked": "Several questions at once",
}
WHY: Final[dict[Habit, str]] = {
    "threat": "A threat has to be carried out or costs you their belief. A question about what they need keeps them here.",
    "limit": "Who hears your limit offers exactly that. Tie the figure to something they give instead.",
    "unasked": "Nothing was asked for this step. Say what you get for it, or it teaches them to wait.",
    "hedge": "An apology tells them that the number is soft. Say it plainly.",
    "no_reason": "A bare number invites a bare number. Say what it rests on.",
    "stacked": "Several questions at once get one answer, to the easiest of them. Ask one and wait.",
}
NEAR_LIMIT: Final = 0.02
"""A stated limit so close to the true one, as a share of it, tells it."""

_SENTENCE: Final = re.compile(r"[^.!?]+(?:[.!?](?=\d)[^.!?]*)*[.!?]*")
_HEDGES: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"^\s*(?:(?:i(?:'|’)?m|i am|we(?:'|’)?re|we are)(?: so| very| really)? sorry|sorry|apologies|my apologies)\b"
        r"[,:]?(?: but| to say)?\s*",
        r"\b(?:i(?:'|’)?m|i am|we(?:'|’)?re|we are) afraid(?: that)?,?\s*",
        r",?\s*\bif (?:that|it|this)(?:(?:'|’)s| is| would be| works)?"
        r"(?: ok| okay| all right| alright| fine| possible)?(?: (?:with|by|for) you)?(?=\s*[.!?,]|\s*$)",
        r"\b(?:maybe|perhaps|possibly|hopefully|kind of|sort of)\b,?\s*",
        r"\b(?:i|we) (?:just )?(?:think|feel|guess)(?: that)?\s+(?=(?:i|we|it|that)\b)",
        r"\bjust (?=\w)",
    )
)
_FILLER: Final = re.compile(
    r"^(?:(?:ok|okay|well|fine|so|and|but|alright|all right|right|then)\b[,:]?\s*)+", re.IGNORECASE
)
_REASON: Final = re.compile(
    r"\b(?:because|since|given|based on|reflects?|covers?|includes?|including|as (?:it|we|this|that|you)|so that|due to"
    r"|in return|in exchange|that is what|the reason)\b",
    re.IGNORECASE,
)
_CONDITION: Final = re.compile(
    r"\b(?:if|provided|as long as|in return|in exchange|once you|when you)\b", re.IGNORECASE
)
_ULTIMATUM: Final = re.compile(
    r"\btake it or leave it\b|\blast chance\b|\bfinal (?:offer|word)\b", re.IGNORECASE
)
_NUMBER: Final = re.compile(r"[$€£]?\d[\d,.]*\d|[$€£]?\d")
_SCALE: Final = re.compile(r"\s?(?:k|m|thousand|million)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Rewrite:
    """What was said on a turn, how it could have been said, and the habits that this mends."""

    turn: int
    said: str
    better: str
    habits: tuple[Habit, ...]

    def plain(self) -> dict[str, Any]:
        """As plain values, each habit with its reason."""
        return {
            "turn": self.turn,
            "said": self.said,
            "better": self.better,
            "habits": list(self.habits),
            "why": [WHY[habit] for habit in self.habits],
        }


@dataclass(frozen=True, slots=True)
class Setting:
    """What a sentence is read against."""

    scenario: Scenario
    seat: Seat
    offer: float | None
    limit: float
    unasked: bool
    reasoned: bool
    """Whether the move gives a reason anywhere."""

    def read(self, words: str) -> Reading:
        """The sentence, as the table would read it."""
        return understand(words, money=self.scenario.money, seat=self.seat)


def sentences(text: str) -> list[str]:
    """The sentences of a text with their marks; a full stop inside a figure ends none."""
    return [found.strip() for found in _SENTENCE.findall(text) if found.strip(" .!?")]


def rewrites(
    moves: Sequence[Mapping[str, Any]],
    unasked: frozenset[int],
    limits: Mapping[int, float],
    scenario: Scenario,
    seat: Seat,
) -> list[Rewrite]:
    """Every sentence of the player's that a rule mends, in order.

    Args:
        moves: the player's, each with ``turn``, ``text`` and ``offer``.
        unasked: the turns on which the offer gave something that answered nothing of theirs.
        limits: the player's own limit by turn.
    """
    found: list[Rewrite] = []
    for move in moves:
        text = move["text"]
        setting = Setting(
            scenario,
            seat,
            move["offer"],
            limits[move["turn"]],
            move["turn"] in unasked,
            bool(_REASON.search(text)),
        )
        found += _of_move(move["turn"], text, setting)
    return found


def rewrites_of(
    debrief: Mapping[str, Any], transcript: Sequence[Mapping[str, Any]], scenario: Scenario
) -> list[Rewrite]:
    """The rewrites of a finished deal, from its debrief and both sides' moves."""
    steps = debrief["conduct"]["concessions"]["steps"]
    return rewrites(
        [move for move in transcript if move["side"] == "player" and move["text"].strip()],
        frozenset(step["turn"] for step in steps if step["unasked"]),
        {row["turn"]: row["own_limit"] for row in debrief["offers"]},
        scenario,
        debrief["seat"],
    )


def _of_move(turn: int, text: str, setting: Setting) -> Iterator[Rewrite]:
    parts = sentences(text)
    asked = [part for part in parts if part.endswith("?")]
    if len(asked) > 1:
        yield Rewrite(turn, " ".join(asked), asked[0], ("stacked",))
    for part in parts:
        better, habits = mend(part, setting)
        if habits and better != part:
            yield Rewrite(turn, part, better, habits)


def mend(sentence: str, setting: Setting) -> tuple[str, tuple[Habit, ...]]:
    """The sentence said better, and what was mended; the sentence itself where nothing is."""
    reading = setting.read(sentence)
    if "threat" in {*reading.acts, *reading.tactics} or _ULTIMATUM.search(sentence):
        figure = written(sentence, setting.offer, setting)
        what = f"for {figure} to work for you" if figure else "to make this work for both of us"
        return f"What would it take {what}?", ("threat",)
    if (reading.kind == "limit" or "limit" in reading.acts) and _limit_in(sentence, setting) is not None:
        return _without_limit(sentence, setting), ("limit",)
    habits: list[Habit] = []
    offers = written(sentence, setting.offer, setting) is not None
    asks = sentence.endswith("?")
    plain = _unhedged(sentence) if offers else sentence
    if plain != sentence:
        habits.append("hedge")
    if offers and not _CONDITION.search(plain):
        if setting.unasked:
            habits.append("unasked")
            plain = f"If you …,{'' if asks else ' then'} {_continued(plain)}"
        elif not setting.reasoned and not asks and "limit" not in reading.acts:
            habits.append("no_reason")
            plain = f"{plain.rstrip(' .!')}, because …"
    return plain, tuple(habits)


def _limit_in(sentence: str, setting: Setting) -> str | None:
    """The figure that tells the player's own limit, as it stands in the sentence."""
    for words, figure in _figures(sentence, setting):
        if abs(figure - setting.limit) <= NEAR_LIMIT * abs(setting.limit):
            return words
    return None


def _without_limit(sentence: str, setting: Setting) -> str:
    """The offer alone where there is one beside the limit; else the limit's figure, tied to a return."""
    offer, limit = written(sentence, setting.offer, setting), _limit_in(sentence, setting)
    if offer is not None and offer != limit:
        return f"If you …, then {offer} works for us."
    return f"{limit} only works for us with something in return: …"


def _figures(sentence: str, setting: Setting) -> Iterator[tuple[str, float]]:
    """Each sum in the sentence: as it stands there, and what it comes to."""
    for found in _NUMBER.finditer(sentence):
        scale = _SCALE.match(sentence, found.end())
        words = sentence[found.start() : scale.end() if scale else found.end()]
        figure = setting.read(f"We can do {words}.").figure
        if figure is not None:
            yield words, figure


def written(sentence: str, figure: float | None, setting: Setting) -> str | None:
    """The figure as it stands in the sentence ("158k", "$158,000"); ``None`` where it is not in there."""
    if figure is None:
        return None
    near = setting.scenario.step / 2
    return next((words for words, read in _figures(sentence, setting) if abs(read - figure) < near), None)


def _unhedged(sentence: str) -> str:
    """The sentence without what takes it back; unchanged where there is nothing of the kind."""
    plain = sentence
    for hedge in _HEDGES:
        plain = hedge.sub("", plain)
    if plain == sentence:
        return sentence
    plain = re.sub(r"[\s,]+([.!?,])", r"\1", re.sub(r"\s{2,}", " ", plain)).strip(" ,")
    return plain[:1].upper() + plain[1:]


def _continued(sentence: str) -> str:
    """The sentence as the second half of another one."""
    rest = _FILLER.sub("", sentence) or sentence
    keeps = rest[:2] in ("I ", "I'", "I’") or not rest[0].isalpha()
    return rest if keeps else rest[0].lower() + rest[1:]
