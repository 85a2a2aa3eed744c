"""A deal between two people: the same truth, news and heat as against a persona, with nobody's mind but theirs.

Moves alternate; both seats have moved when a turn closes. As ``Negotiation`` this is a fold: the same setup and the same
moves give the same deal, bit for bit. What one seat can see hangs on nothing that the other hides: no card, no call of
a bluff and no choice between packages asks the table for somebody's truth, and offers lapse by what all can see
(ADR 0022).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from negotiation.engine.deal import hidden
from negotiation.engine.deal.case.checks import check_talk
from negotiation.engine.deal.case.declared import DealCase
from negotiation.engine.deal.case.state import FactTruth, ToldFact
from negotiation.engine.deal.case.worlds import CaseWorlds, case_for, drawn_truths
from negotiation.engine.deal.chance import Chances
from negotiation.engine.deal.checks import check_action
from negotiation.engine.deal.conduct import Conduct, player_conduct
from negotiation.engine.deal.ending import settle
from negotiation.engine.deal.errors import ActionRefused
from negotiation.engine.deal.issues import Terms, bundle_worths, terms_of
from negotiation.engine.deal.scenario import Scenario
from negotiation.engine.deal.state import SideState, State
from negotiation.engine.deal.tension import Tension
from negotiation.engine.deal.types import (
    OTHER_SEAT,
    SIGN,
    Action,
    Belief,
    EndReason,
    Move,
    Observation,
    Outcome,
    Seat,
    SeatTruth,
    Side,
)
from negotiation.engine.deal.view import observation_of
from negotiation.engine.deal.world import Course
from negotiation.engine.language import Reading, understand

EVEN_TEMPER = 0.5
"""Where the tension of two people starts and settles: as at a table with somebody neither gentle nor aggressive."""

PairEndReason = Literal["accepted", "walked", "zone_collapsed", "horizon"]


@dataclass(frozen=True, slots=True)
class PairEnd:
    """How a deal between two people ended. ``by`` is who accepted or walked; ``outcomes`` is each seat's own count of
    it, which tells of both seats' truth."""

    reason: PairEndReason
    by: Seat | None
    price: float | None
    terms: Terms
    outcomes: dict[Seat, Outcome]


