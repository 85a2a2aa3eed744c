"""What a process loads and compiles in its first turns, loaded and compiled before somebody waits for it."""

from __future__ import annotations

from negotiation.engine.deal import Action, Negotiation
from negotiation.engine.deal.types import SIGN
from negotiation.reading import heard

SAID = (
    "What drives your timeline?",
    "I understand the pressure. If we could sign this quarter, would a lower price help?",
    "We moved, now it is your turn: what matters most to you here?",
    "How is the budget decided on your side, and who else has to agree?",
)


def warm_up() -> None:
    """Play a few turns that nobody sees, in either seat."""
    for seat in SIGN:
        table = Negotiation(scenario="saas_enterprise", persona="diplomat", seat=seat, case=True)
        for text in SAID:
            table.step(heard(Action(text=text), table))
