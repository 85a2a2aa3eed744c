"""What a learner reads at a table for three, and the few moves that it writes.

Figures are shares of the seat's own fair value (its Shapley value, the others taken at the broker's memo), 100 for all
of it, so that every seat looks alike. ``all 120`` proposes a deal of all three that leaves it 120; ``first`` and
``second`` are a pair with the one or the other of the rest, in the order of the seats, said to that one alone.
"""

from __future__ import annotations

from negotiation.engine.coalition import (
    EVERYONE,
    SEATS,
    Action,
    Coalition,
    CoalitionScenario,
    Observation,
    Seat,
)
from negotiation.engine.coalition.strategies import Valued
from negotiation.engine.coalition.worth import own_payoff
from negotiation.opponents.protocol.grammar import Grammar, choice, literal
from trainer.domains.games import Chat

ASKS = (40, 60, 80, 100, 120, 140, 170)
"""What a proposal may leave the learner."""
WAIT, LEAVE = "wait", "leave"
SHOWN = 3
"""Proposals that may be supported, the best for the learner first."""


class Menu(Valued):
    """The moves of one seat in one game."""

    def __init__(self, scenario: CoalitionScenario, seat: Seat) -> None:
        super().__init__(scenario, seat)
        one, two = (other for other in SEATS if other != seat)
        self._groups: dict[str, Coalition] = {
            "all": EVERYONE,
            "first": frozenset({seat, one}),
            "second": frozenset({seat, two}),
        }

    def moves(self, view: Observation) -> dict[str, Action]:
        """Every move that may be taken now, by what is written for it. Waiting is always one."""
        found: dict[str, Action] = {WAIT: Action(text="I wait.")}
        for place, (number, _, _) in enumerate(self._open(view), 1):
            found[f"take {place}"] = Action(support=number)
        fair = self.shapley(view)[self._seat]
        for name, members in self._groups.items():
            for ask in ASKS:
                action = self.put(view, members, ask / 100 * fair)
                if action.proposal is not None:
                    found[f"{name} {ask}"] = Action(
                        text=action.text, proposal=action.proposal, to=self._other(members)
                    )
        return found

    def nearest(self, view: Observation, action: Action) -> str:
        """The move that comes nearest to what a strategy does."""
        if action.support is not None:
            numbers = [number for number, _, _ in self._open(view)]
            return f"take {numbers.index(action.support) + 1}" if action.support in numbers else WAIT
        if action.proposal is None:
            return WAIT
        name = next(n for n, members in self._groups.items() if members == action.proposal.members)
        gain = self._share(view, own_payoff(view.own, self._seat, action.proposal))
        return min(
            (move for move in self.moves(view) if move.split()[0] == name),
            key=lambda move: abs(int(move.split()[1]) - gain),
            default=WAIT,
        )

    def chat(self, view: Observation) -> Chat:
        """What the learner reads."""
        lines = [f"{self._seat} {view.round}/{view.horizon}"]
        mine = next((offer for offer in view.standing if offer.by == self._seat), None)
        if mine is not None:
            share = self._share(view, own_payoff(view.own, self._seat, mine.proposal))
            lines.append(f"own {self._name(mine.proposal.members)} {share} behind {len(mine.supporters)}")
        for place, (_, gain, members) in enumerate(self._open(view), 1):
            lines.append(f"{place} {self._name(members)} {self._share(view, gain)}")
        if any(self._seat in offer.supporters and offer.by != self._seat for offer in view.standing):
            lines.append("supporting")
        lines += [f"gone {seat}" for seat in SEATS if seat not in view.present]
        return [{"role": "user", "content": "\n".join(lines)}]

    def grammar(self, view: Observation) -> Grammar:
        """The moves as the decoder may write them."""
        return choice(literal(move) for move in self.moves(view))

    def _open(self, view: Observation) -> list[tuple[int, float, Coalition]]:
        """(number, own gain, members) of what may be supported at no loss, the best first."""
        found = [
            (offer.number, own_payoff(view.own, self._seat, offer.proposal), offer.proposal.members)
            for offer in view.standing
            if self._seat in offer.proposal.members and self._seat not in offer.supporters
        ]
        return sorted((one for one in found if one[1] >= 0), key=lambda one: -one[1])[:SHOWN]

    def _share(self, view: Observation, gain: float) -> int:
        """Money as a share of the own fair value, to the nearest 10."""
        return int(round(10 * gain / self.shapley(view)[self._seat]) * 10)

    def _name(self, members: Coalition) -> str:
        return next(name for name, group in self._groups.items() if group == members)

    def _other(self, members: Coalition) -> Seat | None:
        """The one partner of a pair."""
        return None if members == EVERYONE else next(iter(members - {self._seat}))
