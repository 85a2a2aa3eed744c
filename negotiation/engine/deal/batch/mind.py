"""The personas' minds in many games: ``strategist/mind.py`` over arrays, decision by decision."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from negotiation.engine.deal.batch.conduct import Conducts
from negotiation.engine.deal.batch.hand import Cards, Words, choose_cards
from negotiation.engine.deal.batch.impression import Impressions
from negotiation.engine.deal.batch.moves import Replies
from negotiation.engine.deal.batch.packages import Exchanges, Standings
from negotiation.engine.deal.batch.setup import Setup
from negotiation.engine.deal.batch.table import Table
from negotiation.engine.deal.beliefs import LimitPosteriors
from negotiation.engine.deal.chance import Array, Chances, TurnDraws
from negotiation.engine.deal.rows import Ints, Mask, Rows
from negotiation.engine.deal.strategist import aims
from negotiation.engine.deal.strategist.character import draw_numbers
from negotiation.engine.deal.strategist.lookahead import Prospect, best_candidates
from negotiation.engine.deal.strategist.pace import aspiration, breakdown_probability
from negotiation.engine.deal.strategist.pressing import MIRROR_SHARPNESS, PRIOR_SPREAD
from negotiation.engine.deal.strategist.standing import SAME_WORTH
from negotiation.engine.deal.types import OTHER_SEAT
from negotiation.engine.game_theory import prospect_values


@dataclass(slots=True)
class Decisions(Rows):
    """What the personas would do: where they would stand, and how they would end it."""

    target: Array
    reservation: Array
    accept: Mask
    walk_away: Mask
    final: Mask
    challenge: Mask
    cards: Cards


@dataclass(slots=True)
class Minds(Rows):
    """What the personas have in mind, a row a game. Arrays are in their value space; NaN is nothing yet."""

    setup: Setup
    curvature: Array
    stay: Array
    opening: Array
    impression: Impressions
    exchange: Exchanges
    mine: Standings
    mirror: LimitPosteriors
    claim: Array
    word: Words

    @classmethod
    def at_start(
        cls,
        setup: Setup,
        difficulty: float,
        horizon: int,
        worths: Array,
        chances: Chances,
        *,
        has_case: bool = False,
    ) -> Minds:
        """Minds of ``n`` games; ``worths`` has shape ``(n, bundles)``."""
        persona, scenario, seat, sign = setup.persona, setup.scenario, setup.seat, setup.sign
        games = len(worths)
        numbers = draw_numbers(persona, scenario, seat, difficulty, horizon, chances)
        typical = scenario.nominal_worths(OTHER_SEAT[seat])
        exchange = Exchanges.at_start(worths, typical)
        impression = Impressions.at_start(setup, difficulty, horizon, games)
        untold = np.zeros(games, dtype=np.int64) if has_case else None
        exchange.learn(persona.tom_depth, np.zeros(games), impression.trust.value, None, untold)
        return cls(
            setup=setup,
            curvature=numbers.curvature,
            stay=numbers.stay,
            opening=sign * numbers.opening + exchange.worth(exchange.best),
            impression=impression,
            exchange=exchange,
            mine=Standings.at_start(scenario, sign, games),
            mirror=LimitPosteriors(
                np.full(games, -sign * scenario.seats[seat].walk_away),
                prior_sd=PRIOR_SPREAD * setup.scale,
                scale=setup.scale,
                horizon=horizon,
                sharpness=MIRROR_SHARPNESS,
            ),
            claim=np.full(games, np.nan),
            word=Words.at_start(games),
        )

    # -- one turn ----------------------------------------------------------------------------------

    def decide(self, table: Table, conduct: Conducts, draws: TurnDraws[Array]) -> Decisions:
        """Take in the turn and decide; nothing is on the table until :meth:`commit`."""
        reservation = self.setup.sign * table.truths[self.setup.seat].walk_away
        heard = self.impression
        given = heard.credited(table, conduct, reservation, self.exchange)
        given = heard.take_in(table, conduct, given, self.exchange, self.stay)
        self.claim = np.where(conduct.caught, np.nan, self.claim)
        self.word.called |= conduct.caught
        self.word.news |= table.news
        overtaken = ~np.isnan(self.mine.value) & (self.mine.value < reservation)
        if overtaken.any():
            above = reservation + aims.RESTATED_ABOVE * self.setup.scale
            self.mine.restate(self.exchange, above, reservation, overtaken)
        boost = heard.pressure(table, conduct, self.exchange)
        leaves = draws.leave < breakdown_probability(
            self.setup.temper.hazard,
            table.turn,
            self.impression.conceded,
            self.mine.conceded,
            self.setup.scale,
            table.heat.value,
        )
        called = heard.weigh_claims(table, conduct, draws)
        kept = self._kept(table, conduct, reservation)
        end = self._end(table, conduct, reservation, kept)
        target = self._next_offer(table, conduct, given, reservation, end, boost)
        accepts = ~leaves & self._accepts(table, kept, reservation, end, target)
        open_still = ~leaves & ~accepts
        late = open_still & (table.turn >= self.stay) & ~np.isnan(self.mine.value)
        gone = late & (table.turn > self.stay)
        final = late & ~gone
        cards = choose_cards(self, table, conduct, reservation, target, draws, open_still & ~late)
        quiet = cards.silent & ~np.isnan(self.mine.value)
        # With a case, turns without an offer do not count on its clock, not even for its last word.
        word = end if conduct.talked is None else self._planned(table, conduct, reservation, end)
        target = np.where(quiet, self.mine.value, np.where(final, word, target))
        return Decisions(
            target=target,
            reservation=reservation,
            accept=accepts,
            walk_away=leaves | gone,
            final=final,
            challenge=called & open_still & ~late,
            cards=cards,
        )

    def commit(self, decision: Decisions, turn: int) -> Replies:
        """Put the decided packages on the table."""
        ends = decision.accept | decision.walk_away
        price, bundle = self.mine.put(self.exchange, decision.target, decision.reservation, ~ends)
        self._mirror_offers(turn, ~ends)
        self._keep_claims(np.where(ends, np.nan, decision.cards.claim), decision.reservation)
        return Replies(
            offer=np.where(ends, np.nan, price),
            bundle=bundle,
            card=np.where(ends, -1, decision.cards.card),
            claim=np.where(ends, np.nan, self.setup.sign * decision.cards.claim),
            challenge=decision.challenge,
            accept=decision.accept,
            walk_away=decision.walk_away,
            rounds=decision.cards.rounds,
        )

    def follow(self, replies: Replies, reservation: Array, turn: int) -> None:
        """Stand where a recorded reply stood, whatever was decided."""
        offered = ~np.isnan(replies.offer)
        self.mine.follow(self.exchange, replies.offer, replies.bundle, offered)
        self._mirror_offers(turn, offered)
        self._keep_claims(self.setup.sign * replies.claim, reservation)

    def _keep_claims(self, claims: Array, reservation: Array) -> None:
        given = ~np.isnan(claims)
        self.claim = np.where(given, claims, self.claim)
        self.word.give(claims, reservation, given)

    def open(self, table: Table) -> tuple[Array, Ints]:
        """The first offer of a persona that opens with one."""
        reservation = self.setup.sign * table.truths[self.setup.seat].walk_away
        everywhere = np.ones(len(reservation), dtype=np.bool_)
        price, bundle = self.mine.put(self.exchange, self.opening, reservation, everywhere)
        self._mirror_offers(0, everywhere)
        return price, bundle

    def learn_of_claims(self, bluffs: Mask, true: Mask, claims: Array) -> None:
        """It called the player's stated floors; here they were false, there true."""
        self.impression.learn_of_claims(bluffs, true, claims)

    def _mirror_offers(self, turn: int, where: Mask) -> None:
        """Only who reasons to the second level asks itself what its own offers have shown."""
        if self.setup.infers and self.setup.second_order:
            self.mirror.observe_offers(-self.mine.value, turn, where)

    # -- deciding ----------------------------------------------------------------------------------

    def margin(self, table: Table) -> Array:
        """Share of the believed zone that each means to keep at the end."""
        own, heard = table.truths[self.setup.seat], self.impression
        alternative = np.where(own.has_alternative, aims.WITH_ALTERNATIVE, aims.WITHOUT_ALTERNATIVE)
        return aims.kept_share(self.setup.temper, own.urgency, alternative, heard.trust.value, heard.softened)

    def _end(self, table: Table, conduct: Conducts, reservation: Array, kept: Array) -> Array:
        end = kept + self.margin(table) * self._believed_zone(kept)
        if conduct.talked is None:
            return end
        return np.maximum(reservation, end - conduct.talked.won * self.setup.scale)

    def _kept(self, table: Table, conduct: Conducts, reservation: Array) -> Array:
        """How far each goes: short of its limit while objections are open, where there is a case."""
        if conduct.talked is None:
            return reservation
        standing = np.where(np.isnan(self.mine.value), np.inf, self.mine.value)
        last: Mask = table.turn - conduct.talked.idle >= self.stay
        return aims.effective_reservation(reservation, conduct.talked.hold, self.setup.scale, standing, last)

    def _planned(self, table: Table, conduct: Conducts, reservation: Array, end: Array) -> Array:
        """Where their clocks have brought them; with a case they stay where they are while the players put nothing down."""
        opening = np.maximum(self.opening, reservation)
        if conduct.talked is None:
            return aspiration(opening, end, table.turn, self.stay, self.curvature)
        turn = (table.turn - conduct.talked.idle).astype(np.float64)
        planned = aspiration(opening, end, turn, self.stay, self.curvature)
        waits = ~conduct.talked.offered & ~np.isnan(self.mine.value)
        return np.where(waits, np.maximum(planned, self.mine.value), planned)

    def _believed_zone(self, reservation: Array) -> Array:
        return np.maximum(0.0, self._believed_limit() + self.exchange.joint_gain - reservation)

    def _believed_limit(self) -> Array:
        return aims.believed_limit(
            self.impression.limit.mean(), self.setup.market, self.setup.temper.wariness
        )

    def _next_offer(
        self, table: Table, conduct: Conducts, given: Array, reservation: Array, end: Array, boost: Array
    ) -> Array:
        persona, temper = self.setup.persona, self.setup.temper
        opening = np.maximum(self.opening, reservation)
        held, silent = self.mine.value, np.isnan(self.mine.value)
        planned = self._planned(table, conduct, reservation, end)
        answered = aims.answer(held, persona, temper, self.impression.trust.value, given)
        caught = np.where(conduct.caught, aims.caught_step(held, reservation), 0.0)
        wished = aims.wish(persona, planned, answered, boost, caught, held, end)
        if self.setup.second_order:
            wished = self._second_thought(table, given, wished, end, reservation)
        stands_by = ~np.isnan(self.claim) & (table.turn < aims.word_binds_until(self.stay))
        floor = np.where(stands_by, np.maximum(reservation, self.claim), reservation)
        wished = np.where(self._holds_first(table), held, np.maximum(wished, floor))
        return np.where(silent, opening, wished)

    def _holds_first(self, table: Table) -> Mask:
        persona = self.setup.persona
        if persona.aggression < aims.FIRST_MOVER_AGGRESSION:
            return np.zeros(len(self.stay), dtype=np.bool_)
        clock = (self.stay - table.turn) / self.stay
        urgency = table.truths[self.setup.seat].urgency
        waits: Mask = clock > aims.waits_until(persona, urgency)
        return waits & (self.impression.conceded <= 0)

    def _second_thought(
        self, table: Table, given: Array, wished: Array, end: Array, reservation: Array
    ) -> Array:
        held = np.where(np.isnan(self.mine.value), wished, self.mine.value)
        lowest, highest = aims.second_range(
            held,
            wished,
            end,
            given,
            self.impression.conceded,
            self.mine.conceded,
            self.setup.temper.ease,
            table.turn,
            self.setup.scale,
        )
        limits, mass = self.impression.limit.density()
        return best_candidates(
            Prospect(
                highest=highest,
                lowest=lowest,
                reservation=reservation,
                target=end,
                limits=limits,
                mass=mass,
                mirrored=-self.mirror.mean(),
                patience=aims.patience_left(self.setup.persona, np.maximum(1.0, self.stay - table.turn)),
                joint_gain=self.exchange.joint_gain,
                scale=self.setup.scale,
            )
        )

    def _accepts(self, table: Table, kept: Array, reservation: Array, end: Array, target: Array) -> Mask:
        nominal = self.impression.value(
            table, self.exchange
        )  # NaN compares as false: nothing to accept there
        sweetened = table.player.sweetened - table.opponent.sweetener_cost
        value = nominal + sweetened
        left = self.stay - table.turn
        near = value + self._felt(value) >= aims.near_enough(self.setup.persona, end, target)
        least = aims.least_share(self.margin(table), self.impression.conceded, self.setup.scale)
        fair = kept + least * self._believed_zone(kept)
        late = np.where(left > 1, near & (left <= aims.SOON), value >= np.minimum(fair, end))
        asked = np.where((left <= 0) & ~np.isnan(self.mine.value), end, target)
        package = self.mine.next_packages(self.exchange, asked, reservation)
        agreed = self.mine.value_of(self.exchange, *package) <= nominal + SAME_WORTH
        accepts: Mask = (nominal >= kept) & ((value >= target) | agreed | late)
        return accepts

    def _felt(self, value: Array) -> Array:
        scale = self.setup.scale
        felt = aims.felt(prospect_values((value - self.impression.reference) / scale), scale)
        return np.where(np.isnan(self.impression.reference), 0.0, felt)
