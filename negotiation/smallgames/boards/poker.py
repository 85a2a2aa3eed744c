"""Kuhn poker: two cards, the pot, and the tree of the betting with the way that was taken."""

from __future__ import annotations

from typing import Any

from negotiation.engine.drills import KuhnMatch, KuhnView, View
from negotiation.engine.drills.kuhn.game import position_of
from negotiation.engine.drills.kuhn.rules import (
    BET,
    CARDS,
    PASS,
    faces_bet,
    histories,
    payoffs,
    position_to_act,
)
from negotiation.engine.drills.kuhn.view import PastHand
from negotiation.smallgames.boards.types import Choice, Line
from negotiation.smallgames.sitting import OTHER, PLAYER, Sitting

NAMES = CARDS[2]
_PLACES = {
    "": (36, 100),
    "p": (136, 52),
    "b": (136, 156),
    "pp": (236, 24),
    "pb": (236, 84),
    "bp": (236, 136),
    "bb": (236, 180),
    "pbp": (336, 62),
    "pbb": (336, 108),
}
"""Where each point of the betting lies in the drawing."""


def _done(history: str, turn: int) -> str:
    """One action as something that was done."""
    facing = faces_bet(history[:turn])
    return {("p", False): "passed", ("b", False): "bet", ("p", True): "folded", ("b", True): "called"}[
        (history[turn], facing)
    ]


def told(history: str, position: int) -> str:
    """A hand's betting as a sentence without a full stop."""
    return ", ".join(
        f"{'you' if position_to_act(history[:turn], 2) == position else 'they'} {_done(history, turn)}"
        for turn in range(len(history))
    )


class PokerBoard:
    """The own card, and theirs where it was shown."""

    def __init__(self, sitting: Sitting) -> None:
        view, match = sitting.view, sitting.match
        if not isinstance(view, KuhnView) or not isinstance(match, KuhnMatch):
            raise TypeError("poker is seen hand by hand")
        self._view, self._match = view, match

    @property
    def ask(self) -> str:
        """The card, and what has been done."""
        view = self._view
        since = told(view.history, view.position)
        now = f"{since[0].upper()}{since[1:]}. " if since else ""
        return f"{now}You hold a {NAMES[view.card]}. Your turn."

    def picture(self) -> dict[str, Any]:
        """The hand being played, or the last when all are over; and the hand before."""
        view, over = self._view, self._match.done
        shown = self._shown(view.past[-1]) if over else None
        return {
            "own": NAMES[view.card],
            "other": shown,
            "other_hidden": shown is None,
            "pot": 2 + view.history.count("b"),
            "first": view.position == 0,
            "tree": self._tree(view.position, view.history),
            "last": self._last() if view.past else None,
            "over": over,
        }

    @staticmethod
    def _shown(hand: PastHand) -> str | None:
        card = hand.shown[1 - hand.position]
        return None if card is None else NAMES[card]

    def _last(self) -> dict[str, Any]:
        hand = self._view.past[-1]
        return {
            "number": len(self._view.past),
            "own": NAMES[hand.card],
            "other": self._shown(hand),
            "told": told(hand.history, hand.position),
            "paid": self._view.payoffs[-1],
        }

    def _tree(self, position: int, history: str) -> dict[str, Any]:
        """Every point of the betting and the ways between; those that can still be reached are drawn firmly."""
        decisions, terminals = histories(2)
        nodes = [
            {
                "x": _PLACES[name][0],
                "y": _PLACES[name][1],
                "end": name in terminals,
                "own": name not in terminals and position_to_act(name, 2) == position,
                "here": name == history,
                "open": name.startswith(history) or history.startswith(name),
                "pays": self._pays(name, position) if name in terminals else "",
            }
            for name in (*decisions, *terminals)
        ]
        edges = []
        for name in (*decisions, *terminals):
            if not name:
                continue
            (x1, y1), (x2, y2) = _PLACES[name[:-1]], _PLACES[name]
            edges.append(
                {
                    "x1": x1,
                    "y1": y1,
                    "x2": x2,
                    "y2": y2,
                    "label_x": (x1 + x2) / 2,
                    "label_y": (y1 + y2) / 2 + (-6 if y2 < y1 else 15),
                    "label": {"p": "pass", "b": "bet"}[name[-1]]
                    if not faces_bet(name[:-1])
                    else {"p": "fold", "b": "call"}[name[-1]],
                    "taken": history.startswith(name),
                    "open": name.startswith(history) or history.startswith(name),
                }
            )
        return {"nodes": nodes, "edges": edges}

    @staticmethod
    def _pays(history: str, position: int) -> str:
        """What an end pays the player: known where somebody folds, else by the higher card."""
        won, lost = ((payoffs(history, cards)[position]) for cards in _CARDS_BY_POSITION[position])
        return f"{won:+d}".replace("-", "−") if won == lost else f"±{won}"

    def choices(self) -> list[Choice]:
        """Pass or bet; fold or call."""
        if faces_bet(self._view.history):
            return [Choice(PASS, "Fold", "lose your 1"), Choice(BET, "Call", "win 2 or lose 2")]
        return [Choice(PASS, "Pass", "put in nothing"), Choice(BET, "Bet", "put in 1 more")]

    def lines(self, *, reveal: bool) -> list[Line]:
        """Cards and betting by hand."""
        return [self._line(n, hand, reveal) for n, hand in enumerate(self._view.past)]

    def _line(self, n: int, hand: PastHand, reveal: bool) -> Line:
        other = self._shown(hand)
        if reveal:
            other = NAMES[self._match.hands[n].cards[position_of(OTHER, n, 2)]]
        own = f"{NAMES[hand.card]}: {told(hand.history, hand.position)}"
        return Line(n + 1, own, other or "Not shown", self._view.payoffs[n])

    def words(self, action: int, view: View) -> str:
        """As the hand stood."""
        facing = isinstance(view, KuhnView) and faces_bet(view.history)
        return (("Pass", "Bet"), ("Fold", "Call"))[facing][action]

    def theory(self, advice: dict[int, float], view: View) -> str:
        """How often the equilibrium bets or calls here."""
        if not isinstance(view, KuhnView):
            return ""
        deed = "calls" if faces_bet(view.history) else "bets"
        often = _OFTEN[round(3 * advice.get(BET, 0.0))]
        return f"In equilibrium a {NAMES[view.card]} {often} {deed} here."


_OFTEN = ("never", "one time in three", "two times in three", "always")
"""How often, in thirds: the equilibrium shown knows no other shares."""
_CARDS_BY_POSITION = {PLAYER: ((2, 0), (0, 2)), OTHER: ((0, 2), (2, 0))}
"""By position: cards with which it wins at showdown, and with which it loses."""
