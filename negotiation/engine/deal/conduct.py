"""What a move of the player's amounts to: acts heard, concession, claims settled, contradictions."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal

from negotiation.engine.cards import DEADLINE, FLOOR, GIFT
from negotiation.engine.deal.cards import CARDS
from negotiation.engine.deal.case.acts import acts_heard
from negotiation.engine.deal.case.state import Talked
from negotiation.engine.deal.checks import is_absurd, is_implausible, stated_claim
from negotiation.engine.deal.in_public import shift
from negotiation.engine.deal.issues import Package, bundle_of
from negotiation.engine.deal.reward import ADAPT_WITHIN_TURNS, SWALLOW_AFTER_TURNS
from negotiation.engine.deal.scenario import Scenario, Sweetener
from negotiation.engine.deal.state import Deadline, SideState, State
from negotiation.engine.deal.types import OTHER_SEAT, SIGN, Action, Belief, CardId, Seat
from negotiation.engine.language import CONFIDENCE_TO_BIND, Reading

DEADLINE_TURNS = 3
"""A deadline runs for so many turns where none were named."""
STONEWALL_AFTER = 3
"""So many turns without giving anything, and without a question, are stonewalling."""
_REPEAT_MIN_LENGTH = 12
_TEXT_TOLERANCE = 0.005
"""Words and offer may differ by rounding."""
_PACE_CHANGE, _LEAST_PACE = 0.5, 0.01
"""A concession that differs from the player's pace by half of it, or of this share of the zone, is another pace."""
_BELIEF_CHANGE = 0.02
"""A stated limit that moved by this share of the zone is another belief."""

Verdict = Literal["caught", "false_call", "swallowed", "none"]


@dataclass(slots=True)
class Conduct:
    """One turn of the player's, read as behaviour."""

    acts: set[str] = field(default_factory=set)
    fresh_offer: bool = False
    concession: float = 0.0
    """What the move cost the player against its last package, in money."""
    gift: float = 0.0
    """What it gave to the opponent, by the opponent's own worths: for the opponent's mind alone."""
    given: float = 0.0
    """What it gave to the opponent in public; where only the price is open, all three are the same."""
    preferred: int | None = None
    card: CardId | None = None
    claim: float | None = None
    verdict: Verdict = "none"
    faults: list[str] = field(default_factory=list)
    absurd: bool = False
    talked: Talked | None = None
    """What its words did, at a table with a case."""


def next_sweetener(scenario: Scenario, seat: Seat, side: SideState) -> Sweetener | None:
    """The sweetener that the next card would add, or ``None`` when they are used up."""
    stock = scenario.sweeteners_of(seat)
    used = side.played.get(GIFT, 0)
    return stock[used] if used < len(stock) else None


def play_card(
    side: SideState, card: CardId, scenario: Scenario, seat: Seat, turn: int, rounds: int = DEADLINE_TURNS
) -> Sweetener | None:
    """Pay for a card and book what it puts on the table, a deadline in ``rounds``. Returns the sweetener given, if any."""
    given = next_sweetener(scenario, seat, side) if card == GIFT else None
    side.play(card)
    if given is not None:
        side.sweetened += given.worth * scenario.nominal_width
        side.sweetener_cost += given.cost * scenario.nominal_width
    if card == DEADLINE:
        side.deadline = Deadline(turn + rounds)
    return given


def _preferred_package(
    action: Action, state: State, scenario: Scenario, other: Seat, conduct: Conduct
) -> tuple[float, int]:
    """Of the packages that are offered, the one that the opponent would rather have: that one stands."""
    kept = state.player.bundle
    if not action.alternatives:
        return action.offer or 0.0, bundle_of(scenario.issues, action.terms or {}, kept)
    packages = [Package(action.offer or 0.0, action.terms or {}), *action.alternatives]
    choices = [(each.price, bundle_of(scenario.issues, each.terms, kept)) for each in packages]
    worths = [SIGN[other] * state.price_worth(price, bundle, other) for price, bundle in choices]
    conduct.preferred = worths.index(max(worths))
    return choices[conduct.preferred]


