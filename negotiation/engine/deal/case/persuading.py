"""What arguments win and lift: only what was heard counts."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final

from negotiation.engine.deal.case import acts
from negotiation.engine.deal.case.acts import Talk
from negotiation.engine.deal.case.declared import Argument, Objection, SeatCase
from negotiation.engine.deal.case.drawn import SeatWorld
from negotiation.engine.deal.case.state import TalkState

PER_NEED: Final = 0.03
"""What an argument for a need of usual weight wins, as a share of the nominal zone."""
MOST_WON: Final = 0.08
"""What all arguments for needs win at most."""
DILUTED: Final = 0.6
"""What reasons count for after one that met nothing heard: weak ones water the strong down (Sivanathan & Kakkar 2017)."""
DISBELIEVED: Final = 0.25
"""What reasons count for after a claim that was found out."""
FOUND_ANYHOW, FOUND_BY_READING = 0.2, 0.4
"""The chance that an untrue claim is found out: some are by anybody, more by who reads others well."""
CREDITED: Final = 0.5
"""The share of what words win, and of the holds that they lift, that counts as a concession."""
A_NEED: Final = ""
"""In ``TalkState.used``: the argument was used for the need that it hits, not for an objection."""


@dataclass(frozen=True, slots=True)
class Reasons:
    """What a message's arguments did: the state after them, what they won and lifted as a share of the nominal zone,
    the trust that blind or false ones cost, and whether a false claim was found out."""

    state: TalkState
    gained: float
    trust: float
    exposed: bool


def persuaded(
    state: TalkState,
    talk: Sequence[Talk],
    side: SeatCase,
    world: SeatWorld,
    speaker: SeatCase,
    speaker_world: SeatWorld,
    tom_depth: float,
    sweeteners: int,
) -> Reasons:
    """Take in the arguments of one message.

    Args:
        side, world: of who hears them.
        speaker, speaker_world: of who puts them.
        tom_depth: of who hears them; with it they find false claims out.
        sweeteners: how many the speaker has given.
    """
    gained = trust = 0.0
    exposed = False
    for each in talk:
        if each.act not in acts.WITH_REASONS or each.id is None:
            continue
        before = state
        if each.id in speaker.claim:
            place = [claim.id for claim in speaker.never].index(each.id)
            state, found = _claimed(state, each.id, speaker_world.found[place] < found_rate(tom_depth), side)
            exposed |= found
            if found:
                trust += acts.FOUND_FALSE
                state = replace(state, credit=state.credit * DISBELIEVED)
        else:
            argument = speaker.argument[each.id]
            if argument.sweetener <= sweeteners:
                state = _argued(state, argument, side, world)
            if state is before and not any(id_ == each.id for id_, _ in state.used):
                trust += acts.BLIND
                state = replace(state, credit=state.credit * DILUTED)
        gained += _gained(before, state, side)
    return Reasons(state, gained, trust, exposed)


def found_rate(tom_depth: float) -> float:
    """How often an untrue claim is found out by somebody who reads others so well."""
    return FOUND_ANYHOW + FOUND_BY_READING * tom_depth


def _argued(state: TalkState, argument: Argument, side: SeatCase, world: SeatWorld) -> TalkState:
    """Once for its need, if something on it was told; once for each objection that it answers, if that was raised."""
    heard = any(side.fact[each.id].need == argument.hits for each in state.told)
    if heard and (argument.id, A_NEED) not in state.used:
        won = min(MOST_WON, state.won + state.credit * PER_NEED * world.weight(side, argument.hits))
        state = replace(state, won=won, used=state.used | {(argument.id, A_NEED)})
    return _lifted(state, argument.id, side)


def _lifted(state: TalkState, said: str, side: SeatCase) -> TalkState:
    for objection in side.objections:
        share = objection.answers.get(said)
        if share is None or objection.id not in state.raised or (said, objection.id) in state.used:
            continue
        lifted = min(1.0, state.lifted.get(objection.id, 0.0) + state.credit * share)
        state = replace(
            state,
            lifted={**state.lifted, objection.id: lifted},
            used=state.used | {(said, objection.id)},
        )
    return state


def _claimed(state: TalkState, claim: str, is_found: bool, side: SeatCase) -> tuple[TalkState, bool]:
    """A claim that may not be made: it answers like an argument until it is found out, and then it unanswers."""
    if claim in state.exposed:
        return state, False
    state = replace(state, claims=state.claims | {claim})
    if not is_found:
        return _lifted(state, claim, side), False
    reopened = {
        objection.id: 0.0
        for objection in side.objections
        if claim in objection.answers and objection.id in state.lifted
    }
    return replace(state, exposed=state.exposed | {claim}, lifted={**state.lifted, **reopened}), True


def _gained(before: TalkState, after: TalkState, side: SeatCase) -> float:
    lifted = sum(
        each.hold * (after.lifted.get(each.id, 0.0) - before.lifted.get(each.id, 0.0))
        for each in side.objections
    )
    return max(0.0, after.won - before.won) + max(0.0, lifted)


def given_names(options: Collection[str], sweeteners: int) -> frozenset[str]:
    """What is given, by the names under which objections know it.

    Args:
        options: of the package on the table, as ``issue.option``.
        sweeteners: how many were given.
    """
    return frozenset((*options, *(f"sweetener_{place}" for place in range(1, sweeteners + 1))))


def open_share(objection: Objection, lifted: float, given: Collection[str]) -> float:
    """The share of an objection that nothing answers: neither words, nor the terms on the table, nor what was given."""
    answered = lifted + sum(share for answer, share in objection.answers.items() if answer in given)
    return max(0.0, 1.0 - answered)


def open_hold(state: TalkState, side: SeatCase, given: Collection[str]) -> float:
    """What open objections hold, as a share of the nominal zone."""
    return sum(
        each.hold * open_share(each, state.lifted.get(each.id, 0.0), given) for each in side.objections
    )
