"""Who sits across: the persona's mind and voice, and what its moves do to the table."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, NamedTuple

from negotiation.engine.cards import GIFT
from negotiation.engine.deal.answers import Heard
from negotiation.engine.deal.case.play import CasePlay
from negotiation.engine.deal.case.words import Spoken
from negotiation.engine.deal.chance import TurnDraws
from negotiation.engine.deal.conduct import DEADLINE_TURNS, Conduct, play_card
from negotiation.engine.deal.in_public import shift
from negotiation.engine.deal.issues import Terms, bundle_of, terms_of
from negotiation.engine.deal.reward import is_bluff
from negotiation.engine.deal.scenario import Scenario
from negotiation.engine.deal.speech import Speaker, decision_of, reply_of
from negotiation.engine.deal.state import CAUGHT_FACTOR, State
from negotiation.engine.deal.strategist import PersonaMind, Situation
from negotiation.engine.deal.types import OTHER_SEAT, SIGN, CardId, Move, Reply, Seat, Side
from negotiation.engine.deal.view import sweeteners_left
from negotiation.engine.language import Speech


def note_move(
    state: State,
    side: Side,
    text: str,
    offer: float | None = None,
    card: CardId | None = None,
    claim: float | None = None,
    *,
    accept: bool = False,
    walk_away: bool = False,
    turn: int | None = None,
    terms: Terms | None = None,
) -> None:
    """Write a move into the transcript, by default on the present turn."""
    when = state.turn if turn is None else turn
    state.transcript.append(Move(when, side, text, offer, card, claim, accept, walk_away, terms))


class Booked(NamedTuple):
    """What a reply came to once it was on the table."""

    gave: float
    """What it gave the player, in money, by the player's own worths."""
    given: float
    """The same as the public sees it."""
    acts: set[str]
    """What the opponent did."""


