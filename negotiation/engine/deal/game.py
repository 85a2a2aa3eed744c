"""The game: one negotiation between a player and a persona, turn by turn.

``Negotiation`` is a fold: the same setup and the same actions give the same episode, bit for bit, so a log
of actions is all that ever needs to be kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from negotiation.engine.deal import hidden
from negotiation.engine.deal.across import Across, note_move
from negotiation.engine.deal.answers import Heard
from negotiation.engine.deal.belief import LimitPosterior
from negotiation.engine.deal.branching import branch
from negotiation.engine.deal.case.checks import check_talk
from negotiation.engine.deal.case.declared import DealCase
from negotiation.engine.deal.case.play import CasePlay, sit_down
from negotiation.engine.deal.case.trade import TradeQuestions
from negotiation.engine.deal.case.worlds import drawn_truths
from negotiation.engine.deal.chance import Chances
from negotiation.engine.deal.checks import check_action
from negotiation.engine.deal.conduct import Conduct, player_conduct
from negotiation.engine.deal.ending import settle
from negotiation.engine.deal.errors import ActionRefused
from negotiation.engine.deal.issues import bundle_worths, terms_of
from negotiation.engine.deal.observer import reference_posterior
from negotiation.engine.deal.persona import Persona, personas
from negotiation.engine.deal.reward import bluff_term
from negotiation.engine.deal.scenario import Scenario
from negotiation.engine.deal.scenario_file import scenarios
from negotiation.engine.deal.speech import Speaker
from negotiation.engine.deal.state import (
    CAUGHT_FACTOR,
    State,
)
from negotiation.engine.deal.strategist import PersonaMind
from negotiation.engine.deal.tension import Tension
from negotiation.engine.deal.types import (
    OTHER_SEAT,
    SIGN,
    Action,
    Belief,
    EndReason,
    Observation,
    Outcome,
    Reply,
    Seat,
    SeatTruth,
    Step,
    Term,
    Truth,
)
from negotiation.engine.deal.utterance import Utterance
from negotiation.engine.deal.view import grade, mirrored, observation_of, sweeteners_left
from negotiation.engine.deal.world import World
from negotiation.engine.language import Reading, Speech, understand


class Negotiation:
    """One game.

    Args:
        scenario, persona: ids, or the objects themselves.
        seat: the player's seat.
        seed: reproduces truth, news, character and every choice of the persona.
        difficulty: in [0, 1]; .5 is the persona as described.
        horizon: turns; the scenario's by default.
        speak: whether the persona finds words (off where only the moves matter).
        infers: whether the persona learns the player's limit from the player's offers (off: an ablation).
        training_step: where in training this episode stands; softens the floor-breach cliff at first.
        case: whether there is a world behind the deal to talk about: the scenario's own, or the one given.

    Raises:
        KeyError: for an unknown scenario or persona.
        ValueError: for a seat, difficulty or case that does not exist.
    """

    def __init__(
        self,
        scenario: str | Scenario,
        persona: str | Persona,
        seat: Seat = "seller",
        seed: int = 0,
        *,
        difficulty: float = 0.5,
        horizon: int | None = None,
        speak: bool = True,
        training_step: int | None = None,
        infers: bool = True,
        case: bool | DealCase = False,
    ) -> None:
        if seat not in SIGN:
            raise ValueError(f"seat must be seller or buyer, not {seat!r}")
        if not 0 <= difficulty <= 1:
            raise ValueError("difficulty must lie in [0, 1]")
        if seed < 0:
            raise ValueError("seed must not be negative")
        self.scenario = scenarios()[scenario] if isinstance(scenario, str) else scenario
        self.persona = personas()[persona] if isinstance(persona, str) else persona
        self.seat: Seat = seat
        self.seed = seed
        self.horizon = horizon or self.scenario.horizon
        self._training_step = training_step
        self._opponent_seat: Seat = OTHER_SEAT[seat]
        self._chances = Chances.of_one(seed)
        self._case = sit_down(case, self.scenario, self.persona, seat, self._chances)
        drawn = drawn_truths(self._case, self.scenario, self._chances)
        truths = {each: drawn[each].one(self.scenario) for each in drawn}
        self._state = State(
            truths=truths,
            initial=dict(truths),
            worths={each: self._worths(truth) for each, truth in truths.items()},
            scale=self.scenario.nominal_width,
            tension=Tension.at_start(self.persona.aggression),
        )
        self._original_zone = self._state.zone
        if self._original_zone > 0:
            self._state.scale = self._original_zone
        sensitivity: dict[Seat, float] = {
            self.seat: self.scenario.seats[self.seat].sensitivity,
            self._opponent_seat: self.persona.mev_sensitivity,
        }
        market = hidden.draw_schedules(self.scenario, sensitivity, self._chances)
        self._world = World(self.scenario, seat, self.horizon, market.one(self.scenario), self.persona)
        mind = PersonaMind(
            self.persona,
            self.scenario,
            self._opponent_seat,
            difficulty,
            self.horizon,
            self._state.worths[self._opponent_seat],
            self._chances,
            infers=infers,
            has_case=self._case is not None,
        )
        speaker = Speaker(self.persona, self.scenario, self._opponent_seat, self._chances) if speak else None
        self._across = Across(mind, speaker, self._state, self.scenario, self._opponent_seat, self._case)
        self._outcome: Outcome | None = None
        self._view: Observation | None = None
        self._last_belief: Belief | None = None
        self._news_shift = 0.0
        self.opening: Reply | None = self._across.open() if self.persona.speaks_first else None

    @classmethod
    def replay(cls, setup: dict[str, Any], moves: Iterable[tuple[Action, Reply | str | None]]) -> Negotiation:
        """Rebuild a game from its setup and its log.

        A recorded reply is taken as it was; recorded words are spoken for what the persona decides again.
        """
        game = cls(**setup)
        for action, answer in moves:
            if isinstance(answer, str):
                game.step(action, words=answer)
            else:
                game.step(action, answer)
        return game

    def fork(self) -> Negotiation:
        """The same table once more, to try a move on: what happens there changes nothing here."""
        # The chances are laid out in advance; all that is kept in them are draws already made.
        return branch(self, shared=(self._chances,))

    # -- what can be seen --------------------------------------------------------------------------

    @property
    def turn(self) -> int:
        return self._state.turn

    @property
    def done(self) -> bool:
        return self._outcome is not None

    @property
    def outcome(self) -> Outcome | None:
        return self._outcome

    @property
    def case(self) -> DealCase | None:
        """The world behind the deal, as its author wrote it."""
        return None if self._case is None else self._case.case

    @property
    def grades(self) -> list[tuple[Term, ...]]:
        """The reward terms earned on each turn so far."""
        return list(self._state.grades)

    @property
    def total_reward(self) -> float:
        return self._state.total_reward

    @property
    def truth(self) -> Truth:
        """Hidden truth of both seats. Never reachable from an :class:`Observation`."""
        state = self._state
        return Truth(
            seat=self.seat,
            seller=state.truths["seller"],
            buyer=state.truths["buyer"],
            original_low=state.initial["seller"].walk_away,
            original_high=state.initial["buyer"].walk_away,
            original_zone=self._original_zone,
            open_claim_is_bluff=state.opponent.claim_is_bluff,
            facts=() if self._case is None else self._case.facts(state.truths),
            objections=() if self._case is None else self._case.objections(state.player),
            exposed=() if self._case is None else tuple(sorted(self._case.said.exposed)),
        )

    def observe(self) -> Observation:
        """All that the player may see now."""
        if self._view is None:
            self._view = observation_of(
                self._state,
                self.scenario,
                self.persona.id,
                self.seat,
                self.horizon,
                self._last_belief,
                self.done,
            )
            if self._case is not None:
                self._view = self._case.seen(self._view)
        return self._view

    def reference_posterior(self) -> LimitPosterior:
        """What a careful observer in the player's seat would believe about the opponent's limit.

        In value space of the player: multiply by the player's sign to get money.
        """
        return reference_posterior(
            self.scenario,
            self.persona,
            self._opponent_seat,
            self.horizon,
            self._across.offers,
            self._state.headlines,
        )

    # -- playing -----------------------------------------------------------------------------------

    def check(self, action: Action) -> None:
        """Refuse an action that cannot be taken, changing nothing.

        Raises:
            ActionRefused: with a code, words for a person, and the field at fault.
        """
        self._checked(action)

    def step(self, action: Action, reply: Reply | None = None, *, words: str | None = None) -> Step:
        """Play the player's action and the opponent's answer to it.

        Args:
            action: what the player does.
            reply: a recorded or a model's answer; by default the strategic persona answers.
            words: said in place of the persona's own words; what it decides stays the same.

        Raises:
            ActionRefused: when the action cannot be taken; nothing has changed then.
            ValueError: for a reply that can't be played.
        """
        reading = self._checked(action)
        self._view = None
        if action.accept:
            return self._close_by_player(action, words)
        if action.walk_away:
            note_move(self._state, "player", action.text, walk_away=True)
            return self._finish((), "player_walked", None, self._across.part("left", words))
        state = self._state
        standing_before = state.worth(state.opponent, self.seat)
        heard = self._move_of_player(action, reading)
        conduct = heard.conduct
        answer = self._ask_opponent(heard, reply)
        if words is not None:
            answer = replace(answer, text=words)
        booked = self._across.book(answer, conduct, standing_before)
        terms = grade(action, conduct, standing_before, booked.gave, state, self.seat)
        if answer.accept:
            return self._finish(terms, "opponent_accepted", state.player.offer, answer)
        if answer.walk_away:
            return self._finish(terms, "opponent_walked", None, answer)
        self._news_shift += self._world.close_turn(state, conduct, booked.given, booked.acts)
        reason = self._world.ends(state)
        if reason is not None:
            return self._finish(terms, reason, None, answer)
        self._book(terms)
        return Step(self.observe(), answer, sum(t.points for t in terms), terms, False)

    def follow_events(self, other: Negotiation) -> None:
        """Take over what events did at another table of the same deal: the hidden truth, and offers that lapsed.

        For two tables that hold the two ends of one conversation: who is the player at one sits across at the other.
        """
        self._view = None
        state, theirs = self._state, other._state
        state.truths = dict(theirs.truths)
        state.worths = dict(theirs.worths)
        for here, there in ((state.player, theirs.opponent), (state.opponent, theirs.player)):
            if there.offer is None:
                here.offer = None

    def across(self, action: Action) -> Observation:
        """The table as the opponent sees it once ``action`` is played, before it answers. Nothing changes.

        Raises:
            ActionRefused: when the action cannot be taken.
        """
        table = self.fork()
        reading = table._checked(action)
        if not (action.accept or action.walk_away):
            table._move_of_player(action, reading)
        seen = mirrored(table._state, self.scenario, self.persona.id, self.seat, self.horizon)
        return seen if table._case is None else table._case.seen(seen)

    def phrase(self, action: Action, reply: Reply) -> str:
        """How the persona would say a reply to ``action`` that somebody else decided. Nothing changes.

        Raises:
            ActionRefused: when the action cannot be taken.
            ValueError: for a reply that can't be played.
        """
        table = self.fork()
        reading = table._checked(action)
        return table._across.phrase(reply, table._move_of_player(action, reading))

    def answering(self, action: Action) -> str:
        """What the persona says to the words of ``action`` and gives as its reason, whoever decides the move. Nothing
        changes; empty where there is no case, or nothing to answer.

        Raises:
            ActionRefused: when the action cannot be taken.
        """
        table = self.fork()
        reading = table._checked(action)
        return table._across.answering(table._move_of_player(action, reading))

    @property
    def speech(self) -> Speech | None:
        """What the persona was last to say, as a request for words; ``None`` where it does not speak.

        It holds what was decided to be said and what was heard, and nothing of anybody's truth.
        """
        return self._across.speech

    # -- the player's move -------------------------------------------------------------------------

    def _move_of_player(self, action: Action, reading: Reading | None) -> Heard:
        """Put the player's move on the table; the opponent has yet to answer."""
        state = self._state
        conduct = player_conduct(action, reading, state, self.scenario, self.seat, self._last_belief)
        if action.belief is not None:
            self._last_belief = action.belief
        self._note_players(action, conduct)
        if conduct.verdict == "caught":
            state.opponent.lose_standing(CAUGHT_FACTOR)
        words = Utterance(action, self.scenario, self.seat, self.persona, self._case)
        if self._case is not None:
            self._hear_words(self._case, action, conduct, words.trade(self._case))
        return words.heard(conduct, reading)

    def _hear_words(self, case: CasePlay, action: Action, conduct: Conduct, asked: TradeQuestions) -> None:
        """What the player's words do to the table, and will do to the persona's mind."""
        player = self._state.player
        conduct.talked = talked = case.hear(action, self._state, self._across.mind.trust.value, asked)
        conduct.acts |= talked.acts
        if talked.exposed:
            player.lose_standing(CAUGHT_FACTOR)
        if talked.withdraws:
            player.offer = None

    def _checked(self, action: Action) -> Reading | None:
        if self.done:
            raise ActionRefused("game_over", "This deal has ended.")
        check_talk(action.talk, None if self._case is None else self._case.case, self.seat)
        reading = None
        if action.text.strip() and len(action.text) <= 2000:
            reading = understand(
                action.text,
                money=self.scenario.money,
                seat=self.seat,
                standing_offer=self._state.opponent.offer,
                own_offer=self._state.player.offer,
            )
        check_action(action, reading, self._state, self.scenario, self._sweeteners_left(self.seat))
        return reading

    def _close_by_player(self, action: Action, words: str | None) -> Step:
        state = self._state
        price = state.opponent.offer
        note_move(state, "player", action.text, accept=True)
        terms = (bluff_term("swallowed"),) if state.opponent.claim_is_bluff else ()
        return self._finish(terms, "player_accepted", price, self._across.part("taken", words))

    def _note_players(self, action: Action, conduct: Conduct) -> None:
        """Write the player's move down: of packages side by side, the one that stands."""
        offer, terms = None, None
        if action.offer is not None:
            offer = self._state.player.offer
            terms = terms_of(self.scenario.issues, self._state.player.bundle)
        note_move(self._state, "player", action.text, offer, action.card, conduct.claim, terms=terms)

    def _ask_opponent(self, heard: Heard, reply: Reply | None) -> Reply:
        news, self._news_shift = self._news_shift, 0.0
        draws = self._chances.one_turn(self._state.turn)
        if reply is None:
            return self._across.answer(heard, draws, news)
        return self._across.follow(reply, heard, draws, news)

    # -- the turn's end ----------------------------------------------------------------------------

    def _finish(self, terms: tuple[Term, ...], reason: EndReason, price: float | None, reply: Reply) -> Step:
        for term in terms:
            self._state.total_reward += term.points
        side = self._state.opponent if reason == "player_accepted" else self._state.player
        package = None if price is None else (price, side.bundle)
        self._outcome, final = settle(
            self._state, reason, package, self.seat, self.scenario, self.horizon, self._training_step
        )
        everything = terms + final
        self._state.grades.append(everything)
        self._state.total_reward = self._outcome.total_reward
        return Step(self.observe(), reply, sum(t.points for t in everything), everything, True)

    def _book(self, terms: tuple[Term, ...]) -> None:
        self._state.grades.append(terms)
        self._state.total_reward += sum(term.points for term in terms)

    # -- small things ------------------------------------------------------------------------------

    def _worths(self, truth: SeatTruth) -> tuple[float, ...]:
        return tuple(bundle_worths(self.scenario.issues, truth.values).tolist())

    def _sweeteners_left(self, seat: Seat) -> int:
        return sweeteners_left(self._state, self.scenario, seat, self.seat)
