"""Datasets of chats: one JSON object a line, with ``messages`` whose last one is the answer to learn."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trainer.errors import BadInput


@dataclass(frozen=True, slots=True)
class Example:
    """A chat and its answer."""

    chat: list[dict[str, str]]
    answer: str


def write(path: Path, records: Iterable[dict[str, Any]]) -> int:
    """Write records, whole or not at all; returns how many."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".part")
    count = 0
    try:
        with partial.open("w", encoding="utf-8") as lines:
            for record in records:
                lines.write(json.dumps(record, ensure_ascii=False, default=float) + "\n")
                count += 1
        partial.replace(path)
    except OSError as problem:
        partial.unlink(missing_ok=True)
        raise BadInput(f"{path}: {problem.strerror}") from problem
    return count


def read(path: Path) -> Iterator[Example]:
    """The examples of a file.

    Raises:
        BadInput: for a file that is not there or empty, and for a malformed line, by its number.
    """
    empty = True
    for number, record in records(path):
        empty = False
        chat = record.get("messages")
        if not isinstance(chat, list) or len(chat) < 2 or not all(_is_message(each) for each in chat):
            raise BadInput(f"{path}, line {number}: messages must be a list of role and content")
        if chat[-1]["role"] != "assistant":
            raise BadInput(f"{path}, line {number}: the last message must be the assistant's")
        yield Example(chat[:-1], chat[-1]["content"])
    if empty:
        raise BadInput(f"{path} holds no examples")


def records(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each line's number and object.

    Raises:
        BadInput: as :func:`read`.
    """
    try:
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                if not line.strip():
                    continue
                try:
                    record = json.loads(line)
                except ValueError as problem:
                    raise BadInput(f"{path}, line {number}: not JSON") from problem
                if not isinstance(record, dict):
                    raise BadInput(f"{path}, line {number}: not a JSON object")
                yield number, record
    except OSError as problem:
        raise BadInput(f"{path}: {problem.strerror}") from problem
    except UnicodeDecodeError as problem:
        raise BadInput(f"{path}: not UTF-8") from problem


def _is_message(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and value.get("role") in ("system", "user", "assistant")
        and isinstance(value.get("content"), str)
    )
