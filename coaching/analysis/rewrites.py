"""A rep's own sentences, said better: by rule, with their own figures, and nothing made up.

What only the rep can know (what to ask for in return, why the figure is right) is left as "…" to be filled in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from coaching.analysis.review.lessons.words import MANNERS, Habit
from coaching.analysis.wording import gettext
from negotiation.engine.deal.scenario import Scenario
from negotiation.engine.deal.types import Seat
from negotiation.engine.language import Reading, understand

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
_OFFERING: Final = re.compile(
    r"^(?:i|we)(?:(?:'|’)ll|(?:'|’)d| can| could| will| would)?"
    r"(?: (?:do|offer|pay|accept|go|come|move|make|take|propose|give|ask))\b[^?,;]*?(?:,? then)?[ .!]*$",
    re.IGNORECASE,
)
"""A sentence that says who offers what, and nothing else."""
_FEELER: Final = re.compile(
    r"\b(?:wanted to|was hoping|would be (?:great|nice|good|lovely|fine))\b", re.IGNORECASE
)
"""What asks for leave to say a number, in place of saying it."""
_REASON: Final = re.compile(
    r"\b(?:because|since|given|based on|reflects?|covers?|includes?|including|as (?:it|we|this|that|you)|so that|due to"
    r"|in return|in exchange|that is what|the reason"
    r"|for (?:a|an|any) (?:[a-z-]+ ){1,3}(?:of )?(?:your|this|that) (?:size|kind|length|scope|volume)"
    r"|(?:usually|normally|typically|always) (?:charge|pay|ask|cost|go for|take)s?"
    r"|(?:others|other [a-z]+s?|everybody|everyone|the last [a-z]+|competitors?) (?:pay|paid|charge|charged|ask|got)s?"
    r"|(?:the )?market (?:rate|price|pays)|going rate|list price)\b",
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
            "why": [gettext(MANNERS[habit].why) for habit in self.habits],
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
    said = {*reading.acts, *reading.tactics}
    figure, limit = written(sentence, setting.offer, setting), _limit_in(sentence, setting)
    if figure is not None and figure == limit:
        figure = None  # what may stand in no better sentence
    if "insult" in said:
        where = f"I stand at {figure}" if figure else "I see it differently"
        return f"{where}. What does your number rest on?", ("insult",)
    if "threat" in said or _ULTIMATUM.search(sentence):
        what = f"for {figure} to work for you" if figure else "to make this work for both of us"
        return f"What would it take {what}?", ("threat",)
    if (reading.kind == "limit" or "limit" in reading.acts) and limit is not None:
        return _without_limit(figure), ("limit",)
    return _offered_better(sentence, figure, "limit" in reading.acts, setting)


def _offered_better(
    sentence: str, figure: str | None, tells_limit: bool, setting: Setting
) -> tuple[str, tuple[Habit, ...]]:
    """An offer said plainly, with what it asks for or what it rests on."""
    if figure is None:
        return sentence, ()
    habits: list[Habit] = []
    who = "we" if re.search(r"\b(?:we|our|us)\b", sentence, re.IGNORECASE) else "I"
    plain = _unhedged(sentence)
    if _FEELER.search(plain):
        plain = f"{who[0].upper()}{who[1:]} can go to {figure}."
    if plain != sentence:
        habits.append("hedge")
    if not _CONDITION.search(plain):
        said = _said_plainly(plain)
        if setting.unasked:
            habits.append("unasked")
            plain = f"If you …, then {said or f'{who} can go to {figure}'}."
        elif not setting.reasoned and not sentence.endswith("?") and not tells_limit:
            habits.append("no_reason")
            whole = said or f"{who} can go to {figure}"
            plain = f"{whole[0].upper()}{whole[1:]}, because …"
    return plain, tuple(habits)


def _said_plainly(sentence: str) -> str:
    """A sentence that only says who offers what, as a part of another one; empty where it is none."""
    found = _FILLER.sub("", sentence)
    if not _OFFERING.match(found):
        return ""
    rest = re.sub(r",? then$", "", found.rstrip(" .!"), flags=re.IGNORECASE)
    return rest if rest[:2] in ("I ", "I'", "I’") else rest[0].lower() + rest[1:]


def _limit_in(sentence: str, setting: Setting) -> str | None:
    """The figure that tells the player's own limit, as it stands in the sentence."""
    for words, figure in _figures(sentence, setting):
        if abs(figure - setting.limit) <= NEAR_LIMIT * abs(setting.limit):
            return words
    return None


def _without_limit(figure: str | None) -> str:
    """The offer alone where there is one beside the limit; else what is wanted in return, without a figure."""
    if figure is not None:
        return f"If you …, then {figure} works for us."
    return "To go further I need something in return. What could you add?"


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
