"""What a model proposes to have heard: its schema, and what of it counts.

A model reads idioms that no list of cues knows, and it invents. So it may only fill a closed form, and what it writes is
checked against the words, the case and the house reader: acts and topics from their lists, a quote that stands in the
message word for word, ids of the speaker's own sheet whose words are really there. What would cost the speaker dearly (a
threat, an offer taken back, a claim that may not be made) counts only where the house reader heard it too. Insults and
farewells are the house's alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, cast

from negotiation.engine.deal.case import acts
from negotiation.engine.deal.case.acts import ACTS, TOPICS, Act, Talk, Topic
from negotiation.engine.deal.case.checks import MOST_TALK
from negotiation.engine.deal.case.declared import Argument, Claim, Fact, SeatCase
from negotiation.engine.deal.listening.heard import SURE_FROM, Heard, Listening
from negotiation.engine.deal.listening.sentences import sentences_of
from negotiation.engine.deal.listening.sheets import Match, sheets_of

ONLY_WITH_THE_HOUSE: Final[frozenset[Act]] = frozenset(("ultimatum", "withdraw", "disparage"))
"""Acts that cost trust by themselves: no model alone may hear them."""
BOTH, MODEL_ALONE, DOUBTED = 0.95, 0.7, 0.5
"""How sure an entry is that both readers have, one that the model has alone, and one that the words hardly bear out."""
HOUSE_ALONE_FROM: Final = 0.75
"""What the house heard and the model did not still counts from here; below, it is asked about."""
SHARED_FROM: Final = 0.9
"""The weight of words that a quote has to share with a thing of the sheet to be about it."""


def proposal_schema(speaker: SeatCase, told: Sequence[str], raised: Sequence[str]) -> dict[str, Any]:
    """The JSON schema of a proposal, with the ids that may be named: the own sheet's, those of told facts, of objections
    that were raised."""
    own = [*speaker.fact, *speaker.argument, *speaker.claim]
    entry = {
        "act": {"enum": list(ACTS)},
        "topic": {"enum": [*TOPICS, None]},
        "id": {"enum": [*dict.fromkeys((*own, *told)), None]},
        "objection": {"enum": [*raised, None]},
        "negated": {"type": "boolean"},
        "quote": {"type": "string", "minLength": 1, "maxLength": 300},
    }
    return {
        "type": "object",
        "properties": {
            "talk": {
                "type": "array",
                "maxItems": MOST_TALK,
                "items": {
                    "type": "object",
                    "properties": entry,
                    "required": list(entry),
                    "additionalProperties": False,
                },
            }
        },
        "required": ["talk"],
        "additionalProperties": False,
    }


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a proposal, as it was written."""

    act: Act
    topic: Topic | None
    id: str | None
    objection: str | None
    negated: bool
    quote: str


def parse_proposal(written: str) -> tuple[Entry, ...] | None:
    """The entries of a proposal; ``None`` when it is not what the schema asks for, whatever the server promised."""
    try:
        raw = json.loads(written)
    except (ValueError, RecursionError):
        return None
    if not isinstance(raw, dict) or set(raw) != {"talk"} or not isinstance(raw["talk"], list):
        return None
    entries = [_entry(each) for each in raw["talk"]]
    if len(entries) > MOST_TALK or None in entries:
        return None
    return tuple(cast("list[Entry]", entries))


def _entry(raw: Any) -> Entry | None:
    if not isinstance(raw, dict) or set(raw) != {"act", "topic", "id", "objection", "negated", "quote"}:
        return None
    ids = (raw["id"], raw["objection"])
    fits = (
        raw["act"] in ACTS
        and (raw["topic"] is None or raw["topic"] in TOPICS)
        and all(each is None or isinstance(each, str) for each in ids)
        and isinstance(raw["negated"], bool)
        and isinstance(raw["quote"], str)
    )
    return Entry(**raw) if fits else None


def weighed(
    entries: Iterable[Entry],
    text: str,
    house: Listening,
    *,
    speaker: SeatCase,
    listener: SeatCase,
    told: Sequence[str] = (),
    raised: Sequence[str] = (),
) -> Listening:
    """Both readers' hearing of a message: what the model proposed and holds, beside what the house heard.

    Args:
        house: the house reader's hearing of the same message.
        told, raised: as ``listen`` takes them.
    """
    table = _Table(text, speaker, listener, tuple(told), tuple(raised), house)
    proposed = [heard for entry in entries if (heard := table.heard(entry)) is not None]
    merged = _merged(proposed, house)
    return replace(
        house,
        heard=tuple(each for each in merged if each.confidence >= SURE_FROM)[:MOST_TALK],
        unsure=tuple(each for each in merged if each.confidence < SURE_FROM)[:MOST_TALK],
    )


