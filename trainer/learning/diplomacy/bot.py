"""A policy as a player of the board: frozen, asked for many tables at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from negotiation.engine.diplomacy.chance import Draws
from negotiation.engine.diplomacy.orders import Order
from negotiation.engine.diplomacy.press.ledger import Ledger
from negotiation.engine.diplomacy.state import State
from trainer.domains.diplomacy.answers import parse
from trainer.domains.diplomacy.tables import PressModel, Sample, Start
from trainer.domains.diplomacy.telling import Style, chat
from trainer.learning.diplomacy.stages import TwoStages
from trainer.learning.policy import Policy, merged_copy

AT_ONCE = 128
"""Answers written side by side."""


class BoardPlayer(PressModel):
    """A frozen policy. Its luck is the numbers of its power and phase alone, as every bot's is."""

    def __init__(
        self,
        policy: Policy,
        style: Style,
        free: int,
        temperature: float = 1.0,
        stages: TwoStages | None = None,
    ) -> None:
        self._policy, self._style, self._temperature = policy, style, temperature
        self._stages = stages or TwoStages(policy, free)
        policy.model.eval()
        self._model: Any = merged_copy(policy)

    def answers(self, starts: Sequence[Start], draws: Sequence[Draws]) -> list[Sample]:
        """An answer to each; where a power has nothing to do, nothing."""
        busy = [place for place, start in enumerate(starts) if start.lines.rows]
        found = [Sample(()) for _ in starts]
        for begin in range(0, len(busy), AT_ONCE):
            part = busy[begin : begin + AT_ONCE]
            for place, sample in zip(
                part, self._written([starts[p] for p in part], [draws[p] for p in part]), strict=True
            ):
                found[place] = sample
        return found

    def orders(self, state: State, power: int, draws: Draws, ledger: Ledger) -> list[Order]:
        """The orders alone, of one power at one table."""
        (sample,) = self.answers([Start(state, power, ledger)], [draws])
        return list(sample.orders)

    def _written(self, starts: Sequence[Start], draws: Sequence[Draws]) -> list[Sample]:
        written = self._stages.write(
            [self._policy.tokens(chat(start, self._style)) for start in starts],
            [start.lines for start in starts],
            self._temperature,
            torch.stack([torch.from_numpy(numbers.ravel().copy()) for numbers in draws]),
            self._model,
        )
        samples = []
        for start, each in zip(starts, written, strict=True):
            answer = parse(self._policy.text(each), start.state, start.power)
            samples.append(Sample(answer.orders, answer.messages))
        return samples
