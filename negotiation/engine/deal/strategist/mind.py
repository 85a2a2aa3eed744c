"""A persona's mind: one decision a turn, from what it can see.

All arithmetic is in the persona's value space (money times its sign): its own offers come down from the opening
towards its reservation, the player's climb towards the player's limit, which it does not know.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from negotiation.engine.cards import SILENCE
from negotiation.engine.deal.belief import LimitPosterior
from negotiation.engine.deal.chance import Chances, TurnDraws
from negotiation.engine.deal.persona import Persona
from negotiation.engine.deal.scenario import Scenario
from negotiation.engine.deal.strategist import aims
from negotiation.engine.deal.strategist.character import Character, is_second_order
from negotiation.engine.deal.strategist.claims import Position, Word
from negotiation.engine.deal.strategist.exchange import Exchange
from negotiation.engine.deal.strategist.hand import choose_card
from negotiation.engine.deal.strategist.impression import Impression
from negotiation.engine.deal.strategist.lookahead import Prospect, best_candidates
from negotiation.engine.deal.strategist.pace import aspiration, breakdown_probability
from negotiation.engine.deal.strategist.pressing import MIRROR_SHARPNESS, PRIOR_SPREAD
from negotiation.engine.deal.strategist.standing import SAME_WORTH, Standing
from negotiation.engine.deal.strategist.trust import Trust
from negotiation.engine.deal.strategist.types import Decision, DecisionAct, Situation
from negotiation.engine.deal.types import OTHER_SEAT, SIGN, Seat
from negotiation.engine.game_theory import prospect_value


class PersonaMind:
    """The strategist behind one opponent in one game.

    Args:
        seat: the persona's own seat.
        difficulty: in [0, 1]; .5 is the persona as described.
        worths: what each bundle of terms is worth to the persona, in money.
        chances: of this game, for the character; each turn brings its own draws.
        infers: whether it learns the player's limit from the player's offers; off, it goes by the market.
        has_case: whether there is a world to talk about: then it has to be told what the other side needs.
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
        has_case: bool = False,
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
            persona,
            scenario,
            seat,
            difficulty,
            horizon,
            stay,
            self.exchange,
            self._mine,
            infers=infers,
            has_case=has_case,
        )
        self._mirror = LimitPosterior(
            prior_mean=-self._sign * scenario.seats[seat].walk_away,
            prior_sd=PRIOR_SPREAD * self._scale,
            scale=self._scale,
            horizon=horizon,
            sharpness=MIRROR_SHARPNESS,
        )
        self._opening = self._sign * self.character.opening + self.exchange.worth(self.exchange.best_bundle())
        self._claim: float | None = None
        self._word: Word | None = None

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

    def decide(self, now: Situation, draws: TurnDraws[float]) -> Decision:
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
        card, claim, reason, rounds = choose_card(self._weighed(now, reservation, target), now, draws)
        if claim is not None:
            self._give_word(claim, reservation)
        if card == SILENCE and self._mine.value is not None:
            target = self._mine.value
        held = self._mine.value
        price, bundle = self._put(target, reservation, now.turn)
        return Decision(
            act=self._act(now, disbelieved, held),
            offer=price,
            bundle=bundle,
            card=card,
            claim=None if claim is None else self._sign * claim,
            claim_reason=reason,
            challenge=disbelieved,
            deadline_turns=rounds,
        )

    def follow(
        self, now: Situation, draws: TurnDraws[float], put: tuple[float, int] | None, claim: float | None
    ) -> None:
        """One turn that somebody else decided: take it in, and stand by the package and the floor that were put.

        Args:
            put: the price in money with its bundle of terms; ``None`` when the package stayed as it was.
            claim: the floor that was stated, in money.
        """
        reservation = self._sign * now.own.walk_away
        self._hear(now, reservation, draws)
        if claim is not None:
            self._give_word(self._sign * claim, reservation)
        if put is not None:
            self._mine.stand_at(*put)
            self._show(now.turn)

    def learn_claim_was_bluff(self) -> None:
        """It called the player's stated floor, and the floor was false."""
        self.impression.claim_was_bluff()

    def learn_claim_was_true(self, claim: float) -> None:
        """It called the player's stated floor, and the floor was true."""
        self.impression.claim_was_true(claim)

    def _hear(self, now: Situation, reservation: float, draws: TurnDraws[float]) -> tuple[float, bool]:
        """Take in the player's move: the extra movement that it buys, and whether a floor it states is called."""
        self.impression.take_in(now, reservation)
        if now.claim_called == "bluff":
            self._claim = None
        if self._word is not None:
            self._word.called |= now.claim_called == "bluff"
            self._word.news |= now.news
        self._restate(reservation)
        return self.impression.pressure(now), self.impression.weigh_claim(now, draws)

    def _give_word(self, claim: float, reservation: float) -> None:
        """It has stated a limit: that binds it, and what it states later must fit it."""
        self._claim, self._word = claim, Word(claim, reservation)

    def _restate(self, reservation: float) -> None:
        """News has overtaken its own offer: start again from a little above the new limit."""
        if self._mine.value is not None and self._mine.value < reservation:
            self._mine.restate(reservation + aims.RESTATED_ABOVE * self._scale, reservation)

    # -- deciding ----------------------------------------------------------------------------------

    def _walks_out(self, now: Situation, draws: TurnDraws[float]) -> bool:
        chance = breakdown_probability(
            self.character.temper.hazard,
            now.turn,
            self.impression.conceded,
            self._mine.conceded,
            self._scale,
            now.tension,
        )
        return draws.leave < float(chance)

    def _margin(self, now: Situation) -> float:
        """Share of the believed zone that it means to keep at the end."""
        own, heard = now.own, self.impression
        alternative = aims.WITH_ALTERNATIVE if own.has_alternative else aims.WITHOUT_ALTERNATIVE
        temper = self.character.temper
        return aims.kept_share(temper, own.urgency, alternative, heard.trust.value, heard.softened)

    def _end(self, now: Situation, reservation: float) -> float:
        """Where it means to end: its reservation plus its share of what it believes there is to share."""
        kept = self._effective(now, reservation)
        end = kept + self._margin(now) * self._believed_zone(kept)
        return end if now.talked is None else max(reservation, end - now.talked.won * self._scale)

    def _effective(self, now: Situation, reservation: float) -> float:
        """How far it goes: short of its limit while objections are open, at a table with a case."""
        if now.talked is None:
            return reservation
        is_last = now.turn - now.talked.idle >= self.character.stay
        standing = np.inf if self._mine.value is None else self._mine.value
        return aims.effective_reservation(reservation, now.talked.hold, self._scale, standing, is_last)

    def _planned(self, now: Situation, end: float, reservation: float) -> float:
        """Where its clock has brought it: with a case it stays where it is while the player puts nothing down."""
        turn = now.turn if now.talked is None else now.turn - now.talked.idle
        opening = max(self._opening, reservation)
        planned = float(aspiration(opening, end, turn, self.character.stay, self.character.curvature))
        if now.talked is None or now.talked.offered or self._mine.value is None:
            return planned
        return max(planned, self._mine.value)

    def _believed_zone(self, reservation: float) -> float:
        return max(0.0, self._believed_limit() + self.exchange.joint_gain - reservation)

    def _believed_limit(self) -> float:
        return aims.believed_limit(self.impression.limit.mean(), self._market, self.character.temper.wariness)

    def _next_offer(self, now: Situation, reservation: float, boost: float) -> float:
        end = self._end(now, reservation)
        if self._mine.value is None:
            return max(self._opening, reservation)
        held = self._mine.value
        if self._holds_first(now):
            return held
        planned = self._planned(now, end, reservation)
        temper, heard = self.character.temper, self.impression
        answered = aims.answer(held, self._persona, temper, heard.trust.value, heard.given)
        caught = aims.caught_step(held, reservation) if now.claim_called == "bluff" else 0.0
        wished = aims.wish(self._persona, planned, answered, boost, caught, held, end)
        if self._second_order:
            wished = self._second_thought(now, wished, end, reservation)
        return max(wished, self._own_floor(now, reservation))

    def _holds_first(self, now: Situation) -> bool:
        """The aggressive never concede first, until their own clock makes them (Rubinstein 1982)."""
        if self._persona.aggression < aims.FIRST_MOVER_AGGRESSION or self.impression.conceded > 0:
            return False
        clock = (self.character.stay - now.turn) / self.character.stay
        return clock > aims.waits_until(self._persona, now.own.urgency)

    def _second_thought(self, now: Situation, wished: float, end: float, reservation: float) -> float:
        """Level k = 2: choose among offers above the plan; answer what was given, and give little more."""
        held = self._mine.value if self._mine.value is not None else wished
        lowest, highest = aims.second_range(
            held,
            wished,
            end,
            self.impression.given,
            self.impression.conceded,
            self._mine.conceded,
            self.character.temper.ease,
            now.turn,
            self._scale,
        )
        mirrored = -self._mirror.mean()
        patience = aims.patience_left(self._persona, float(max(1, self.character.stay - now.turn)))
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
        if self._claim is None or now.turn >= aims.word_binds_until(float(self.character.stay)):
            return reservation
        return max(reservation, self._claim)

    def _felt(self, value: float) -> float:
        """Prospect framing: an offer above the reference feels better, one below it 2.25 times as bad."""
        if self.impression.reference is None:
            return 0.0
        return aims.felt(prospect_value((value - self.impression.reference) / self._scale), self._scale)

    def _accepts(self, now: Situation, reservation: float, target: float) -> bool:
        if now.offer is None:
            return False
        nominal = self._mine.value_of(now.offer, now.bundle)
        kept = self._effective(now, reservation)
        if nominal < kept:
            return False
        value = nominal + now.sweetened
        if value >= target or self._would_ask(now, reservation, target) <= nominal + SAME_WORTH:
            return True
        left = self.character.stay - now.turn
        if left > aims.SOON:
            return False
        end = self._end(now, reservation)
        if left > 1:
            return value + self._felt(value) >= aims.near_enough(self._persona, end, target)
        least = aims.least_share(self._margin(now), self.impression.conceded, self._scale)
        return value >= min(kept + least * self._believed_zone(kept), end)

    def _would_ask(self, now: Situation, reservation: float, target: float) -> float:
        """What the package is worth that it would put down now: nobody bids against oneself."""
        last = now.turn >= self.character.stay and self._mine.value is not None
        asked = self._end(now, reservation) if last else target
        return self._mine.value_of(*self._mine.next_package(asked, reservation))

    def _last_word(self, now: Situation, reservation: float) -> Decision:
        """Its clock has run: once a final offer, after that it leaves."""
        if now.turn > self.character.stay:
            return self._mine.decision("walk_away")
        end = self._end(now, reservation)
        final = end if now.talked is None else self._planned(now, end, reservation)
        price, bundle = self._put(final, reservation, now.turn)
        return Decision("final_offer", offer=price, bundle=bundle)

    # -- on the table ------------------------------------------------------------------------------

    def _weighed(self, now: Situation, reservation: float, target: float) -> Position:
        price, bundle = self._mine.next_package(target, reservation)
        met = -np.inf
        if now.offer is not None:
            met = max(self._sign * now.offer, self._mine.value_of(now.offer, now.bundle))
        return Position(
            character=self.character,
            trust=self.impression.trust,
            reservation=reservation,
            asks=min(self._sign * price, self._mine.value_of(price, bundle)),
            met=met,
            word=self._word,
            has_offered=self._mine.value is not None,
            left=float(self.character.stay - now.turn),
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
