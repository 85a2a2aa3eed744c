"""Writing: many answers side by side, each token drawn from the distribution whose log-probability is kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

from trainer.learning.masks import ENDED, TokenAutomaton


@dataclass(slots=True)
class WrittenAnswer:
    """One answer.

    ``masks`` holds the number of the mask that each token was drawn under, and is empty where it was drawn
    freely. ``state`` is where the grammar stands after it. ``ended`` says whether the end was written. ``forced`` is
    true where a mask left one token only, which was then appended without being drawn and is not learnt from; empty
    where every token was drawn.
    """

    tokens: list[int] = field(default_factory=list)
    logprobs: list[float] = field(default_factory=list)
    masks: list[int] = field(default_factory=list)
    state: int = ENDED
    ended: bool = False
    forced: list[bool] = field(default_factory=list)
    sampled: list[float] = field(default_factory=list)
    """The log-probabilities that another sampler says it drew with; empty where they are ``logprobs``."""

    @property
    def drawn(self) -> int:
        """How many of the tokens were drawn."""
        return len(self.tokens) - sum(self.forced)


@torch.inference_mode()  # type: ignore[untyped-decorator]
def write(
    model: Any,
    prompts: Sequence[Sequence[int]],
    *,
    end: int,
    pad: int,
    most: int,
    temperature: float,
    generator: torch.Generator,
    automaton: TokenAutomaton | None = None,
    states: Sequence[int] | None = None,
) -> list[WrittenAnswer]:
    """Answer every prompt.

    Args:
        model: a causal language model of transformers.
        most: the most tokens an answer may have.
        temperature: 0 takes the likeliest token; its log-probability is then of temperature 1.
        states: where each answer's grammar starts; without, tokens are drawn freely.
    """
    device = next(model.parameters()).device
    answers = [WrittenAnswer(state=ENDED if states is None else states[row]) for row in range(len(prompts))]
    stream = Stream(model)
    logits = stream.first(*left_padded(prompts, pad, device))
    for place in range(most):
        chosen, logprobs = draw(logits.float(), answers, temperature, generator, automaton)
        _note(answers, chosen.tolist(), logprobs.tolist(), end, automaton)
        if place + 1 == most or all(answer.ended for answer in answers):
            break
        logits = stream.next(chosen)
    return answers


class Stream:
    """One batch being written: the prompts, padded on the left, then a token a row at a time."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self._cache: Any = None

    def first(self, ids: torch.Tensor, attention: torch.Tensor) -> torch.Tensor:
        self._attention = attention
        self._positions = (attention.cumsum(dim=1) - 1).clamp(min=0)
        return self._forward(ids)

    def next(self, tokens: torch.Tensor) -> torch.Tensor:
        return self.feed(tokens[:, None], self._attention.new_ones((len(tokens), 1)))

    def feed(self, ids: torch.Tensor, attention: torch.Tensor) -> torch.Tensor:
        """Several tokens a row, padded on the left; what comes after the last. ``ids``: (rows, tokens)."""
        self._attention = torch.cat([self._attention, attention], dim=1)
        self._positions = (self._positions[:, -1:] + attention.cumsum(dim=1)).clamp(min=0)
        return self._forward(ids)

    def _forward(self, ids: torch.Tensor) -> torch.Tensor:
        out = self._model(
            input_ids=ids,
            attention_mask=self._attention,
            position_ids=self._positions,
            past_key_values=self._cache,
            use_cache=True,
            logits_to_keep=1,
        )
        self._cache = out.past_key_values
        logits: torch.Tensor = out.logits[:, -1]
        return logits


def left_padded(
    prompts: Sequence[Sequence[int]], pad: int, device: torch.device
) -> tuple[torch.Tensor, torch.Tensor]:
    """Rows of tokens, padded on the left; a row may be empty."""
    longest = max(len(prompt) for prompt in prompts)
    ids = torch.full((len(prompts), longest), pad)
    attention = torch.zeros((len(prompts), longest), dtype=torch.long)
    for row, prompt in enumerate(prompts):
        ids[row, longest - len(prompt) :] = torch.tensor(prompt, dtype=torch.long)
        attention[row, longest - len(prompt) :] = 1
    return ids.to(device), attention.to(device)


def draw(
    logits: torch.Tensor,
    answers: Sequence[WrittenAnswer],
    temperature: float,
    generator: torch.Generator,
    automaton: TokenAutomaton | None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """One token a row, and its log-probability. ``logits``: (rows, vocabulary), overwritten.

    All of it happens where the logits are: a number a row goes there, a token and its log-probability a row come back.
    The number is drawn on the host, so that a seed means the same wherever the model stands.
    """
    if automaton is not None:
        logits[:, automaton.size :] = -torch.inf
        numbers = [0 if a.ended else automaton.mask_number(a.state) for a in answers]
        for answer, number in zip(answers, numbers, strict=True):
            if not answer.ended:
                answer.masks.append(number)
        open_rows = [row for row, answer in enumerate(answers) if not answer.ended]
        allowed = automaton.masks([numbers[row] for row in open_rows], logits.device)
        logits[open_rows, : automaton.size] = logits[open_rows, : automaton.size].masked_fill(
            ~allowed, -torch.inf
        )
    logprobs = torch.log_softmax(logits / (temperature or 1.0), dim=-1)
    greedy = temperature == 0
    chosen = logprobs.argmax(dim=-1) if greedy else _sample(logprobs, generator)
    return chosen, logprobs.gather(1, chosen[:, None])[:, 0]


def _sample(logprobs: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    """By the inverse of the cumulative distribution: one uniform number a row.

    A number past the last sum, which rounding can leave short of 1, falls on the last token that is possible.
    """
    sums = logprobs.exp().cumsum(dim=-1)
    uniform = torch.rand((len(logprobs), 1), generator=generator).to(sums.device) * sums[:, -1:]
    return torch.searchsorted(sums, uniform, right=True)[:, 0].clamp(max=logprobs.shape[1] - 1)


def _note(
    answers: list[WrittenAnswer],
    chosen: list[int],
    logprobs: list[float],
    end: int,
    automaton: TokenAutomaton | None,
) -> None:
    for answer, token, logprob in zip(answers, chosen, logprobs, strict=True):
        if answer.ended:
            continue
        answer.tokens.append(token)
        answer.logprobs.append(logprob)
        answer.ended = token == end
        if automaton is not None:
            answer.state = automaton.step(answer.state, token)
