"""The rules of a table for three: whose turn it is, what stands on it, when a deal is closed.

Seats act in turn from the seller on, once a round. Each has at most one proposal on the table and stands behind at most
one; a new one of either replaces the old. A deal closes when all its members stand behind the same proposal.
"""

from __future__ import annotations

from dataclasses import replace

from negotiation.engine.coalition.checks import check_action
from negotiation.engine.coalition.scenario import Array, CoalitionScenario
from negotiation.engine.coalition.types import (
    EVERYONE,
    SEATS,
    Action,
    Coalition,
    EndReason,
    Entry,
    Observation,
    Proposal,
    Seat,
    Standing,
)
from negotiation.engine.coalition.worth import stake_of
from negotiation.engine.deal.errors import ActionRefused


class Table:
    """One game in progress. ``stakes`` is its hidden truth, shape (seat, arrangement)."""

    def __init__(self, scenario: CoalitionScenario, stakes: Array) -> None:
        self.scenario = scenario
        self.stakes = stakes
        self.own = {seat: stake_of(stakes, seat) for seat in SEATS}
        self.present: Coalition = EVERYONE
        self.entries: list[Entry] = []
        self.standing: dict[int, Standing] = {}
        self.round = 1
        self.to_move: Seat | None = SEATS[0]
        self.reason: EndReason | None = None
        self.agreement: Proposal | None = None

    @property
    def done(self) -> bool:
        """Whether the game has ended."""
        return self.reason is not None

    def observe(self, seat: Seat) -> Observation:
        """What ``seat`` may know; nothing else of the table ever reaches it."""
        seen = [o for o in self.standing.values() if o.to is None or seat in (o.by, o.to)]
        return Observation(
            seat=seat,
            own=self.own[seat],
            round=min(self.round, self.scenario.horizon),
            horizon=self.scenario.horizon,
            turn=len(self.entries),
            to_move=self.to_move,
            present=self.present,
            entries=tuple(entry for entry in self.entries if entry.visible_to(seat)),
            standing=tuple(sorted(seen, key=lambda offer: offer.number)),
            depot_cost=self.scenario.depot_cost,
        )

    def check(self, seat: Seat, action: Action) -> None:
        """Raise ``ActionRefused`` when ``seat`` cannot take this turn now; change nothing."""
        if self.done:
            raise ActionRefused("game_over", "This deal is over.", None)
        if seat != self.to_move:
            raise ActionRefused("not_your_turn", "It is somebody else's turn.", None)
        check_action(action, seat, self.own[seat], self.scenario, self.present, self.standing)

    def take(self, seat: Seat, action: Action) -> Entry:
        """Take ``seat``'s turn."""
        self.check(seat, action)
        entry = Entry(
            number=len(self.entries) + 1,
            round=self.round,
            seat=seat,
            text=action.text,
            to=action.to,
            proposal=action.proposal,
            support=action.support,
            claim=action.claim,
            walk_away=action.walk_away,
        )
        self.entries.append(entry)
        if action.proposal is not None:
            self._propose(entry, action.proposal)
        elif action.support is not None:
            self._support(seat, action.support)
        elif action.walk_away:
            self._leave(seat)
        self._close_or_pass_on(seat)
        return entry

    def _propose(self, entry: Entry, proposal: Proposal) -> None:
        self._stand_back(entry.seat)
        self.standing[entry.number] = Standing(
            entry.number, entry.seat, entry.to, entry.round, proposal, frozenset({entry.seat})
        )

    def _support(self, seat: Seat, number: int) -> None:
        self._stand_back(seat)
        offer = self.standing[number]
        self.standing[number] = replace(offer, supporters=offer.supporters | {seat})

    def _stand_back(self, seat: Seat) -> None:
        """One cannot stand behind two proposals; one's own falls with one's support."""
        self.standing = {
            n: replace(offer, supporters=offer.supporters - {seat})
            for n, offer in self.standing.items()
            if offer.by != seat
        }

    def _leave(self, seat: Seat) -> None:
        self.present = self.present - {seat}
        self._stand_back(seat)
        self.standing = {n: o for n, o in self.standing.items() if o.proposal.members <= self.present}

    def _close_or_pass_on(self, seat: Seat) -> None:
        for offer in self.standing.values():
            if offer.supporters == offer.proposal.members:
                self.reason, self.agreement, self.to_move = "agreed", offer.proposal, None
                return
        if len(self.present) < 2:
            self.reason, self.to_move = "nobody_left", None
            return
        self._pass_on(seat)

    def _pass_on(self, seat: Seat) -> None:
        for step in range(1, len(SEATS) + 1):
            following = SEATS[(SEATS.index(seat) + step) % len(SEATS)]
            if following == SEATS[0]:
                self.round += 1
            if following in self.present:
                self.to_move = following
                break
        if self.round > self.scenario.horizon:
            self.reason, self.to_move = "time_up", None
