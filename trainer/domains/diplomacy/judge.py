"""The judge of a position, deterministic: all samples of a group are judged by the same one."""

from __future__ import annotations

from typing import Protocol

from negotiation.engine.diplomacy.position import Standing, standing
from negotiation.engine.diplomacy.press.ledger import Ledger
from negotiation.engine.diplomacy.state import State


class Judge(Protocol):
    """Whatever can mark a position."""

    def __call__(self, state: State, power: int, ledger: Ledger) -> Standing:
        """The marks of ``power``."""


def local_judge(state: State, power: int, ledger: Ledger) -> Standing:
    """Counts units, centres and kept promises."""
    return standing(state, power, ledger)
