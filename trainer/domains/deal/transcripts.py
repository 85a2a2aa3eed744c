"""People's transcripts as data: rows of a CSV or JSONL file, read through a mapping, with where they are from.

A row is one move: which talk it belongs to, its order, who spoke, the words, the offer. From them the situation that
each player stood in is put together as far as a transcript tells: own limit, offers, turn. Nothing is imported
without a licence, a source and, for each talk, consent.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from negotiation.engine.deal import Action, Seat, scenarios
from negotiation.opponents.protocol import encode, messages
from negotiation.opponents.protocol.shape import Style
from trainer import datasets, settings
from trainer.domains.deal.files import write_card
from trainer.domains.deal.rows import Row, rows_of
from trainer.domains.deal.talks import after, empty_table, money
from trainer.errors import BadInput
from trainer.runs import Run

TRUE = ("1", "true", "yes", "y")


@dataclass(frozen=True, slots=True)
class Columns:
    """The names of the columns; an empty name is a column that is not there."""

    talk: str = "talk"
    order: str = "turn"
    speaker: str = "speaker"
    text: str = "text"
    offer: str = "offer"
    accept: str = "accept"
    walk_away: str = "walk_away"
    limit: str = "limit"
    consent: str = "consent"


@dataclass(frozen=True, slots=True)
class TranscriptMapping:
    """What the file is, and how it is read."""

    source: str = ""
    """Where it is from: a citation or an address."""
    licence: str = ""
    """Under which terms it may be used to train."""
    consent: str = "column"
    """``column`` takes each talk's own; anything else is the ground on which all of them consented."""
    scenario: str = "saas_enterprise"
    player: str = "seller"
    """Whose moves are learnt, as the file names its speaker; the seat is the same name or ``seat``."""
    seat: str = "seller"
    style: Style = "full"
    columns: Columns = field(default_factory=Columns)

    def __post_init__(self) -> None:
        if not self.source or not self.licence:
            raise BadInput("a mapping must name the source and the licence of what it maps")
        if self.scenario not in scenarios():
            raise BadInput(f"scenario: there is no {self.scenario!r}; there are {', '.join(scenarios())}")
        if self.seat not in ("seller", "buyer"):
            raise BadInput("seat must be seller or buyer")


@dataclass(frozen=True, slots=True)
class Imported:
    """What a file comes to."""

    mapping: TranscriptMapping
    records: list[dict[str, Any]]
    talks: int
    without_consent: int

    def card(self) -> dict[str, Any]:
        """Its data card."""
        return {
            "made_by": "import of transcripts",
            "source": self.mapping.source,
            "licence": self.mapping.licence,
            "consent": self.mapping.consent,
            "talks": self.talks,
            "left_out_without_consent": self.without_consent,
            "rows": len(self.records),
        }


def read(path: Path, mapping_path: Path) -> Imported:
    """Read a file of transcripts.

    Raises:
        BadInput: for a file, a column or a value that is not as the mapping says, by its line.
    """
    mapping = settings.load(TranscriptMapping, mapping_path)
    talks: dict[str, list[Row]] = {}
    for line, row in _rows(path):
        name = str(_cell(row, mapping.columns.talk, path, line))
        talks.setdefault(name, []).append((line, row))
    records: list[dict[str, Any]] = []
    refused = 0
    for name, rows in talks.items():
        if mapping.consent == "column" and not all(_yes(row.get(mapping.columns.consent)) for _, row in rows):
            refused += 1
            continue
        records += _records(name, rows, mapping, path)
    return Imported(mapping, records, len(talks) - refused, refused)


def write(found: Imported, run: Run) -> None:
    """Write the import as a dataset."""
    if not found.records:
        raise BadInput("nothing to import: no talk with consent has a move of the player's")
    datasets.write(run.folder / "train.jsonl", found.records)
    write_card(run.folder, found.card())
    run.finish(rows=len(found.records))


def _rows(path: Path) -> list[Row]:
    try:
        return rows_of(path.read_bytes(), path.name)
    except OSError as problem:
        raise BadInput(f"{path}: {problem.strerror}") from problem
    except ValueError as problem:
        raise BadInput(f"{path}: {problem}") from problem


def _records(name: str, rows: list[Row], mapping: TranscriptMapping, path: Path) -> Iterator[dict[str, Any]]:
    columns, board = mapping.columns, scenarios()[mapping.scenario]
    seat: Seat = "seller" if mapping.seat == "seller" else "buyer"
    rows = sorted(rows, key=lambda item: _number(item[1], columns.order, path, item[0]) or 0.0)
    limit = next(
        (n for line, row in rows if (n := _number(row, columns.limit, path, line)) is not None), None
    )
    seen = empty_table(board, seat, limit)
    for line, row in rows:
        action = Action(
            text=str(row.get(columns.text) or ""),
            offer=_number(row, columns.offer, path, line),
            accept=_yes(row.get(columns.accept)),
            walk_away=_yes(row.get(columns.walk_away)),
        )
        mine = str(_cell(row, columns.speaker, path, line)) == mapping.player
        empty_move = not action.text.strip() and action.offer is None
        if mine and not (empty_move and not action.accept and not action.walk_away):
            answer = encode(action, seen, board, mapping.style)
            yield {
                "id": f"{name}-{seen.turn:02d}",
                "messages": [*messages(seen, board, mapping.style), {"role": "assistant", "content": answer}],
                "source": {
                    "kind": "transcript",
                    "talk": name,
                    "source": mapping.source,
                    "licence": mapping.licence,
                },
            }
        seen = after(
            seen,
            "player" if mine else "opponent",
            action.text,
            action.offer,
            accept=action.accept,
            walk_away=action.walk_away,
        )
        # A turn is one move of the player's and the answer to it.
        seen = seen if mine else replace(seen, turn=min(seen.turn + 1, seen.horizon))


def _cell(row: dict[str, Any], column: str, path: Path, line: int) -> Any:
    value = row.get(column)
    if value is None or value == "":
        raise BadInput(f"{path}, line {line}: no {column}")
    return value


def _number(row: dict[str, Any], column: str, path: Path, line: int) -> float | None:
    value = row.get(column)
    if value is None or value == "":
        return None
    found = money(str(value))
    if found is None:
        raise BadInput(f"{path}, line {line}: {column} must be a number, not {value!r}")
    return found


def _yes(value: Any) -> bool:
    return value is True or str(value).strip().lower() in TRUE
