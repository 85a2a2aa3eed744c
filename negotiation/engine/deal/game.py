"""The game: one negotiation between a player and a persona, turn by turn.

``Negotiation`` is a fold: the same setup and the same actions give the same episode, bit for bit, so a log
of actions is all that ever needs to be kept.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from negotiation.engine.deal import hidden
from negotiation.engine.deal.belief import LimitPosterior
from negotiation.engine.deal.checks import check_action
from negotiation.engine.deal.conduct import Conduct, next_sweetener, play_card, player_conduct
from negotiation.engine.deal.ending import settle
from negotiation.engine.deal.errors import ActionRefused
from negotiation.engine.deal.observer import reference_posterior
from negotiation.engine.deal.persona import Persona, personas
from negotiation.engine.deal.reward import (
    bluff_term,
    is_bluff,
)
from negotiation.engine.deal.scenario import Scenario
from negotiation.engine.deal.scenario_file import scenarios
from negotiation.engine.deal.speech import Speaker
from negotiation.engine.deal.state import (
    CAUGHT_FACTOR,
    State,
)
from negotiation.engine.deal.strategist import Decision, PersonaMind, Situation
from negotiation.engine.deal.streams import stream
from negotiation.engine.deal.tension import Tension, band
from negotiation.engine.deal.types import (
    OTHER_SEAT,
    SIGN,
    Action,
    Belief,
    EndReason,
    Move,
    Observation,
    Outcome,
    Reply,
    Seat,
    Step,
    Term,
    Truth,
)
from negotiation.engine.deal.view import grade, observation_of, sweeteners_left
from negotiation.engine.deal.world import World
from negotiation.engine.language import Reading, understand


class Negotiation:
    """One game.

    Args:
        scenario, persona: ids, or the objects themselves.
        seat: the player's seat.
        seed: reproduces truth, news, character and every choice of the persona.
        difficulty: in [0, 1]; .5 is the persona as described.
        horizon: turns; the scenario's by default.
        speak: whether the persona finds words (off where only the moves matter).
        training_step: where in training this episode stands; softens the floor-breach cliff at first.

    Raises:
        KeyError: for an unknown scenario or persona.
        ValueError: for a seat or difficulty that does not exist.
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
        truths = hidden.draw_truth(self.scenario, stream(seed, "truth"))
        width = hidden.zone_width(truths)
        self._state = State(
            truths=truths,
            initial=dict(truths),
            scale=width if width > 0 else self.scenario.nominal_width,
            tension=Tension.at_start(self.persona.aggression),
        )
        sensitivity: dict[Seat, float] = {
            self.seat: self.scenario.seats[self.seat].sensitivity,
            self._opponent_seat: self.persona.mev_sensitivity,
        }
        market = hidden.schedule_market_events(self.scenario, sensitivity, stream(seed, "events"))
        self._world = World(self.scenario, self.persona, seat, self.horizon, market)
        self._mind = PersonaMind(
            self.persona,
            self.scenario,
            self._opponent_seat,
            difficulty,
            self.horizon,
            stream(seed, "character"),
        )
        self._speaker = Speaker(self.persona, self.scenario, self._opponent_seat, seed) if speak else None
        self._outcome: Outcome | None = None
        self._last_belief: Belief | None = None
        self._news_shift = 0.0
        self._opponent_offers: list[tuple[int, float]] = []
        self.opening: Reply | None = self._open()

    @classmethod
    def replay(cls, setup: dict[str, Any], moves: Iterable[tuple[Action, Reply | None]]) -> Negotiation:
        """Rebuild a game from its setup and its log. Recorded replies are taken as they were."""
        game = cls(**setup)
        for action, reply in moves:
            game.step(action, reply)
        return game

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
        claim = state.opponent.open_claim
        return Truth(
            seat=self.seat,
            seller=state.truths["seller"],
            buyer=state.truths["buyer"],
            original_low=state.initial["seller"].walk_away,
            original_high=state.initial["buyer"].walk_away,
            open_claim_is_bluff=None if claim is None else is_bluff(claim, self._opponent_walk_away),
        )

    def observe(self) -> Observation:
        """All that the player may see now."""
        return observation_of(
            self._state, self.scenario, self.persona.id, self.seat, self.horizon, self._last_belief, self.done
        )

    def reference_posterior(self) -> LimitPosterior:
        """What a careful observer in the player's seat would believe about the opponent's limit.

        In value space of the player: multiply by the player's sign to get money.
        """
        return reference_posterior(
            self.scenario,
            self.persona,
            self._opponent_seat,
            self.horizon,
            self._opponent_offers,
            self._state.headlines,
        )

    # -- playing -----------------------------------------------------------------------------------

    def check(self, action: Action) -> None:
        """Refuse an action that cannot be taken, changing nothing.

        Raises:
            ActionRefused: with a code, words for a person, and the field at fault.
        """
        self._checked(action)

    def step(self, action: Action, reply: Reply | None = None) -> Step:
        """Play the player's action and the opponent's answer to it.

        Args:
            action: what the player does.
            reply: a recorded or a model's answer; by default the strategic persona answers.

        Raises:
            ActionRefused: when the action cannot be taken; nothing has changed then.
        """
        reading = self._checked(action)
        if action.accept:
            return self._close_by_player(action)
        if action.walk_away:
            self._note_move("player", action.text, None, None, None, walk_away=True)
            return self._finish((), "player_walked", None, self._part("left"))
        belief_before, state = self._last_belief, self._state
        standing_before = state.opponent.offer
        conduct = player_conduct(
            action, reading, state, self.scenario, self.seat, self._opponent_walk_away, belief_before
        )
        if action.belief is not None:
            self._last_belief = action.belief
        self._note_move("player", action.text, action.offer, action.card, conduct.claim)
        if conduct.verdict == "caught":
            state.opponent.lose_standing(CAUGHT_FACTOR)
        answer = self._ask_opponent(conduct, action, reading) if reply is None else reply
        their_concession, opponent_acts = self._apply_reply(answer, conduct)
        terms = grade(action, conduct, standing_before, their_concession, state, self.seat)
        if answer.accept:
            return self._finish(terms, "opponent_accepted", state.player.offer, answer)
        if answer.walk_away:
            return self._finish(terms, "opponent_walked", None, answer)
        self._news_shift += self._world.close_turn(state, conduct, their_concession, opponent_acts)
        reason = self._world.ends(state)
        if reason is not None:
            return self._finish(terms, reason, None, answer)
        self._book(terms)
        return Step(self.observe(), answer, sum(t.points for t in terms), terms, False)

    # -- the player's move -------------------------------------------------------------------------

    def _checked(self, action: Action) -> Reading | None:
        if self.done:
            raise ActionRefused("game_over", "This deal has ended.")
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

    def _close_by_player(self, action: Action) -> Step:
        state = self._state
        price = state.opponent.offer
        self._note_move("player", action.text, None, None, None, accept=True)
        claim = state.opponent.open_claim
        swallowed = claim is not None and is_bluff(claim, self._opponent_walk_away)
        terms = (bluff_term("swallowed"),) if swallowed else ()
        return self._finish(terms, "player_accepted", price, self._part("taken"))

    def _part(self, how: Literal["taken", "left"]) -> Reply:
        """The persona's last words when the player has ended it. They decide nothing."""
        if self._speaker is None:
            return Reply()
        state = self._state
        text = self._speaker.parting(how, state.turn, state.opponent.offer, band(state.tension.value))
        self._note_move("opponent", text, None, None, None)
        return Reply(text=text)

    # -- the opponent's move -----------------------------------------------------------------------

    def _open(self) -> Reply | None:
        if not self.persona.speaks_first:
            return None
        decision = self._mind.open(self._state.truths[self._opponent_seat].walk_away)
        text = self._speaker.opening(decision) if self._speaker else ""
        if decision.offer is not None:
            self._state.opponent.put(decision.offer, -SIGN[self.seat])
            self._opponent_offers.append((0, decision.offer))
        self._note_move("opponent", text, decision.offer, None, None, turn=0)
        return Reply(text=text, offer=decision.offer)

    def _ask_opponent(self, conduct: Conduct, action: Action, reading: Reading | None) -> Reply:
        state = self._state
        called = {"caught": "bluff", "false_call": "true"}.get(conduct.verdict)
        situation = Situation(
            turn=state.turn,
            own=state.truths[self._opponent_seat],
            hand=state.opponent,
            sweeteners_left=self._sweeteners_left(self._opponent_seat),
            offer=state.player.offer,
            fresh_offer=conduct.fresh_offer,
            concession=conduct.concession,
            sweetened=state.player.sweetened - state.opponent.sweetener_cost,
            acts=frozenset(conduct.acts),
            card=conduct.card,
            claim=conduct.claim,
            claim_called=called,  # type: ignore[arg-type]
            absurd=conduct.absurd,
            player_standing=state.player.standing,
            tension=state.tension.value,
            news_shift=self._news_shift,
        )
        self._news_shift = 0.0
        decision = self._mind.decide(situation, stream(self.seed, "turn", state.turn))
        return self._voiced(decision, conduct, reading)

    def _voiced(self, decision: Decision, conduct: Conduct, reading: Reading | None) -> Reply:
        text = ""
        if self._speaker:
            state = self._state
            gift = next_sweetener(self.scenario, self._opponent_seat, state.opponent)
            news = state.headlines[-1] if state.headlines and state.headlines[-1].turn == state.turn else None
            text = self._speaker.say(
                decision,
                turn=state.turn,
                reading=reading,
                conduct=conduct,
                player_offer=state.player.offer,
                previous_offer=state.opponent.offer,
                mood=band(state.tension.value),
                trust=self._mind.trust.level,
                headline=news.text if news else None,
                sweetener=gift.name if gift and decision.card == "sweetener" else None,
            )
        return Reply(
            text=text,
            offer=None if decision.walk_away or decision.accept else decision.offer,
            card=decision.card,
            claim=decision.claim,
            challenge=decision.challenge,
            accept=decision.accept,
            walk_away=decision.walk_away,
        )

    def _apply_reply(self, reply: Reply, conduct: Conduct) -> tuple[float, set[str]]:
        """Book the opponent's move; returns its concession in money and what it did."""
        state = self._state
        acts: set[str] = set()
        conceded = 0.0
        if reply.card is not None:
            play_card(state.opponent, reply.card, self.scenario, self._opponent_seat, state.turn)
            acts.add(reply.card)
        if reply.claim is not None:
            state.opponent.open_claim, state.opponent.claim_turn = reply.claim, state.turn
        if reply.challenge and state.player.open_claim is not None:
            acts.add("challenge")
            self._judge_player_claim(state.player.open_claim, conduct)
        state.player.open_claim = None
        if reply.offer is not None and not reply.accept:
            conceded = state.opponent.put(reply.offer, -SIGN[self.seat])
            self._opponent_offers.append((state.turn, reply.offer))
        if conceded <= 0 and not reply.accept:
            acts.add("hold")
        if conduct.verdict == "caught":
            acts.add("caught_bluffing")
        self._note_move(
            "opponent",
            reply.text,
            reply.offer,
            reply.card,
            reply.claim,
            accept=reply.accept,
            walk_away=reply.walk_away,
        )
        return conceded, acts

    def _judge_player_claim(self, claim: float, conduct: Conduct) -> None:
        if is_bluff(claim, self._state.truths[self.seat].walk_away):
            conduct.acts.add("caught_bluffing")
            self._state.player.lose_standing(CAUGHT_FACTOR)
            self._mind.learn_claim_was_bluff()
        else:
            self._mind.learn_claim_was_true(claim)

    # -- the turn's end ----------------------------------------------------------------------------

    def _finish(self, terms: tuple[Term, ...], reason: EndReason, price: float | None, reply: Reply) -> Step:
        for term in terms:
            self._state.total_reward += term.points
        self._outcome, final = settle(
            self._state, reason, price, self.seat, self.horizon, self._training_step
        )
        everything = terms + final
        self._state.grades.append(everything)
        self._state.total_reward = self._outcome.total_reward
        return Step(self.observe(), reply, sum(t.points for t in everything), everything, True)

    def _book(self, terms: tuple[Term, ...]) -> None:
        self._state.grades.append(terms)
        self._state.total_reward += sum(term.points for term in terms)

    # -- small things ------------------------------------------------------------------------------

    @property
    def _opponent_walk_away(self) -> float:
        return self._state.truths[self._opponent_seat].walk_away

    def _sweeteners_left(self, seat: Seat) -> int:
        return sweeteners_left(self._state, self.scenario, seat, self.seat)

    def _note_move(
        self,
        side: Any,
        text: str,
        offer: float | None,
        card: Any,
        claim: float | None,
        *,
        accept: bool = False,
        walk_away: bool = False,
        turn: int | None = None,
    ) -> None:
        when = self._state.turn if turn is None else turn
        self._state.transcript.append(Move(when, side, text, offer, card, claim, accept, walk_away))
