"""The hand-written sentences, and the money contexts that they were written for."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from negotiation.engine.language import MoneyContext, Reading, Seat, understand

MONEY = {
    "saas_enterprise": MoneyContext(60_000, 300_000),
    "hiring_package": MoneyContext(110_000, 420_000),
    "acquisition_term_sheet": MoneyContext(4_000_000, 32_000_000),
}


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

    @property
    def offer(self) -> float | None:
        return self.figure if self.kind == "offer" else None

    def read(self) -> Reading:
        return understand(
            self.text,
            money=MONEY[self.scenario],
            seat=self.seat,
            standing_offer=self.standing_offer,
            own_offer=self.own_offer,
        )


def gold() -> list[Gold]:
    lines = Path(__file__).with_name("gold.jsonl").read_text(encoding="utf-8").splitlines()
    return [Gold(**json.loads(line)) for line in lines]
