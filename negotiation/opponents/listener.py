"""A model that reads talk: it proposes what was done with words, the engine decides what of that counts.

Its proposal follows a JSON schema; ``engine.deal.listening.proposed`` checks it against the words, the case and the house
reader, which also stands in whenever the server can't answer in time or writes something else. It never reads offers, and
it is shown nothing that the speaker does not know: the own sheet, what the other side has told and raised, its last line.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from negotiation.engine.deal.case.acts import ACTS, TOPICS
from negotiation.engine.deal.case.declared import SeatCase
from negotiation.engine.deal.listening import Listening, hear
from negotiation.engine.deal.listening.proposed import parse_proposal, proposal_schema, weighed
from negotiation.opponents.client import ModelClient, Question, Unavailable

MAX_TOKENS = 320
TEMPERATURE = 0.0
_TASK = """You read one message of a negotiation and say what it does with words. Answer in JSON only: {"talk": [...]},
at most 4 entries, none if nothing fits. Each entry: "act" and "topic" from the lists (topic null where none is named), "id"
of the speaker's sheet or of a told fact (null unless the message is really about it), "objection" that an argument answers
(or null), "negated" true if the message denies it, "quote" the words that do it, copied letter for letter. Prices and offers
are none of your business. When in doubt, leave it out."""


@dataclass(frozen=True, slots=True)
class HeardBy:
    """What was heard, and whether the model had a part in it; ``why`` says why not."""

    listening: Listening
    model: bool
    why: str = ""


class ModelListener:
    """One model as a reader of talk.

    Args:
        client: the server's.
        model: the model's or adapter's name there.
    """

    def __init__(self, client: ModelClient, model: str) -> None:
        self._client = client
        self._model = model

    async def listen(
        self,
        text: str,
        *,
        speaker: SeatCase,
        listener: SeatCase,
        told: tuple[str, ...] = (),
        raised: tuple[str, ...] = (),
        last_line: str = "",
        settled: Callable[[str], bool] = lambda _quote: False,
        game: str = "",
        until: float | None = None,
    ) -> HeardBy:
        """What a message does, by both readers; by the house alone where the model has nothing usable to say.

        Args:
            settled: whether a question is about what lies on the table, which the table answers.
            until: when there must be an answer, on the running loop's clock; by default a turn's time from now.
        """
        house = await asyncio.to_thread(
            hear,
            text,
            speaker=speaker,
            listener=listener,
            told=told,
            raised=raised,
            last_line=last_line,
            settled=settled,
        )
        if not text.strip():
            return HeardBy(house, model=False, why="nothing was said")
        told = tuple(each for each in told if each in listener.fact)
        raised = tuple(each for each in raised if each in listener.objection)
        question = Question(
            self._model,
            reading_chat(
                text, speaker=speaker, listener=listener, told=told, raised=raised, last_line=last_line
            ),
            table=game,
            max_tokens=MAX_TOKENS,
            temperature=TEMPERATURE,
            schema=proposal_schema(speaker, told, raised),
        )
        try:
            said = await self._client.ask(question, until=until or self._client.deadline())
        except Unavailable as gone:
            return HeardBy(house, model=False, why=str(gone))
        entries = parse_proposal(said.text)
        if entries is None:
            return HeardBy(house, model=False, why="the model wrote something else than a proposal")
        both = weighed(entries, text, house, speaker=speaker, listener=listener, told=told, raised=raised)
        return HeardBy(both, model=True)


def reading_chat(
    text: str,
    *,
    speaker: SeatCase,
    listener: SeatCase,
    told: tuple[str, ...],
    raised: tuple[str, ...],
    last_line: str,
) -> list[dict[str, str]]:
    """What the model is asked: the lists, the speaker's sheet, what it has heard, the message."""
    sheet = [
        *(f"fact {each.id} ({each.topic}): {' / '.join(each.says)}" for each in speaker.facts),
        *(f"argument {each.id} ({each.topic}): {each.says}" for each in speaker.arguments),
        *(f"claim {each.id} ({each.topic}): {each.says}" for each in speaker.never),
    ]
    heard = [
        *(f"told fact {each} ({listener.fact[each].topic})" for each in told),
        *(f"raised objection {each}: {listener.objection[each].says}" for each in raised),
    ]
    context = [
        f"Acts: {', '.join(ACTS)}",
        f"Topics: {', '.join(TOPICS)}",
        "The speaker's sheet:",
        *sheet,
        "The other side so far:",
        *(heard or ["nothing"]),
    ]
    if last_line:
        context.append(f"Its last line: {last_line}")
    return [
        {"role": "system", "content": _TASK},
        {"role": "user", "content": "\n".join([*context, f"The message: {text}"])},
    ]
