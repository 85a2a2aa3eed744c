"""The case behind the deal in many games: ``case/play.py`` over arrays.

What was drawn lies in arrays, one row a game. What a message does is worked out game by game, by the rules of the scalar
engine itself, and only where something was said; what silent games need of a case on every turn is arithmetic on arrays.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Self

import numpy as np
import numpy.typing as npt

from negotiation.engine.cards import GIFT, SILENCE
from negotiation.engine.deal.batch.moves import CARD_IDS, Moves
from negotiation.engine.deal.batch.table import Sides, Table
from negotiation.engine.deal.case.declared import DealCase, SeatCase
from negotiation.engine.deal.case.drawn import (
    ADVERSE,
    MISTAKEN,
    OTHER_NEED,
    WorldLines,
    draw_lines,
    worth_factor,
)
from negotiation.engine.deal.case.persuading import given_names
from negotiation.engine.deal.case.rules import Ears, Record, lie_rate
from negotiation.engine.deal.case.state import TalkState
from negotiation.engine.deal.case.turn import gives_reason, take_in
from negotiation.engine.deal.chance import Array, Chances
from negotiation.engine.deal.hidden import SeatTruths
from negotiation.engine.deal.issues import bundles, terms_of
from negotiation.engine.deal.persona import Persona
from negotiation.engine.deal.rows import Ints, Mask, Rows
from negotiation.engine.deal.scenario import Scenario, SeatSpec
from negotiation.engine.deal.strategist.aims import FIRST_MOVER_AGGRESSION
from negotiation.engine.deal.types import OTHER_SEAT, SIGN, Seat

_GIFT: Final = CARD_IDS.index(GIFT)
_SILENCE: Final = CARD_IDS.index(SILENCE)

Objects = npt.NDArray[np.object_]


@dataclass(slots=True)
class Talked(Rows):
    """What the players' words of one turn do, a row a game; as :class:`negotiation.engine.deal.case.state.Talked`."""

    trust: Array
    credited: Array
    hold: Array
    won: Array
    idle: Ints
    offered: Mask
    needs_told: Ints
    apologises: Mask
    exposed: Mask
    withdraws: Mask


