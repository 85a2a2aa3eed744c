"""The player's information set: opponents that could have been across the table, and how likely each is.

Opponents are drawn from the scenario's public ranges and the persona's public character, given the player's own
truth. They are led through the game as it was played; each is weighed by how well its own choice fits the
answer that came (a particle filter: Gordon, Salmond & Smith 1993). Nothing here has seen hidden truth.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from coaching.analysis.review.moves import engine_move, engine_reply
from coaching.analysis.review.record import PlayedGame, PlayedTurn, TableView
from negotiation.engine.deal.batch import BatchNegotiation
from negotiation.engine.deal.batch.mind import Decisions
from negotiation.engine.deal.chance import Array
from negotiation.engine.deal.hidden import MarketSchedules, SeatTruths
from negotiation.engine.deal.issues import bundle_worths
from negotiation.engine.deal.rows import Index, Ints
from negotiation.engine.deal.strategist.claims import likelihood
from negotiation.engine.deal.types import OTHER_SEAT, SIGN, Seat, SeatTruth

DRAWN, KEPT = 9216, 3072
SAMPLED = 4096
"""Seeds kept for the chance of sampled opponents, behind those of a draw."""
_FIRST_SEED = 1 << 62
"""Beyond the seeds of real games, so that no imagined opponent is the real one by its number."""
_NOISE = 0.05
"""Standard deviation of an answer around an opponent's own choice, as a share of the nominal zone."""
_OUTLIER = 0.1
_WRONG_END = np.log(0.05)
"""Weight of an opponent that would have closed or left where the real one went on."""
_BEYOND_LIMIT = -12.0
_USUAL_DENSITY = 1.0
"""What a limit counts that this persona would not have stated, beside those that it would."""
BELIEVED = 0.8
"""How likely the other's limit lies in the interval that a review tells."""
_LEAST_EFFECTIVE = 288
"""Weights are softened until this many opponents count (tempering)."""


