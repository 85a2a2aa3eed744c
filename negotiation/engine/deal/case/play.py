"""A case in one game: both sides' worlds, what has been said, and the words that go with a reply."""

from __future__ import annotations

from dataclasses import replace

from negotiation.engine.cards import GIFT, SILENCE
from negotiation.engine.deal.case.declared import DealCase
from negotiation.engine.deal.case.drawn import (
    clause,
    sweetener_factors,
)
from negotiation.engine.deal.case.labels import SPOKEN_TOPICS
from negotiation.engine.deal.case.persons import said_in_words
from negotiation.engine.deal.case.persuading import given_names, open_hold, open_share
from negotiation.engine.deal.case.rules import Ears, Hearing
from negotiation.engine.deal.case.state import (
    FactTruth,
    ObjectionTruth,
    Sheet,
    Talked,
    TalkState,
    ToldFact,
)
from negotiation.engine.deal.case.trade import NOTHING_ASKED, TradeQuestions
from negotiation.engine.deal.case.turn import SMALL_STEP, Message, gives_reason, take_in
from negotiation.engine.deal.case.words import SAID_ONCE, Answering, Spoken
from negotiation.engine.deal.case.worlds import CaseWorlds, case_for
from negotiation.engine.deal.chance import Chances
from negotiation.engine.deal.issues import terms_of
from negotiation.engine.deal.persona import Persona
from negotiation.engine.deal.scenario import Scenario
from negotiation.engine.deal.state import SideState, State
from negotiation.engine.deal.strategist.aims import FIRST_MOVER_AGGRESSION
from negotiation.engine.deal.types import OTHER_SEAT, SIGN, Action, Observation, Seat, SeatTruth
from negotiation.engine.language.types import Answer, TalkMemory


def sit_down(
    wanted: bool | DealCase, scenario: Scenario, persona: Persona, seat: Seat, chances: Chances
) -> CasePlay | None:
    """The case of a game that begins, where one is wanted.

    Raises:
        ValueError: when there is none.
    """
    case = case_for(scenario, wanted)
    return None if case is None else CasePlay(case, scenario, persona, seat, chances)


