"""Negotiator: a trained model decides act, offer, card and belief, and speaks, inside guards.

It sees the table as its own seat sees it. Whatever it writes, nothing beyond its walk-away is ever put or taken, its
words name no figure but those on the table, and a decision that can't be read is asked for once more and then left
to the strategist, who has followed the game and takes over in the same voice.
"""

from __future__ import annotations

import asyncio
from dataclasses import asdict, dataclass, replace
from typing import Any

from negotiation.engine.deal import SIGN, Action, Negotiation, Observation, Reply, Scenario
from negotiation.engine.deal.issues import bundle_of, bundle_worths
from negotiation.opponents.aloud import Aloud, Sayable
from negotiation.opponents.base import Account, Answer, Done, Intervention, Tell, nobody_listens
from negotiation.opponents.client import ModelClient, Question, Unavailable
from negotiation.opponents.guard import Facts, Objection, check, facts_of_own, tidy
from negotiation.opponents.guard.case import words_at
from negotiation.opponents.protocol import (
    PERSON,
    Decision,
    Style,
    decision_schema,
    messages,
    parse,
    shape_of,
    to_reply,
)
from negotiation.opponents.protocol.drawing import MOST_TOKENS, TEMPERATURE
from negotiation.opponents.protocol.lines import spelt

ATTEMPTS = 2
_OWN_WORDS = Intervention(
    "hint", "the limit was asked after, so the persona’s own words were said", "replaced"
)


class NegotiatorOpponent:
    """One trained model in the opponent's seat.

    Args:
        client: the server's.
        model: the model's or adapter's name there.
        style: how the model was trained to read and write, see ``protocol``.
    """

    instant = False

    def __init__(self, client: ModelClient, model: str, style: Style = "full") -> None:
        self._client = client
        self._model = model
        self._style: Style = style

    async def reply(
        self, *, table: Negotiation, action: Action, game: str = "", tell: Tell = nobody_listens
    ) -> Answer:
        """The model's move in answer to ``action``; a player who ends it hears the persona's parting words."""
        account = Account("negotiator", self._model)
        if action.accept or action.walk_away:
            return Answer(account=account)
        began = asyncio.get_running_loop().time()
        until = self._client.deadline()
        turn = _Turn(table, action, replace(table.across(action), persona=PERSON))
        found: _Found | None = None
        for attempt in range(1, ATTEMPTS + 1):
            account = replace(account, attempts=attempt)
            question = self._question(turn.seen, table.scenario, game, account.interventions)
            aloud = self._aloud(turn, tell)
            try:
                said = await self._client.ask(question, until=until, hear=aloud.hear)
            except Unavailable as gone:
                aloud.take_back()
                if found is None:
                    account = replace(account, stand_in=True, why=str(gone))
                break
            account = said.noted_in(account)
            found, wrong = self._read(said.text, turn, found)
            done: Done = "replaced" if attempt == ATTEMPTS else "taken back" if aloud.shown else "asked again"
            account = replace(
                account,
                interventions=(*account.interventions, *(Intervention(o.check, o.why, done) for o in wrong)),
            )
            if not wrong:
                break
            aloud.take_back()
        account = replace(account, seconds=round(asyncio.get_running_loop().time() - began, 4))
        if found is None:
            why = account.why or "the model made no decision that can be played"
            return Answer(account=replace(account, stand_in=True, why=why))
        if found.asked_after:
            account = replace(account, interventions=(*account.interventions, _OWN_WORDS))
        if found.sayable:
            # What the case has this seat answer is said in the house's words: a model decides the move, not the world.
            reply = replace(found.reply, text=f"{table.answering(action)} {found.reply.text}".strip())
        else:
            reply = replace(found.reply, text=table.phrase(action, found.reply))
        tell(reply.text)
        return Answer(reply=reply, account=replace(account, decided=_told(found.decision)))

    def _question(
        self, seen: Observation, scenario: Scenario, game: str, wrong: tuple[Intervention, ...]
    ) -> Question:
        chat = messages(seen, scenario, self._style)
        if wrong and self._style == "full":
            refused = "; ".join(each.why for each in wrong)
            chat.append({"role": "user", "content": f"Refused: {refused}. Decide again."})
        return Question(
            self._model,
            chat,
            table=game,
            max_tokens=MOST_TOKENS[self._style],
            temperature=TEMPERATURE,
            schema=decision_schema(shape_of(seen, scenario, self._style)),
        )

    def _aloud(self, turn: _Turn, tell: Tell) -> Aloud:
        """Free words are heard as they come; a line from the menu is short and comes whole."""

        def judge(text: str) -> Sayable | None:
            played = self._played(text, turn) if self._style == "full" else ()
            if isinstance(played, tuple):
                return None
            return Sayable(played.facts, spelt(played.reply.offer, turn.table.scenario))

        return Aloud(judge, tell)

    def _played(self, text: str, turn: _Turn) -> _Played | tuple[Objection, ...]:
        """The decision that ``text`` is, or why it can't be played."""
        parsed = parse(text, turn.seen, turn.table.scenario, self._style)
        if parsed.decision is None:
            return tuple(Objection("decision", why) for why in parsed.errors)
        reply = to_reply(parsed.decision, turn.seen)
        if not within_limit(reply, turn.seen, turn.table.scenario):
            return (Objection("decision", "goes beyond its own limit"),)
        tried = turn.table.fork()
        try:
            tried.step(turn.action, reply)
        except ValueError as impossible:
            return (Objection("decision", f"can't be played: {impossible}"),)
        facts = facts_of_own(turn.seen, reply, turn.table.scenario)
        case = words_at(turn.table, tried.speech, turn.seen)
        facts = facts if case is None else replace(facts, case=case)
        return _Played(parsed.decision, reply, facts)

    def _read(
        self, text: str, turn: _Turn, before: _Found | None
    ) -> tuple[_Found | None, tuple[Objection, ...]]:
        """A decision that can be played, and what is wrong with it or its words. A playable one is not given up."""
        played = self._played(text, turn)
        if isinstance(played, tuple):
            return before, played
        line = tidy(played.reply.text)
        if not line:
            return _Found(played.decision, played.reply, sayable=False), ()
        if played.facts.probed:
            return _Found(played.decision, played.reply, sayable=False, asked_after=True), ()
        wrong = check(line, played.facts)
        return _Found(played.decision, replace(played.reply, text=line), sayable=not wrong), wrong


