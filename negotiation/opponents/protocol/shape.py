"""What may be decided now: the one description from which schema, grammar and checks are made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from negotiation.engine.cards import CARDS
from negotiation.engine.deal.scenario import Scenario
from negotiation.engine.deal.types import CardId, Observation
from negotiation.opponents.protocol.decision import Act
from negotiation.opponents.protocol.lines import LINES
from negotiation.opponents.protocol.ruler import HIGH_POINTS, LIMIT_POINTS, LOW_POINTS, Ruler

Style = Literal["brief", "full"]
"""``brief`` is for a small network: figures only, words from a menu. ``full`` is for a model that can read."""

NEEDS_OFFER: frozenset[CardId] = frozenset(
    card.id for card in CARDS.values() if card.needs_offer or card.states_floor
)
"""Cards that go with an offer; the floor that one of them states is the offer itself."""


@dataclass(frozen=True, slots=True)
class Shape:
    """The decisions that are open in one situation. ``lines`` is ``None`` where words are free."""

    acts: tuple[Act, ...]
    offer: tuple[int, int]
    """The lowest and highest offer in points."""
    issues: tuple[tuple[str, tuple[str, ...]], ...]
    cards: tuple[CardId, ...]
    challenge: bool
    event: bool
    lines: tuple[str, ...] | None


def shape_of(seen: Observation, scenario: Scenario, style: Style = "brief", *, guarded: bool = True) -> Shape:
    """What may be decided in the situation ``seen``.

    Args:
        guarded: whether offers below one's own limit, and accepting one, are closed off. In training they are
            open, since the price of crossing the limit is to be learnt.
    """
    acts: list[Act] = ["offer", "talk"]
    if seen.standing_offer is not None and not (guarded and beyond_limit(seen, scenario)):
        acts.append("accept")
    return Shape(
        acts=(*acts, "walk"),
        offer=(LIMIT_POINTS if guarded else LOW_POINTS, HIGH_POINTS),
        issues=tuple((issue.id, tuple(option.id for option in issue.options)) for issue in scenario.issues),
        cards=seen.cards,
        challenge=seen.open_claim is not None,
        event=seen.pending_estimate is not None,
        lines=LINES if style == "brief" else None,
    )


def beyond_limit(seen: Observation, scenario: Scenario) -> bool:
    """Whether the package that stands would cost this seat more than leaving."""
    if seen.standing_worth is None:
        return False
    ruler = Ruler.of(seen, scenario)
    return ruler.sign * (seen.standing_worth - ruler.limit) < 0
