"""Narrated: the strategist decides act, offer and facts, a model only finds the words.

The model never sees anything hidden, and what it writes is checked before anybody reads it. A line that fails is
asked for once more with the reasons; then, and whenever the server can't answer in time, the strategist's own line is
said in the same voice. Words decide nothing: on replay the engine decides the same again.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace

from negotiation.engine.deal import Action, Negotiation
from negotiation.opponents.base import Account, Answer, Done, Intervention, Tell, nobody_listens
from negotiation.opponents.brief import brief
from negotiation.opponents.client import Enough, ModelClient, Question, Said, Unavailable
from negotiation.opponents.guard import Facts, Objection, Refused, StreamGuard
from negotiation.opponents.guard.case import words_at
from negotiation.opponents.guard.facts import Ending, facts_of

ATTEMPTS = 2
MAX_TOKENS = 110


class NarratedOpponent:
    """One model that speaks for the strategist.

    Args:
        client: the server's.
        model: the model's or adapter's name there.
    """

    instant = False

    def __init__(self, client: ModelClient, model: str) -> None:
        self._client = client
        self._model = model

    async def reply(
        self, *, table: Negotiation, action: Action, game: str = "", tell: Tell = nobody_listens
    ) -> Answer:
        """Words for what the persona on ``table`` decides about ``action``."""
        began = asyncio.get_running_loop().time()
        until = self._client.deadline()
        seen = table.across(action)
        tried = table.fork()
        step = tried.step(action)
        speech = tried.speech
        account = Account("narrated", self._model)
        if speech is None:
            return Answer(account=replace(account, stand_in=True, why="the persona does not speak"))
        parting: Ending = "accept" if action.accept else "walk" if action.walk_away else "none"
        ending: Ending = "accept" if step.reply.accept else "walk" if step.reply.walk_away else parting
        facts = facts_of(
            seen,
            step.reply,
            table.scenario,
            ending=ending,
            final=speech.act == "final_offer",
            deadline_turns=speech.deadline_turns,
            gift=speech.sweetener,
            case=words_at(table, speech, seen),
        )
        account = replace(account, decided={"act": speech.act, "offer": speech.offer, "card": speech.card})
        for attempt in range(1, ATTEMPTS + 1):
            complaints = tuple(each.why for each in account.interventions)
            question = Question(
                self._model,
                brief(speech, seen, table.persona, table.scenario, complaints),
                table=game,
                max_tokens=MAX_TOKENS,
            )
            account = replace(account, attempts=attempt)
            try:
                words, said = await speak(self._client, question, facts, until, tell)
            except Unavailable as gone:
                tell("")
                account = replace(account, stand_in=True, why=str(gone))
                break
            except Objected as failed:
                last = attempt == ATTEMPTS
                account = failed.said.noted_in(account)
                account = replace(
                    account,
                    interventions=(*account.interventions, *_interventions(failed, last=last)),
                    stand_in=last,
                    why="the guard let neither line through" if last else "",
                )
                continue
            account = said.noted_in(account)
            return Answer(words=words, account=replace(account, seconds=_since(began)))
        return Answer(account=replace(account, seconds=_since(began)))


class Objected(RuntimeError):
    """A line that may not be said. ``shown`` is whether some of it was seen."""

    def __init__(self, objections: tuple[Objection, ...], said: Said, *, shown: bool) -> None:
        super().__init__("; ".join(each.why for each in objections))
        self.objections = objections
        self.said = said
        self.shown = shown


async def speak(
    client: ModelClient, question: Question, facts: Facts, until: float, tell: Tell
) -> tuple[str, Said]:
    """Ask for one line and let it through the guard as it comes.

    Raises:
        Objected: the guard refuses it; what was shown of it has been taken back.
        Unavailable: the server can't be heard in time.
    """
    guard = StreamGuard(facts)
    refused: list[Refused] = []

    def hear(piece: str) -> None:
        try:
            if guard.hear(piece):
                tell(guard.shown)
        except Refused as stop:
            refused.append(stop)
            raise Enough from None

    said = await client.ask(question, until=until, hear=hear)
    try:
        if refused:
            raise refused[0]
        return guard.finish(), said
    except Refused as stop:
        if guard.shown:
            tell("")
        raise Objected(stop.objections, said, shown=bool(guard.shown)) from None


def _interventions(failed: Objected, *, last: bool) -> list[Intervention]:
    """One for each thing that was wrong with a line."""
    done: Done = "replaced" if last else "taken back" if failed.shown else "asked again"
    return [Intervention(each.check, each.why, done) for each in failed.objections]


def _since(began: float) -> float:
    return round(asyncio.get_running_loop().time() - began, 4)
