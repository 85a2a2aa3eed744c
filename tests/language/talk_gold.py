"""Hand-written talk at tables with a case, and what each message does."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal

from negotiation.engine.coalition.case import coalition_cases
from negotiation.engine.deal.case.acts import Talk
from negotiation.engine.deal.case.declared import DealCase
from negotiation.engine.deal.case.file import cases
from negotiation.engine.deal.listening import Listening, listen

_HERE = Path(__file__).parent / "talk"
Named = Literal["plain", "case", "none"]
"""How a message names its subject: in plain words, only by things of its case, or not at all."""


@cache
def all_cases() -> dict[str, DealCase]:
    """The cases of deals for two and of the table for three."""
    return {**cases(), **coalition_cases()}


@dataclass(frozen=True)
class Said:
    """One message and what it does; ``talk`` as ``[act, topic, id]``."""

    text: str
    scenario: str
    speaker: str
    listener: str
    named: Named
    talk: tuple[Talk, ...]
    told: tuple[str, ...] = ()
    raised: tuple[str, ...] = ()
    last_line: str = ""
    insult: bool = False
    wants_out: bool = False

    @property
    def withdraws(self) -> bool:
        """Whether it takes an offer back."""
        return any(each.act == "withdraw" for each in self.talk)

    def heard(self, reader: Callable[..., Listening] = listen) -> Listening:
        """What a reader makes of it, the house if none is named."""
        seats = all_cases()[self.scenario].seats
        return reader(
            self.text,
            speaker=seats[self.speaker],
            listener=seats[self.listener],
            told=self.told,
            raised=self.raised,
            last_line=self.last_line,
        )


@dataclass(frozen=True)
class TalkBatch:
    """Messages that were written and labelled before they were read.

    ``first_run`` holds what a held-out batch scored when it was read for the first time; ``learnt`` says that it was put to
    use afterwards. The tuning set has neither a note nor a first run.
    """

    name: str
    said: list[Said]
    note: str = ""
    learnt: bool = True
    first_run: dict[str, Any] = field(default_factory=dict)


def talk_batch(name: str) -> TalkBatch:
    """A batch by its file's name; a first line without a text holds its first run."""
    lines = [json.loads(line) for line in (_HERE / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]
    head = lines.pop(0) if "text" not in lines[0] else {}
    return TalkBatch(name, [_said(line) for line in lines], **head)


def talk_batches() -> list[TalkBatch]:
    """The set that the reader was tuned with, then the held-out ones in their order."""
    return [
        talk_batch(path.stem)
        for path in sorted(_HERE.glob("*.jsonl"), key=lambda path: (path.stem != "tuning", path.stem))
    ]


def _said(line: dict[str, Any]) -> Said:
    lists: dict[str, Any] = {key: tuple(line[key]) for key in ("told", "raised") if key in line}
    lists["talk"] = tuple(Talk(*each) for each in line["talk"])
    return Said(**(line | lists))
