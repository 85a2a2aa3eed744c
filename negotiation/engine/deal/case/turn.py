"""What one message does, as both engines take it in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from negotiation.engine.deal.case.acts import Talk, Topic
from negotiation.engine.deal.case.declared import SeatCase
from negotiation.engine.deal.case.drawn import SeatWorld
from negotiation.engine.deal.case.persuading import CREDITED
from negotiation.engine.deal.case.rules import Ears, Hearing, hear, raised
from negotiation.engine.deal.case.state import TalkState

APOLOGY: Final = "apology"
"""What the table's tension hears in the first apology, and in none after it."""
SMALL_STEP: Final = 0.03
"""A persona that steps by less than this share of the nominal zone owes a reason."""


@dataclass(frozen=True, slots=True)
class Message:
    """What a message came to.

    Attributes:
        credited: what counts as a concession of the speaker's, as a share of the nominal zone.
        acts: what the table's tension hears beside ``acts_heard``.
        withdraws: whether it takes the standing offer back, where none comes with it.
    """

    hearing: Hearing
    credited: float
    acts: frozenset[str]
    withdraws: bool


def take_in(said: TalkState, talk: Sequence[Talk], ears: Ears) -> Message:
    """One message with words, after what was said before it."""
    heard = hear(said, talk, ears)
    does = {each.act for each in talk}
    apologises = "apologise" in does and "apologise" not in said.heard
    if apologises:
        known = {**heard.state.heard, "apologise": 1}
        heard = replace(heard, state=replace(heard.state, heard=known))
    return Message(
        heard, CREDITED * heard.gained, frozenset((APOLOGY,) if apologises else ()), "withdraw" in does
    )


def gives_reason(said: TalkState, side: SeatCase, world: SeatWorld, minds: Sequence[Topic]) -> TalkState:
    """The first time that it holds or hardly moves, a persona gives the objection that it minds most."""
    return said if said.raised else raised(said, side, world, minds)