@dataclass(slots=True)
class Talks(Rows):
    """The cases of many games.

    ``drawn`` is what each game drew of either side; ``said`` holds what has been said in each, a
    :class:`TalkState` a game; ``lifted`` of each objection, shape ``(n, objections)``, ``won``, ``idle`` and ``needs_told``
    are the parts of it that every turn needs.
    """

    case: DealCase
    scenario: Scenario
    persona: Persona
    seat: Seat
    """The player's."""
    drawn: dict[Seat, WorldLines]
    answered: Array
    """The share of each objection that a package and so many sweeteners answer, shape ``(bundles + 1, sweeteners + 1,
    objections)``; the last bundle stands for none."""
    said: Objects
    lifted: Array
    won: Array
    idle: Ints
    needs_told: Ints

    @classmethod
    def at_start(
        cls, case: DealCase, scenario: Scenario, persona: Persona, seat: Seat, chances: Chances
    ) -> Self:
        """Games in which nothing has been said."""
        drawn = draw_lines(case, chances)
        games = len(drawn[seat].weights)
        side = case.seats[OTHER_SEAT[seat]]
        said = np.empty(games, dtype=object)
        said[:] = [TalkState()] * games
        return cls(
            case=case,
            scenario=scenario,
            persona=persona,
            seat=seat,
            drawn=drawn,
            answered=_answered_by_terms(side, scenario, len(scenario.sweeteners_of(seat))),
            said=said,
            lifted=np.zeros((games, len(side.objections))),
            won=np.zeros(games),
            idle=np.zeros(games, dtype=np.int64),
            needs_told=np.zeros(games, dtype=np.int64),
        )

    def take(self, kept: npt.NDArray[np.intp]) -> Self:
        """The rows ``kept``, in that order; what the terms answer is the same in every game."""
        return replace(
            self,
            drawn={seat: drawn.take(kept) for seat, drawn in self.drawn.items()},
            said=self.said[kept],
            lifted=self.lifted[kept],
            won=self.won[kept],
            idle=self.idle[kept],
            needs_told=self.needs_told[kept],
        )

    @property
    def other(self) -> Seat:
        """The persona's seat."""
        return OTHER_SEAT[self.seat]

    def option_factors(self) -> dict[Seat, Array]:
        """What each seat's needs do to the worth of each option of all issues, shape ``(n, options)``."""
        return {seat: self._option_factors(seat) for seat in SIGN}

    def _option_factors(self, seat: Seat) -> Array:
        side = self.case.seats[seat]
        names = [f"{issue.id}.{option.id}" for issue in self.scenario.issues for option in issue.options]
        columns = []
        for name in names:
            met = [self._worth_factor(seat, need.id) for need in side.needs if name in need.options]
            total = np.zeros(len(self.won))
            for each in met:
                total = total + each
            columns.append(total / len(met) if met else np.ones(len(self.won)))
        return np.stack(columns, axis=1) if columns else np.ones((len(self.won), 0))

    def _worth_factor(self, seat: Seat, need: str) -> Array:
        return worth_factor(self._weight(seat, need))

    def _weight(self, seat: Seat, need: str) -> Array:
        weights = self.drawn[seat].weights
        heaviness: Array = weights.shape[1] * weights[:, self.case.seats[seat].place_of_need[need]]
        return heaviness

    # -- a turn ------------------------------------------------------------------------------------

    def hear(self, moves: Moves, table: Table, trust: Array, record: Record | None) -> Talked:
        """Take in what the players did with words, after their offers and cards are on the table.

        Args:
            trust: the personas', before it.
            record: what the personas answered, where that is known: they answer nothing else.
        """
        games = len(self.won)
        talked = Talked(
            trust=np.zeros(games),
            credited=np.zeros(games),
            hold=np.zeros(games),
            won=self.won,
            idle=self.idle,
            offered=~np.isnan(moves.offer),
            needs_told=self.needs_told,
            apologises=np.zeros(games, dtype=np.bool_),
            exposed=np.zeros(games, dtype=np.bool_),
            withdraws=np.zeros(games, dtype=np.bool_),
        )
        if moves.talk is not None:
            self._hear_words(moves, moves.talk, table, trust, record, talked)
        self.idle = self.idle + ~talked.offered
        gifts = moves.card == _GIFT
        if gifts.any():
            self.weigh_sweeteners(table.player, self.seat, gifts)
        talked.hold = self._open_hold(table.player)
        talked.won, talked.idle, talked.needs_told = self.won, self.idle, self.needs_told
        return talked

    def _hear_words(
        self,
        moves: Moves,
        talk: Objects,
        table: Table,
        trust: Array,
        record: Record | None,
        talked: Talked,
    ) -> None:
        rows = [row for row, each in enumerate(talk) if each]
        if not rows:
            return
        own, side = self.case.seats[self.seat], self.case.seats[self.other]
        cells = {seat: self._cells(seat, table.truths[seat]).tolist() for seat in SIGN}
        worlds = {seat: self.drawn[seat].some(rows) for seat in SIGN}
        self.lifted, self.won, self.needs_told = self.lifted.copy(), self.won.copy(), self.needs_told.copy()
        self.said = self.said.copy()
        for number, row in enumerate(rows):
            ears = Ears(
                side=side,
                world=worlds[self.other][number],
                cells=tuple(cells[self.other][row]),
                speaker=own,
                speaker_world=worlds[self.seat][number],
                speaker_cells=tuple(cells[self.seat][row]),
                bluff_rate=self.persona.bluff_rate,
                tom_depth=self.persona.tom_depth,
                cold=self.persona.aggression >= FIRST_MOVER_AGGRESSION,
                minds=self.persona.minds,
                trust=float(trust[row]),
                tension=float(table.heat.value[row]),
                turn=table.turn,
                silent=bool(moves.card[row] == _SILENCE),
                sweeteners=int(table.player.played[row, _GIFT]),
                record=record,
            )
            message = take_in(self.said[row], talk[row], ears)
            heard = message.hearing
            self.said[row] = now = heard.state
            self.lifted[row] = [now.lifted.get(each.id, 0.0) for each in side.objections]
            self.won[row] = now.won
            self.needs_told[row] = sum(1 for each in now.own if own.fact[each.id].need)
            talked.trust[row], talked.credited[row] = heard.trust, message.credited
            talked.apologises[row], talked.exposed[row] = bool(message.acts), heard.exposed
            talked.withdraws[row] = message.withdraws and np.isnan(moves.offer[row])

    def give_reasons(self, where: Mask, record: Record | None) -> None:
        """Where the personas hold or hardly move for the first time, they give the objection that they mind most."""
        if record is not None:
            return
        side = self.case.seats[self.other]
        rows = [row for row in np.flatnonzero(where).tolist() if not self.said[row].raised]
        if rows:
            self.said = self.said.copy()
            worlds = self.drawn[self.other].some(rows)
            for row, world in zip(rows, worlds, strict=True):
                self.said[row] = gives_reason(self.said[row], side, world, self.persona.minds)

    def weigh_sweeteners(self, giver: Sides, seat: Seat, where: Mask) -> None:
        """The sweeteners that were just given are worth to their receivers what those need."""
        stock, to = self.scenario.sweeteners_of(seat), OTHER_SEAT[seat]
        rows = np.flatnonzero(where)
        places = giver.played[rows, _GIFT] - 1
        met = {need.sweetener: need.id for need in self.case.seats[to].needs}
        for row, place in zip(rows.tolist(), places.tolist(), strict=True):
            need = met.get(place + 1)
            factor = 1.0 if need is None else float(self._worth_factor(to, need)[row])
            giver.sweetened[row] += (factor - 1) * stock[place].worth * self.scenario.nominal_width

    def _open_hold(self, player: Sides) -> Array:
        """What open objections hold, as a share of the nominal zone."""
        bundle = np.where(np.isnan(player.offer), len(self.answered) - 1, player.bundle)
        answered = self.lifted + self.answered[bundle, player.played[:, _GIFT]]
        left = np.maximum(0.0, 1.0 - answered)
        hold = np.zeros(len(left))
        for place, objection in enumerate(self.case.seats[self.other].objections):
            hold = hold + objection.hold * left[:, place]
        return hold

    def likelihood(
        self, truths: dict[Seat, SeatTruths], fact: str, high: bool, trust: float, *, is_named: bool
    ) -> Array:
        """How likely each persona, asked, tells this cell of one of its facts, shape ``(n,)``.

        Args:
            trust: the persona's, as far as one can know it.
            is_named: whether a closed question named the fact: only then a lie is told, and not kept to oneself.
        """
        told = self.case.seats[self.other].fact[fact]
        if told.need:
            heavy = self._weight(self.other, told.need) > 1
            return np.where(heavy == high, 1.0, OTHER_NEED)
        spec = self.scenario.seats[self.other]
        is_high = _high_cells(self.other, truths[self.other], spec)[told.value]
        adverse = ADVERSE[told.value]
        believes_adverse = np.where(is_high == adverse, 1 - MISTAKEN, MISTAKEN)
        lies = lie_rate(self.persona.bluff_rate, trust, "ask_closed" if is_named else "ask_open")
        if high == adverse:
            return believes_adverse * (1 - lies)
        return 1 - believes_adverse + (believes_adverse * lies if is_named else 0.0)

    def _cells(self, seat: Seat, truths: SeatTruths) -> npt.NDArray[np.bool_]:
        """For each fact whether its high cell is what the seat takes for true, shape ``(n, facts)``."""
        side, drawn = self.case.seats[seat], self.drawn[seat]
        high = _high_cells(seat, truths, self.scenario.seats[seat])
        columns = []
        for place, fact in enumerate(side.facts):
            if fact.value:
                columns.append(high[fact.value] != drawn.mistaken[:, place])
            elif fact.need:
                columns.append(self._weight(seat, fact.need) > 1)
            else:
                columns.append(np.zeros(len(self.won), dtype=np.bool_))
        return np.stack(columns, axis=1)


def _high_cells(seat: Seat, truths: SeatTruths, spec: SeatSpec) -> dict[str, Mask]:
    """As ``drawn.high_cell``, over arrays."""
    gap = np.abs(truths.budget - truths.walk_away) / np.abs(truths.walk_away)
    return {
        "urgency": truths.urgency > sum(spec.urgency) / 2,
        "alternative": truths.has_alternative,
        "budget": gap > sum(spec.budget_gap) / 2,
        "walk_away": SIGN[seat] * (truths.walk_away - spec.walk_away) < 0,
    }


def _answered_by_terms(side: SeatCase, scenario: Scenario, sweeteners: int) -> Array:
    packages: list[frozenset[str]] = [
        frozenset(f"{issue}.{option}" for issue, option in terms_of(scenario.issues, bundle).items())
        for bundle in range(len(bundles(scenario.issues)))
    ]
    table = [
        [
            [_share(each.answers, given_names(options, given)) for each in side.objections]
            for given in range(sweeteners + 1)
        ]
        for options in (*packages, frozenset[str]())
    ]
    return np.array(table)


def _share(answers: Mapping[str, float], given: frozenset[str]) -> float:
    return float(sum(share for answer, share in answers.items() if answer in given))
