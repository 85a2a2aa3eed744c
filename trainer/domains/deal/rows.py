"""The rows of a file of transcripts, CSV or JSONL, by line number: one reading for the command and for the page."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from typing import Any

from accounts.decoding import decode

Row = tuple[int, dict[str, Any]]


def rows_of(content: bytes, filename: str) -> list[Row]:
    """Every row with its line's number.

    Raises:
        ValueError: when it is no table; the message names the line.
    """
    text = decode(content)
    first = text.lstrip()[:1]
    rows = list(_json_rows(text) if first == "{" or filename.endswith(".jsonl") else _csv_rows(text))
    if not rows:
        raise ValueError("There is nothing in this file.")
    return rows


def _json_rows(text: str) -> Iterator[Row]:
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            raise ValueError(f"Line {number} is not JSON.") from None
        if not isinstance(row, dict):
            raise ValueError(f"Line {number} is not a JSON object.")
        yield number, {str(name): value for name, value in row.items()}


def _csv_rows(text: str) -> Iterator[Row]:
    header = text.lstrip("\ufeff\n").split("\n", 1)[0]
    reader = csv.DictReader(io.StringIO(text.lstrip("\ufeff")), delimiter=max(",;\t", key=header.count))
    try:
        for row in reader:
            if None in row:
                raise ValueError(f"Line {reader.line_num} has more cells than the first line has columns.")
            yield reader.line_num, {str(name).strip(): value for name, value in row.items()}
    except csv.Error as problem:
        raise ValueError(f"Line {reader.line_num}: {problem}.") from None
