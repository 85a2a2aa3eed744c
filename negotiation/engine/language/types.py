"""The vocabulary of words at the table: what is read from a person's text, what a persona is asked to say.

This package knows numbers and acts, not the rules of the game, so nothing here depends on the deal engine;
the deal engine fills these records and acts on them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal

from negotiation.engine.cards import CARDS

Seat = Literal["seller", "buyer"]
Kind = Literal["offer", "limit", "quote", "rejection", "hypothetical", "none"]
Voice = str
"""The id of a persona that has lines of its own."""
Concession = Literal["none", "small", "fair", "large", "backwards"]
Mood = Literal["calm", "warm", "strained", "critical"]
Trust = Literal["low", "mid", "high"]
Setting = Literal["", "contract", "job", "company"]
SpeechAct = Literal[
    "open",
    "counter",
    "hold",
    "accept",
    "walk_away",
    "answer_absurd",
    "answer_claim_challenge_bluff",
    "answer_claim_challenge_true",
    "challenge_claim",
    "final_offer",
    "taken",
    "left",
]

CONFIDENCE_TO_BIND: Final = 0.75
"""Below this the reader is in doubt: the table must ask the person before anything binds."""

ACTS: Final = (
    "greet",
    "offer",
    "accept",
    "reject",
    "question",
    "inform",
    "limit",
    "concede",
    "empathy",
    "threat",
    "deadline",
    "skepticism",
    "insult",
    "thanks",
    "small_talk",
    "package",
    "stall",
    "apologise",
    "withdraw",
    "farewell",
    "nonsense",
    "injection",
)

TACTICS: Final = (
    *CARDS,
    "skepticism",
    "question",
    "threat",
    "empathy",
)

TOPICS: Final = (
    "limit",
    "budget",
    "alternative",
    "timeline",
    "term",
    "payment",
    "support",
    "scope",
    "risk",
    "growth",
    "people",
    "market",
    "authority",
    "fairness",
    "basis",
    "interests",
    "relationship",
    "package",
)
"""What a text is about, beside its figure: lets a persona answer the question that was asked."""


@dataclass(frozen=True, slots=True)
class MoneyContext:
    """Where deal figures plausibly lie: tells "148" in a 148,000 deal from "14" in an acquisition.

    ``per`` is what the figure pays for once ("year", "kilo"); empty where it pays for the whole.
    """

    low: float
    high: float
    currency: str = "$"
    per: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """What one text says about the price. ``offer`` is set only when the speaker proposes to settle there.

    ``figure`` is the main deal figure whatever its kind, in whole currency units; ``span`` is where it
    stands in the text. ``confidence`` under ``CONFIDENCE_TO_BIND`` means: ask, do not bind.
    """

    kind: Kind
    offer: float | None
    figure: float | None
    acts: tuple[str, ...]
    tactics: tuple[str, ...]
    confidence: float
    span: tuple[int, int] | None = None
    topics: tuple[str, ...] = ()


AnswerKind = Literal[
    "told",
    "confided",
    "traded",
    "again",
    "would_help",
    "tired",
    "known",
    "openly",
    "greeted",
    "either",
    "neither",
    "both",
    "no_bar",
    "perhaps",
    "unknown",
    "declined",
    "shown",
    "unshown",
    "nothing_more",
    "guarded",
    "convinced",
    "moved",
    "unheard",
    "taken_in",
    "misheard",
    "used",
    "thanked",
    "forgiven",
    "noted",
    "flattered",
    "chatted",
    "pressed",
    "stalled",
    "nibbled",
    "withdrawn",
    "found_out",
    "trading",
    "partly",
    "defended",
    "asked_why",
    "curious",
    "stands",
    "weighs",
    "detail",
    "no_more",
    "headline",
    "went_back",
    "firm",
    "suppose",
    "heard_you",
    "no_sum",
    "waits",
    "wide",
    "near",
    "condition",
    "conditional",
    "agreed_if",
    "vouch",
    "middle",
    "unsettling",
]
"""How a persona answers something that was done with words, at a table with a case (``deal/case/words.py``)."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One thing to answer with: ``fact`` is the clause that is told or meant, ``topic`` what it is about, ``question`` one
    that is asked back, ``point`` the other side's argument in a few words, each empty where there is none."""

    kind: AnswerKind
    fact: str = ""
    topic: str = ""
    question: str = ""
    point: str = ""


