"""The thought behind a demonstrator's move: a sentence from a template, by strategy, action and history.

No sentence names an action in capitals, so that the action stands on the last line alone.
"""

from __future__ import annotations

from collections.abc import Callable

from negotiation.engine.drills import KuhnView, RoundView
from negotiation.engine.drills.auction import HIGH_VALUE, LOW
from negotiation.engine.drills.books_hats_balls import ITEMS, decode
from negotiation.engine.drills.ipd import COOPERATE, DEFECT
from negotiation.engine.drills.kuhn.rules import CARDS, faces_bet
from negotiation.engine.drills.pie import PIE

_BIDS = {1: "low", 2: "medium", 3: "high"}


def reason(game: str, strategy: str, view: RoundView | KuhnView, action: int) -> str:
    """Why ``strategy`` plays ``action`` now."""
    if isinstance(view, KuhnView):
        return _kuhn(strategy, view, action)
    templates: dict[str, Callable[[str, RoundView, int], str]] = {
        "ipd": _ipd,
        "auction": _auction,
        "pie": _pie,
        "books_hats_balls": _books_hats_balls,
    }
    return templates[game](strategy, view, action)


def _ipd(strategy: str, view: RoundView, action: int) -> str:
    hurt = [number for number, other in enumerate(view.other, start=1) if other == DEFECT]
    if strategy == "always_defect":
        return "Whatever they do this round, defecting pays me more."
    if strategy == "always_cooperate":
        return "Working together pays the two of us most, so I keep giving."
    if strategy == "mixed":
        return f"I stay unpredictable: the coin says {'trust' if action == COOPERATE else 'take'} this time."
    if not view.round:
        return "Nothing has happened yet, so I open with trust."
    if strategy == "grim":
        if hurt:
            return f"They defected in round {hurt[0]}; that trust is not coming back."
        return "They have never defected, so I keep my side."
    if view.other[-1] == COOPERATE:
        return "They cooperated last round, so I do the same."
    if action == COOPERATE:
        return "They defected last round, but one slip in four can pass to get back to trust."
    return "They defected last round; I answer in kind so that it does not pay."


def _auction(strategy: str, view: RoundView, action: int) -> str:
    value, bid = view.private[-1], _BIDS[action]
    if strategy == "random":
        return f"I vary my bids so that nobody reads them; this one is {bid}."
    if strategy == "adaptive":
        if not view.round:
            return "I have seen no bid yet, so I start in the middle."
        return f"They bid {_BIDS[view.other[-1]]} last round; I aim one above, which makes {bid}."
    if strategy == "aggressive_value" and value == HIGH_VALUE:
        return "My value is 4 and I want to be sure to win: a high bid still earns 1."
    if action == LOW:
        return f"My value is only {value}: a low bid earns 1 if it wins, and more would earn nothing."
    return f"My value is {value}: half of it beats a low bid and still leaves {value - action}."


def _pie(strategy: str, view: RoundView, action: int) -> str:
    if strategy == "random":
        return f"I try something else now and then: {action} this round."
    if strategy == "tft":
        if not view.round:
            return "An even split is the natural place to begin."
        return f"They asked for {view.other[-1]} last round, which leaves {PIE - view.other[-1]} for me."
    if strategy == "balanced":
        return "I ask for a little more than half; if they take the rest, it fits."
    if strategy == "concede":
        broke = any(own + other > PIE for own, other in zip(view.own, view.other, strict=True))
        return (
            "Talks have broken down once; an even split is worth more than being right."
            if broke
            else "I ask for a little more than half while nothing has gone wrong."
        )
    return "Half each always fits with a fair partner, and nobody loses."


def _books_hats_balls(strategy: str, view: RoundView, action: int) -> str:
    values = view.private[3:]
    best = max(range(len(ITEMS)), key=lambda item: values[item])
    asked = ", ".join(f"{count} {item}" for count, item in zip(decode(action), ITEMS, strict=True))
    favourite = f"{ITEMS[best]} are worth {values[best]} each to me"
    if strategy == "proportional":
        return f"The {favourite}, so I want all of those and less of what I value less: {asked}."
    if strategy == "conservative":
        return f"The {favourite}; I take those alone and leave the rest for a sure deal: {asked}."
    if strategy == "tft":
        if not view.round:
            return f"I begin with half of every pile: {asked}."
        return f"I take exactly what they left on the table last round: {asked}."
    if view.own and decode(action) == tuple(count // 2 for count in view.private[:3]):
        return f"It did not fit before, so I fall back to half of every pile: {asked}."
    return f"Half of each, and all the {ITEMS[best]}, which I value most: {asked}."


def _kuhn(strategy: str, view: KuhnView, action: int) -> str:
    card = CARDS[view.seats][view.card]
    if strategy == "random":
        return f"I hold the {card} and flip a coin to stay unpredictable."
    if faces_bet(view.history):
        if card == "King":
            return "They bet and I hold the King, which cannot lose."
        if card == "Jack":
            return "They bet and I hold the Jack, which beats nothing, so my chip stays here."
        if action:
            return "They bet; my Queen beats a bluff, and I must pay them off now and then or be bluffed at will."
        return "They bet; my Queen beats only a bluff, and this time I believe them."
    if action:
        if card == "King":
            return "I hold the King: chips go in while a worse hand may pay."
        return f"I hold the {card}: a bluff now and then makes my strong bets worth calling for."
    if card == "King":
        return "I hold the King and keep quiet, so that they may bet into me."
    return f"I hold the {card}: better hands would pay me nothing, so I keep the pot small."
