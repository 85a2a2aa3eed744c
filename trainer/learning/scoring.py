"""How likely each answer of a small grammar is, exactly: every way to write it, summed.

A masked decoder may write one string by several sequences of tokens; a string is as likely as all of them together.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch

from negotiation.opponents.protocol.grammar import Grammar
from trainer.learning.decoding import WrittenAnswer
from trainer.learning.masks import ENDED
from trainer.learning.policy import Policy

NEGLIGIBLE = 1e-4
"""Beginnings less likely than this are left out; what is left is scaled to sum to 1."""
AT_ONCE = 512


@dataclass(frozen=True, slots=True)
class Way:
    """One way to write an answer: its tokens with the end, their log-probabilities and masks."""

    text: str
    likely: float
    written: WrittenAnswer


@dataclass(frozen=True, slots=True)
class _Begun:
    place: int
    tokens: tuple[int, ...]
    logprobs: tuple[float, ...]
    masks: tuple[int, ...]
    state: int
    likely: float


def answer_ways(
    policy: Policy,
    prompts: Sequence[Sequence[int]],
    grammars: Sequence[Grammar],
    temperature: float = 1.0,
    model: Any = None,
) -> list[list[Way]]:
    """For each prompt, every way in which the masked decoder may write an answer; their probabilities sum to 1.

    Args:
        grammars: of finitely many strings each.
        model: a merged copy of the policy's.
    """
    automaton = policy.automaton
    found: list[list[Way]] = [[] for _ in prompts]
    begun = [
        _Begun(place, (), (), (), automaton.start(grammar), 1.0) for place, grammar in enumerate(grammars)
    ]
    while begun:
        onward = []
        for start in range(0, len(begun), AT_ONCE):
            part = begun[start : start + AT_ONCE]
            probabilities = _next(
                policy, [[*prompts[b.place], *b.tokens] for b in part], part, temperature, model
            )
            for one, probability in zip(part, probabilities, strict=True):
                for token in probability.nonzero()[:, 0].tolist():
                    after = _taken(policy, one, token, float(probability[token]))
                    if after.state == ENDED:
                        found[one.place].append(_ended(policy, after))
                    elif after.likely > NEGLIGIBLE:
                        onward.append(after)
        begun = onward
    return [_whole(ways) for ways in found]


def answer_probabilities(
    policy: Policy,
    prompts: Sequence[Sequence[int]],
    grammars: Sequence[Grammar],
    temperature: float = 1.0,
    model: Any = None,
) -> list[dict[str, float]]:
    """For each prompt, the probability of each whole string of its grammar; see :func:`answer_ways`."""
    found: list[dict[str, float]] = []
    for ways in answer_ways(policy, prompts, grammars, temperature, model):
        likely: dict[str, float] = defaultdict(float)
        for way in ways:
            likely[way.text] += way.likely
        found.append(dict(likely))
    return found


def _taken(policy: Policy, one: _Begun, token: int, chance: float) -> _Begun:
    automaton = policy.automaton
    return _Begun(
        one.place,
        (*one.tokens, token),
        (*one.logprobs, math.log(chance)),
        (*one.masks, automaton.mask_number(one.state)),
        automaton.step(one.state, token),
        one.likely * chance,
    )


def _ended(policy: Policy, one: _Begun) -> Way:
    written = WrittenAnswer(list(one.tokens), list(one.logprobs), list(one.masks), ENDED, ended=True)
    return Way(_text(policy, one.tokens[:-1]), one.likely, written)


def _whole(ways: list[Way]) -> list[Way]:
    """The same, scaled to sum to 1: what was negligible is left out."""
    total = sum(way.likely for way in ways)
    return [replace(way, likely=way.likely / total) for way in ways]


@torch.inference_mode()  # type: ignore[untyped-decorator]
def _next(
    policy: Policy, rows: Sequence[Sequence[int]], begun: Sequence[_Begun], temperature: float, model: Any
) -> torch.Tensor:
    """(rows, vocabulary) of probabilities of the next token, under each row's mask; negligible ones are 0."""
    longest = max(map(len, rows))
    ids = torch.full((len(rows), longest), policy.pad)
    attention = torch.zeros_like(ids)
    for place, row in enumerate(rows):
        ids[place, : len(row)] = torch.tensor(row)
        attention[place, : len(row)] = 1
    used = policy.model if model is None else model
    used.eval()
    ends = torch.tensor([len(row) - 1 for row in rows])
    core = used.get_base_model() if hasattr(used, "get_base_model") else used
    hidden = core.model(input_ids=ids.to(policy.device), attention_mask=attention.to(policy.device))
    logits = core.lm_head(hidden.last_hidden_state[torch.arange(len(rows)), ends]).float().cpu()
    automaton = policy.automaton
    allowed = automaton.masks([automaton.mask_number(each.state) for each in begun])
    logits = logits[:, : automaton.size].masked_fill(~allowed, -torch.inf)
    probabilities: torch.Tensor = torch.softmax(logits / temperature, dim=-1)
    return probabilities.where(probabilities > NEGLIGIBLE, 0.0)


def _text(policy: Policy, tokens: Sequence[int]) -> str:
    text: str = policy.tokenizer.decode(list(tokens), skip_special_tokens=False)
    return text