@dataclass(frozen=True, slots=True)
class TalkMemory:
    """What a persona remembers of the talk about a case, all of it said at the table.

    ``repeats`` are clauses that it told, ``just_told`` is what the last of them was about, if that was a turn ago;
    ``keeps`` are topics that it was asked about and did not answer, ``missing`` its objections that were raised and
    are still open, ``touched`` those of them that the message may be
    about, ``recalls`` what the other side told, as it is said back to it.
    """

    repeats: tuple[str, ...] = ()
    keeps: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    touched: tuple[str, ...] = ()
    recalls: tuple[str, ...] = ()
    just_told: str = ""


Asked = Literal["", "plainly", "pointing_back", "in_scorn", "to_decide", "wishes", "figure"]
"""How something was asked that nothing here answers: in words that nobody need ask for again, or as no question at all;
``figure`` is after the figure that is said with it."""


@dataclass(frozen=True, slots=True)
class Speech:
    """One thing for a persona to say: the strategist's decision and what it answers.

    ``seat`` is the persona's own seat. ``offer`` is the figure it stands at after speaking (for ``accept``
    the price agreed to), ``previous_offer`` the one before. ``heard`` and ``heard_*`` describe what the
    other side just did; ``card`` is the card the persona plays, ``claim`` a limit that it states with it.
    ``claim_reason`` says why it is another limit than the one that it stated before.
    ``answers`` answer what was asked and argued, in that order, and ``objection`` is the reason that the persona gives;
    ``talked`` is what it remembers of the case, ``None`` where there is none.
    ``asked`` says of a question that no topic was heard in whether it was one in whole words or only scorn.
    ``setting`` lets words fit the kind of deal; empty keeps them neutral. ``terms`` are labels to be said with the
    figure: what the persona changed beside the price, or what is agreed. ``heard_terms`` says that the other side
    changed its terms; ``preferred`` of its ``packages`` side by side is the one that the persona would rather have.
    ``waited`` counts the turns since the other side last put something else down. ``likely`` are the two subjects that a
    question which was not understood may have been about, or none; ``left`` is such a question, said
    back; empty for one that can't be said back well, ``None`` for none.
    """

    voice: Voice
    act: SpeechAct
    seat: Seat
    turn: int
    money: MoneyContext
    offer: float | None = None
    previous_offer: float | None = None
    heard: Reading | None = None
    heard_offer: float | None = None
    heard_concession: Concession | None = None
    heard_card: str | None = None
    card: str | None = None
    claim: float | None = None
    claim_reason: Literal["news", "called"] | None = None
    deadline_turns: int | None = None
    headline: str | None = None
    sweetener: str | None = None
    mood: Mood = "calm"
    trust: Trust = "mid"
    setting: Setting = ""
    terms: tuple[str, ...] = ()
    asked: Asked = ""
    heard_terms: bool = False
    preferred: int | None = None
    packages: int = 1
    answers: tuple[Answer, ...] = ()
    objection: str = ""
    talked: TalkMemory | None = None
    waited: int = 0
    likely: tuple[str, ...] = ()
    left: str | None = None


@dataclass(slots=True)
class Memory:
    """What a persona remembers of one game's talk. Starts empty; ``speak`` keeps it; never shared."""

    lines: set[str] = field(default_factory=set)
    uses: dict[str, int] = field(default_factory=dict)
    spoken: list[float] = field(default_factory=list)
    heard: list[float] = field(default_factory=list)
    last_mover: Literal["", "me", "them"] = ""
    count: int = 0
    recalled: set[str] = field(default_factory=set)
    claims: set[float] = field(default_factory=set)
    stated: float | None = None


def format_money(value: float, money: MoneyContext) -> str:
    """``value`` as people write it, never rounded to another figure: $148,000, $12.4M, $12,437,500."""
    if money.low >= 1_000_000:
        millions = f"{value / 1_000_000:.3f}".rstrip("0").rstrip(".")
        if value >= 1_000_000 and round(float(millions) * 1_000_000, 2) == value:
            return f"{money.currency}{millions}M"
    return money.currency + f"{value:,.2f}".removesuffix(".00")
