"""What else could have been played: about fifteen moves that a good player would weigh in a position."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from coaching.analysis.review.moves import engine_move
from coaching.analysis.review.record import PlayedGame, PlayedTurn
from negotiation.engine.cards import CARDS
from negotiation.engine.deal.batch import BatchNegotiation, Moves
from negotiation.engine.deal.batch.moves import CARD_IDS
from negotiation.engine.deal.issues import bundle_worths
from negotiation.engine.deal.types import OTHER_SEAT, SIGN, CardId

Kind = Literal["played", "offer", "accept", "walk_away", "challenge", "card", "ask", "trade"]

_STEPS = (0.0, 0.02, 0.05, 0.10, 0.18, 0.25)
"""Concessions that are weighed, as shares of the nominal zone."""
_LATE = 3
"""With no more turns left than this, a step may give all of the room; before, half of it."""
_PAST_LIMIT = (0.35, 0.7)
"""Of the way from the own limit to their offer beyond it."""
_TALK_STEPS = (0.0, 0.05)
_CARD_STEPS: dict[CardId, float] = {
    card.id: card.coaching.step for card in CARDS.values() if card.coaching is not None
}


@dataclass(frozen=True, slots=True)
class Candidate:
    """One move: an offer with its terms, a card, a question, or an end. ``step`` is what it gives, in money."""

    kind: Kind
    offer: float | None = None
    bundle: int = 0
    step: float = 0.0
    card: CardId | None = None
    act: str | None = None
    challenge: bool = False

    def moves(self, games: int) -> Moves:
        """The move in ``games`` games."""
        made = Moves.nothing(games)
        made.offer[:] = np.nan if self.offer is None else self.offer
        made.bundle[:] = self.bundle
        made.accept[:], made.walk_away[:] = self.kind == "accept", self.kind == "walk_away"
        made.challenge[:] = self.challenge
        if self.card is not None:
            made.card[:] = CARD_IDS.index(self.card)
        if self.act is not None:
            made.acts[self.act] = np.ones(games, dtype=np.bool_)
        return made


@dataclass(frozen=True, slots=True)
class PlayerPosition:
    """Where the player stands, in its value space: its own package, and theirs as far as there is one.

    With ``opening`` nothing was offered yet, and ``held`` is where one usually begins.
    """

    held: float
    bundle: int
    opening: bool
    standing: float | None
    floor: float


class Choices:
    """The candidates of one position; the first is the move that was played."""

    def __init__(self, played: PlayedGame, turn: PlayedTurn, bundle: int, standing_bundle: int) -> None:
        self._played, self._turn = played, turn
        self._sign = SIGN[played.seat]
        self._worths = bundle_worths(played.scenario.issues, turn.before.own.values)
        typical = played.scenario.nominal_worths(OTHER_SEAT[played.seat])
        self._best_bundle = int(np.argmax(self._worths + typical))
        self.position = self._position(bundle, standing_bundle)

    def _value(self, price: float, bundle: int) -> float:
        return self._sign * price + float(self._worths[bundle])

    def _position(self, bundle: int, standing_bundle: int) -> PlayerPosition:
        view, scenario = self._turn.before, self._played.scenario
        floor = self._sign * view.own.walk_away
        last = self._last_offer()
        if view.own_offer is not None:
            held = self._value(view.own_offer, bundle)
        elif last is not None:  # events carried the own limit past it: it lapsed
            held = max(last, floor)
        else:
            anchor = self._sign * scenario.seats[self._played.seat].opening
            held = max(anchor, floor + 0.3 * scenario.nominal_width)
        standing = None if view.standing_offer is None else self._value(view.standing_offer, standing_bundle)
        return PlayerPosition(held, bundle, last is None, standing, floor)

    def _last_offer(self) -> float | None:
        """What the player's last package was worth to it; ``None`` before the first."""
        earlier = [each.move for each in self._played.turns if each.turn < self._turn.turn]
        offers = [self._value(move.offer, move.bundle) for move in earlier if move.offer is not None]
        return offers[-1] if offers else None

    def _offer(self, value: float, bundle: int) -> float:
        scenario = self._played.scenario
        price = scenario.round(self._sign * (value - float(self._worths[bundle])))
        if self._value(price, bundle) < self.position.floor:
            price += self._sign * scenario.step
        return price

    def _concede(self, share: float, kind: Kind, **more: object) -> Candidate:
        at, width = self.position, self._played.scenario.nominal_width
        late = self._played.horizon - self._turn.turn <= _LATE
        least = at.floor if late else at.floor + max(0.0, at.held - at.floor) / 2
        value = max(least, at.held - share * width)
        price = self._offer(value, at.bundle)
        made = Candidate(kind, price, at.bundle, at.held - self._value(price, at.bundle))
        return replace(made, **more)  # type: ignore[arg-type]

    def as_played(self) -> Candidate:
        """The player's own move, described."""
        move, at = self._turn.move, self.position
        gave = 0.0 if move.offer is None else at.held - self._value(move.offer, move.bundle)
        return Candidate("played", move.offer, move.bundle, gave, move.card)

    def others(self) -> list[Candidate]:
        """What else was possible, each once."""
        at, view = self.position, self._turn.before
        made = [self._concede(share, "offer") for share in _STEPS]
        if at.standing is not None and at.held > at.standing:
            gap = min(_STEPS[-1], (at.held - at.standing) / 2 / self._played.scenario.nominal_width)
            made.append(self._concede(gap, "offer"))
        made += [self._concede(share, "ask", act="question") for share in _TALK_STEPS]
        made.append(self._concede(_TALK_STEPS[1], "ask", act="empathy"))
        made += [
            self._concede(step, "card", card=card) for card, step in _CARD_STEPS.items() if card in view.cards
        ]
        if view.open_claim is not None:
            made.append(self._concede(0.0, "challenge", challenge=True, act="skepticism"))
        if self._played.scenario.issues and at.bundle != self._best_bundle:
            made += [self._trade(share) for share in (0.0, 0.05)]
        if at.standing is not None:
            made.append(Candidate("accept"))
        made.append(Candidate("walk_away"))
        return list(dict.fromkeys(made))

    def beyond(self) -> list[Candidate]:
        """Offers that give away more than there is to give, where theirs lies beyond the own limit: what closing at any
        price looks like on the way."""
        at = self.position
        if at.standing is None or at.standing >= at.floor:
            return []
        return [self._past_limit(share * (at.floor - at.standing)) for share in _PAST_LIMIT]

    def _past_limit(self, by: float) -> Candidate:
        at, scenario = self.position, self._played.scenario
        price = scenario.round(self._sign * (at.floor - by - float(self._worths[at.bundle])))
        return Candidate("offer", price, at.bundle, at.held - self._value(price, at.bundle))

    def _trade(self, share: float) -> Candidate:
        at = self.position
        price = self._offer(at.held - share * self._played.scenario.nominal_width, self._best_bundle)
        gave = at.held - self._value(price, self._best_bundle)
        return Candidate("trade", price, self._best_bundle, gave)

    def played_moves(self, games: int) -> Moves:
        """The player's own move in ``games`` games, words and all."""
        return engine_move(self._turn.move, games, self._played, self._turn.before)


def standing_bundles(batch: BatchNegotiation) -> tuple[int, int]:
    """The terms of both standing packages: the same in every game of an information set."""
    return int(batch.table.player.bundle[0]), int(batch.table.opponent.bundle[0])
