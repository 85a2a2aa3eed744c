"""The examples of an episode: one JSON line for each decision, with all that it was decided on.

``messages`` is what a model is trained on, in the brief style; ``full`` is the same decision for a model that reads
words, where the protocol can say it. Both are made by ``negotiation.opponents.protocol`` and nothing else. ``move``
is the decision as it was bound at the table, ``heard`` what the other side had said before it: these two are for
people who read, and for the exploit pool, which plays the moves again. ``case`` is what the words were about: what the move
did with them, the facts that the other side had told, and the objections that it had raised; absent without a case.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from negotiation import catalogue, sessions
from negotiation.engine.deal import Action, Observation, Scenario
from negotiation.engine.deal.wire import to_json
from negotiation.models import Game
from negotiation.opponents.protocol import Style, encode, messages, parse
from negotiation.opponents.protocol.schema import MAX_TEXT
from trainer.flywheel.privacy import anonymiser_of, person_key
from trainer.flywheel.versions import SCHEMA, engine_version, protocol_version

STYLES: dict[Style, str] = {"brief": "messages", "full": "full"}
"""Where a record keeps the chat of a style."""

Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class DecisionRecord:
    """One decision and what it was made on."""

    turn: int
    seen: Observation
    action: Action


def of_game(game: Game) -> list[Record]:
    """The examples of a finished game, oldest first. The same game gives the same bytes, whoever makes them.

    Raises:
        LogDiverged, ActionRefused: when the game replays differently on this engine.
    """
    scenario, anonymous = catalogue.for_game(game), anonymiser_of(game.player)
    # Lists, so that a replay that diverges at its end has given nothing.
    made = [
        DecisionRecord(table.turn, anonymous.observation(table.observe()), anonymous.action(action))
        for table, action in sessions.decisions(game)
    ]
    return list(records(f"game-{game.pk}", made, scenario, source_of(game)))


def records(
    key: str, decisions: Iterable[DecisionRecord], scenario: Scenario, source: Mapping[str, Any]
) -> Iterator[Record]:
    """The decisions as records; one that the protocol cannot say is left out."""
    made_by = {**source, "protocol": protocol_version(), "engine": engine_version()}
    for each in decisions:
        action = replace(each.action, text=shortened(each.action.text))
        brief = chat(each.seen, action, scenario, "brief")
        if brief is None:
            continue
        record = {
            "schema": SCHEMA,
            "id": f"{key}-{each.turn:02d}",
            "messages": brief,
            "full": chat(each.seen, action, scenario, "full"),
            "move": to_json(each.action),
            "heard": heard(each.seen),
            "source": {**made_by, "turn": each.turn},
        }
        yield record if each.seen.sheet is None else {**record, "case": case_of(each.seen, action)}


def chat(seen: Observation, action: Action, scenario: Scenario, style: Style) -> list[dict[str, str]] | None:
    """What a model reads and what it should answer; ``None`` where the protocol has no words for the move."""
    try:
        answer = encode(action, seen, scenario, style)
    except (ValueError, LookupError):
        return None
    if parse(answer, seen, scenario, style, guarded=False).decision is None:
        return None
    return [*messages(seen, scenario, style), {"role": "assistant", "content": answer}]


def shortened(text: str) -> str:
    """The words cut to what the protocol takes, at the end of a word."""
    text = " ".join(text.split())
    return text if len(text) <= MAX_TEXT else text[:MAX_TEXT].rsplit(" ", 1)[0]


def heard(seen: Observation) -> dict[str, Any] | None:
    """The last move of the other side, for a person who reads."""
    last = next((move for move in reversed(seen.transcript) if move.side == "opponent"), None)
    return None if last is None else to_json(last)


def case_of(seen: Observation, action: Action) -> dict[str, Any]:
    """What was said of the case up to a decision, and what its own words did."""
    return {
        "talk": [to_json(each) for each in action.talk],
        "told": [to_json(each) for each in seen.told],
        "raised": [] if seen.sheet is None else list(seen.sheet.raised),
    }


def source_of(game: Game) -> dict[str, Any]:
    """Where a game's examples come from; the person only as a key."""
    version = game.scenario_version
    return {
        "kind": "game",
        "game": str(game.pk),
        "person": person_key(game.player),
        "scenario": game.scenario,
        "scenario_version": version.number if version else None,
        "persona": game.persona,
        "opponent": game.opponent,
        "model": game.opponent_model,
        "seat": game.seat,
        "difficulty": game.difficulty,
        "seed": game.seed,
        "horizon": game.horizon,
        "efficiency": game.efficiency,
        "ending": game.outcome_reason,
    }


def to_bytes(lines: Iterable[Record]) -> bytes:
    """Records as JSON lines."""
    return "".join(json.dumps(each, ensure_ascii=False, sort_keys=True) + "\n" for each in lines).encode()


def from_bytes(content: bytes) -> list[Record]:
    """JSON lines as records."""
    return [json.loads(line) for line in content.decode().splitlines()]


def for_training(record: Record, style: Style) -> Record | None:
    """The record as ``python -m trainer sft --data`` reads it; ``None`` where it lacks the style."""
    talk = record[STYLES[style]]
    if talk is None:
        return None
    kept = {"id": record["id"], "messages": talk, "source": record["source"]}
    return {**kept, "case": record["case"]} if "case" in record else kept
