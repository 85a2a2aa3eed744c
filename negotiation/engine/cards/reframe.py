"""Reframe: another number to compare with."""

from negotiation.engine.cards.base import Card, Coaching, Number, Pressed

_FROM, _TO, _BELOW, _STEP = 0.4, 0.6, 0.1, 0.03
"""The reference moves to between the old one (.4) and the offer (.6), a tenth of a zone below; the price moves a little."""


def _presses(at: Pressed[Number]) -> Number | float:
    return _STEP * at.scale


def _reframes(reference: Number, value: Number, scale: float) -> Number:
    return _FROM * reference + _TO * value - _BELOW * scale


CARD = Card(
    id="reframe",
    order=4,
    title="Reframe",
    does="Moves the number they compare yours with.",
    hint="Move the number they compare with. Works once.",
    theory="Gains and losses are felt from a reference point, losses 2.25 times as much (Tversky & Kahneman 1992).",
    cost=12,
    limit=1,
    heat=-2.0,
    presses=_presses,
    reframes=_reframes,
    coaching=Coaching(
        step=0.02,
        say="{offer} and reframe what they compare it with",
        why="They compare your number with the wrong one. Give them another.",
        skill="closing",
        mark="reframe_unused",
    ),
    told="Have them look at the matter from another side.",
)
