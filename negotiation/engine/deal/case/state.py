"""What has been said so far in one game, and what a turn's words came to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from negotiation.engine.deal.case.acts import Act, Topic


@dataclass(frozen=True, slots=True)
class ToldFact:
    """A fact that somebody told. ``high`` is the cell as it was said, ``None`` where the fact has none; ``shown``
    whether proof of it was shown, ``None`` where nobody asked."""

    turn: int
    id: str
    topic: Topic
    says: str
    high: bool | None = None
    shown: bool | None = None


@dataclass(frozen=True, slots=True)
class TalkState:
    """Everything that words have done in one game. Never changed in place.

    Attributes:
        told, own: facts that the persona told, and that the player told.
        decided, lies: facts that the persona has decided to tell truly or not, and those that it lies about.
        raised: objections that the persona has given as its reasons, by id.
        used: arguments with what they have worked on: a need, or an objection.
        lifted: objection to the share that words have lifted.
        won: share of the nominal zone that arguments for needs have won.
        credit: what the speaker's reasons still count for, of what they would.
        again: topic to how often it was asked with nothing left to tell.
        heard: act to how often it earned or cost something, for what wears off.
        claims: claims made that may not be made; ``exposed`` those that were found out.
        idle: turns of the player's without an offer.
    """

    told: tuple[ToldFact, ...] = ()
    own: tuple[ToldFact, ...] = ()
    decided: frozenset[str] = frozenset()
    lies: frozenset[str] = frozenset()
    raised: tuple[str, ...] = ()
    used: frozenset[tuple[str, str]] = frozenset()
    lifted: Mapping[str, float] = field(default_factory=dict)
    won: float = 0.0
    credit: float = 1.0
    again: Mapping[str, int] = field(default_factory=dict)
    heard: Mapping[Act, int] = field(default_factory=dict)
    claims: frozenset[str] = frozenset()
    exposed: frozenset[str] = frozenset()
    idle: int = 0

    def has_told(self, fact: str) -> bool:
        return any(each.id == fact for each in self.told)


@dataclass(frozen=True, slots=True)
class Talked:
    """What the player's words of one turn do to the persona's mind and to the table. Shares are of the nominal zone.

    Attributes:
        trust: earned or lost by words.
        credited: what counts as a concession of the player's.
        hold: of objections that are still open.
        won: by arguments, in all.
        idle: turns without an offer, in all.
        offered: whether there was one this turn.
        needs_told: facts on its own needs that the player has told.
        told: what the persona answers with.
        acts: what the table's tension hears.
        exposed: a false claim was found out.
        withdraws: the player's offer is off the table.
    """

    trust: float = 0.0
    credited: float = 0.0
    hold: float = 0.0
    won: float = 0.0
    idle: int = 0
    offered: bool = True
    needs_told: int = 0
    told: tuple[ToldFact, ...] = ()
    acts: frozenset[str] = frozenset()
    exposed: bool = False
    withdraws: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """What a player knows of its own side of a case, and the objections that the other side has raised.

    ``facts`` are the seat's own as it takes them for true, ``needs`` their weights, 1 as heavy as usual.
    """

    facts: tuple[ToldFact, ...]
    needs: Mapping[str, float]
    raised: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ObjectionTruth:
    """An objection of the opponent's as it is, for graders and spectators.

    ``hold`` is a share of the nominal zone; ``left`` the share of it that nothing answers yet.
    """

    id: str
    topic: Topic
    says: str
    hold: float
    raised: bool
    left: float


@dataclass(frozen=True, slots=True)
class FactTruth:
    """A fact as it is, for graders and spectators: what its seat takes for true now, whether it was told, and whether
    the seat lies about it."""

    seat: str
    id: str
    topic: Topic
    guard: int
    says: str
    told: bool
    lied: bool