class InformationSet:
    """Opponents consistent with what was seen so far. ``batch`` holds them at the current turn.

    Args:
        draw: which of many equally good draws of opponents; a review's own is 0.
    """

    def __init__(self, played: PlayedGame, draw: int = 0) -> None:
        self._played, self._draw = played, draw
        self._sign = -SIGN[played.seat]
        first = _FIRST_SEED + draw * (DRAWN + SAMPLED)
        seeds = np.arange(first, first + DRAWN, dtype=np.uint64)
        batch = BatchNegotiation(
            played.scenario,
            played.persona,
            played.seat,
            seeds,
            difficulty=played.difficulty,
            horizon=played.horizon,
            case=played.case or False,
        )
        own = played.turns[0].before.own
        self.batch = batch.fork(self._nearest(batch, own))
        table = self.batch.table
        self._drawn = table.market
        self._rng = np.random.default_rng(draw)
        table.market = self._seen_news(len(table.game))
        self._know_own_truth(own)
        self._know_own_needs()
        self.batch.table.initial[played.seat] = np.full(len(table.game), own.walk_away)
        table.zone = table.zone_now()
        table.scale = np.where(table.zone > 0, table.zone, played.scenario.nominal_width)
        self._log_weights = np.zeros(len(table.game))
        self._take_opening()

    # -- set-up ------------------------------------------------------------------------------------

    def _nearest(self, batch: BatchNegotiation, own: SeatTruth) -> Index:
        """The draws whose own seat came out most like the player's: the other seat then fits it too."""
        away = np.abs(batch.table.truths[self._played.seat].walk_away - own.walk_away)
        return np.argsort(away, kind="stable")[:KEPT]

    def _know_own_truth(self, own: SeatTruth) -> None:
        seat, table = self._played.seat, self.batch.table
        table.truths = {**table.truths, seat: _everywhere(own, len(table.game))}
        table.worths = {
            **table.worths,
            seat: bundle_worths(self._played.scenario.issues, table.truths[seat].values),
        }
        table.joint_gain = (table.worths["seller"] + table.worths["buyer"]).max(axis=1)

    def _know_own_needs(self) -> None:
        """At a table with a case the player knows what its own needs weigh."""
        talks, case = self.batch.table.talks, self._played.case
        if talks is None or case is None or not self._played.needs:
            return
        seat = self._played.seat
        weights = np.array([self._played.needs[need.id] for need in case.seats[seat].needs])
        known = np.tile(weights / len(weights), (len(talks.won), 1))
        talks.drawn = {**talks.drawn, seat: replace(talks.drawn[seat], weights=known)}

    def _seen_news(self, games: int) -> MarketSchedules:
        """The headlines that came, with effects on the opponent drawn anew; on the own seat they are known."""
        scenario, persona = self._played.scenario, self._played.persona
        seen = [headline for headline in self._played.headlines if headline.kind == "market"]
        ids = [event.id for event in scenario.market]
        events = np.array([ids.index(headline.id) for headline in seen], dtype=np.int64)
        other: Seat = OTHER_SEAT[self._played.seat]
        effects = np.zeros((games, len(seen)))
        for slot, index in enumerate(events):
            event = scenario.market[index]
            noise = event.noise * self._rng.standard_normal(games)
            effects[:, slot] = persona.mev_sensitivity * event.impact.get(other, 0.0) + noise
        turns = np.array([headline.turn for headline in seen], dtype=np.int64)
        return MarketSchedules(
            turn=np.tile(turns, (games, 1)),
            event=np.tile(events, (games, 1)),
            effect={self._played.seat: np.zeros((games, len(seen))), other: effects},
        )

    def _take_opening(self) -> None:
        opening = self._played.opening
        mine, table = self.batch.minds.mine, self.batch.table
        games = len(table.game)
        if opening is None or opening.offer is None:
            return
        price, bundle = np.full(games, opening.offer), np.full(games, opening.bundle)
        mine.value, mine.conceded = np.full(games, np.nan), np.zeros(games)
        mine.follow(self.batch.minds.exchange, price, bundle, np.ones(games, dtype=np.bool_))
        self.batch.minds.opening = mine.value.copy()
        table.opponent.offer, table.opponent.bundle = price, bundle

    # -- going on ----------------------------------------------------------------------------------

    def follow(self, played: PlayedTurn) -> None:
        """Lead every opponent through a turn that was played and weigh it by the answer that came."""
        if played.reply is None or played.after is None:
            raise ValueError("the last turn of a game has no position after it")
        games = len(self.batch.table.game)
        before = self.batch.table.game
        unopened = np.isnan(self.batch.minds.mine.value)
        decision = self.batch.follow(
            engine_move(played.move, games, self._played, played.before),
            engine_reply(played.reply, games),
            played.record,
        )
        self._weigh(before, decision, played, unopened)
        self._weigh_facts(played)
        self._align(played.after)

    def _weigh(self, before: Ints, decision: Decisions, played: PlayedTurn, unopened: Array) -> None:
        alive = np.isin(before, self.batch.table.game)
        minds, scale = self.batch.minds, self._played.scenario.nominal_width
        value = minds.mine.value
        first = unopened[alive].astype(np.bool_)
        if played.reply is None or played.reply.offer is None:
            return
        error = (decision.target[alive] - value) / scale
        fit = np.log((1 - _OUTLIER) * np.exp(-0.5 * (error / _NOISE) ** 2) + _OUTLIER * 0.2)
        fit = np.where(first, 0.0, fit)
        fit = np.where((decision.accept | decision.walk_away)[alive], _WRONG_END, fit)
        beyond = value < decision.reservation[alive] - self._played.scenario.step
        fit = np.where(beyond, _BEYOND_LIMIT, fit) + self._claim_fit(played.reply.claim)
        self._log_weights[self.batch.table.game] += fit
        if first.any():
            minds.opening = np.where(first, value, minds.opening)

    def _weigh_facts(self, played: PlayedTurn) -> None:
        """What was told fits an opponent as well as it would tell so: people are mistaken, and some of them lie."""
        talks, record = self.batch.table.talks, played.record
        if talks is None or record is None or not record.told:
            return
        trust = float(self.batch.minds.impression.trust.value.mean())
        named = {each.id for each in played.move.talk if each.act == "ask_closed"}
        for told in record.told:
            if told.high is not None and told.shown is None:
                fit = talks.likelihood(
                    self.batch.table.truths, told.id, told.high, trust, is_named=told.id in named
                )
                self._log_weights[self.batch.table.game] += np.log(fit)

    def _claim_fit(self, claim: float | None) -> Array:
        """How well a stated limit fits each true one: as likely as this persona shades it by so much."""
        limits = self._sign * self.batch.table.truths[OTHER_SEAT[self._played.seat]].walk_away
        if claim is None:
            return np.zeros(len(limits))
        shift = (self._sign * claim - limits) / np.abs(limits)
        fit = likelihood(shift, self._played.persona)
        return np.log((1 - _OUTLIER) * fit + _OUTLIER * _USUAL_DENSITY)

    def _align(self, after: TableView) -> None:
        """What the player saw after the turn is so in every case."""
        table = self.batch.table
        games = len(table.game)
        if not games:
            return
        self._know_own_truth(after.own)
        for side, offer in ((table.player, after.own_offer), (table.opponent, after.standing_offer)):
            side.offer = np.full(games, np.nan if offer is None else offer)
        table.opponent.open_claim = np.full(games, np.nan if after.open_claim is None else after.open_claim)
        table.heat.value = np.full(games, after.tension)
        table.player.points = np.full(games, after.points)

    # -- looking -----------------------------------------------------------------------------------

    def weights(self) -> Array:
        """How likely each opponent is, softened so that enough of them count; shape of the batch."""
        log = self._log_weights[self.batch.table.game]
        log = log - log.max()
        power = 1.0
        for _ in range(40):
            weight: Array = np.exp(power * log)
            weight /= weight.sum()
            if 1.0 / (weight @ weight) >= min(_LEAST_EFFECTIVE, len(log)):
                break
            power *= 0.8
        return weight

    def limits(self) -> Array:
        """The opponents' limits, in the player's value space."""
        limit: Array = (
            SIGN[self._played.seat] * self.batch.table.truths[OTHER_SEAT[self._played.seat]].walk_away
        )
        return limit

    def believed(self) -> tuple[float, float, float]:
        """Mean and the interval of ``BELIEVED`` of the other's limit, in the player's value space."""
        limits, weight = self.limits(), self.weights()
        order = np.argsort(limits)
        cumulative = np.cumsum(weight[order])
        places = np.minimum(
            np.searchsorted(cumulative, ((1 - BELIEVED) / 2, (1 + BELIEVED) / 2)), len(order) - 1
        )
        low, high = limits[order][places].tolist()
        return float(limits @ weight), low, high

    def sample(self, count: int) -> BatchNegotiation:
        """``count`` opponents in proportion to their weights and in no order, with the news that may still come.

        Each has chance of its own from here on, also where one opponent is drawn several times.
        """
        ladder = (np.arange(count) + 0.5) / count
        rows = np.searchsorted(np.cumsum(self.weights()), ladder)
        rows = self._rng.permutation(np.minimum(rows, len(self.batch.table.game) - 1))
        drawn = self._drawn.take(self.batch.table.game[rows])
        batch = self.batch.fork(rows)
        batch.table.market = self._news_to_come(drawn, batch.table.turn)
        first = _FIRST_SEED + self._draw * (DRAWN + SAMPLED) + DRAWN
        batch.reseed(np.arange(first, first + count, dtype=np.uint64))
        return batch

    def _news_to_come(self, drawn: MarketSchedules, turn: int) -> MarketSchedules:
        """Of each opponent's own draw, what lies ahead and was not in the news yet."""
        scenario = self._played.scenario
        seen = [h.id for h in self._played.headlines if h.kind == "market" and h.turn <= turn]
        known = np.array([event.id in seen for event in scenario.market], dtype=np.bool_)
        room = scenario.market_events_per_game[1] - len(seen)
        ahead = drawn.turn > turn
        if len(known):
            ahead &= ~known[drawn.event]
        ahead &= np.cumsum(ahead, axis=1) <= max(0, room)
        return replace(drawn, turn=np.where(ahead, drawn.turn, 0))


def _everywhere(own: SeatTruth, games: int) -> SeatTruths:
    """One known truth in every game."""
    flat = [value for issue in own.values for value in issue]
    alternative = np.nan if own.alternative_value is None else own.alternative_value
    return SeatTruths(
        walk_away=np.full(games, own.walk_away),
        budget=np.full(games, own.budget),
        urgency=np.full(games, own.urgency),
        has_alternative=np.full(games, own.has_alternative),
        alternative_value=np.full(games, alternative),
        values=np.tile(np.array(flat, dtype=np.float64), (games, 1)),
    )
