"""The hand-written sentences, and the money contexts that they were written for."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from negotiation.engine.deal import scenarios
from negotiation.engine.language import MoneyContext, Reading, Seat, understand

_HERE = Path(__file__).parent
MONEY = {name: scenario.money for name, scenario in scenarios().items()}
"""The contexts that the scenarios at the table give."""
FURTHER_MONEY = {
    "other_hardware": MoneyContext(300_000, 1_400_000),
    "other_software": MoneyContext(30_000, 180_000),
    "other_lease": MoneyContext(90_000, 480_000),
}
"""Three trades that no scenario holds, to see whether the reading carries over."""
ALL_MONEY = MONEY | FURTHER_MONEY


@dataclass(frozen=True)
class Gold:
    """One sentence and what it means; ``figure`` is the main deal figure, None where there is none."""

    text: str
    scenario: str
    seat: Seat
    standing_offer: float | None
    own_offer: float | None
    kind: str
    figure: float | None
    acts: tuple[str, ...] | None = None
    tactics: tuple[str, ...] | None = None

    @property
    def offer(self) -> float | None:
        return self.figure if self.kind == "offer" else None

    def read(self) -> Reading:
        return understand(
            self.text,
            money=ALL_MONEY[self.scenario],
            seat=self.seat,
            standing_offer=self.standing_offer,
            own_offer=self.own_offer,
        )


@dataclass(frozen=True)
class FirstRun:
    """What a batch scored when it was first read, before anything was changed because of it."""

    sentences: int
    exact: int
    silent: int
    offers: int
    asked: int

    def table(self) -> dict[str, float]:
        return {
            "sentences": self.sentences,
            "exact_offer_and_kind": round(self.exact / self.sentences, 4),
            "silent_misreadings": self.silent,
            "needless_questions": round(self.asked / self.offers, 4),
        }


@dataclass(frozen=True)
class Batch:
    """Sentences written and labelled before they were run, and how that first run went.

    ``learnt`` says that they were put to use afterwards; from the others neither patterns nor classifier have learnt.
    """

    name: str
    note: str
    first_run: FirstRun
    learnt: bool
    sentences: list[Gold]


def gold() -> list[Gold]:
    return _sentences(_HERE / "gold.jsonl")


def heldout() -> list[Batch]:
    """The held-out batches in the order in which they were written; line one of each is its first run."""
    return [_batch(path) for path in sorted(_HERE.glob("heldout_[0-9]*.jsonl"))]


def learnt() -> list[Gold]:
    """Every sentence that the reader may know: the gold set and the batches learnt from."""
    return gold() + [one for batch in heldout() if batch.learnt for one in batch.sentences]


def unlearnt() -> list[Gold]:
    """The sentences that nothing has been learnt from."""
    return [one for batch in heldout() if not batch.learnt for one in batch.sentences]


def _batch(path: Path) -> Batch:
    head = json.loads(path.read_text(encoding="utf-8").partition("\n")[0])
    first_run = FirstRun(**head["first_run"])
    return Batch(path.stem, head["note"], first_run, head.get("learnt", True), _sentences(path, skip=1))


def _sentences(path: Path, skip: int = 0) -> list[Gold]:
    return [Gold(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()[skip:]]
