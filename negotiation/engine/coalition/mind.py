"""A persona's mind at a table of three. It sees what its seat sees, and decides; words are found elsewhere.

Each turn it weighs every standing proposal that it may support against the best proposal that it can think of, by
``P(the others agree) * gain + (1 - P) * what waiting is worth``. Waiting is worth what it holds out for, less the risk that
the other two close without it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from negotiation.engine.coalition.belief import Belief, before_the_bell, typical_demand
from negotiation.engine.coalition.scenario import Array, CoalitionScenario
from negotiation.engine.coalition.temper import Temper
from negotiation.engine.coalition.types import (
    BUYERS,
    COALITIONS,
    EVERYONE,
    SEAT_INDEX,
    SEATS,
    Action,
    Claim,
    Coalition,
    Entry,
    Observation,
    Proposal,
    Seat,
    Standing,
    arrangement_of,
)
from negotiation.engine.coalition.worth import gross, own_payoff, payoff
from negotiation.engine.deal.persona import Persona
from negotiation.engine.deal.strategist.trust import START, Trust
from negotiation.engine.language import understand

_GRID = 26
_LEAST = 0.25
"""Payments are looked for from this share of their worth to the payer up to all of it."""
_BASE_RISK = 0.03
_WORTH_SAYING = 0.03
"""A proposal with less of a chance is made only to be heard at all: it mostly tells the others what one hopes for."""
_STEP = 0.05
"""Share of the whole that it must have come down by to say so when there is little hope either way."""
_SIDES = 0.35
"""How far trust in partners tilts the choice of a coalition, times reciprocity."""
_INSISTS = 0.75
"""Share of what a seat asks in its own proposal that it is taken to insist on."""
_NEARLY = 0.92
"""Share of its next ask that it takes when it is offered."""
_GIVES = 0.5
"""How far trust lowers what it holds out for, times reciprocity."""
_GRUDGE = 3.0
"""How far distrust raises it: who kept the others waiting with nothing does not get away with a last word."""


@dataclass(frozen=True, slots=True)
class Option:
    """One thing to do: what it gains if it works, and the chance that it does."""

    action: Action
    members: Coalition
    gain: float
    chance: float

    def value(self, waiting: float) -> float:
        """Expected gain when a failure leaves ``waiting``."""
        return self.chance * self.gain + (1 - self.chance) * waiting


class Mind:
    """One persona in one seat for one game. ``observation`` is its only source of knowledge."""

    def __init__(
        self,
        persona: Persona,
        scenario: CoalitionScenario,
        observation: Observation,
        rng: np.random.Generator,
    ) -> None:
        self.persona = persona
        self.seat = observation.seat
        self._scenario = scenario
        self._own = observation.own
        self._temper = Temper.draw(persona, scenario.horizon, rng)
        self._belief = Belief(scenario, self.seat, observation.own, persona.tom_depth, rng)
        self._trust = {seat: Trust() for seat in SEATS if seat != self.seat}
        self._claims: dict[Seat, Claim] = {}
        self._offers: dict[int, Proposal] = {}
        self._best_from: dict[Seat, float] = {}
        self._seen = 0

    def decide(self, observation: Observation, rng: np.random.Generator) -> Action:
        """This turn's action, without its words."""
        self._take_in(observation)
        waiting = self._worth_of_waiting(observation)
        options = [*self._supports(observation), *self._worth_proposing(observation, waiting)]
        kept = self._kept(observation)
        if kept is not None:
            options.append(kept)
        if not options:
            leave = observation.round > self._temper.stay and len(observation.present) == 2
            return Action(walk_away=leave)
        best = max(options, key=lambda option: option.value(waiting) * self._likes(option.members))
        proposal = best.action.proposal
        if proposal is None:
            return best.action
        if any(offer.by == self.seat and offer.proposal == proposal for offer in observation.standing):
            return Action()
        return self._dress(proposal, observation, rng)

    # -- taking in what happened ---------------------------------------------------------------------

    def _take_in(self, observation: Observation) -> None:
        for entry in observation.entries:
            if entry.number <= self._seen:
                continue
            self._seen = entry.number
            if entry.proposal is not None:
                self._offers[entry.number] = entry.proposal
            if entry.seat != self.seat:
                self._judge(entry, observation)

    def _judge(self, entry: Entry, observation: Observation) -> None:
        """What one turn of another seat says of it: its stake, its good will, its other offers."""
        signed = entry.proposal
        if signed is None and entry.support is not None:
            signed = self._offers.get(entry.support)
        acts: list[str] = []
        step = 0.0
        if signed is not None:
            self._belief.observe(entry, signed, observation.horizon)
            if self.seat in signed.members:
                gain = own_payoff(self._own, self.seat, signed)
                before = self._best_from.get(entry.seat)
                step = 0.0 if before is None else (gain - before) / self._belief.scale
                self._best_from[entry.seat] = max(gain, before if before is not None else gain)
            elif entry.to is None:
                acts.append("stonewalling")
        elif entry.support is None and not any(entry.seat in o.supporters for o in observation.standing):
            acts.append("stonewalling")
        if entry.text:
            seat = "seller" if entry.seat == "seller" else "buyer"
            acts += understand(entry.text, money=self._scenario.money, seat=seat).acts  # type: ignore[arg-type]
        if entry.claim is not None:
            self._hear(entry.seat, entry.claim, acts)
        self._trust[entry.seat].observe(acts, step)

    def _hear(self, speaker: Seat, claim: Claim, acts: list[str]) -> None:
        """A claim about oneself can be checked; one about the third is believed as far as one is shallow."""
        if claim.rival != self.seat:
            self._claims[speaker] = claim
            return
        made = any(
            offer.members == {speaker, self.seat} and offer.money == claim.price
            for offer in self._offers.values()
        )
        if not made:
            acts.append("caught_bluffing")

    # -- what is to be had ---------------------------------------------------------------------------

    def _holds_out_for(self, round_: int) -> float:
        return self._temper.holds_out_for(round_) * self._belief.own_share()

    def _asks_for(self, observation: Observation) -> float:
        hurry = before_the_bell(observation.round, observation.horizon)
        return self._holds_out_for(observation.round) * hurry

    def _patience_with(self, members: Coalition) -> float:
        """Factor on what it asks of these partners: less of those who were good to it, more of one who was not."""
        good = max(0.0, self._trust_in(members) - START)
        return 1 + self.persona.reciprocity * (_GRUDGE * self._grudge(members) - _GIVES * good)

    def _grudge(self, members: Coalition) -> float:
        """How far the least trusted of these partners has fallen, from 0 to all the trust one starts with."""
        return max(0.0, START - min(self._trust[seat].value for seat in members - {self.seat}))

    def _likes(self, members: Coalition) -> float:
        """Factor on what it expects of a deal with these partners."""
        return 1 + _SIDES * self.persona.reciprocity * (self._trust_in(members) - START)

    def _trust_in(self, members: Coalition) -> float:
        partners = members - {self.seat}
        return sum(self._trust[seat].value for seat in partners) / len(partners)

    def _worth_of_waiting(self, observation: Observation) -> float:
        """What it can hope for by not closing now, given the risk that the others close, or that time is up."""
        left = observation.horizon - observation.round
        hope = self._holds_out_for(observation.round + 1)
        return hope * (1 - self._risk(observation)) * (1 - 2.0**-left)

    def _risk(self, observation: Observation) -> float:
        """Chance that the other two close without it before its next turn."""
        risk = _BASE_RISK
        for offer in observation.standing:
            if self.seat in offer.proposal.members:
                continue
            pays = {seat: np.array([pay]) for seat, pay in offer.proposal.pays}
            demands = {seat: self._demand(seat, observation, offer) for seat in offer.proposal.members}
            waiting = offer.proposal.members - offer.supporters
            risk = max(
                risk, float(self._belief.acceptance(offer.proposal.members, pays, demands, waiting)[0])
            )
        return risk

    def _demand(self, seat: Seat, observation: Observation, apart: Standing | None = None) -> Array:
        """What ``seat`` asks for, in each draw: its typical demand, or more where it asks, has or claims more."""
        demand = typical_demand(self._belief.shapley[seat], observation.round, observation.horizon)
        for offer in observation.standing:
            if offer.by == seat:
                demand = np.maximum(demand, _INSISTS * payoff(self._belief.draws, seat, offer.proposal))
            elif offer is not apart and offer.by != self.seat and seat in offer.proposal.members:
                bid = payoff(self._belief.draws, seat, offer.proposal)
                demand = np.maximum(demand, self.persona.tom_depth * bid)
        claim = self._claims.get(seat)
        if claim is not None:
            pair = frozenset({seat, claim.rival})
            flow = claim.price if seat == "seller" else -claim.price
            said = gross(self._belief.draws, seat, pair) + flow
            demand = np.maximum(demand, (1 - self.persona.tom_depth) * said)
        return np.asarray(demand)

    # -- options -------------------------------------------------------------------------------------

    def _supports(self, observation: Observation) -> Iterator[Option]:
        """Takes a little less than it would ask for next; less still where the others may close without it."""
        following = self._holds_out_for(observation.round + 1) * (1 - self._risk(observation))
        bell = before_the_bell(observation.round, observation.horizon)
        for offer in observation.standing:
            members = offer.proposal.members
            if (
                self.seat not in members
                or self.seat in offer.supporters
                or not members <= observation.present
            ):
                continue
            gain = own_payoff(self._own, self.seat, offer.proposal)
            hurry = max(bell, self._grudge(members) / START)
            if gain > 0 and gain >= _NEARLY * self._patience_with(members) * following * hurry:
                yield Option(Action(support=offer.number), members, gain, self._chance(offer, observation))

    def _kept(self, observation: Observation) -> Option | None:
        """To leave one's own word as it stands: said anew only when something better is at hand."""
        for offer in observation.standing:
            if self.seat in offer.supporters:
                gain = own_payoff(self._own, self.seat, offer.proposal)
                if gain >= self._asks_for(observation) * 0.98:
                    chance = self._chance(offer, observation)
                    return Option(Action(), offer.proposal.members, gain, chance)
        return None

    def _chance(self, offer: Standing, observation: Observation) -> float:
        waiting = offer.proposal.members - offer.supporters - {self.seat}
        if not self._can_answer(waiting, observation):
            return 0.0
        pays = {seat: np.array([pay]) for seat, pay in offer.proposal.pays}
        demands = {seat: self._demand(seat, observation, offer) for seat in waiting}
        return float(self._belief.acceptance(offer.proposal.members, pays, demands, waiting)[0])

    def _worth_proposing(self, observation: Observation, waiting: float) -> list[Option]:
        """Proposals with a chance; without any, the likeliest one, if it has nothing on the table or has come down far."""
        asked = self._asks_for(observation)
        options = list(self._proposals(observation, asked, waiting))
        hopeful = [option for option in options if option.chance >= _WORTH_SAYING]
        if hopeful or not options:
            return hopeful
        own = [offer for offer in observation.standing if self.seat in offer.supporters]
        if own and own_payoff(self._own, self.seat, own[0].proposal) - asked < _STEP * self._belief.scale:
            return []
        return [max(options, key=lambda option: option.chance)]

    def _proposals(self, observation: Observation, asked: float, waiting: float) -> Iterator[Option]:
        """The best division for each coalition at hand, among those that leave what it holds out for."""
        for members in COALITIONS:
            others = members - {self.seat}
            at_hand = self.seat in members and members <= observation.present
            if not at_hand or not self._can_answer(others, observation):
                continue
            pays = self._grid(members)
            own = getattr(self._own, arrangement_of(members))
            money = np.sum(list(pays.values()), axis=0)
            gain = own + (money if self.seat == "seller" else -pays[self.seat])
            kept = gain >= max(asked * self._patience_with(members), self._scenario.step)
            if not kept.any():
                continue
            pays, gain = {seat: pay[kept] for seat, pay in pays.items()}, gain[kept]
            demands = {seat: self._demand(seat, observation) for seat in others}
            chance = self._belief.acceptance(members, pays, demands, others)
            best = int(np.argmax(chance * (gain - waiting) + 1e-9 * chance))
            proposal = Proposal.of(members, **{seat: float(pay[best]) for seat, pay in pays.items()})
            yield Option(Action(proposal=proposal), members, float(gain[best]), float(chance[best]))

    def _can_answer(self, others: Coalition, observation: Observation) -> bool:
        """In the last round, only those who have yet to act."""
        return observation.round < observation.horizon or all(
            SEAT_INDEX[other] > SEAT_INDEX[self.seat] for other in others
        )

    def _grid(self, members: Coalition) -> dict[Seat, Array]:
        """Payments to choose among: all pairs of figures where both buyers pay, one row each otherwise."""
        payers = [seat for seat in BUYERS if seat in members]
        step = self._scenario.step
        figures = {}
        for seat in payers:
            value = self._belief.expected(gross(self._belief.draws, seat, members))
            figures[seat] = np.round(np.linspace(_LEAST * value, value, _GRID) / step) * step
        if members == EVERYONE:
            one, two = np.meshgrid(figures["buyer_a"], figures["buyer_b"], indexing="ij")
            return {"buyer_a": one.ravel(), "buyer_b": two.ravel()}
        if len(payers) == 2:
            cost = self._scenario.depot_cost
            first = figures["buyer_a"][figures["buyer_a"] <= cost]
            return {"buyer_a": first, "buyer_b": cost - first}
        return figures

    # -- how it is put -------------------------------------------------------------------------------

    def _dress(self, proposal: Proposal, observation: Observation, rng: np.random.Generator) -> Action:
        """Whether to say it in private, and with which claim of a better offer elsewhere."""
        members = proposal.members
        draw = rng.random(3)
        others = members - {self.seat}
        private = (
            len(members) == 2
            and len(observation.present) == 3
            and draw[0] < 0.15 + 0.5 * self.persona.bluff_rate
        )
        to = next(iter(others)) if private else None
        claim = None
        left_out = EVERYONE - members
        if (
            len(left_out) == 1
            and left_out <= observation.present
            and draw[1] < 0.35 + 0.4 * self.persona.aggression
        ):
            claim = self._claim(
                next(iter(left_out)), observation, proposal, bool(draw[2] < self.persona.bluff_rate)
            )
        return Action(to=to, proposal=proposal, claim=claim)

    def _claim(self, rival: Seat, observation: Observation, asks: Proposal, bluffs: bool) -> Claim | None:
        """The rival's standing offer where there is one; a bluffer makes one up a little better than what it asks."""
        for offer in observation.standing:
            if offer.by == rival and offer.proposal.members == {rival, self.seat}:
                return Claim(rival, self._own_price(offer.proposal))
        if not bluffs:
            return None
        pair = frozenset({self.seat, rival})
        gain = 0.97 * own_payoff(self._own, self.seat, asks)
        value = getattr(self._own, arrangement_of(pair))
        price = gain - value if self.seat == "seller" else value - gain
        step = self._scenario.step
        return Claim(rival, round(price / step) * step) if price > step else None

    def _own_price(self, proposal: Proposal) -> float:
        return proposal.money if self.seat == "seller" else proposal.pay_of(self.seat)
