"""Transcripts from elsewhere: lines of a CSV or JSONL file, by a mapping, into conversations and what is wrong with them.

One line is one thing that somebody said. The mapping names the columns; everything that a line would become is said
before anything is written. Only deals over a price alone can be mapped: outside transcripts do not say what terms are
worth to whom.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import Any

from negotiation import catalogue
from negotiation.engine.deal import Scenario, Seat
from trainer.domains.deal.rows import Row, rows_of
from trainer.domains.deal.talks import money
from trainer.flywheel.conversations import ImportedConversation, ImportedLine, tell

MOST_LINES = 20_000
ENDINGS = {
    "accept": ("accept", "accepted", "deal", "agreed", "yes"),
    "walk": ("walk", "walked", "walk away", "quit", "left", "no deal", "reject"),
}


@dataclass(frozen=True, slots=True)
class Mapping:
    """Which column is what. An empty name says that there is no such column.

    ``learner`` is what the speaker column says where the one speaks whose moves are to be learnt; everybody else is
    the other side. ``factor`` turns the file's sums into the scenario's.
    """

    conversation: str = ""
    speaker: str = ""
    text: str = ""
    offer: str = ""
    ending: str = ""
    limit: str = ""
    other_limit: str = ""
    learner: str = ""
    seat: Seat = "seller"
    scenario: str = ""
    factor: float = 1.0

    def to_json(self) -> dict[str, Any]:
        """As kept with an import."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Mapping:
        """As :meth:`to_json` wrote it."""
        known = {each.name for each in fields(cls)}
        values: dict[str, Any] = {name: value for name, value in data.items() if name in known}
        return cls(**values)


COLUMNS = ("conversation", "speaker", "text", "offer", "ending", "limit", "other_limit")
"""The parts of a mapping that name columns."""
_USUAL = {
    "conversation": ("conversation", "conversation_id", "dialogue", "dialog_id", "chat", "episode", "id"),
    "speaker": ("speaker", "role", "agent", "author", "from", "side"),
    "text": ("text", "utterance", "message", "content", "line", "words"),
    "offer": ("offer", "price", "bid", "amount", "proposal"),
    "ending": ("ending", "outcome", "action", "result", "act"),
    "limit": ("limit", "walk_away", "reservation", "reservation_price", "floor", "own_limit"),
    "other_limit": ("other_limit", "their_limit", "opponent_limit"),
}


@dataclass(slots=True)
class ImportedFile:
    """A file read by a mapping. ``trouble`` is about the file or the mapping as a whole."""

    columns: list[str]
    conversations: list[ImportedConversation] = field(default_factory=list)
    trouble: list[str] = field(default_factory=list)

    @property
    def sound(self) -> list[ImportedConversation]:
        """What can be taken."""
        return [each for each in self.conversations if each.is_sound]

    @property
    def lines(self) -> list[ImportedLine]:
        """Every line in the order of the file."""
        return sorted(
            (line for each in self.conversations for line in each.lines), key=lambda line: line.number
        )


def scenarios_open() -> dict[str, Scenario]:
    """Scenarios that transcripts can be mapped to: those in which only the price is open."""
    return {name: each for name, each in catalogue.shipped().items() if not each.issues}


def table_of(content: bytes, filename: str) -> tuple[list[str], list[Row]]:
    """The columns of a file, and its rows by line number.

    Raises:
        ValueError: when it is no table, by its line, or too long.
    """
    rows = rows_of(content, filename)
    if len(rows) > MOST_LINES:
        raise ValueError(f"A file has at most {MOST_LINES:,} lines. Split it.")
    return list(dict.fromkeys(name for _, row in rows for name in row)), rows


def guess(columns: list[str], rows: list[Row]) -> Mapping:
    """A mapping by the names that such columns usually have."""
    by_name = {column.lower().strip().replace(" ", "_"): column for column in columns}
    found: dict[str, Any] = {
        part: next((by_name[name] for name in names if name in by_name), "") for part, names in _USUAL.items()
    }
    speakers = (
        list(dict.fromkeys(str(row.get(found["speaker"], "")) for _, row in rows)) if found["speaker"] else []
    )
    learner = next((name for name in speakers if name.lower() in ("seller", "rep", "sales")), "")
    learner = learner or (speakers[0] if speakers else "")
    return Mapping(**found, learner=learner, scenario=next(iter(scenarios_open())))


