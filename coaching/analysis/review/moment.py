"""One move in its position, with everything that a lesson may test: nothing that its player could not know."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from coaching.analysis.review.candidates import Candidate, PlayerPosition
from coaching.analysis.review.moves import heard_acts
from coaching.analysis.review.record import PlayedGame, PlayedTurn
from negotiation.engine.cards import GIFT
from negotiation.engine.deal.batch.players import Style
from negotiation.engine.deal.issues import bundle_worths, labels
from negotiation.engine.deal.reward import is_bluff
from negotiation.engine.deal.types import OTHER_SEAT, SIGN
from negotiation.engine.language import format_money

OPENING_TURNS = 2
"""Turns that count as the opening of a deal."""
TENTH = 0.1
"""The most of one's room that a lesson advises to give at once."""


@dataclass(frozen=True)
class Moment:
    """A move and the better one, in their position. Money is in whole currency units, worths in the player's value space
    (more is better for the player), steps in what they give away.

    Attributes:
        gain: what the better move is worth more, in money.
        their_last_step: what their last offer gave the player; ``None`` before they have made two.
        their_deadline: whether a deadline of theirs runs.
        believed: where their limit lies for whoever counts offers, words and news, as a price; ``None`` unknown.
    """

    played: PlayedGame
    turn: PlayedTurn
    position: PlayerPosition
    own: Candidate
    better: Candidate
    gain: float
    their_last_step: float | None
    their_deadline: bool
    follow_up: Style
    believed: float | None = None

    # -- money in words ----------------------------------------------------------------------------

    def price(self, price: float) -> str:
        """A price as people write it."""
        return format_money(price, self.played.scenario.money)

    def money(self, amount: float) -> str:
        """An amount as people write it, in steps of this deal, never nothing."""
        scenario = self.played.scenario
        return format_money(max(scenario.step, scenario.round(abs(amount))), scenario.money)

    # -- what stood, what was done -----------------------------------------------------------------

    @property
    def name(self) -> str:
        return self.played.persona.name

    @property
    def sign(self) -> int:
        return SIGN[self.played.seat]

    @property
    def tick(self) -> float:
        """The least difference of two prices that anybody would name."""
        return self.played.scenario.step

    @property
    def opening(self) -> bool:
        """Whether nothing was offered yet by the player."""
        return self.position.opening

    @property
    def early(self) -> bool:
        return self.opening or self.turn.turn <= OPENING_TURNS

    @property
    def room(self) -> float:
        """What lies between the player's last package and its walk-away."""
        return max(0.0, self.position.held - self.position.floor)

    @property
    def turns_left(self) -> int:
        """Turns after this one."""
        return max(0, self.played.horizon - self.turn.turn)

    @property
    def own_value(self) -> float | None:
        """What the package that was put down is worth to the player."""
        return None if self.own.offer is None else self.position.held - self.own.step

    @property
    def overbid(self) -> float:
        """By how much the player offered to do worse than what they asked; 0 where it did not."""
        at = self.position
        if self.own_value is None or at.standing is None:
            return 0.0
        beyond = at.standing - self.own_value
        return beyond if beyond > self.tick / 2 else 0.0

    @property
    def standing_inside(self) -> float | None:
        """How far within the player's walk-away their package stands; ``None`` where it does not."""
        at = self.position
        return at.standing - at.floor if at.standing is not None and at.standing >= at.floor else None

    @property
    def gave(self) -> bool:
        """Whether the move gave something by price or terms, against the player's last package."""
        return not self.opening and self.own.offer is not None and self.own.step > self.tick / 2

    @property
    def stayed(self) -> bool:
        """Whether the player's package stayed what it was worth."""
        return not self.opening and (self.own.offer is None or abs(self.own.step) <= self.tick / 2)

    @property
    def less(self) -> float:
        """By how much the better move gives less, as a share of the usual room; below zero where it gives more."""
        return (self.own.step - self.better.step) / self.played.scenario.nominal_width

    @property
    def theirs_moved(self) -> bool:
        """Whether their last offer was better for the player than the one before."""
        return self.their_last_step is not None and self.their_last_step > self.tick / 2

    @property
    def both_offer(self) -> bool:
        """Whether the better move leaves a package on the table, so that steps can be compared."""
        return self.better.offer is not None

    @property
    def next_step(self) -> float:
        """What to give next: what the better move gives, and never more than a tenth of the room."""
        return min(max(0.0, self.better.step), TENTH * self.room)

    @property
    def next_offer(self) -> float | None:
        """The price of that step on the player's own terms; ``None`` where it would be no step."""
        step, scenario = self.next_step, self.played.scenario
        if self.opening or step < scenario.step:
            return None
        worths = bundle_worths(scenario.issues, self.turn.before.own.values)
        value = self.position.held - step
        return scenario.round(self.sign * (value - float(worths[self.position.bundle])))

    @property
    def held_price(self) -> float | None:
        """The player's price before this move."""
        return self.turn.before.own_offer

    @cached_property
    def acts(self) -> frozenset[str]:
        """What the words of the move were heard to do."""
        return frozenset(heard_acts(self.turn.move.words, self.played, self.turn.before))

    @property
    def asked(self) -> bool:
        return "question" in self.acts or any(each.act.startswith("ask") for each in self.turn.move.talk)

    @property
    def heat(self) -> tuple[float, float] | None:
        """Tension before and after the turn."""
        after = self.turn.after
        return None if after is None else (self.turn.before.tension, after.tension)

    @property
    def called_bluff(self) -> bool:
        """Whether the player named a limit far from its own, and was called for it."""
        claim, reply = self.turn.move.claim, self.turn.reply
        return (
            claim is not None
            and is_bluff(claim, self.turn.before.own.walk_away)
            and reply is not None
            and bool(reply.challenge)
        )

    @cached_property
    def still_since(self) -> int | None:
        """The turn since which the player's offers have been worth the same, with this one; ``None`` where it moved."""
        if not self.stayed:
            return None
        since = self.turn.turn
        values = list(self._own_values())
        for turn, value in reversed(values):
            if abs(value - self.position.held) > self.tick / 2:
                break
            since = turn
        return since

    def _own_values(self) -> Iterator[tuple[int, float]]:
        worths = bundle_worths(self.played.scenario.issues, self.turn.before.own.values)
        for each in self.played.turns:
            if each.turn < self.turn.turn and each.move.offer is not None:
                yield each.turn, self.sign * each.move.offer + float(worths[each.move.bundle])

    # -- what could be asked for -------------------------------------------------------------------

    @property
    def wish(self) -> str:
        """Something beside the price that the player could ask for in return; empty where there is nothing left."""
        scenario, seat = self.played.scenario, self.played.seat
        if scenario.issues:
            return self._wished_term()
        given = sum(
            each.reply is not None and each.reply.card == GIFT
            for each in self.played.turns
            if each.turn < self.turn.turn
        )
        left = scenario.sweeteners_of(OTHER_SEAT[seat])[given:]
        return left[0].name if left else ""

    @property
    def gift(self) -> str:
        """The player's own next sweetener; empty where there is none left."""
        given = sum(each.move.card == GIFT for each in self.played.turns if each.turn < self.turn.turn)
        left = self.played.scenario.sweeteners_of(self.played.seat)[given:]
        return left[0].name if left else ""

    def _wished_term(self) -> str:
        """The term that would bring the player most, on the issue where its own package could be better."""
        scenario, values = self.played.scenario, self.turn.before.own.values
        chosen = labels(scenario.issues, self.position.bundle)
        best, found = self.tick, ""
        for issue, worth, label in zip(scenario.issues, values, chosen, strict=True):
            place = [each.label for each in issue.options].index(label)
            for option, each in zip(issue.options, worth, strict=True):
                if each - worth[place] > best:
                    best, found = each - worth[place], f"“{option.label}”"
        return found