class PairTable:
    """One deal between two people.

    Args:
        seed: reproduces both seats' truth and the news.
        opens: who moves first.
        horizon: turns, in each of which both move; the scenario's by default.
        case: whether there is a world behind the deal to talk about: the scenario's own, or the one given.

    Raises:
        ValueError: for a seat or a case that does not exist.
    """

    def __init__(
        self,
        scenario: Scenario,
        seed: int,
        opens: Seat,
        *,
        horizon: int | None = None,
        case: bool | DealCase = False,
    ) -> None:
        if opens not in SIGN:
            raise ValueError(f"seat must be seller or buyer, not {opens!r}")
        self.scenario = scenario
        self.opens: Seat = opens
        self.horizon = horizon or scenario.horizon
        chances = Chances.of_one(seed)
        found = case_for(scenario, case)
        self._case = None if found is None else CaseWorlds(found, scenario, chances)
        drawn = drawn_truths(self._case, scenario, chances)
        truths = {seat: drawn[seat].one(scenario) for seat in drawn}
        self._state = State(
            truths=truths,
            initial=dict(truths),
            worths={
                seat: tuple(bundle_worths(scenario.issues, truth.values).tolist())
                for seat, truth in truths.items()
            },
            scale=scenario.nominal_width,
            tension=Tension.at_start(EVEN_TEMPER),
        )
        self._original_zone = self._state.zone
        sensitivity: dict[Seat, float] = {seat: scenario.seats[seat].sensitivity for seat in SIGN}
        market = hidden.draw_schedules(scenario, sensitivity, chances)
        self._course = Course(scenario, _FIRST, self.horizon, market.one(scenario))
        self._talk: dict[Seat, list[Move]] = {seat: [] for seat in SIGN}
        self._said: dict[Seat, set[str]] = {seat: set() for seat in SIGN}
        self._beliefs: dict[Seat, Belief | None] = dict.fromkeys(SIGN)
        self._told: dict[Seat, tuple[ToldFact, ...]] = dict.fromkeys(SIGN, ())
        self._conduct: dict[Seat, Conduct] = {}
        self._moves = 0
        self._end: PairEnd | None = None

    @classmethod
    def replay(
        cls,
        scenario: Scenario,
        seed: int,
        opens: Seat,
        moves: Iterable[tuple[Seat, Action]],
        *,
        horizon: int | None = None,
        case: bool | DealCase = False,
    ) -> PairTable:
        """Rebuild a deal from its setup and its log."""
        table = cls(scenario, seed, opens, horizon=horizon, case=case)
        for seat, action in moves:
            table.play(seat, action)
        return table

    # -- what can be seen --------------------------------------------------------------------------

    @property
    def turn(self) -> int:
        """The turn that is on, from 1; both seats move in it."""
        return self._state.turn

    @property
    def moves(self) -> int:
        """Moves made so far, of both."""
        return self._moves

    @property
    def on_turn(self) -> Seat | None:
        """Who is to move; nobody once it is over."""
        if self._end is not None:
            return None
        return self.opens if self._moves % 2 == 0 else OTHER_SEAT[self.opens]

    @property
    def end(self) -> PairEnd | None:
        return self._end

    @property
    def case(self) -> DealCase | None:
        """The world behind the deal, as its author wrote it."""
        return None if self._case is None else self._case.case

    @property
    def original_zone(self) -> float:
        """What there was to share at the start, in money; hidden from both."""
        return self._original_zone

    def truth(self, seat: Seat) -> SeatTruth:
        """A seat's own hidden truth now."""
        return self._state.truths[seat]

    def truth_at_start(self, seat: Seat) -> SeatTruth:
        """A seat's own hidden truth as it sat down."""
        return self._state.initial[seat]

    def facts(self, seat: Seat) -> tuple[FactTruth, ...]:
        """A seat's facts as it takes them for true, with whether it was heard to tell them; empty without a case."""
        if self._case is None:
            return ()
        told = {each.id for each in self._told[OTHER_SEAT[seat]]}
        guards = {each.id: each.guard for each in self._case.case.seats[seat].facts}
        return tuple(
            FactTruth(seat, each.id, each.topic, guards[each.id], each.says, each.id in told, lied=False)
            for each in self._case.own_side(seat, self.truth(seat)).facts
        )

    def observe(self, seat: Seat) -> Observation:
        """All that a seat may see now: its own truth, what was said and offered, and what is public."""
        seen = observation_of(
            self._as(seat), self.scenario, "", seat, self.horizon, self._beliefs[seat], self._end is not None
        )
        seen = replace(seen, cards=(), sweeteners_left=0, pending_estimate=None)
        if self._case is None:
            return seen
        return replace(seen, told=self._told[seat], sheet=self._case.own_side(seat, self.truth(seat)))

    # -- playing -----------------------------------------------------------------------------------

    def check(self, seat: Seat, action: Action) -> None:
        """Refuse a move that cannot be made, changing nothing.

        Raises:
            ActionRefused: with a code, words for a person, and the field at fault.
        """
        self._checked(seat, action)

    def play(self, seat: Seat, action: Action) -> None:
        """Make a move; the turn closes with the second one.

        Raises:
            ActionRefused: when the move cannot be made; nothing has changed then.
        """
        reading = self._checked(seat, action)
        self._moves += 1
        if action.accept or action.walk_away:
            self._note(seat, action, None, None)
            self._finish("accepted" if action.accept else "walked", seat)
            return
        self._move(seat, action, reading)
        if len(self._conduct) == len(SIGN):
            self._close_turn()

    def _checked(self, seat: Seat, action: Action) -> Reading | None:
        if self._end is not None:
            raise ActionRefused("game_over", "This deal has ended.")
        if seat != self.on_turn:
            raise ActionRefused("not_your_turn", "The other side is to move. Your words are kept.")
        _refuse_what_asks_for_truth(action)
        check_talk(action.talk, self.case, seat)
        state = self._as(seat)
        reading = None
        if action.text.strip() and len(action.text) <= _READABLE:
            reading = understand(
                action.text,
                money=self.scenario.money,
                seat=seat,
                standing_offer=state.opponent.offer,
                own_offer=state.player.offer,
            )
        check_action(action, reading, state, self.scenario, 0)
        return reading

    def _move(self, seat: Seat, action: Action, reading: Reading | None) -> None:
        """Put a move on the table."""
        state = self._as(seat)
        conduct = player_conduct(action, reading, state, self.scenario, seat, self._beliefs[seat])
        self._conduct[seat] = conduct
        if action.belief is not None:
            self._beliefs[seat] = action.belief
        side = state.player
        offered = action.offer is not None
        terms = terms_of(self.scenario.issues, side.bundle) if offered else None
        self._note(seat, action, side.offer if offered else None, terms)
        self._note_told(seat, action)

    def _note(self, seat: Seat, action: Action, offer: float | None, terms: Terms | None) -> None:
        """Write a move into both seats' transcripts."""
        for reader, talk in self._talk.items():
            side: Side = "player" if reader == seat else "opponent"
            talk.append(
                Move(self.turn, side, action.text, offer, None, None, action.accept, action.walk_away, terms)
            )

    def _note_told(self, seat: Seat, action: Action) -> None:
        """The facts of its own that a move was heard to tell."""
        if self._case is None:
            return
        told = {each.id for each in action.talk if each.act == "disclose"}
        known = {each.id for each in self._told[OTHER_SEAT[seat]]}
        own = self._case.own_side(seat, self.truth(seat)).facts
        new = (replace(each, turn=self.turn) for each in own if each.id in told - known)
        self._told[OTHER_SEAT[seat]] += tuple(new)

    # -- the turn's end ----------------------------------------------------------------------------

    def _close_turn(self) -> None:
        """Both have moved: heat, erosion, news, and whether it goes on."""
        state, nominal = self._state, self.scenario.nominal_width
        one, other = self._conduct[_FIRST], self._conduct[OTHER_SEAT[_FIRST]]
        self._conduct = {}
        state.tension.close_turn_of_people(
            sorted(one.acts),
            sorted(other.acts),
            max(0.0, one.given) / nominal,
            max(0.0, other.given) / nominal,
        )
        known = len(state.headlines)
        self._course.pass_turn(state)
        if len(state.headlines) > known:
            # News may have carried a limit past an offer. Were only that one to lapse, its maker's limit would show.
            state.player.offer = state.opponent.offer = None
        reason = self._course.ends(state)
        if reason is not None:
            self._finish("zone_collapsed" if reason == "zone_collapsed" else "horizon", None)

    def _finish(self, reason: PairEndReason, by: Seat | None) -> None:
        taken = self._sides[OTHER_SEAT[by]].package if reason == "accepted" and by is not None else None
        outcomes = {
            seat: settle(
                self._as(seat), _reason_for(seat, reason, by), taken, seat, self.scenario, self.horizon, None
            )[0]
            for seat in SIGN
        }
        terms = {} if taken is None else terms_of(self.scenario.issues, taken[1])
        self._end = PairEnd(reason, by, None if taken is None else taken[0], terms, outcomes)

    # -- whose eyes --------------------------------------------------------------------------------

    @property
    def _sides(self) -> dict[Seat, SideState]:
        return {_FIRST: self._state.player, OTHER_SEAT[_FIRST]: self._state.opponent}

    def _as(self, seat: Seat) -> State:
        """The state with ``seat`` as the player. Sides, tension and news are the table's own; what only a player of
        ``Negotiation`` is asked and graded by is left empty."""
        sides = self._sides
        return replace(
            self._state,
            player=sides[seat],
            opponent=sides[OTHER_SEAT[seat]],
            transcript=self._talk[seat],
            said=self._said[seat],
            pending_estimate=None,
            pending_effect=None,
            adaptations=[],
            grades=[],
        )


_FIRST: Seat = "seller"
"""Whose side the state calls the player."""
_READABLE = 2000
"""Characters that are read; a longer text is refused."""


def _refuse_what_asks_for_truth(action: Action) -> None:
    """What works at a table with a persona because the table knows its truth, or its mind, has no place here."""
    if action.card is not None or action.claim is not None or action.challenge:
        raise ActionRefused("no_cards", "Between two people there are no cards: say it in words.", "card")
    if action.alternatives:
        raise ActionRefused(
            "one_package", "Put one package on the table; the other side answers it.", "alternatives"
        )
    if action.event_estimate is not None:
        raise ActionRefused("estimate_not_asked", "There is no headline to estimate.", "event_estimate")


def _reason_for(seat: Seat, reason: PairEndReason, by: Seat | None) -> EndReason:
    """The reason as ``Negotiation`` would name it for the one who sits in ``seat``."""
    if reason == "accepted":
        return "player_accepted" if seat == by else "opponent_accepted"
    if reason == "walked":
        return "player_walked" if seat == by else "opponent_walked"
    return reason