def _note_offer(action: Action, state: State, scenario: Scenario, seat: Seat, conduct: Conduct) -> None:
    if action.offer is None:
        return
    conduct.fresh_offer = True
    other: Seat = OTHER_SEAT[seat]
    before = state.worth(state.player, other)
    stood = state.player.package
    price, bundle = _preferred_package(action, state, scenario, other, conduct)
    moved = shift(scenario, seat, stood, (price, bundle))
    conduct.given = moved.given
    conduct.concession = state.player.put(price, bundle, SIGN[seat], state.worths[seat])
    if before is not None:
        conduct.gift = SIGN[other] * (state.price_worth(price, bundle, other) - before)
    if is_absurd(action.offer, scenario):
        conduct.absurd = True
        conduct.acts.add("absurd_offer")
    elif is_implausible(action.offer, scenario):
        conduct.acts.add("implausible_offer")
    if moved.takes_back:
        conduct.acts.add("backwards_offer")
        conduct.faults.append("you took back a better offer of your own")


def player_acts(reading: Reading) -> set[str]:
    """The acts that words alone amount to; a card is played, not spoken."""
    return set(reading.acts) | {tactic for tactic in reading.tactics if tactic not in CARDS}


def _note_words(action: Action, reading: Reading | None, state: State, conduct: Conduct) -> None:
    if reading is None:
        return
    conduct.acts |= player_acts(reading)
    spoken = reading.offer if reading.confidence >= CONFIDENCE_TO_BIND else None
    if (
        spoken is not None
        and action.offer is not None
        and not math.isclose(spoken, action.offer, rel_tol=_TEXT_TOLERANCE)
    ):
        conduct.faults.append("your words and your offer name different figures")
    normal = " ".join(action.text.lower().split())
    if len(normal) >= _REPEAT_MIN_LENGTH and normal in state.said:
        conduct.faults.append("you repeated yourself word for word")
    state.said.add(normal)


def _note_holding(action: Action, state: State, conduct: Conduct) -> None:
    engaged = conduct.acts & {"question", "empathy"} or action.card is not None
    state.player.holds = 0 if conduct.given > 0 else state.player.holds + 1
    if state.player.holds >= STONEWALL_AFTER and not engaged:
        conduct.acts.add("stonewalling")


def _settle_claim(action: Action, state: State, conduct: Conduct) -> None:
    """Call the opponent's open claim, or let it pass; a claim is settled once."""
    side = state.opponent
    claim = side.open_claim
    challenged = action.challenge if action.challenge is not None else "skepticism" in conduct.acts
    if claim is None:
        if action.challenge:
            conduct.faults.append("you challenged a claim that nobody had made")
        return
    false = bool(side.claim_is_bluff)
    if challenged:
        conduct.verdict = "caught" if false else "false_call"
        conduct.acts.add("skepticism")
        if not false:
            conduct.acts.add("false_call")
    elif state.turn - side.claim_turn >= SWALLOW_AFTER_TURNS:
        conduct.verdict = "swallowed" if false else "none"
    else:
        return
    side.open_claim = None


def _note_adaptation(
    state: State, conduct: Conduct, before: Belief | None, stated: Belief | None, scale: float
) -> None:
    """A drift event is adapted to when the player asks, changes pace, or revises its estimate soon after."""
    past = [a for a in state.adaptations if not a.seen and state.turn - a.turn < ADAPT_WITHIN_TURNS]
    if not past:
        return
    pace = state.player.conceded / max(1, state.turn - 1)
    changed_pace = conduct.fresh_offer and abs(conduct.concession - pace) > _PACE_CHANGE * max(
        pace, _LEAST_PACE * scale
    )
    revised = (
        before is not None
        and stated is not None
        and before.walk_away is not None
        and stated.walk_away is not None
        and abs(before.walk_away - stated.walk_away) > _BELIEF_CHANGE * scale
    )
    if "question" in conduct.acts or changed_pace or revised:
        for adaptation in past:
            adaptation.seen = True


def player_conduct(
    action: Action,
    reading: Reading | None,
    state: State,
    scenario: Scenario,
    seat: Seat,
    last_belief: Belief | None,
) -> Conduct:
    """Apply the player's move to the state and say what it amounted to."""
    conduct = Conduct(card=action.card)
    _note_words(action, reading, state, conduct)
    conduct.acts |= acts_heard(action.talk)
    _note_offer(action, state, scenario, seat, conduct)
    if action.card is not None:
        play_card(state.player, action.card, scenario, seat, state.turn)
        conduct.acts.add(action.card)
        if action.card == FLOOR:
            conduct.claim = stated_claim(action, reading)
            state.player.open_claim = conduct.claim
    _note_holding(action, state, conduct)
    _settle_claim(action, state, conduct)
    _note_adaptation(state, conduct, last_belief, action.belief, state.scale)
    return conduct