def read(content: bytes, filename: str, mapping: Mapping) -> ImportedFile:
    """Read a file by a mapping and say of each line what it would become. Nothing is written."""
    try:
        columns, rows = table_of(content, filename)
    except ValueError as problem:
        return ImportedFile([], trouble=[str(problem)])
    reading = ImportedFile(columns, trouble=list(_wrong_with(mapping, columns)))
    if reading.trouble:
        return reading
    scenario = scenarios_open()[mapping.scenario]
    together: dict[str, ImportedConversation] = {}
    for number, row in rows:
        line = _line(number, row, mapping, scenario)
        conversation = together.setdefault(line.conversation, ImportedConversation(line.conversation))
        conversation.lines.append(line)
        _limits(conversation, line, row, mapping)
    for conversation in together.values():
        tell(conversation, mapping.seat, scenario)
    reading.conversations = list(together.values())
    return reading


def _wrong_with(mapping: Mapping, columns: list[str]) -> Iterator[str]:
    for part in COLUMNS:
        column = getattr(mapping, part)
        if column and column not in columns:
            yield f"There is no column “{column}” in this file."
    if not mapping.conversation or not mapping.speaker:
        yield "Say which column tells the conversation, and which the speaker."
    if not mapping.text and not mapping.offer:
        yield "Say which column holds the words, or which the offers."
    if not mapping.learner:
        yield "Say whose moves are to be learnt, as the speaker column names them."
    if mapping.scenario not in scenarios_open():
        yield "Choose the deal that the talks are about."
    if not (math.isfinite(mapping.factor) and mapping.factor > 0):
        yield "The factor for sums is a number above 0."


def _line(number: int, row: dict[str, Any], mapping: Mapping, scenario: Scenario) -> ImportedLine:
    line = ImportedLine(number, conversation=_cell(row, mapping.conversation)[:80])
    line.mine = _cell(row, mapping.speaker).lower() == mapping.learner.strip().lower()
    line.text = _cell(row, mapping.text)
    if not line.conversation:
        line.problems.append("It belongs to no conversation.")
    if not _cell(row, mapping.speaker):
        line.problems.append("It does not say who speaks.")
    raw = _cell(row, mapping.offer)
    if raw:
        line.offer = _sum(raw, mapping.factor)
        if line.offer is None:
            line.problems.append(f"“{raw}” is not a sum.")
        elif not scenario.plausible_low <= line.offer <= scenario.plausible_high:
            line.problems.append(
                f"{scenario.currency}{line.offer:,.0f} is out of the range of this deal, {scenario.currency}"
                f"{scenario.plausible_low:,.0f} to {scenario.plausible_high:,.0f}."
            )
            line.offer = None
    ending = _cell(row, mapping.ending).lower()
    line.ending = next((name for name, words in ENDINGS.items() if ending in words), "")
    return line


def _limits(
    conversation: ImportedConversation, line: ImportedLine, row: dict[str, Any], mapping: Mapping
) -> None:
    for part in ("limit", "other_limit"):
        raw = _cell(row, getattr(mapping, part))
        if not raw:
            continue
        value = _sum(raw, mapping.factor)
        if value is None:
            line.problems.append(f"“{raw}” is not a sum.")
        elif getattr(conversation, part) is None:
            setattr(conversation, part, value)
        elif getattr(conversation, part) != value:
            line.problems.append("It names another limit than the lines before it.")


def _cell(row: dict[str, Any], column: str) -> str:
    value = row.get(column) if column else None
    return "" if value is None else " ".join(str(value).split())


def _sum(raw: str, factor: float) -> float | None:
    value = money(raw)
    return value * factor if value is not None and value > 0 else None
