"""The game in many copies: one scenario, persona, seat and difficulty; a row for each seed."""

from __future__ import annotations

import copy
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from negotiation.engine.cards import GIFT
from negotiation.engine.deal import hidden
from negotiation.engine.deal.batch.conduct import Conducts, is_bluff, players_conduct, shifts
from negotiation.engine.deal.batch.mind import Decisions, Minds
from negotiation.engine.deal.batch.moves import CARD_IDS, Moves, Replies
from negotiation.engine.deal.batch.setup import Setup
from negotiation.engine.deal.batch.table import Heat, Sides, Table
from negotiation.engine.deal.batch.talk import Talks
from negotiation.engine.deal.batch.world import Acts, close_turn
from negotiation.engine.deal.case.declared import DealCase
from negotiation.engine.deal.case.rules import Record
from negotiation.engine.deal.case.turn import APOLOGY, SMALL_STEP
from negotiation.engine.deal.case.worlds import case_for
from negotiation.engine.deal.chance import Array, Chances
from negotiation.engine.deal.issues import bundle_worths
from negotiation.engine.deal.persona import Persona
from negotiation.engine.deal.rows import Index, Ints, Mask
from negotiation.engine.deal.scenario import Scenario
from negotiation.engine.deal.state import CAUGHT_FACTOR
from negotiation.engine.deal.strategist.character import temper_of
from negotiation.engine.deal.types import OTHER_SEAT, SIGN, EndReason, Seat

REASONS: tuple[EndReason, ...] = (
    "player_accepted",
    "opponent_accepted",
    "player_walked",
    "opponent_walked",
    "zone_collapsed",
    "horizon",
)
STILL_PLAYING = -1


@dataclass(slots=True)
class Outcomes:
    """How the games ended, in the order of their seeds; each array has shape ``(n,)``.

    ``reason`` indexes ``REASONS``; ``price`` and ``joint_surplus`` are NaN without a deal.
    """

    reason: Ints
    turns: Ints
    price: Array
    bundle: Ints
    efficiency: Array
    joint_surplus: Array
    floor_breached: Mask

    @classmethod
    def pending(cls, games: int) -> Outcomes:
        return cls(
            reason=np.full(games, STILL_PLAYING, dtype=np.int64),
            turns=np.zeros(games, dtype=np.int64),
            price=np.full(games, np.nan),
            bundle=np.zeros(games, dtype=np.int64),
            efficiency=np.zeros(games),
            joint_surplus=np.full(games, np.nan),
            floor_breached=np.zeros(games, dtype=np.bool_),
        )

    @property
    def deal(self) -> Mask:
        agreed: Mask = ~np.isnan(self.price)
        return agreed


