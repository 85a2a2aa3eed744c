"""A persona's mind: one decision a turn, from what it can see.

All arithmetic is in the persona's value space (money times its sign): its own offers come down from the opening
towards its reservation, the player's climb towards the player's limit, which it does not know.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from negotiation.engine.deal.belief import LimitPosterior
from negotiation.engine.deal.chance import Chances, TurnDraws
from negotiation.engine.deal.persona import Persona
from negotiation.engine.deal.scenario import Scenario
from negotiation.engine.deal.strategist.character import Character, is_second_order
from negotiation.engine.deal.strategist.claims import Position
from negotiation.engine.deal.strategist.exchange import Exchange
from negotiation.engine.deal.strategist.hand import choose_card
from negotiation.engine.deal.strategist.impression import Impression
from negotiation.engine.deal.strategist.lookahead import Prospect, best_candidates
from negotiation.engine.deal.strategist.pace import aspiration, breakdown_probability
from negotiation.engine.deal.strategist.standing import Standing
from negotiation.engine.deal.strategist.trust import Trust
from negotiation.engine.deal.strategist.types import Decision, DecisionAct, Situation
from negotiation.engine.deal.types import OTHER_SEAT, SIGN, Seat
from negotiation.engine.game_theory import prospect_value

FIRST_MOVER_AGGRESSION = 0.8
RESTATED_ABOVE = 0.12
ALLOWANCE, ALLOWANCE_PER_TURN = 0.05, 0.012
"""What the Veteran may give beyond what it got, as shares of the nominal zone."""
OWED = 0.6
"""The share of a concession that even the Veteran answers at once."""
SOON = 3
"""With no more turns than this left it takes less than it would ask for."""
LEAD = 0.22
"""The share of its own plan that it moves unasked, towards a player who keeps faith."""


class PersonaMind:
    """The strategist behind one opponent in one game.

    Args:
        seat: the persona's own seat.
        difficulty: in [0, 1]; .5 is the persona as described.
        worths: what each bundle of terms is worth to the persona, in money.
        chances: of this game, for the character; each turn brings its own draws.
        infers: whether it learns the player's limit from the player's offers; off, it goes by the market.
    """

    def __init__(
        self,
        persona: Persona,
        scenario: Scenario,
        seat: Seat,
        difficulty: float,
        horizon: int,
        worths: Sequence[float],
        chances: Chances,
        *,
        infers: bool = True,
    ) -> None:
        self.character = Character.draw(persona, scenario, seat, difficulty, horizon, chances)
        self._persona = persona
        self._scenario = scenario
        self._sign = SIGN[seat]
        self._second_order = is_second_order(persona)
        self._scale = scenario.nominal_width
        self._infers = infers
        player_seat = OTHER_SEAT[seat]
        self._market = self._sign * scenario.seats[player_seat].walk_away
        self.exchange = Exchange(np.asarray(worths), scenario.nominal_worths(player_seat))
        self._mine = Standing(scenario, self._sign, self.exchange)
        stay = self.character.stay
        self.impression = Impression(
            persona, scenario, seat, difficulty, horizon, stay, self.exchange, self._mine, infers=infers
        )
        self._mirror = LimitPosterior(
            prior_mean=-self._sign * scenario.seats[seat].walk_away,
            prior_sd=0.45 * self._scale,
            scale=self._scale,
            horizon=horizon,
            sharpness=0.8,
        )
        self._opening = self._sign * self.character.opening + self.exchange.worth(self.exchange.best_bundle())
        self._claim: float | None = None
        self._last_claim: float | None = None

    @property
    def trust(self) -> Trust:
        """How far it trusts the player."""
        return self.impression.trust

    def open(self, reservation: float) -> Decision:
        """The first words. Only a persona that opens with an offer names a number."""
        if not self._persona.opens_with_offer:
            return Decision("open")
        price, bundle = self._put(self._opening, self._sign * reservation, turn=0)
        return Decision("open", offer=price, bundle=bundle)

    def decide(self, now: Situation, draws: TurnDraws) -> Decision:
        """One turn: take in what was done, then leave, challenge, accept, or answer with an offer."""
        reservation = self._sign * now.own.walk_away
        boost, disbelieved = self._hear(now, reservation, draws)
        if self._walks_out(now, draws):
            return self._mine.decision("walk_away")
        target = self._next_offer(now, reservation, boost)
        if self._accepts(now, reservation, target):
            return self._mine.decision("accept")
        if now.turn >= self.character.stay and self._mine.value is not None:
            return self._last_word(now, reservation)
        card, claim, deadline = choose_card(self._weighed(now, reservation, target), now, draws)
        if claim is not None:
            self._claim = self._last_claim = claim
        if card == "silence" and self._mine.value is not None:
            target = self._mine.value
        held = self._mine.value
        price, bundle = self._put(target, reservation, now.turn)
        return Decision(
            act=self._act(now, disbelieved, held),
            offer=price,
            bundle=bundle,
            card=card,
            claim=None if claim is None else self._sign * claim,
            challenge=disbelieved,
            deadline_turns=deadline,
        )

    def follow(
        self, now: Situation, draws: TurnDraws, put: tuple[float, int] | None, claim: float | None
    ) -> None:
        """One turn that somebody else decided: take it in, and stand by the package and the floor that were put.

        Args:
            put: the price in money with its bundle of terms; ``None`` when the package stayed as it was.
            claim: the floor that was stated, in money.
        """
        reservation = self._sign * now.own.walk_away
        self._hear(now, reservation, draws)
        if claim is not None:
            self._claim = self._last_claim = self._sign * claim
        if put is not None:
            self._mine.stand_at(*put)
            self._show(now.turn)

    def learn_claim_was_bluff(self) -> None:
        """It called the player's stated floor, and the floor was false."""
        self.impression.claim_was_bluff()

    def learn_claim_was_true(self, claim: float) -> None:
        """It called the player's stated floor, and the floor was true."""
        self.impression.claim_was_true(claim)

    def _hear(self, now: Situation, reservation: float, draws: TurnDraws) -> tuple[float, bool]:
        """Take in the player's move: the extra movement that it buys, and whether a floor it states is called."""
        self.impression.take_in(now, reservation)
        if now.claim_called == "bluff":
            self._claim = None
        self._restate(reservation)
        return self.impression.pressure(now), self.impression.weigh_claim(now, draws)

    def _restate(self, reservation: float) -> None:
        """News has overtaken its own offer: start again from a little above the new limit."""
        if self._mine.value is not None and self._mine.value < reservation:
            self._mine.restate(reservation + RESTATED_ABOVE * self._scale, reservation)

    # -- deciding ----------------------------------------------------------------------------------

    def _walks_out(self, now: Situation, draws: TurnDraws) -> bool:
        chance = breakdown_probability(
            self.character.hazard,
            now.turn,
            self.impression.conceded,
            self._mine.conceded,
            self._scale,
            now.tension,
        )
        return draws.leave < float(chance)

    def _margin(self, now: Situation) -> float:
        """Share of the believed zone that it means to keep at the end."""
        own = now.own
        margin = (
            self.character.margin - 0.18 * (own.urgency - 0.45) + (0.04 if own.has_alternative else -0.02)
        )
        margin *= 1.0 + self.character.warmth * (0.9 - 2.0 * self.impression.trust.value)
        return float(min(0.92, max(0.05, margin * (1 - 1.6 * self.impression.softened))))

    def _end(self, now: Situation, reservation: float) -> float:
        """Where it means to end: its reservation plus its share of what it believes there is to share."""
        return reservation + self._margin(now) * self._believed_zone(reservation)

    def _believed_zone(self, reservation: float) -> float:
        return max(0.0, self._believed_limit() + self.exchange.joint_gain - reservation)

    def _believed_limit(self) -> float:
        """The player's limit as it goes into decisions.

        Toughness is also a way of being read: the wary take only part of what it suggests.
        """
        mean = self.impression.limit.mean()
        if mean >= self._market:
            return mean
        return mean + self.character.wariness * (self._market - mean)

    def _next_offer(self, now: Situation, reservation: float, boost: float) -> float:
        end = self._end(now, reservation)
        opening = max(self._opening, reservation)
        if self._mine.value is None:
            return max(opening, reservation)
        held = self._mine.value
        if self._holds_first(now):
            return held
        planned = float(aspiration(opening, end, now.turn, self.character.stay, self.character.curvature))
        given = max(0.0, self.impression.given)
        answered = held - self._reciprocity() * given
        weight = self._persona.behaviour_weight
        wished = (1 - weight) * planned + weight * answered - boost - self._caught_step(now, reservation)
        wished = min(held, max(wished, min(end, held)))
        if self._second_order:
            wished = self._second_thought(now, wished, end, reservation)
        return max(wished, self._own_floor(now, reservation))

    def _reciprocity(self) -> float:
        trusted = 1 + 0.6 * self.character.warmth * (self.impression.trust.value - 0.35)
        return self._persona.reciprocity * self.character.ease * trusted

    def _caught_step(self, now: Situation, reservation: float) -> float:
        if now.claim_called != "bluff" or self._mine.value is None:
            return 0.0
        return 0.18 * max(0.0, self._mine.value - reservation)

    def _holds_first(self, now: Situation) -> bool:
        """The aggressive never concede first, until their own clock makes them (Rubinstein 1982)."""
        if self._persona.aggression < FIRST_MOVER_AGGRESSION or self.impression.conceded > 0:
            return False
        clock = (self.character.stay - now.turn) / self.character.stay
        return clock > 0.25 + 0.5 * self._persona.patience - 0.15 * now.own.urgency

    def _second_thought(self, now: Situation, wished: float, end: float, reservation: float) -> float:
        """Level k = 2: choose among offers above the plan; answer what was given, and give little more."""
        held = self._mine.value if self._mine.value is not None else wished
        allowance = (ALLOWANCE + ALLOWANCE_PER_TURN * now.turn) * self._scale
        budget = 0.95 * self.impression.conceded + self.character.ease * allowance - self._mine.conceded
        lowest = max(wished, held - max(0.0, budget))
        owed = OWED * self.character.ease * max(0.0, self.impression.given)
        in_good_faith = self.impression.conceded >= OWED * self._mine.conceded
        lead = LEAD * self.character.ease * (held - wished) if in_good_faith else 0.0
        highest = max(held - owed - lead, lowest, min(end, held))
        mirrored = -self._mirror.mean()
        turns_left = max(1, self.character.stay - now.turn)
        patience = float(np.power(self._persona.patience, 1.0 / turns_left))
        limits, mass = self.impression.limit.density()
        prospect = Prospect(
            highest=np.array([highest]),
            lowest=np.array([lowest]),
            reservation=np.array([reservation]),
            target=np.array([end]),
            limits=limits[None],
            mass=mass[None],
            mirrored=np.array([mirrored]),
            patience=np.array([patience]),
            joint_gain=np.array([self.exchange.joint_gain]),
            scale=self._scale,
        )
        return float(best_candidates(prospect)[0])

    def _own_floor(self, now: Situation, reservation: float) -> float:
        """It keeps to a floor that it has stated, until its own clock has nearly run."""
        if self._claim is None or now.turn >= 0.8 * self.character.stay:
            return reservation
        return max(reservation, self._claim)

    def _felt(self, value: float) -> float:
        """Prospect framing: an offer above the reference feels better, one below it 2.25 times as bad."""
        if self.impression.reference is None:
            return 0.0
        return (
            0.03
            * self._scale
            * float(np.clip(prospect_value((value - self.impression.reference) / self._scale), -1, 1))
        )

    def _accepts(self, now: Situation, reservation: float, target: float) -> bool:
        if now.offer is None:
            return False
        nominal = self._mine.value_of(now.offer, now.bundle)
        if nominal < reservation:
            return False
        value = nominal + now.sweetened
        if value >= target:
            return True
        left = self.character.stay - now.turn
        if left > SOON:
            return False
        end = self._end(now, reservation)
        if left > 1:
            patience = 0.9 + 0.1 * self._persona.patience
            return value + self._felt(value) >= end + (1 - patience) * (target - end)
        fair = reservation + self._least_share(now) * self._believed_zone(reservation)
        return value >= min(fair, end)

    def _least_share(self, now: Situation) -> float:
        """What it must get on the last turn to sign rather than leave; good faith makes it kinder."""
        good_faith = min(1.0, self.impression.conceded / (0.5 * self._scale))
        return self._margin(now) * (0.95 - 0.28 * good_faith)

    def _last_word(self, now: Situation, reservation: float) -> Decision:
        """Its clock has run: once a final offer, after that it leaves."""
        if now.turn > self.character.stay:
            return self._mine.decision("walk_away")
        price, bundle = self._put(self._end(now, reservation), reservation, now.turn)
        return Decision("final_offer", offer=price, bundle=bundle)

    # -- on the table ------------------------------------------------------------------------------

    def _weighed(self, now: Situation, reservation: float, target: float) -> Position:
        return Position(
            character=self.character,
            trust=self.impression.trust,
            reservation=reservation,
            offer=target,
            player=self.impression.limit,
            doubts=self.impression.doubts,
            standing=now.hand.standing,
            last_claim=self._last_claim,
            has_offered=self._mine.value is not None,
            scale=self._scale,
            step=self._scenario.step,
        )

    def _put(self, value: float, reservation: float, turn: int) -> tuple[float, int]:
        price, bundle = self._mine.put(value, reservation)
        self._show(turn)
        return price, bundle

    def _show(self, turn: int) -> None:
        """What its own package tells the player about it, as the second-order mind sees it."""
        if self._infers and self._second_order and self._mine.value is not None:
            self._mirror.observe_offer(-self._mine.value, turn)

    def _act(self, now: Situation, disbelieved: bool, held: float | None) -> DecisionAct:
        if now.claim_called is not None:
            return (
                "answer_claim_challenge_bluff"
                if now.claim_called == "bluff"
                else "answer_claim_challenge_true"
            )
        if disbelieved:
            return "challenge_claim"
        if now.absurd:
            return "answer_absurd"
        return "hold" if held is not None and self._mine.value == held else "counter"