class CasePlay(CaseWorlds):
    """The case of one game against a persona.

    Args:
        seat: the player's seat.
        chances: of this game.
    """

    def __init__(
        self, case: DealCase, scenario: Scenario, persona: Persona, seat: Seat, chances: Chances
    ) -> None:
        super().__init__(case, scenario, chances)
        self._persona = persona
        self._seat: Seat = seat
        self._other: Seat = OTHER_SEAT[seat]
        self.said = TalkState()
        self._answers: tuple[Answer, ...] = ()
        self._asked_back: frozenset[str] = frozenset()
        self._kept: tuple[str, ...] = ()
        self._quotable: frozenset[str] = frozenset()
        self._detailed: tuple[str, ...] = ()
        self._talked = TalkMemory()
        self._raised_before = 0

    # -- a turn ------------------------------------------------------------------------------------

    def hear(
        self, action: Action, state: State, trust: float, asked: TradeQuestions = NOTHING_ASKED
    ) -> Talked:
        """Take in what the player did with words this turn, after its offer and its card are on the table.

        Args:
            trust: the persona's, before it.
            asked: the questions of any trade in its words.
        """
        player = state.player
        given = player.played.get(GIFT, 0)
        side = self.case.seats[self._other]
        self._raised_before, before = len(self.said.raised), self.said
        message = Message(Hearing(self.said), 0.0, frozenset(), withdraws=False)
        if action.talk:
            message = take_in(self.said, action.talk, self._ears(action, state, trust))
        heard = message.hearing
        self.said = now = replace(heard.state, idle=heard.state.idle + (action.offer is None))
        if action.card == GIFT:
            self._weigh_sweetener(player, self._seat)
        speaker = self.case.seats[self._seat]
        names = given_names(self._options(player), given)
        new = now.own[len(before.own) :]
        self._quotable |= {each.id for each in new if said_in_words(each.says, action.text)}
        answering = Answering(
            side,
            speaker,
            self._seat,
            before,
            now,
            heard.told,
            self._asked_back,
            names,
            self._quotable,
            self._detailed,
        )
        self._answers = answering.to(action.talk, asked)
        told_of = {SPOKEN_TOPICS[each.topic] for each in now.told}
        declined = (each.topic for each in self._answers if each.kind == "declined")
        self._kept = tuple(dict.fromkeys(each for each in (*self._kept, *declined) if each not in told_of))
        self._talked = answering.memory(self._kept, state.turn)
        self._detailed += tuple(each.fact for each in self._answers if each.kind in SAID_ONCE)
        self._asked_back = self._asked_back | {each.question for each in self._answers if each.question}
        own = self.case.seats[self._seat].fact
        return Talked(
            trust=heard.trust,
            credited=message.credited,
            hold=open_hold(now, side, names),
            won=now.won,
            idle=now.idle,
            offered=action.offer is not None,
            needs_told=sum(1 for each in now.own if own[each.id].need),
            told=heard.told,
            acts=message.acts,
            exposed=heard.exposed,
            withdraws=message.withdraws and action.offer is None,
        )

    def _ears(self, action: Action, state: State, trust: float) -> Ears:
        """The persona as it listens to a move."""
        return Ears(
            side=self.case.seats[self._other],
            world=self.worlds[self._other],
            cells=self._cells(self._other, state.truths[self._other]),
            speaker=self.case.seats[self._seat],
            speaker_world=self.worlds[self._seat],
            speaker_cells=self._cells(self._seat, state.truths[self._seat]),
            bluff_rate=self._persona.bluff_rate,
            tom_depth=self._persona.tom_depth,
            cold=self._persona.aggression >= FIRST_MOVER_AGGRESSION,
            minds=self._persona.minds,
            trust=trust,
            tension=state.tension.value,
            turn=state.turn,
            silent=action.card == SILENCE,
            sweeteners=state.player.played.get(GIFT, 0),
        )

    def decided(self, step: float | None) -> None:
        """The persona has decided its move: the first time that it holds or hardly moves, it gives its reason.

        Args:
            step: what it gave, as a share of the nominal zone; ``None`` when it had nothing on the table before, or
                has ended the talks.
        """
        if step is not None and step < SMALL_STEP:
            side, world = self.case.seats[self._other], self.worlds[self._other]
            self.said = gives_reason(self.said, side, world, self._persona.minds)

    def spoken(self, *, ends: bool = False) -> Spoken:
        """What the persona says of the case this turn: its answers, and the objection that it has raised.

        Args:
            ends: whether it ends the talks with it: nobody gives a reason for holding back then.
        """
        side = self.case.seats[self._other]
        new = self.said.raised[self._raised_before :]
        helps = {each.says: tuple(name for name in each.answers if "." in name) for each in side.objections}
        if not new or ends:
            return Spoken(self._answers, "", self._talked, side.terms, helps)
        raised = side.objection[new[-1]]
        meets = {each.point for each in self.case.seats[self._seat].arguments if each.id in raised.answers}
        answers = tuple(
            replace(each, kind="near", question="")
            if each.kind == "unheard" and each.point in meets
            else each
            for each in self._answers
        )  # nobody turns down what meets the worry of the same breath
        return Spoken(answers, raised.says, self._talked, side.terms, helps)

    def received(self, opponent: SideState) -> None:
        """The persona has given a sweetener: what it is worth hangs on the player's needs."""
        self._weigh_sweetener(opponent, self._other)

    def _weigh_sweetener(self, giver: SideState, seat: Seat) -> None:
        """The sweetener that was just given is worth to its receiver what its needs make of it."""
        stock = self._scenario.sweeteners_of(seat)
        to = OTHER_SEAT[seat]
        factors = sweetener_factors(self.case.seats[to], self.worlds[to], len(stock))
        place = giver.played[GIFT] - 1
        giver.sweetened += (factors[place] - 1) * stock[place].worth * self._scenario.nominal_width

    def _options(self, side: SideState) -> frozenset[str]:
        """The options of the package that a side has on the table."""
        if side.offer is None:
            return frozenset()
        terms = terms_of(self._scenario.issues, side.bundle)
        return frozenset(f"{issue}.{option}" for issue, option in terms.items())

    # -- what can be seen --------------------------------------------------------------------------

    def sheet(self, seat: Seat, truth: SeatTruth) -> Sheet:
        """What a seat knows of its own side; the player also what the persona has raised."""
        own = self.own_side(seat, truth)
        return own if seat != self._seat else replace(own, raised=self.said.raised)

    def seen(self, seen: Observation) -> Observation:
        """A seat's view with what it knows of the case."""
        return replace(seen, told=self.told_to(seen.seat), sheet=self.sheet(seen.seat, seen.own))

    def told_to(self, seat: Seat) -> tuple[ToldFact, ...]:
        """The facts that the other side has told a seat."""
        return self.said.told if seat == self._seat else self.said.own

    def objections(self, player: SideState) -> tuple[ObjectionTruth, ...]:
        """What holds the persona back now."""
        given = given_names(self._options(player), player.played.get(GIFT, 0))
        said = self.said
        return tuple(
            ObjectionTruth(
                id=each.id,
                topic=each.topic,
                says=each.says,
                hold=each.hold,
                raised=each.id in said.raised,
                left=open_share(each, said.lifted.get(each.id, 0.0), given),
            )
            for each in self.case.seats[self._other].objections
        )

    def facts(self, truths: dict[Seat, SeatTruth]) -> tuple[FactTruth, ...]:
        """All facts of both sides as they are now."""
        return tuple(
            FactTruth(
                seat=seat,
                id=fact.id,
                topic=fact.topic,
                guard=fact.guard,
                says=clause(fact, high),
                told=any(each.id == fact.id for each in self.told_to(OTHER_SEAT[seat])),
                lied=seat == self._other and fact.id in self.said.lies,
            )
            for seat in SIGN
            for fact, high in zip(self.case.seats[seat].facts, self._cells(seat, truths[seat]), strict=True)
        )