class Across:
    """The opponent of one game.

    Args:
        speaker: its voice; ``None`` where only the moves matter.
        seat: its own seat.
        case: the world behind the deal, where there is one.

    ``offers`` are the packages it has put on the table: (turn, price, bundle of terms).
    """

    def __init__(
        self,
        mind: PersonaMind,
        speaker: Speaker | None,
        state: State,
        scenario: Scenario,
        seat: Seat,
        case: CasePlay | None = None,
    ) -> None:
        self.mind = mind
        self.offers: list[tuple[int, float, int]] = []
        self._speaker = speaker
        self._state = state
        self._scenario = scenario
        self._case = case
        self._seat: Seat = seat
        self._player_seat: Seat = OTHER_SEAT[seat]

    @property
    def speech(self) -> Speech | None:
        """What the persona was last to say, as a request for words: all of it meant for the player's ears."""
        return None if self._speaker is None else self._speaker.speech

    def open(self) -> Reply:
        """The first words, with a package where the persona opens with one."""
        decision = self.mind.open(self._state.truths[self._seat].walk_away)
        text = self._speaker.opening(decision) if self._speaker else ""
        if decision.offer is None:
            note_move(self._state, "opponent", text, turn=0)
            return Reply(text=text)
        self._put(decision.offer, decision.bundle, 0)
        terms = terms_of(self._scenario.issues, decision.bundle)
        note_move(self._state, "opponent", text, decision.offer, turn=0, terms=terms)
        return Reply(text=text, offer=decision.offer, terms=terms)

    def answer(self, heard: Heard, draws: TurnDraws[float], news_shift: float) -> Reply:
        """Decide what to do about the player's move, and find the words. Nothing is on the table yet.

        Args:
            news_shift: the relative change of the player's limit that the persona expects of the news.
        """
        decision = self.mind.decide(self._situation(heard.conduct, news_shift), draws)
        ends = decision.accept or decision.walk_away
        self._reason(None if ends or decision.offer is None else (decision.offer, decision.bundle))
        text = ""
        if self._speaker:
            spoken = Spoken() if self._case is None else self._case.spoken(ends=ends)
            text = self._speaker.say(decision, heard, self._state, self.mind.trust.level, spoken)
        return reply_of(decision, text, heard.conduct, self._scenario)

    def follow(self, reply: Reply, heard: Heard, draws: TurnDraws[float], news_shift: float) -> Reply:
        """A turn that somebody else decides: the persona follows it, so that it can take over on any later one.

        Returns:
            The reply, with the one of several packages that stands.

        Raises:
            ValueError: for a reply that can't be played.
        """
        side, issues = self._state.opponent, self._scenario.issues
        self._refuse_impossible(reply)
        bundle = bundle_of(issues, reply.terms or {}, side.bundle)
        put = None if reply.offer is None or reply.accept else (reply.offer, bundle)
        self.mind.follow(self._situation(heard.conduct, news_shift), draws, put, reply.claim)
        ends = reply.accept or reply.walk_away
        self._reason(None if ends else put or side.package)
        if self._speaker:
            decision = decision_of(reply, bundle, side.offer)
            spoken = Spoken() if self._case is None else self._case.spoken(ends=ends)
            self._speaker.note(reply.text, decision, heard, self._state, self.mind.trust.level, spoken)
        return replace(reply, preferred=heard.conduct.preferred)

    def _reason(self, package: tuple[float, int] | None) -> None:
        """Whoever hardly moves owes a reason.

        Args:
            package: what it decided to put on the table; ``None`` when it ends the talks.
        """
        if self._case is None:
            return
        stood = self._state.opponent.package
        if stood is None or package is None:
            self._case.decided(None)
            return
        given = shift(self._scenario, self._seat, stood, package).given
        self._case.decided(given / self._scenario.nominal_width)

    def phrase(self, reply: Reply, heard: Heard) -> str:
        """The persona's words for a reply that somebody else decided; empty where it has no voice."""
        self._refuse_impossible(reply)
        if self._speaker is None:
            return ""
        side = self._state.opponent
        bundle = bundle_of(self._scenario.issues, reply.terms or {}, side.bundle)
        decision = decision_of(reply, bundle, side.offer)
        spoken = Spoken() if self._case is None else self._case.spoken()
        return self._speaker.say(decision, heard, self._state, self.mind.trust.level, spoken)

    def answering(self, heard: Heard) -> str:
        """The persona's words for what the case has it answer, without its move."""
        if self._case is None or self._speaker is None:
            return ""
        return self._speaker.answering(self._case.spoken(), heard, self._state, self.mind.trust.level)

    def _refuse_impossible(self, reply: Reply) -> None:
        side = self._state.opponent
        if reply.accept and self._state.player.offer is None:
            raise ValueError("there is no offer of the player's to accept")
        left = sweeteners_left(self._state, self._scenario, self._seat, self._player_seat)
        if reply.card is not None and not side.can_play(reply.card, left):
            raise ValueError(f"the opponent can't play {reply.card} now")

    def _situation(self, conduct: Conduct, news_shift: float) -> Situation:
        """The table after the player's move, as the persona's mind sees it."""
        state = self._state
        called = {"caught": "bluff", "false_call": "true"}.get(conduct.verdict)
        return Situation(
            turn=state.turn,
            own=state.truths[self._seat],
            hand=state.opponent,
            sweeteners_left=sweeteners_left(state, self._scenario, self._seat, self._player_seat),
            offer=state.player.offer,
            bundle=state.player.bundle,
            fresh_offer=conduct.fresh_offer,
            concession=conduct.gift,
            sweetened=state.player.sweetened - state.opponent.sweetener_cost,
            acts=frozenset(conduct.acts),
            card=conduct.card,
            claim=conduct.claim,
            claim_called=called,  # type: ignore[arg-type]
            news=bool(state.headlines) and state.headlines[-1].turn == state.turn,
            absurd=conduct.absurd,
            player_standing=state.player.standing,
            tension=state.tension.value,
            news_shift=news_shift,
            talked=conduct.talked,
        )

    def book(self, reply: Reply, conduct: Conduct, standing_before: float | None) -> Booked:
        """Put a reply on the table.

        Args:
            standing_before: what the opponent's package was worth to the player before it.

        """
        state = self._state
        acts: set[str] = set()
        gave = given = 0.0
        if reply.card is not None:
            rounds = reply.deadline_turns or DEADLINE_TURNS
            play_card(state.opponent, reply.card, self._scenario, self._seat, state.turn, rounds)
            acts.add(reply.card)
            if self._case is not None and reply.card == GIFT:
                self._case.received(state.opponent)
        if reply.claim is not None:
            state.opponent.open_claim, state.opponent.claim_turn = reply.claim, state.turn
            state.opponent.claim_limit = state.truths[self._seat].walk_away
        if reply.challenge and state.player.open_claim is not None:
            acts.add("challenge")
            self._judge(state.player.open_claim, conduct)
        state.player.open_claim = None
        if reply.offer is not None and not reply.accept:
            bundle = bundle_of(self._scenario.issues, reply.terms or {}, state.opponent.bundle)
            given = shift(self._scenario, self._seat, state.opponent.package, (reply.offer, bundle)).given
            worth = self._put(reply.offer, bundle, state.turn)
            gave = 0.0 if standing_before is None else SIGN[self._player_seat] * (worth - standing_before)
        if given <= 0 and not reply.accept:
            acts.add("hold")
        if conduct.verdict == "caught":
            acts.add("caught_bluffing")
        note_move(
            state,
            "opponent",
            reply.text,
            reply.offer,
            reply.card,
            reply.claim,
            accept=reply.accept,
            walk_away=reply.walk_away,
            terms=reply.terms,
        )
        return Booked(gave, given, acts)

    def part(self, how: Literal["taken", "left"], words: str | None = None) -> Reply:
        """The last words when the player has ended it: its own, or the given ones. They decide nothing."""
        if self._speaker is None:
            return Reply()
        own = self._speaker.parting(how, self._state)
        text = own if words is None else words
        note_move(self._state, "opponent", text)
        return Reply(text=text)

    def _put(self, price: float, bundle: int, turn: int) -> float:
        """Put a package on the table; returns what it is worth to the player."""
        state, seat = self._state, self._seat
        state.opponent.put(price, bundle, SIGN[seat], state.worths[seat])
        self.offers.append((turn, price, bundle))
        return state.price_worth(price, bundle, self._player_seat)

    def _judge(self, claim: float, conduct: Conduct) -> None:
        """It calls the floor that the player stated."""
        if is_bluff(claim, self._state.truths[self._player_seat].walk_away):
            conduct.acts.add("caught_bluffing")
            self._state.player.lose_standing(CAUGHT_FACTOR)
            self.mind.learn_claim_was_bluff()
        else:
            self.mind.learn_claim_was_true(claim)
