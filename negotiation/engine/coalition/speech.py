"""From a persona's decision to its words at a table of three; every figure in them is one that was decided.

A line is a word on what was just heard, then the move, then perhaps a claim. No line comes twice in a game, and
a thought comes back only when its pool is used up.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from negotiation.engine.coalition.scenario import CoalitionScenario
from negotiation.engine.coalition.types import (
    EVERYONE,
    SEATS,
    Action,
    Coalition,
    Observation,
    Proposal,
    Seat,
    Standing,
)
from negotiation.engine.language import Voice, understand
from negotiation.engine.language.types import format_money
from negotiation.engine.personas import LINES_OF_THREE, table

_HEARD: Final[dict[str, tuple[str, ...]]] = {
    "react_hard": ("threat", "insult", "deadline"),
    "react_question": ("question",),
    "react_soft": ("empathy", "thanks", "concede"),
}
_TRIES: Final = 40

Pools = dict[str, list[str]]


def pools(voice: Voice) -> Pools:
    """All lines of one voice by what they are for."""
    return table(voice, LINES_OF_THREE)


class Speaker:
    """One persona's voice for one game, and what it has said in it."""

    def __init__(
        self, voice: Voice, seat: Seat, scenario: CoalitionScenario, people: Coalition, said: set[str]
    ) -> None:
        self._pools = pools(voice)
        self._seat = seat
        self._scenario = scenario
        self._people = people
        self._said = said
        self._uses: dict[str, int] = {}

    def say(self, action: Action, observation: Observation, rng: np.random.Generator) -> str:
        """Words for ``action``, decided at ``observation``; never a line that was said before."""
        keys = [*self._reactions(action, observation), self._move(action, observation)]
        if action.claim is not None:
            keys.append("claim_sell" if self._seat == "seller" else "claim_buy")
        values = self._values(action, observation)
        for _ in range(_TRIES):
            parts = [self._pick(key, rng) for key in keys]
            line = " ".join(part.format_map(values) for part in parts)
            if line not in self._said:
                break
            if len(keys) < 4:
                keys.append("wait")
        for part in parts:
            self._uses[part] = self._uses.get(part, 0) + 1
        self._said.add(line)
        return line

    def _pick(self, key: str, rng: np.random.Generator) -> str:
        lines = self._pools[key]
        least = min(self._uses.get(line, 0) for line in lines)
        fresh = [line for line in lines if self._uses.get(line, 0) == least]
        return fresh[int(rng.integers(len(fresh)))]

    def _reactions(self, action: Action, observation: Observation) -> Iterator[str]:
        """What is worth a word since its last turn: what a person said, or being left out; nothing when it closes."""
        if action.support is not None or action.walk_away:
            return
        mine = [entry.number for entry in observation.entries if entry.seat == self._seat]
        heard = [entry for entry in observation.entries if entry.number > max(mine, default=0)]
        acts: set[str] = set()
        for entry in heard:
            if entry.seat in self._people and entry.text:
                seat = "seller" if entry.seat == "seller" else "buyer"
                acts |= set(understand(entry.text, money=self._scenario.money, seat=seat).acts)  # type: ignore[arg-type]
        keys = [key for key, causes in _HEARD.items() if acts.intersection(causes)]
        if any(entry.proposal is not None and self._seat not in entry.proposal.members for entry in heard):
            keys.append("react_left_out")
        # What was answered in every way that one knows is not answered again.
        yield from [key for key in keys if any(line not in self._uses for line in self._pools[key])][:1]

    def _move(self, action: Action, observation: Observation) -> str:
        if action.walk_away:
            return "walk"
        if action.support is not None:
            offer = _offer(observation, action.support)
            return "support_waits" if self._waiting(offer) is not None else "support_closes"
        if action.proposal is None:
            return "hold" if any(self._seat in offer.supporters for offer in observation.standing) else "wait"
        side = "sell" if self._seat == "seller" else "buy"
        if action.proposal.members == EVERYONE:
            return f"whole_{side}"
        return f"pair_{side}" if "seller" in action.proposal.members else "depot"

    def _values(self, action: Action, observation: Observation) -> dict[str, str]:
        money, seats = self._scenario.money, self._scenario.seats
        values = {"a": seats["buyer_a"].short, "b": seats["buyer_b"].short}
        if action.support is not None:
            waiting = self._waiting(_offer(observation, action.support))
            values["waiting"] = seats[waiting].short if waiting else ""
        if action.proposal is not None:
            values |= self._payments(action.proposal)
        if action.claim is not None:
            values["rival"] = seats[action.claim.rival].short
            values["claim"] = format_money(action.claim.price, money)
        return values

    def _payments(self, proposal: Proposal) -> dict[str, str]:
        money, seats = self._scenario.money, self._scenario.seats
        whole = proposal.members == EVERYONE
        partner = next(
            s for s in SEATS if s in proposal.members - {self._seat} and not (whole and s == "seller")
        )
        third = next((s for s in SEATS if s not in proposal.members), None)
        own = proposal.money if self._seat == "seller" else proposal.pay_of(self._seat)
        return {
            "who": seats[partner].short,
            "third": seats[third].short if third else "",
            "own": format_money(own, money),
            "theirs": format_money(proposal.pay_of(partner), money),
            "pay_a": format_money(proposal.pay_of("buyer_a"), money),
            "pay_b": format_money(proposal.pay_of("buyer_b"), money),
        }

    def _waiting(self, offer: Standing) -> Seat | None:
        """Who else would still have to agree, once the speaker has."""
        left = offer.proposal.members - offer.supporters - {self._seat}
        return next((seat for seat in SEATS if seat in left), None)


def _offer(observation: Observation, number: int) -> Standing:
    return next(offer for offer in observation.standing if offer.number == number)
