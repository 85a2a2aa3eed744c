"""A trust-aware bot that also speaks: it proposes peace, answers, and keeps what it promised or meant not to.

It says what it means twice: in words for people, and as a speech act for the ledger. Nobody reads its own sentences back
to find out what it meant, so a refusal can never turn into a promise. An opportunist among them tags a promise of peace
as a lie where it could take a centre.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from negotiation.engine.diplomacy.bots.dumbbot import play
from negotiation.engine.diplomacy.bots.trusting import TrustingBot, trust
from negotiation.engine.diplomacy.bots.values import desires
from negotiation.engine.diplomacy.chance import Draws
from negotiation.engine.diplomacy.geography import FIRST_YEAR, POWER_NAMES, POWERS, PROVINCE, REACH
from negotiation.engine.diplomacy.orders import HOLD, Order
from negotiation.engine.diplomacy.press.ledger import Ledger
from negotiation.engine.diplomacy.press.messages import Message, Tag, said
from negotiation.engine.diplomacy.press.promises import (
    EVERYONE,
    MUTUAL,
    Kind,
    Promise,
    PromiseVerdict,
    turn_of,
    verdict,
)
from negotiation.engine.diplomacy.press.reading import Speech
from negotiation.engine.diplomacy.state import SPRING, State

_BELIEVES = 0.5
"""How much trust it takes to deal with somebody."""
NOTHING_TO_SIGN = "I deal in peace and in places that both of us keep free. Name one."
NOT_BELIEVED = "You broke your word to me. I do not take it again yet."
TOO_MUCH = "That is more than my generals will sign. Peace between us they would."
AGREED, NOTED = "Agreed.", "Noted. I take it as said."
PREFACES = (
    "",
    "We both have other fronts to look to. ",
    "Neither of us gains by a war between us. ",
    "Let me be plain. ",
    "I would rather know you as a good neighbour. ",
    "This year is young, and so is our friendship. ",
    "My generals look elsewhere, as I hope yours do. ",
)
"""What each power says before it proposes peace, so that no two of them write the same."""


class Utterance(NamedTuple):
    """What a bot writes, and what it commits itself to and asks by writing so."""

    message: Message
    speech: Speech


class EnvoyBot(TrustingBot):
    """Plays as :class:`TrustingBot`, and leaves alone whom it promised peace, unless it did not mean it."""

    def orders(self, state: State, power: int, draws: Draws, ledger: Ledger) -> list[Order]:
        """The orders that its trust and its own word leave to want."""
        spared = self.trusted(state, power, ledger) | _spared(state, power, ledger)
        return keeping(state, power, play(state, power, draws, desires(state, power, spared)), ledger)


def keeping(state: State, power: int, orders: Sequence[Order], ledger: Ledger) -> list[Order]:
    """The orders, with those that would break a promise of keeping off or of peace, sincerely made, turned to holds."""
    if not state.moving:
        return list(orders)
    bound = [promise for promise in _sincere(state, power, ledger) if promise.kind in MUTUAL]
    return [
        Order(HOLD, order.node)
        if any(verdict(promise, state, _alone(power, order)) != PromiseVerdict.KEPT for promise in bound)
        else order
        for order in orders
    ]


def proposals(state: State, power: int, ledger: Ledger, *, opportunist: bool) -> list[Utterance]:
    """What the bot writes of its own accord as a spring opens: peace, to the neighbour it fears most and believes."""
    if state.season != SPRING or not state.units[power]:
        return []
    near = sorted(
        (other for other in range(len(POWERS)) if other != power and _contact(state, other, power)),
        key=lambda other: (-_contact(state, other, power), other),
    )
    for other in near:
        if trust(ledger, other, power) >= _BELIEVES and not _at_peace(ledger, power, other, turn_of(state)):
            return [_proposal(state, power, other, _tag(state, power, other, opportunist=opportunist))]
    return []


def answer(
    state: State, power: int, ledger: Ledger, message: Message, speech: Speech, *, opportunist: bool
) -> Utterance | None:
    """What the bot answers to a message to it, if anything; ``ledger`` is the one from before the message."""
    if message.target != power or not state.units[power]:
        return None
    other = message.sender
    asked = [promise for promise in speech.asks if promise.by == power]
    offered = [promise for promise in speech.promises if promise.kind in MUTUAL]
    if speech.agrees and not asked:
        return None
    if not asked and not offered:
        return Utterance(said(state, power, other, NOTHING_TO_SIGN), Speech())
    if trust(ledger, other, power) < _BELIEVES:
        return Utterance(said(state, power, other, NOT_BELIEVED), Speech())
    if not all(promise.kind in MUTUAL for promise in asked):
        return Utterance(said(state, power, other, TOO_MUCH), Speech())
    tag = _tag(state, power, other, opportunist=opportunist)
    peace = [promise for promise in offered if promise.kind == Kind.NO_ATTACK]
    if peace:
        last = max(promise.last for promise in peace)
        words = f"I will not attack you {_until(last)} either."
        promise = _peace(state, power, other, last, words)
        return Utterance(said(state, power, other, f"Good. {words}", tag), Speech((promise,)))
    if asked:
        return Utterance(said(state, power, other, AGREED, tag), Speech(agrees=True))
    return Utterance(said(state, power, other, NOTED), Speech())


def _proposal(state: State, power: int, other: int, tag: Tag) -> Utterance:
    until = turn_of(state) + 1  # a proposal is made in spring and is for the year
    words = f"I will not attack you {_until(until)}."
    text = f"{PREFACES[power]}I propose a non-aggression pact between us {_until(until)}. {words}"
    speech = Speech((_peace(state, power, other, until, words),), (_peace(state, other, power, until),))
    return Utterance(said(state, power, other, text, tag), speech)


def _peace(state: State, by: int, to: int, last: int, words: str = "") -> Promise:
    return Promise(Kind.NO_ATTACK, by, to, (), None, turn_of(state), last, words=words)


def _spared(state: State, power: int, ledger: Ledger) -> frozenset[int]:
    """Whom it sincerely promised peace."""
    return frozenset(
        promise.to
        for promise in _sincere(state, power, ledger)
        if promise.kind == Kind.NO_ATTACK and promise.to != EVERYONE
    )


def _sincere(state: State, power: int, ledger: Ledger) -> list[Promise]:
    turn = turn_of(state)
    return [
        entry.promise
        for entry in ledger.entries
        if entry.promise.by == power
        and entry.verdict is None
        and entry.tag != Tag.LIE
        and not entry.promise.conditional
        and entry.promise.covers(turn)
    ]


def _alone(power: int, order: Order) -> list[tuple[Order, ...]]:
    """One order of one power as the only one that anybody gives."""
    return [(order,) if power == other else () for other in range(len(POWERS))]


def _contact(state: State, other: int, power: int) -> int:
    """How many of the other's units stand within two moves of a centre of the power."""
    centres = set(state.centres(power))
    near = {place for centre in centres for place in _around(centre)} | centres
    return sum(bool(near & REACH[node]) or PROVINCE[node] in near for node in state.units[other])


def _around(centre: int) -> set[int]:
    return {PROVINCE[node] for node, reach in enumerate(REACH) if centre in reach}


def _at_peace(ledger: Ledger, power: int, other: int, turn: int) -> bool:
    return any(
        promise.kind == Kind.NO_ATTACK
        for pair in ((power, other), (other, power))
        for promise in ledger.standing(*pair, turn)
    )


def _tag(state: State, power: int, other: int, *, opportunist: bool) -> Tag:
    """A lie, where an opportunist could walk into a centre or a unit of the other within two moves."""
    theirs = set(state.centres(other)) | {PROVINCE[node] for node in state.units[other]}
    reach = {place for node in state.units[power] for near in REACH[node] for place in (near, *_around(near))}
    return Tag.LIE if opportunist and theirs & reach else Tag.TRUTH


def _until(turn: int) -> str:
    return f"until {'spring' if turn % 2 == 0 else 'fall'} {FIRST_YEAR + turn // 2}"


def power_name(power: int) -> str:
    """A power as people write it; the target of a message to all is everybody."""
    return "everybody" if power == EVERYONE else POWER_NAMES[power]