class BatchNegotiation:
    """Many games in lock-step. Rows of games that have ended are dropped as they end.

    Args:
        seeds: one for each game.
        case: whether there is a world behind the deals to talk about: the scenario's own, or the one given.
        Others as in :class:`negotiation.engine.deal.game.Negotiation`.

    ``table`` and ``minds`` hold the games still in play; ``outcomes`` all of them.
    """

    def __init__(
        self,
        scenario: Scenario,
        persona: Persona,
        seat: Seat,
        seeds: npt.NDArray[np.uint64],
        *,
        difficulty: float = 0.5,
        horizon: int | None = None,
        infers: bool = True,
        case: bool | DealCase = False,
    ) -> None:
        self.scenario, self.persona, self.seat = scenario, persona, seat
        self.opponent_seat: Seat = OTHER_SEAT[seat]
        self.horizon = horizon or scenario.horizon
        self._chances = Chances(seeds)
        world = case_for(scenario, case)
        self.table = self._set_up(self._chances, len(seeds), world)
        setup = Setup(persona, scenario, self.opponent_seat, temper_of(persona, difficulty), infers)
        worths = self.table.worths[self.opponent_seat]
        self.minds = Minds.at_start(
            setup, difficulty, self.horizon, worths, self._chances, has_case=world is not None
        )
        self.outcomes = Outcomes.pending(len(seeds))
        if persona.speaks_first and persona.opens_with_offer:
            self.table.opponent.offer, self.table.opponent.bundle = self.minds.open(self.table)

    def _set_up(self, chances: Chances, games: int, case: DealCase | None) -> Table:
        scenario = self.scenario
        talks = None if case is None else Talks.at_start(case, scenario, self.persona, self.seat, chances)
        truths = hidden.draw_truths(scenario, chances, None if talks is None else talks.option_factors())
        sensitivity: dict[Seat, float] = {
            self.seat: scenario.seats[self.seat].sensitivity,
            self.opponent_seat: self.persona.mev_sensitivity,
        }
        table = Table(
            game=np.arange(games),
            line=np.arange(games),
            truths=truths,
            initial={seat: truth.walk_away for seat, truth in truths.items()},
            worths={seat: bundle_worths(scenario.issues, truth.values) for seat, truth in truths.items()},
            market=hidden.draw_schedules(scenario, sensitivity, chances),
            joint_gain=hidden.joint_gain(scenario, truths["seller"].values, truths["buyer"].values),
            scale=np.zeros(games),
            zone=np.zeros(games),
            player=Sides.at_start(games),
            opponent=Sides.at_start(games),
            heat=Heat.at_start(self.persona.aggression, games),
            eroded=np.zeros(games),
            news_shift=np.zeros(games),
            news=np.zeros(games, dtype=np.bool_),
            talks=talks,
        )
        table.zone = table.zone_now()
        table.scale = np.where(table.zone > 0, table.zone, scenario.nominal_width)
        return table

    @property
    def done(self) -> bool:
        return len(self.table.game) == 0

    def fork(self, rows: Index) -> BatchNegotiation:
        """Games of their own that go on from the positions of ``rows``; a row may be taken many times.

        Forks of the same row face the same chance: the same news, the same draws of the persona.
        """
        fork = copy.copy(self)
        fork.table, fork.minds = self.table.take(rows), self.minds.take(rows)
        fork.table.game = np.arange(len(rows))
        fork.outcomes = Outcomes.pending(len(rows))
        return fork

    def reseed(self, seeds: npt.NDArray[np.uint64]) -> None:
        """From here on the personas draw from other lines of chance; hidden truth and news stay as they are."""
        self._chances = Chances(seeds)
        self.table.line = np.arange(len(seeds))

    def step(self, moves: Moves) -> None:
        """Play a move in every game that goes on, and the persona's answer to it."""
        moves = self._end_by_players(moves)
        if self.done:
            return
        conduct, decision = self._hear(moves)
        replies = self.minds.commit(decision, self.table.turn)
        self._give_reasons(replies)
        self._apply(conduct, replies)

    def follow(self, moves: Moves, replies: Replies, record: Record | None = None) -> Decisions:
        """Play a recorded turn: the persona's answer is given, and what it ``record`` s to have told and raised.

        Returns:
            What each persona would have done.
        """
        conduct, decision = self._hear(moves, record)
        self.minds.follow(replies, decision.reservation, self.table.turn)
        self._give_reasons(replies, record)
        self._apply(conduct, replies)
        return decision

    # -- one turn ----------------------------------------------------------------------------------

    def _end_by_players(self, moves: Moves) -> Moves:
        """Close where the players accept what is there, or leave. Returns the moves of the others."""
        ends = moves.accept | moves.walk_away
        if not ends.any():
            return moves
        takes = moves.accept
        self._finish(takes, "player_accepted", self.table.opponent)
        self._finish(ends & ~takes, "player_walked", None)
        kept = np.flatnonzero(~ends)
        self._keep(kept)
        return moves.take(kept)

    def _hear(self, moves: Moves, record: Record | None = None) -> tuple[Conducts, Decisions]:
        conduct = players_conduct(moves, self.table, self.scenario, self.seat)
        if conduct.caught.any():
            self.table.opponent.lose_standing(CAUGHT_FACTOR, conduct.caught)
        if self.table.talks is not None:
            self._hear_words(self.table.talks, moves, conduct, record)
        draws = self._chances.turn(self.table.turn, self.table.line)
        decision = self.minds.decide(self.table, conduct, draws)
        self.table.news_shift = np.zeros(len(self.table.game))
        return conduct, decision

    def _hear_words(self, talks: Talks, moves: Moves, conduct: Conducts, record: Record | None) -> None:
        """What the players' words do to the tables, and will do to the personas' minds."""
        player = self.table.player
        conduct.talked = talked = talks.hear(moves, self.table, self.minds.impression.trust.value, record)
        conduct.note(APOLOGY, talked.apologises)
        if talked.exposed.any():
            player.lose_standing(CAUGHT_FACTOR, talked.exposed)
        player.offer = np.where(talked.withdraws, np.nan, player.offer)

    def _give_reasons(self, replies: Replies, record: Record | None = None) -> None:
        """Whoever hardly moves owes a reason, where there is a case."""
        table = self.table
        if table.talks is None:
            return
        side = table.opponent
        offer = np.where(np.isnan(replies.offer), side.offer, replies.offer)
        bundle = np.where(np.isnan(replies.offer), side.bundle, replies.bundle)
        given, _ = shifts(self.scenario, self.opponent_seat, side, offer, bundle)
        small = given / self.scenario.nominal_width < SMALL_STEP  # NaN where nothing stood: no step at all
        table.talks.give_reasons(small & ~replies.accept & ~replies.walk_away, record)

    def _apply(self, conduct: Conducts, replies: Replies) -> None:
        """Book the replies, close what they close, and move the other tables on."""
        table = self.table
        given, _ = shifts(self.scenario, self.opponent_seat, table.opponent, replies.offer, replies.bundle)
        given = np.where(np.isnan(given), 0.0, given)
        acts = self._book(conduct, replies)
        acts["hold"] = (given <= 0) & ~replies.accept
        ends = replies.accept | replies.walk_away
        if ends.any():
            self._finish(replies.accept, "opponent_accepted", table.player)
            self._finish(replies.walk_away & ~replies.accept, "opponent_walked", None)
            kept = np.flatnonzero(~ends)
            self._keep(kept)
            conduct, given = conduct.take(kept), given[kept]
            acts = {act: where[kept] for act, where in acts.items()}
            if self.done:
                return
        close_turn(
            self.table, self.scenario, self.persona, self.seat, conduct.acts, conduct.given, acts, given
        )
        self._end_by_world()

    def _book(self, conduct: Conducts, replies: Replies) -> Acts:
        """Put the personas' cards, claims and packages on the table; returns their acts."""
        table, side = self.table, self.table.opponent
        acts: Acts = {}
        side.play(replies.card, self.scenario, self.opponent_seat, table.turn + replies.rounds)
        for number, card in enumerate(CARD_IDS):
            if (replies.card == number).any():
                acts[card] = replies.card == number
        if table.talks is not None and GIFT in acts:
            table.talks.weigh_sweeteners(side, self.opponent_seat, acts[GIFT])
        claims = ~np.isnan(replies.claim)
        side.open_claim = np.where(claims, replies.claim, side.open_claim)
        side.claim_turn = np.where(claims, table.turn, side.claim_turn)
        side.claim_limit = np.where(claims, table.truths[self.opponent_seat].walk_away, side.claim_limit)
        judged = replies.challenge & ~np.isnan(table.player.open_claim)
        if judged.any():
            acts["challenge"] = judged
            self._judge_players(conduct, judged)
        table.player.open_claim = np.full(len(table.game), np.nan)
        offers = ~np.isnan(replies.offer)
        side.offer = np.where(offers, replies.offer, side.offer)
        side.bundle = np.where(offers, replies.bundle, side.bundle)
        if conduct.caught.any():
            acts["caught_bluffing"] = conduct.caught
        return acts

    def _judge_players(self, conduct: Conducts, judged: Mask) -> None:
        """Whose stated floor is called and was false loses standing; whose was true is believed."""
        table = self.table
        claims = table.player.open_claim
        bluffs = judged & is_bluff(claims, table.truths[self.seat].walk_away)
        conduct.note("caught_bluffing", bluffs)
        table.player.lose_standing(CAUGHT_FACTOR, bluffs)
        self.minds.learn_of_claims(bluffs, judged & ~bluffs, claims)

    def _end_by_world(self) -> None:
        table = self.table
        collapsed = table.eroded >= self.scenario.nominal_width
        over = np.full(len(collapsed), table.turn > self.horizon)
        if not (collapsed | over).any():
            return
        self._finish(collapsed, "zone_collapsed", None)
        self._finish(over & ~collapsed, "horizon", None)
        self._keep(np.flatnonzero(~(collapsed | over)))

    # -- the end -----------------------------------------------------------------------------------

    def _finish(self, where: Mask, reason: EndReason, side: Sides | None) -> None:
        """Write the outcomes of the games of ``where``; ``side`` is whose package was taken."""
        if not where.any():
            return
        table, done = self.table, self.outcomes
        games = table.game[where]
        done.reason[games] = REASONS.index(reason)
        done.turns[games] = min(table.turn, self.horizon)
        if side is None:
            return
        price, bundle = side.offer[where], side.bundle[where]
        worth = table.worth(side, self.seat)[where]
        sweetened = (table.opponent.sweetened - table.player.sweetener_cost)[where]
        zone, sign = table.zone[where], SIGN[self.seat]
        surplus = sign * (worth - table.initial[self.seat][where])
        with np.errstate(divide="ignore", invalid="ignore"):
            share = (surplus + sweetened) / zone
        joint = (table.worths["seller"] + table.worths["buyer"])[where, :][np.arange(len(games)), bundle]
        done.price[games], done.bundle[games] = price, bundle
        done.efficiency[games] = np.where(zone > 0, np.minimum(1.0, np.maximum(0.0, share)), 0.0)
        low, high = table.initial["seller"][where], table.initial["buyer"][where]
        done.joint_surplus[games] = high - low + joint
        surplus_now = sign * (worth - table.truths[self.seat].walk_away[where])
        done.floor_breached[games] = surplus_now + sweetened < 0

    def _keep(self, kept: Index) -> None:
        self.table, self.minds = self.table.take(kept), self.minds.take(kept)
