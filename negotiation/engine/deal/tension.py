"""Heat at the table: driven by what the two sides do, never by the clock.

Tension lives in [0, 100]. Each turn it decays towards the table's base, then moves by what was done.
Heat is booked to the side that caused it, so that a collapse can be laid at somebody's door.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from negotiation.engine.cards import CARDS
from negotiation.engine.deal.types import Side, TensionBand

HOT = 75.0
"""Above this the zone begins to erode."""
GRACE_TURNS = 3
"""Consecutive hot turns before it does."""
DECAY = 0.08

PLAYER_HEAT: dict[str, float] = {
    "implausible_offer": 16.0,
    "absurd_offer": 24.0,
    "backwards_offer": 13.0,
    "stonewalling": 5.0,
    "false_call": 14.0,
    "threat": 14.0,
    "deadline": 7.0,
    "insult": 20.0,
    "caught_bluffing": 12.0,
    "injection": 4.0,
    "question": -3.0,
    "empathy": -6.0,
    "thanks": -1.5,
    "disparage": 4.0,
    "nibble": 4.0,
    "apology": -6.0,
    **{card.id: card.heat for card in CARDS.values() if card.heat},
}
CONCESSION_RELIEF = 45.0
"""Points that a concession of the whole nominal width would take off."""
MAX_RELIEF = 10.0

OPPONENT_HEAT: dict[str, float] = {
    "hold": 3.5,
    "caught_bluffing": 6.0,
    "challenge": 4.0,
    **{card.id: card.their_heat for card in CARDS.values() if card.their_heat},
}
"""What the opponent's own conduct adds; scaled by :func:`temperament`."""
_EVEN_THE_GENTLE = 0.4
"""The share of that heat that the gentlest persona brings; aggression adds to it."""
_START, _START_OF_AGGRESSIVE = 18.0, 20.0
"""Where a table's tension starts and settles: warmer, the more aggressive who sits there."""
HOTTEST = 100.0

_BANDS: tuple[tuple[float, TensionBand], ...] = ((30.0, "calm"), (55.0, "warm"), (HOT, "strained"))


def temperament(aggression: float) -> float:
    """What a persona's own conduct is multiplied by."""
    return _EVEN_THE_GENTLE + aggression


def band(tension: float) -> TensionBand:
    """The word for a tension value."""
    for limit, name in _BANDS:
        if tension <= limit:
            return name
    return "critical"


def _of_a_person(did: Iterable[str], concession_share: float) -> float:
    """The heat that one turn of a person's brings, less what a concession takes off."""
    return sum(PLAYER_HEAT.get(act, 0.0) for act in did) - min(
        MAX_RELIEF, CONCESSION_RELIEF * concession_share
    )


@dataclass(slots=True)
class Tension:
    """The meter, and who heated it."""

    base: float
    value: float
    hot_streak: int = 0
    heat: dict[Side, float] = field(default_factory=lambda: {"player": 0.0, "opponent": 0.0})

    @classmethod
    def at_start(cls, aggression: float) -> Tension:
        start = _START + _START_OF_AGGRESSIVE * aggression
        return cls(base=start, value=start)

    def close_turn(
        self,
        player_did: Iterable[str],
        opponent_did: Iterable[str],
        concession_share: float,
        opponent_concession_share: float,
        aggression: float,
    ) -> None:
        """Move by one turn's conduct. Concession shares are of the nominal width, never negative."""
        by_player = _of_a_person(player_did, concession_share)
        by_opponent = temperament(aggression) * sum(OPPONENT_HEAT.get(act, 0.0) for act in opponent_did)
        by_opponent -= min(MAX_RELIEF, CONCESSION_RELIEF * opponent_concession_share)
        self._move(by_player, by_opponent)

    def close_turn_of_people(
        self,
        player_did: Iterable[str],
        other_did: Iterable[str],
        concession_share: float,
        other_concession_share: float,
    ) -> None:
        """As ``close_turn`` where a person sits on either side: what both do weighs the same."""
        self._move(
            _of_a_person(player_did, concession_share), _of_a_person(other_did, other_concession_share)
        )

    def _move(self, by_player: float, by_opponent: float) -> None:
        self.heat["player"] += max(0.0, by_player)
        self.heat["opponent"] += max(0.0, by_opponent)
        moved = self.value + DECAY * (self.base - self.value) + by_player + by_opponent
        self.value = min(HOTTEST, max(0.0, moved))
        self.hot_streak = self.hot_streak + 1 if self.value > HOT else 0

    @property
    def eroding(self) -> bool:
        return self.hot_streak > GRACE_TURNS

    @property
    def heated_mostly_by(self) -> Side:
        return "player" if self.heat["player"] >= self.heat["opponent"] else "opponent"
