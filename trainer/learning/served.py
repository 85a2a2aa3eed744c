"""Rollouts written by a vLLM server: for models that write faster there than here.

The server is given the adapter as it stands before every step, under one name, in place. It draws freely; what came
out malformed is drawn again here, under the mask. Its token ids are kept as they are, and their log-probabilities are
worked out here, so that what is learnt from is this model's own distribution. Server and learner share a disk.
"""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from trainer.errors import BadInput
from trainer.learning.decoding import Written
from trainer.learning.loss import answer_logprobs, collate
from trainer.learning.policy import Policy

NAME = "learner"
SECONDS = 600.0
AT_ONCE = 64
"""Rows whose log-probabilities are worked out at once."""


class Served:
    """A policy's answers by way of a server.

    Args:
        url: of the server with its version, such as ``http://127.0.0.1:8000/v1``.
        folder: where the adapter is put for the server to read.
    """

    def __init__(self, url: str, folder: Path) -> None:
        self._url = url.rstrip("/")
        self._folder = folder.resolve()

    def renew(self, policy: Policy) -> None:
        """Give the server the policy as it stands now."""
        policy.model.save_pretrained(str(self._folder))
        body = {"lora_name": NAME, "lora_path": str(self._folder), "load_inplace": True}
        self._ask("/load_lora_adapter", body)

    def write(
        self,
        policy: Policy,
        prompts: Sequence[Sequence[int]],
        *,
        most: int,
        temperature: float,
        generator: torch.Generator,
    ) -> list[Written]:
        """Answer every prompt, drawn freely; the seed comes from ``generator``."""
        seed = int(torch.randint(0, 2**31 - 1, (1,), generator=generator))
        body = {
            "model": NAME,
            "prompt": [list(prompt) for prompt in prompts],
            "max_tokens": most,
            "temperature": temperature,
            "seed": seed,
            "return_token_ids": True,
            "skip_special_tokens": False,
        }
        choices = sorted(
            json.loads(self._ask("/completions", body))["choices"], key=lambda each: each["index"]
        )
        answers = [_written(choice, policy.end) for choice in choices]
        if len(answers) != len(prompts):
            raise BadInput(f"{self._url} answered {len(answers)} of {len(prompts)} prompts")
        self._measure(policy, prompts, answers, temperature)
        return answers

    @staticmethod
    def _measure(
        policy: Policy, prompts: Sequence[Sequence[int]], answers: list[Written], temperature: float
    ) -> None:
        """Work out the log-probabilities of what the server wrote."""
        policy.model.eval()
        for begin in range(0, len(answers), AT_ONCE):
            part = answers[begin : begin + AT_ONCE]
            batch = collate(
                prompts[begin : begin + AT_ONCE], [each.tokens for each in part], policy.pad, policy.device
            )
            with torch.no_grad():
                logprobs, _ = answer_logprobs(policy.model, batch, policy.automaton, temperature or 1.0)
            for answer, found, mine in zip(part, logprobs, batch.mine, strict=True):
                answer.logprobs = found[mine].tolist()

    def _ask(self, path: str, body: dict[str, Any]) -> bytes:
        request = urllib.request.Request(  # noqa: S310 - the address is the user's own setting
            self._url + path, json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        try:
            with urllib.request.urlopen(request, timeout=SECONDS) as answer:  # noqa: S310
                data: bytes = answer.read()
                return data
        except urllib.error.HTTPError as problem:
            raise BadInput(
                f"{self._url}{path}: {problem.code} {problem.read(300).decode(errors='replace')}"
            ) from problem
        except (urllib.error.URLError, OSError) as problem:
            raise BadInput(f"{self._url} does not answer: {problem}") from problem


def _written(choice: dict[str, Any], end: int) -> Written:
    tokens = choice.get("token_ids")
    if not tokens:
        raise BadInput(
            "the server returned no token ids; it must know return_token_ids (vLLM 0.10.2 and later)"
        )
    ended = choice.get("finish_reason") == "stop"
    if ended and tokens[-1] != end:
        tokens = [*tokens, end]
    return Written(tokens=list(tokens), ended=ended)
