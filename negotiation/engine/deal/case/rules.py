"""What words do, as pure functions: from what was said so far and a message to what is said now.

Constants are those with which the measures held in a prototype; each is named once, here or beside what it is of
(``acts.py``, ``drawn.py``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from negotiation.engine.deal.case import acts
from negotiation.engine.deal.case.acts import Act, Talk, Topic
from negotiation.engine.deal.case.concerns import next_concern
from negotiation.engine.deal.case.declared import Fact, SeatCase
from negotiation.engine.deal.case.drawn import ADVERSE, SeatWorld, clause
from negotiation.engine.deal.case.persuading import persuaded
from negotiation.engine.deal.case.state import TalkState, ToldFact
from negotiation.engine.deal.strategist.trust import WEARS_OFF

NEEDED: Final = (1, 3, 6, 7)
"""Points that it takes to hear a fact, by its guard."""
DEEPER, OWN_FACT, TRUSTED, STRAINED = 1, 1, 2, -1
"""Points beside the question's own: for a label, mirror, right summary or silence after a fact of the topic; for an own
fact in the same message; from ``TRUSTS_FROM`` on; above ``STRAINED_ABOVE``."""
TRUSTS_FROM: Final = 0.68
STRAINED_ABOVE: Final = 55.0
NAMED_EARLY: Final = 1
"""A closed question that names the fact is answered this many points early, truly or not."""
HONEST_BELOW: Final = 0.30
"""A persona with a bluff rate under this never lies."""
LIES_LESS_WITH_TRUST: Final = 0.6
ASKED_FOR_PROBLEMS: Final = 0.5
"""A question that takes the problem for granted halves the lies (Minson et al. 2018)."""
SHOWN_TRUE, SHOWN_FALSE = 0.8, 0.2
"""How often proof is shown of what is true, and of what is not."""
RAISES_FROM: Final = 5
"""Points of the question for what else is open from which an objection beyond the first is raised."""
ASKED_TOO_OFTEN: Final = 2
"""Times a topic is asked again, with nothing left to tell, before it costs trust."""


@dataclass(frozen=True, slots=True)
class Record:
    """What was answered to a message, where that is known: the facts that were told or shown, the objections that were
    raised by id, and whether a false claim was found out."""

    told: tuple[ToldFact, ...] = ()
    raised: tuple[str, ...] = ()
    exposed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ears:
    """Who hears a message, and when.

    Attributes:
        side, world, cells: the hearer's case, what was drawn of it, and its facts as it takes them for true.
        speaker, speaker_world, speaker_cells: the same of who speaks.
        bluff_rate, tom_depth, cold: the hearer's character; the cold do not warm to small talk.
        minds: topics that the hearer minds by its manner, the most first.
        trust, tension, turn: of the table before the message.
        silent: whether the message came with a deliberate silence.
        sweeteners: how many the speaker has given.
        record: what was answered, where the message is heard once more.
    """

    side: SeatCase
    world: SeatWorld
    cells: tuple[bool, ...]
    speaker: SeatCase
    speaker_world: SeatWorld
    speaker_cells: tuple[bool, ...]
    bluff_rate: float
    tom_depth: float
    cold: bool
    minds: tuple[Topic, ...]
    trust: float
    tension: float
    turn: int
    silent: bool
    sweeteners: int
    record: Record | None = None


@dataclass(frozen=True, slots=True)
class Hearing:
    """What a message came to: the state after it, the facts told in answer, the trust that its words earned, the share
    of the nominal zone that they won, and whether a false claim was found out."""

    state: TalkState
    told: tuple[ToldFact, ...] = ()
    trust: float = 0.0
    gained: float = 0.0
    exposed: bool = False


def hear(state: TalkState, talk: Sequence[Talk], ears: Ears) -> Hearing:
    """Take in one message: own facts first, then questions, then reasons, then everything else."""
    before = state
    state = _disclosed(state, talk, ears)
    shared = len(state.own) > len(before.own)
    if ears.record is None:
        state, told, asked = _asked(state, talk, ears, shared)
        state = _isolated(state, talk, ears, shared)
        state = _proved(state, talk, ears)
    else:
        state, told, asked = _as_recorded(state, talk, ears.record)
    reasons = persuaded(
        state,
        talk,
        ears.side,
        ears.world,
        ears.speaker,
        ears.speaker_world,
        ears.tom_depth,
        ears.sweeteners,
    )
    state, manners = _manners(reasons.state, talk, ears, told is not None, shared, asked)
    return Hearing(state, (told,) if told else (), reasons.trust + manners, reasons.gained, reasons.exposed)


def _as_recorded(
    state: TalkState, talk: Sequence[Talk], record: Record
) -> tuple[TalkState, ToldFact | None, Talk | None]:
    """What was answered once, whatever else could have been."""
    again = dict(state.again)
    known = {each.id for each in state.told}
    new = next((each for each in record.told if each.id not in known), None)
    asked = None
    for each in talk:
        if each.act in acts.QUESTIONS and each.act != "isolate" and each.topic is not None:
            if new is not None and each.topic == new.topic:
                asked = each
                break
            again[each.topic] = again.get(each.topic, 0) + any(one.topic == each.topic for one in state.told)
    shown = {each.id: each for each in record.told}
    told = (*(shown.get(each.id, each) for each in state.told), *((new,) if new is not None else ()))
    raised_now = tuple(each for each in record.raised if each not in state.raised)
    return replace(state, told=told, again=again, raised=(*state.raised, *raised_now)), new, asked


def points(
    state: TalkState, act: Act, topic: Topic | None, talk: Sequence[Talk], ears: Ears, shared: bool
) -> int:
    """What a question brings towards an answer."""
    deeper = any(each.topic == topic for each in state.told) and (
        ears.silent or any(each.act in acts.DEEPENS and each.topic == topic for each in talk)
    )
    return (
        acts.QUESTIONS[act]
        + DEEPER * deeper
        + OWN_FACT * shared
        + TRUSTED * (ears.trust >= TRUSTS_FROM)
        + STRAINED * (ears.tension > STRAINED_ABOVE)
    )


def needed(fact: Fact, shift: int) -> int:
    """Points that it takes to hear a fact in this game."""
    return NEEDED[fact.guard] + shift


def lie_rate(bluff_rate: float, trust: float, act: Act) -> float:
    """The chance that an adverse cell is lied about, when it is asked for the first time."""
    if bluff_rate < HONEST_BELOW:
        return 0.0
    rate = bluff_rate * (1 - LIES_LESS_WITH_TRUST * trust)
    return rate * ASKED_FOR_PROBLEMS if act == "ask_problem" else rate


def _disclosed(state: TalkState, talk: Sequence[Talk], ears: Ears) -> TalkState:
    """The speaker's own facts, as they are: telling them again tells nothing."""
    known = {each.id for each in state.own}
    told = []
    for each in talk:
        if each.act == "disclose" and each.id is not None and each.id not in known:
            known.add(each.id)
            place = ears.speaker.place_of_fact[each.id]
            told.append(_told(ears.turn, ears.speaker.facts[place], ears.speaker_cells[place]))
    return replace(state, own=(*state.own, *told)) if told else state


