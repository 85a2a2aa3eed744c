"""Reading a position: who threatens whom, how safe a power stands, how far it can grow."""

from __future__ import annotations

from typing import Literal, NamedTuple

from negotiation.engine.diplomacy.geography import CENTRES, PROVINCE, REACH
from negotiation.engine.diplomacy.press.ledger import Ledger
from negotiation.engine.diplomacy.state import State

Threat = Literal["HIGH", "MED", "LOW"]
ENOUGH_TARGETS = 4


class Standing(NamedTuple):
    """Three marks of a position, each from 0 to 1."""

    safety: float
    """The share of one's own centres that no single power could enter with more units than stand there or near."""
    reliability: float
    """(1 + kept) / (2 + kept + broken) over the promises that the power made."""
    expansion: float
    """Centres of others, or of nobody, that its units can enter, four being enough."""

    @property
    def mean(self) -> float:
        """The three together."""
        return sum(self) / len(self)


def threat(state: State, me: int, other: int) -> Threat:
    """How much ``other`` endangers the centres of ``me``.

    HIGH: its units that can enter one of them outnumber those that defend it, there or adjacent. MED: one can. LOW:
    none can.
    """
    near = [
        (_near(state, other, centre, enter=True), _near(state, me, centre)) for centre in state.centres(me)
    ]
    if any(theirs > mine for theirs, mine in near):
        return "HIGH"
    return "MED" if any(theirs for theirs, _ in near) else "LOW"


def standing(state: State, power: int, ledger: Ledger) -> Standing:
    """The marks of a power's position."""
    own = state.centres(power)
    safe = sum(
        all(
            _near(state, other, centre, enter=True) <= _near(state, power, centre)
            for other in range(len(state.units))
            if other != power
        )
        for centre in own
    )
    kept, broken = ledger.counts(power)
    reach = {place for node in state.units[power] for place in (PROVINCE[node], *REACH[node])}
    targets = sum(
        place in reach for place, owner in zip(CENTRES, state.owners, strict=True) if owner != power
    )
    return Standing(
        safe / len(own) if own else 0.0,
        (1 + kept) / (2 + kept + broken),
        min(1.0, targets / ENOUGH_TARGETS),
    )


def _near(state: State, power: int, centre: int, *, enter: bool = False) -> int:
    """How many units of a power could enter a centre, or, by default, stand in it or could."""
    return sum(
        centre in REACH[node] or (not enter and PROVINCE[node] == centre) for node in state.units[power]
    )
