"""A match as a model reads it, and its answer read back.

The answer ends in the action alone on its last line. Everything before is reasoning; a ``<think>`` block, while it
is open, never counts as an answer.
"""

from __future__ import annotations

from dataclasses import dataclass

from negotiation.engine.drills import Game, KuhnMatch, SimultaneousMatch, View
from negotiation.engine.drills.books_hats_balls import ITEMS
from negotiation.engine.drills.kuhn.rules import CARDS, History, faces_bet
from negotiation.engine.drills.kuhn.view import KuhnView, PastHand

AnyMatch = SimultaneousMatch | KuhnMatch


@dataclass(frozen=True, slots=True)
class Telling:
    """How a match is told and answered. The defaults are those of the written dataset."""

    thoughts: bool = True
    """Whether an answer begins with a thought; without, it is the action alone."""
    told: int | None = None
    """How many of the finished rounds are told, the latest; all of them unless given. With 0 a hand of poker stands
    alone, without its number, and a hand's twelve information sets are all that there is to be asked."""

    def __post_init__(self) -> None:
        if self.told is not None and self.told < 0:
            raise ValueError("told must not be negative")

    def first(self, finished: int) -> int:
        """The first of the finished rounds that is told."""
        return 0 if self.told is None else max(0, finished - self.told)


FULL = Telling()

_RULES = {
    "ipd": (
        "You play an iterated prisoner's dilemma of 8 rounds. Both cooperate: 3 points each. Both defect: 1 each."
        " One defects alone: 5 for it, 0 for the other. Choose COOPERATE or DEFECT."
    ),
    "auction": (
        "You bid in 6 sealed-bid auctions against one rival. Your value is 2 or 4, drawn afresh each round; so is"
        " theirs. Bids: LOW=1, MEDIUM=2, HIGH=3. The higher bid wins and pays itself: the winner earns value minus"
        " bid, which can be negative. Equal bids share. Choose LOW, MEDIUM or HIGH."
    ),
    "pie": (
        "You split a pie of 10 with one other, 4 times. Both demand a whole number from 1 to 9 at once. If the two"
        " demands sum to 10 or less, both get what they asked; otherwise both get 0. Choose a number."
    ),
    "books_hats_balls": (
        "You divide books, hats and balls with one other, 4 times over. Each of you values them differently. Both"
        " demand a vector [books, hats, balls] at once. If the demands fit together on every item, both get what"
        " they asked, worth its value to them; otherwise both get 0. Choose a vector."
    ),
    "kuhn": (
        "You play Kuhn poker: cards Jack < Queen < King, one each, ante 1. The first player may PASS or BET 1."
        " After a bet the other may CALL or FOLD; after a pass it may PASS or BET. The higher card takes the pot."
    ),
}
_ENDINGS = {
    True: " Think in a sentence, then give your action alone on the last line.",
    False: " Answer with your action alone.",
}


def system(game: Game, telling: Telling = FULL) -> str:
    """The rules, and how to answer."""
    return _RULES[game.name] + _ENDINGS[telling.thoughts]


def chat(match: AnyMatch, player: int, telling: Telling = FULL) -> list[dict[str, str]]:
    """What a model is asked when it is to choose for ``player``."""
    return [
        {"role": "system", "content": system(match.game, telling)},
        {"role": "user", "content": user(match, player, telling)},
    ]


def user(match: AnyMatch, player: int, telling: Telling = FULL) -> str:
    """What ``player`` knows now."""
    if isinstance(match, KuhnMatch):
        return _kuhn(match.view(player), match, telling)
    view = match.view(player)
    lines = [f"Round {view.round + 1} of {match.game.rounds}."]
    if match.game.name == "auction":
        lines.append(f"Your value: {view.private[-1]}.")
    if match.game.name == "books_hats_balls":
        lines += [_listed("There are", view.private[:3]), _listed("Your values:", view.private[3:])]
    first = telling.first(view.round)
    past = list(zip(view.own, view.other, view.payoffs, strict=True))[first:]
    for number, (own, other, paid) in enumerate(past, start=first + 1):
        lines.append(f"Round {number}: you {match.label(own)}, they {match.label(other)}; you got {paid:g}.")
    return "\n".join(lines)


def labels(match: AnyMatch, player: int) -> dict[str, int]:
    """Every action open to ``player`` by its full string: what a constrained decoder may choose from."""
    return {match.label(action): action for action in match.legal(player)}


def parse(match: AnyMatch, player: int, text: str) -> int | None:
    """The action that ``text`` ends in, or None: nothing legal stands alone on its last line.

    Stricter than the paper, which stops at an action anywhere on the line and so at a figure in the reasoning.
    """
    spoken = text.rpartition("</think>")[2]
    if "<think>" in spoken:
        return None
    lines = [line for line in spoken.splitlines() if line.strip()]
    if not lines:
        return None
    said = "".join(lines[-1].strip(" .*`\t").split()).upper()
    known = {label.replace(" ", ""): action for label, action in labels(match, player).items()}
    return known.get(said)


def elicitation(match: AnyMatch, player: int) -> str:
    """The turn that asks again for the action alone, before one constrained forward pass."""
    known = list(labels(match, player))
    return f"State your final action ({', '.join(known) if len(known) <= 9 else '[books, hats, balls]'}):"


def _listed(opening: str, numbers: tuple[int, ...]) -> str:
    return f"{opening} " + ", ".join(f"{item} {n}" for item, n in zip(ITEMS, numbers, strict=True)) + "."


def _kuhn(view: KuhnView, match: KuhnMatch, telling: Telling) -> str:
    names = CARDS[view.seats]
    lines = [f"You are to act {_ORDINALS[view.position]}."]
    if telling.told != 0:
        lines[0] = f"Hand {view.round + 1} of {match.game.rounds}. {lines[0]}"
    lines.append(f"Your card: {names[view.card]}.")
    if view.history:
        lines.append(f"So far: {_told(view.history, view.position, view.seats)}.")
    first = telling.first(view.round)
    past = list(zip(view.past, view.payoffs, strict=True))[first:]
    for number, (hand, paid) in enumerate(past, start=first + 1):
        lines.append(f"Hand {number}: {_past(hand, view, names)}; you won {paid:+g}.")
    return "\n".join(lines)


_ORDINALS = ("first", "second", "third")


def _past(hand: PastHand, view: View, names: tuple[str, ...]) -> str:
    seats = len(hand.shown)
    others = [
        names[card] for seat, card in enumerate(hand.shown) if card is not None and seat != hand.position
    ]
    seen = f", they showed {' and '.join(others)}" if others else ""
    return f"you held {names[hand.card]}, {_told(hand.history, hand.position, seats)}{seen}"


def _told(history: History, position: int, seats: int) -> str:
    """A history in words, as the player at ``position`` would tell it."""
    words = []
    for turn, letter in enumerate(history):
        who = "you" if turn % seats == position else "they" if seats == 2 else f"player {turn % seats + 1}"
        verb = {("p", False): "pass", ("b", False): "bet", ("p", True): "fold", ("b", True): "call"}
        words.append(f"{who} {verb[letter, faces_bet(history[:turn])]}")
    return ", ".join(words)
