"""Words and figures: what binds, and when the table asks first.

Only the offer field binds. When the words propose another figure, or one that can't be read for sure, or
look like an acceptance, the player is asked; nothing is logged and nothing is lost until the same move
comes back confirmed. A limit, a quote, a rejection or a hypothetical in the words never asks for an offer.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from negotiation.engine.deal.checks import is_absurd
from negotiation.engine.deal.scenario import Scenario
from negotiation.engine.deal.types import Observation, Seat
from negotiation.engine.language import (
    CONFIDENCE_TO_BIND,
    Reading,
    format_money,
    understand,
)
from negotiation.messages import ActData, ClarifyReason

SAME = 0.5
"""Two figures closer than this, in whole currency units, are the same figure."""


@dataclass(frozen=True, slots=True)
class Clarify:
    """A question to the player before a move binds."""

    reason: ClarifyReason
    message: str
    reading: Reading
    field_offer: float | None
    text_offer: float | None

    def data(self) -> dict[str, Any]:
        """The data of a ``clarify`` frame."""
        return asdict(self)


def read(text: str, *, scenario: Scenario, view: Observation) -> Reading:
    """What the player's words say, heard at this table."""
    return understand(
        text,
        money=scenario.money,
        seat=view.seat,
        standing_offer=view.standing_offer,
        own_offer=view.own_offer,
    )


def read_snapshot(text: str, *, scenario: Scenario, seat: Seat, table: dict[str, Any]) -> Reading:
    """As ``read``, from the latest ``turn_closed`` of the log: a preview needs no engine."""
    return understand(
        text,
        money=scenario.money,
        seat=seat,
        standing_offer=table["standing_offer"],
        own_offer=table["own_offer"],
    )


def question_before(act: ActData, *, scenario: Scenario, view: Observation) -> Clarify | None:
    """The question to ask before ``act`` may bind, or None. A figure that makes no sense comes first."""
    if act.confirmed:
        return None
    money = scenario.money
    reading = read(act.text, scenario=scenario, view=view)
    proposed = reading.offer if reading.kind == "offer" else None

    def ask(reason: ClarifyReason, message: str) -> Clarify:
        return Clarify(reason, message, reading, act.offer, proposed)

    if act.offer is not None and is_absurd(act.offer, scenario):
        return ask(
            "absurd",
            f"Your offer field says {format_money(act.offer, money)}, far from any deal of this kind. "
            "Offer it all the same?",
        )
    if _looks_like_accept(act.text, reading, act.offer, view.standing_offer):
        standing = format_money(view.standing_offer or 0.0, money)
        return ask(
            "looks_like_accept",
            f"This sounds like a yes to {standing}. Only Accept closes the deal. Send it as words?",
        )
    if reading.kind != "offer":
        return None
    if reading.confidence < CONFIDENCE_TO_BIND or proposed is None:
        if _same(act.offer, proposed):
            return None
        return ask("unclear_figure", "It is not clear which figure your words propose. Which one binds?")
    if act.offer is None and _same(proposed, view.own_offer):
        return None
    if _same(proposed, act.offer):
        return None
    said = format_money(proposed, money)
    if act.offer is None:
        return ask("figure_differs", f"Your words offer {said}, the offer field is empty. Bind which?")
    bound = format_money(act.offer, money)
    return ask("figure_differs", f"Your words offer {said}, the offer field says {bound}. Bind which?")


def _only_asks(text: str) -> bool:
    """One question and nothing else: "what would make this an easy yes?" says yes to nothing."""
    bare = text.strip()
    return bare.endswith("?") and not any(mark in bare[:-1] for mark in ".!?;")


def _looks_like_accept(text: str, reading: Reading, offer: float | None, standing: float | None) -> bool:
    if standing is None or "accept" not in reading.acts or _only_asks(text):
        return False
    return all(figure is None or _same(figure, standing) for figure in (reading.offer, offer))


def _same(one: float | None, other: float | None) -> bool:
    return one is not None and other is not None and abs(one - other) < SAME