def _told(turn: int, fact: Fact, high: bool) -> ToldFact:
    return ToldFact(turn, fact.id, fact.topic, clause(fact, high), high if fact.value or fact.need else None)


def _asked(
    state: TalkState, talk: Sequence[Talk], ears: Ears, shared: bool
) -> tuple[TalkState, ToldFact | None, Talk | None]:
    """Answer questions: at most one fact a turn, the least guarded first."""
    for each in talk:
        if each.act not in acts.QUESTIONS or each.act == "isolate" or each.topic is None:
            continue
        left = [fact for fact in ears.side.facts if fact.topic == each.topic and not state.has_told(fact.id)]
        if not left:
            state = replace(state, again={**state.again, each.topic: state.again.get(each.topic, 0) + 1})
            continue
        brought = points(state, each.act, each.topic, talk, ears, shared)
        state, told = _answered(state, each, left, brought, ears)
        if told is not None:
            return replace(state, told=(*state.told, told)), told, each
    return state, None, None


def _answered(
    state: TalkState, question: Talk, left: Sequence[Fact], brought: int, ears: Ears
) -> tuple[TalkState, ToldFact | None]:
    """The answer to one question, if it was enough. What is lied about is told only to who names it."""
    named = next((fact for fact in left if fact.id == question.id and question.act == "ask_closed"), None)
    for fact in (named,) if named else sorted(left, key=lambda fact: fact.guard):
        place = ears.side.place_of_fact[fact.id]
        if brought + NAMED_EARLY * (fact is named) < needed(fact, ears.world.shift[place]):
            return state, None
        high = ears.cells[place]
        state = _decided(state, fact, high, question.act, ears)
        if fact.id not in state.lies:
            return state, _told(ears.turn, fact, high)
        if fact is named:
            return state, _told(ears.turn, fact, not ADVERSE[fact.value])
    return state, None


