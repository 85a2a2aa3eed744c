"""An episode as a person reads it, from the very file that a model would be trained on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from negotiation.engine.deal import CARDS
from trainer.flywheel import store
from trainer.flywheel.models import Episode
from trainer.flywheel.names import scenario_title
from trainer.flywheel.records import Record, from_bytes


@dataclass(frozen=True, slots=True)
class SaidMove:
    """One side's move: the words, and what it did in figures."""

    text: str
    done: list[str]


@dataclass(frozen=True, slots=True)
class ReadTurn:
    """What was heard, what was decided, and both as a model has them."""

    number: int
    heard: SaidMove | None
    decided: SaidMove
    prompt: str
    answer: str
    full: list[dict[str, str]] | None

    @property
    def label(self) -> str:
        """The number, for a sentence."""
        return str(self.number)


@dataclass(frozen=True, slots=True)
class Page:
    """A whole episode. ``trouble`` says why there is none to read."""

    title: str
    turns: list[ReadTurn]
    trouble: str = ""


def page_of(episode: Episode, currency: str) -> Page:
    """The episode's file, turn by turn."""
    title = scenario_title(episode.scenario)
    if not episode.file:
        return Page(title, [], "There are no words of this deal here.")
    try:
        found = from_bytes(store.read(episode.file, episode.sha256))
    except store.Damaged:
        return Page(title, [], "Its file is gone or damaged. No dataset can be frozen with it; leave it out.")
    return Page(title, [_turn(record, currency) for record in found])


def _turn(record: Record, currency: str) -> ReadTurn:
    heard = record["heard"]
    return ReadTurn(
        number=record["source"]["turn"],
        heard=None if heard is None else _said(heard, currency),
        decided=_said(record["move"], currency),
        prompt="\n".join(message["content"] for message in record["messages"][:-1]),
        answer=_spread(record["messages"][-1]["content"]),
        full=record["full"],
    )


def _said(move: Mapping[str, Any], currency: str) -> SaidMove:
    done = []
    if move["accept"]:
        done.append("accepts")
    if move["walk_away"]:
        done.append("walks away")
    if move["offer"] is not None:
        terms = ", ".join(str(option).replace("_", " ") for option in (move.get("terms") or {}).values())
        done.append(f"offers {currency}{move['offer']:,.0f}" + (f" with {terms}" if terms else ""))
    if move["card"]:
        done.append(f"plays “{CARDS[move['card']].title}”")
    if move.get("challenge"):
        done.append("calls the stated limit")
    return SaidMove(move["text"], done)


def _spread(answer: str) -> str:
    """Compact JSON with a blank after commas, so that a line can break."""
    return json.dumps(json.loads(answer), ensure_ascii=False)
