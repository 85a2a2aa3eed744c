"""Judges of a position, behind one call: the local one, deterministic, and a model that speaks OpenAI's protocol.

Both give the same three marks. A group of samples is judged by one of them, never by two.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any, Protocol

from negotiation.engine.diplomacy.geography import POWERS
from negotiation.engine.diplomacy.position import Standing, standing
from negotiation.engine.diplomacy.press.ledger import Ledger
from negotiation.engine.diplomacy.saved import position_to_json
from negotiation.engine.diplomacy.state import State

_QUESTION = (
    "You judge positions in Diplomacy. Rate the position of {power} from 0 to 1 in three respects: safety (are its "
    "supply centres guarded?), reliability (has it kept its word?), expansion (can it take more centres soon?). Answer "
    'with one JSON object and nothing else: {{"safety": x, "reliability": x, "expansion": x}}.\n\n{position}'
)


class Judge(Protocol):
    """Whatever can mark a position."""

    def __call__(self, state: State, power: int, ledger: Ledger) -> Standing:
        """The marks of ``power``."""


class UnreadableVerdict(ValueError):
    """A model's answer that is not the three marks."""


class ModelJudge:
    """A model as judge: asked once for each position, the answer kept.

    Args:
        complete: takes a prompt, returns the model's text; :func:`openai_completion` makes one.
    """

    def __init__(self, complete: Callable[[str], str]) -> None:
        self._complete = complete
        self._known: dict[str, Standing] = {}

    def __call__(self, state: State, power: int, ledger: Ledger) -> Standing:
        """The model's marks.

        Raises:
            UnreadableVerdict: if its answer is not what was asked for.
        """
        kept, broken = ledger.counts(power)
        page = {**position_to_json(state), "promises": {"kept": kept, "broken": broken}}
        position = json.dumps(page, sort_keys=True)
        key = hashlib.sha256(f"{power}:{position}".encode()).hexdigest()
        if key not in self._known:
            prompt = _QUESTION.format(power=POWERS[power], position=position)
            self._known[key] = _marks(self._complete(prompt))
        return self._known[key]


def local_judge(state: State, power: int, ledger: Ledger) -> Standing:
    """The deterministic judge: counts units, centres and kept promises."""
    return standing(state, power, ledger)


def openai_completion(base_url: str, model: str, api_key: str, timeout: float = 60.0) -> Callable[[str], str]:
    """A model behind any server of OpenAI's chat protocol, asked for JSON at temperature 0."""
    from openai import OpenAI  # a heavy import that only this judge needs

    client = OpenAI(base_url=base_url, api_key=api_key, timeout=timeout)

    def complete(prompt: str) -> str:
        answer = client.chat.completions.create(
            model=model,
            messages=[{"role": "user", "content": prompt}],
            temperature=0,
            response_format={"type": "json_object"},
        )
        return answer.choices[0].message.content or ""

    return complete


def _marks(text: str) -> Standing:
    try:
        page: Any = json.loads(text)
        marks = Standing(*(float(page[name]) for name in Standing._fields))
    except (ValueError, KeyError, TypeError) as problem:
        raise UnreadableVerdict(f"{text[:200]!r} does not hold the three marks") from problem
    if not all(0 <= mark <= 1 for mark in marks):
        raise UnreadableVerdict(f"{text[:200]!r}: a mark lies outside 0 to 1")
    return marks