def _decided(state: TalkState, fact: Fact, high: bool, act: Act, ears: Ears) -> TalkState:
    """Whether a fact is lied about is decided when it could first be told, and kept."""
    if fact.id in state.decided or not fact.value or high != ADVERSE[fact.value]:
        return state
    lies = ears.world.lie[ears.side.place_of_fact[fact.id]] < lie_rate(ears.bluff_rate, ears.trust, act)
    return replace(
        state, decided=state.decided | {fact.id}, lies=state.lies | {fact.id} if lies else state.lies
    )


def _isolated(state: TalkState, talk: Sequence[Talk], ears: Ears, shared: bool) -> TalkState:
    """Asked what else is open, it gives the objection that comes next, if that was enough."""
    for each in talk:
        if each.act == "isolate" and points(state, "isolate", None, talk, ears, shared) >= RAISES_FROM:
            return raised(state, ears.side, ears.world, ears.minds)
    return state


def raised(state: TalkState, side: SeatCase, world: SeatWorld, minds: Sequence[Topic]) -> TalkState:
    """The objection that comes next is raised, where one is left."""
    concern = next_concern(side, world, minds, state.raised)
    return state if concern is None else replace(state, raised=(*state.raised, concern.id))


def _proved(state: TalkState, talk: Sequence[Talk], ears: Ears) -> TalkState:
    """Asked for proof of what it told, it shows it or does not; asking again changes nothing."""
    wanted = {each.id for each in talk if each.act == "ask_proof"}
    if not wanted:
        return state
    told = []
    for each in state.told:
        if each.id in wanted and each.shown is None:
            chance = SHOWN_FALSE if each.id in state.lies else SHOWN_TRUE
            shown = ears.world.proof[ears.side.place_of_fact[each.id]] < chance
            told.append(replace(each, shown=shown))
        else:
            told.append(each)
    return replace(state, told=tuple(told))


def _manners(
    state: TalkState, talk: Sequence[Talk], ears: Ears, told: bool, shared: bool, asked: Talk | None
) -> tuple[TalkState, float]:
    """The trust that acts earn or cost by themselves; a kindness wears off as it is repeated."""
    heard = dict(state.heard)
    change = 0.0
    for each in talk:
        gain = _gain(each, state, ears, told, shared, asked, heard.get(each.act, 0))
        if gain:
            times = heard.get(each.act, 0)
            heard[each.act] = times + 1
            change += gain * WEARS_OFF**times if gain > 0 else gain
    return replace(state, heard=heard), change


def _gain(
    each: Talk, state: TalkState, ears: Ears, told: bool, shared: bool, asked: Talk | None, times: int
) -> float:
    if each.act == "small_talk":
        return 0.0 if ears.cold or times else acts.SMALL_TALK
    if each.act == "flatter":
        return acts.FLATTERY if not times else acts.FLATTERY_AGAIN
    if each.act in acts.QUESTIONS:
        if each.topic is not None and state.again.get(each.topic, 0) >= ASKED_TOO_OFTEN:
            return acts.THIRD_TIME
        return acts.TRUST.get(each.act, 0.0) if told and each is asked else 0.0
    if each.act in acts.DEEPENS:
        fits = any(one.turn == ears.turn - 1 and one.topic == each.topic for one in state.told)
        return acts.TRUST[each.act] if fits else 0.0
    if each.act == "disclose":
        return acts.TRUST["disclose"] if shared else 0.0
    return acts.TRUST.get(each.act, 0.0)
