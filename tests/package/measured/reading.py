"""The page of what was measured, the raw files beside it, and how figures are written there."""

from __future__ import annotations

import json
import re
from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from typing import Any

from tests.servers import ROOT

PAGE = (ROOT / "docs/measured.md").read_text()
RESULTS = ROOT / "bench/results"
PEOPLE = {"Diplomat": "diplomat", "Shark": "shark", "Veteran": "veteran"}
EVERYBODY = {**PEOPLE, "Auditor": "auditor"}
Told = tuple[str, list[str]]
"""How a row begins, and what must stand in it."""


@cache
def raw(name: str) -> Any:
    return json.loads((RESULTS / name).read_text())


def row(begins: str) -> str:
    """The one line of the page whose first cell begins so."""
    (found,) = [line for line in PAGE.splitlines() if line.startswith(f"| {begins}")]
    return found


def short(value: float, places: int) -> str:
    """As the page writes it: no zero before the point."""
    rounded = Decimal(str(value)).quantize(Decimal(10) ** -places, ROUND_HALF_UP)
    return re.sub(r"^(-?)0\.", r"\1.", str(rounded))


def figure(found: dict[str, Any], places: int) -> str:
    """A mean with its interval."""
    return f"{short(found['mean'], places)} [{', '.join(short(end, places) for end in found['ci95'])}]"
