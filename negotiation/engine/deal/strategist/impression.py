"""What a persona has made of the player so far: their limit, how far to trust them, what they gave, what anchors it.

In the persona's value space, as everything of its mind.
"""

from __future__ import annotations

from negotiation.engine.cards import CARDS, Pressed
from negotiation.engine.deal.belief import LimitPosterior
from negotiation.engine.deal.case.acts import PAID_BY_ANSWERS
from negotiation.engine.deal.chance import TurnDraws
from negotiation.engine.deal.persona import Persona
from negotiation.engine.deal.scenario import Scenario
from negotiation.engine.deal.strategist import pressing
from negotiation.engine.deal.strategist.claims import disbelief
from negotiation.engine.deal.strategist.exchange import Exchange
from negotiation.engine.deal.strategist.pace import credited
from negotiation.engine.deal.strategist.standing import Standing
from negotiation.engine.deal.strategist.trust import Trust
from negotiation.engine.deal.strategist.types import Situation
from negotiation.engine.deal.types import OTHER_SEAT, SIGN, Seat


class Impression:
    """One persona's impression of one player.

    Args:
        seat: the persona's own seat.
        difficulty: in [0, 1]; sharpens the inference.
        stay: how many turns the persona means to stay.
        exchange: what it thinks of the terms; it learns from the player's packages.
        mine: its own package.
        infers: whether it learns the player's limit from the player's offers; off, it goes by the market.
        has_case: whether the player's words tell it what they need.

    ``limit`` is its belief about the player's limit, ``conceded`` what the player has given in all, ``given`` on
    this turn as far as it counts; ``reference`` is the value it was anchored on; ``softened`` how far being caught
    has worn it down.
    """

    def __init__(
        self,
        persona: Persona,
        scenario: Scenario,
        seat: Seat,
        difficulty: float,
        horizon: int,
        stay: float,
        exchange: Exchange,
        mine: Standing,
        *,
        infers: bool,
        has_case: bool = False,
    ) -> None:
        self.trust = Trust()
        self.conceded = 0.0
        self.given = 0.0
        self.reference: float | None = None
        self.softened = 0.0
        self._persona = persona
        self._scenario = scenario
        self._sign = SIGN[seat]
        self._market = scenario.seats[OTHER_SEAT[seat]].walk_away
        self._scale = scenario.nominal_width
        self._stay = stay
        self._exchange = exchange
        self._mine = mine
        self._infers = infers
        self._heard: dict[str, int] = {}
        self.limit = LimitPosterior(
            prior_mean=self._sign * self._market,
            prior_sd=pressing.PRIOR_SPREAD * self._scale,
            scale=self._scale,
            horizon=horizon,
            sharpness=pressing.sharpness(persona, difficulty),
        )
        exchange.learn(persona.tom_depth, 0.0, self.trust.value, None, 0 if has_case else None)

    def take_in(self, now: Situation, reservation: float) -> None:
        """What the player did this turn, and what it tells."""
        self.given = self._credited(now, reservation)
        self.conceded += max(0.0, self.given)
        acts = set(now.acts)
        if now.claim_called == "true":
            acts.add("false_call")
        words = now.talked
        self.trust.observe(
            acts if words is None else acts - PAID_BY_ANSWERS,
            self.given / self._scale,
            0.0 if words is None else words.trust,
        )
        shown = now.bundle if now.offer is not None and now.fresh_offer else None
        self._exchange.learn(
            self._persona.tom_depth,
            now.turn / self._stay,
            self.trust.value,
            shown,
            None if words is None else words.needs_told,
        )
        if words is not None:
            self.given += words.credited * self._scale
            self.conceded += words.credited * self._scale
        if now.news_shift:
            self.limit.shift(self._sign * abs(self._market) * now.news_shift)
        if now.offer is not None and now.fresh_offer and not now.absurd:
            self._learn_from_offer(self._mine.revealed_by(now.offer, now.bundle), now.turn)
            if self.reference is None:
                self._anchor_on(now.offer, now.bundle)
        if now.claim_called == "bluff":
            self.softened += pressing.STEP_WHEN_CAUGHT

    def pressure(self, now: Situation) -> float:
        """Extra movement bought by a card this turn, as money in value space."""
        card = CARDS.get(now.card or "")
        if card is None:
            return 0.0
        times = self._heard[card.id] = self._heard.get(card.id, 0) + 1
        if card.anchors and now.offer is not None:
            self._be_anchored(now.offer, now.bundle, card.anchors)
        if card.reframes is not None:
            if self.reference is None or now.offer is None:
                return 0.0
            value = self._mine.value_of(now.offer, now.bundle)
            self.reference = card.reframes(self.reference, value, self._scale)
        if card.presses is None:
            return 0.0
        worn = float(pressing.worn(card.wears_off)[times - 1])
        impatience = 1 - self._persona.patience
        return card.presses(Pressed(self._scale, impatience, now.own.urgency, now.player_standing, worn))

    def weigh_claim(self, now: Situation, draws: TurnDraws[float]) -> bool:
        """Believe the player's stated floor, or call it. Returns whether it is called."""
        if now.claim is None:
            return False
        claim = self._sign * now.claim
        doubt = disbelief(claim, self.limit)
        if draws.call < self._persona.tom_depth * doubt:
            return True
        self.limit.observe_claim(claim, believed=pressing.belief_in(now.player_standing, doubt))
        return False

    def claim_was_bluff(self) -> None:
        """It called the player's stated floor, and the floor was false."""
        self.trust.observe({"caught_bluffing"}, 0.0)

    def claim_was_true(self, claim: float) -> None:
        """It called the player's stated floor, in money, and the floor was true."""
        self.limit.observe_claim(self._sign * claim, believed=pressing.PROVEN)

    def _credited(self, now: Situation, reservation: float) -> float:
        if now.offer is None or now.concession <= 0:
            return now.concession
        value = self._mine.value_of(now.offer, now.bundle)
        return float(credited(now.concession, value, reservation, self._scale))

    def _learn_from_offer(self, revealed: float, turn: int) -> None:
        if self._infers:
            self.limit.observe_offer(revealed, turn - 1)
        else:
            self.limit.observe_bound(revealed)

    def _anchor_on(self, offer: float, bundle: int) -> None:
        """A first number pulls the belief, unless it is implausible."""
        self.reference = self._mine.value_of(offer, bundle)
        self._be_anchored(offer, bundle, pressing.ANCHOR_FIRST)

    def _be_anchored(self, offer: float, bundle: int, strength: float) -> None:
        if self._scenario.plausible_low <= offer <= self._scenario.plausible_high:
            pulled = self._mine.revealed_by(offer, bundle)
            self.limit.pull_towards(pulled, strength * self._persona.anchor_pull)