def _merged(proposed: Sequence[Heard], house: Listening) -> list[Heard]:
    """Each thing once. About one sentence the house's subject stands where it is sure, else the model's."""
    by_house = {each.talk: each for each in (*house.heard, *house.unsure)}
    found: dict[Talk, Heard] = {}
    for each in proposed:
        same = by_house.get(each.talk)
        rivals = [one for one in house.heard if one.talk != each.talk and _overlap(one.quote, each.quote)]
        if same is not None:
            found[each.talk] = replace(same, confidence=max(BOTH, same.confidence))
        elif any(one.confidence >= HOUSE_ALONE_FROM for one in rivals):
            found[each.talk] = replace(each, confidence=min(each.confidence, DOUBTED))
        else:
            found[each.talk] = each
    for one in house.heard:
        if one.talk in found:
            continue
        overruled = (
            any(_overlap(one.quote, each.quote) for each in proposed) and one.confidence < HOUSE_ALONE_FROM
        )
        if not overruled:
            counts = one.confidence >= HOUSE_ALONE_FROM
            found[one.talk] = one if counts else replace(one, confidence=min(one.confidence, DOUBTED))
    return list(found.values())


def _overlap(one: str, other: str) -> bool:
    return one in other or other in one


@dataclass(frozen=True, slots=True)
class _Table:
    """A message at its table."""

    text: str
    speaker: SeatCase
    listener: SeatCase
    told: tuple[str, ...]
    raised: tuple[str, ...]
    house: Listening

    def heard(self, entry: Entry) -> Heard | None:
        """What an entry comes to; ``None`` for one that the words or the case do not allow."""
        if entry.negated or not entry.quote.strip() or entry.quote not in self.text:
            return None
        if entry.act in acts.WITH_REASONS or entry.act == "disclose":
            return self._of_own_sheet(entry)
        if entry.act in ONLY_WITH_THE_HOUSE and all(one.talk.act != entry.act for one in self.house.heard):
            return None
        if entry.act in acts.ON_A_TOPIC and entry.topic is None:
            return None
        if entry.act == "ask_proof":
            return self._asks_proof(entry)
        fact = (
            self.listener.fact.get(entry.id or "")
            if entry.act == "ask_closed" and entry.id in self.told
            else None
        )
        topic = fact.topic if fact is not None else entry.topic
        return Heard(Talk(entry.act, topic, fact.id if fact else None), MODEL_ALONE, entry.quote)

    def _asks_proof(self, entry: Entry) -> Heard | None:
        """Proof can be asked for what was told."""
        fact = self.listener.fact.get(entry.id or "")
        if fact is None or fact.id not in self.told:
            return None
        return Heard(Talk("ask_proof", fact.topic, fact.id), MODEL_ALONE, entry.quote)

    def _of_own_sheet(self, entry: Entry) -> Heard | None:
        """Something of the own sheet: the engine, not the model, says of which topic it is, and how it was put."""
        thing = self._thing(entry)
        if thing is None:
            return None
        by_house = any(one.talk.id == thing.id for one in (*self.house.heard, *self.house.unsure))
        if isinstance(thing, Claim) and not by_house:
            return None
        match = self._match(entry, thing.id)
        if match is not None and match.denied:
            return None
        act: Act = entry.act
        if act == "prove" and not (isinstance(thing, Argument) and thing.proof):
            act = "argue"
        objection = self.listener.objection.get(entry.objection or "")
        answers = objection is not None and objection.id in self.raised and thing.id in objection.answers
        if act in ("argue", "answer"):
            act = "answer" if answers else "argue"
        borne_out = match is not None and match.weight >= SHARED_FROM
        high = match.thing.high if match is not None else None
        return Heard(
            Talk(act, thing.topic, thing.id),
            MODEL_ALONE if borne_out else DOUBTED,
            entry.quote,
            high if act == "disclose" else None,
        )

    def _thing(self, entry: Entry) -> Fact | Argument | Claim | None:
        """What an entry names of the own sheet: a fact where something is told, else an argument or a claim."""
        id_ = entry.id or ""
        if entry.act == "disclose":
            return self.speaker.fact.get(id_)
        return self.speaker.argument.get(id_) or self.speaker.claim.get(id_)

    def _match(self, entry: Entry, id_: str) -> Match | None:
        """How the quoted words fit the thing that they are said to be about."""
        sheets = sheets_of(self.speaker, self.listener)
        kinds = ("fact",) if entry.act == "disclose" else ("argument", "claim")
        found = [
            match
            for sentence in sentences_of(entry.quote)
            for match in sheets.matches(sentence)
            if match.thing.own and match.thing.kind in kinds and match.thing.id == id_
        ]
        return max(found, key=lambda match: (not match.denied, match.weight, match.share), default=None)