@dataclass(frozen=True, slots=True)
class _Turn:
    """What is to be answered: the table before the player's move, the move, and what the model's seat sees of both."""

    table: Negotiation
    action: Action
    seen: Observation


@dataclass(frozen=True, slots=True)
class _Played:
    """A decision that can be played, as a move, and what the words beside it may say."""

    decision: Decision
    reply: Reply
    facts: Facts


@dataclass(frozen=True, slots=True)
class _Found:
    """A decision that can be played; ``sayable`` when its own words may be said.

    ``asked_after``: whether the limit was asked after. This model knows it, and no list of phrases holds every way to
    nod, so none of its words are heard then.
    """

    decision: Decision
    reply: Reply
    sayable: bool
    asked_after: bool = False


def within_limit(reply: Reply, seen: Observation, scenario: Scenario) -> bool:
    """Whether a reply gives the seat that sees ``seen`` no less than leaving would."""
    if reply.walk_away:
        return True
    price, terms = (seen.standing_offer, seen.standing_terms) if reply.accept else (reply.offer, reply.terms)
    if price is None:
        return not reply.accept
    worths = bundle_worths(scenario.issues, seen.own.values)
    worth = float(worths[bundle_of(scenario.issues, terms or {})])
    return SIGN[seen.seat] * (price - seen.own.walk_away) + worth >= -1e-6


def _told(decision: Decision) -> dict[str, Any]:
    """The decision for a coach, without its words."""
    told = asdict(decision)
    del told["text"]
    return told
