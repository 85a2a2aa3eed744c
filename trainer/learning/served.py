"""Rollouts written by a vLLM server: for models that write faster there than here.

The server is given the adapter as it stands before every step, under one name, in place. It draws freely; what came
out malformed is drawn again here, under the mask. Its token ids are kept as they are, and their log-probabilities are
worked out here, so that what is learnt from is this model's own distribution. What the server says that it drew from is
kept beside them: where the two differ, the loss weighs a token by how much (``LossSettings.truncate``). Server and
learner share a disk.
"""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import torch

from negotiation.opponents.neutral import NEUTRAL, NEUTRAL_BEYOND
from trainer.errors import BadInput
from trainer.learning.decoding import WrittenAnswer
from trainer.learning.loss import answer_logprobs, collate
from trainer.learning.policy import Policy
from trainer.learning.processes import ProcessGroup

NAME = "learner"
SECONDS = 600.0
AT_ONCE = 64
"""Rows that are asked for, and whose log-probabilities are worked out, at once."""


class Served:
    """A policy's answers by way of a server.

    Args:
        url: of the server with its version, such as ``http://127.0.0.1:8000/v1``.
        folder: where the adapter is put for the server to read.
    """

    def __init__(self, url: str, folder: Path) -> None:
        self._url = url.rstrip("/")
        self._folder = folder.resolve()
        self._tempered = False

    def renew(self, policy: Policy, processes: ProcessGroup | None = None) -> None:
        """Give the server the policy as it stands now. Of several processes one does, and all go on when it is done."""
        if processes is None or processes.leads:
            policy.model.save_pretrained(str(self._folder))
            body = {"lora_name": NAME, "lora_path": str(self._folder), "load_inplace": True}
            self._ask("/load_lora_adapter", body)
        if processes is not None:
            processes.wait()

    def write(
        self,
        policy: Policy,
        prompts: Sequence[Sequence[int]],
        *,
        most: int,
        temperature: float,
        generator: torch.Generator,
    ) -> list[WrittenAnswer]:
        """Answer every prompt, drawn freely; the seeds come from ``generator``.

        Each prompt is a request with a seed of its own: of one request a server draws equal prompts alike, and the
        rollouts of a group, which begin with the same prompt, would all be one.
        """
        if temperature not in (0.0, 1.0) and not self._tempered:
            self._check_tempered(prompts[0])
        seeds = torch.randint(0, 2**31 - 1, (len(prompts),), generator=generator).tolist()
        with ThreadPoolExecutor(AT_ONCE) as pool:
            choices = pool.map(partial(self._complete, most=most, temperature=temperature), prompts, seeds)
            answers = [_written(choice, policy.end) for choice in choices]
        self._measure(policy, prompts, answers, temperature)
        return answers

    def _complete(self, prompt: Sequence[int], seed: int, *, most: int, temperature: float) -> dict[str, Any]:
        body = {
            "model": NAME,
            "prompt": list(prompt),
            "max_tokens": most,
            "temperature": temperature,
            **NEUTRAL,
            **NEUTRAL_BEYOND,
            "seed": seed,
            "logprobs": 1,
            "return_token_ids": True,
            "skip_special_tokens": False,
        }
        choice: dict[str, Any] = json.loads(self._ask("/completions", body))["choices"][0]
        return choice

    def _check_tempered(self, prompt: Sequence[int]) -> None:
        """Whether the server tells the log-probabilities of what it draws from: they differ with the temperature.

        Raises:
            BadInput: when they are those of temperature 1; what it drew from is then not known.
        """
        cold, hot = (_likeliest(self._complete(prompt, 0, most=1, temperature=heat)) for heat in (0.5, 2.0))
        if cold == hot:
            raise BadInput(
                f"{self._url} tells the log-probabilities of temperature 1 whatever it draws at;"
                " start it with --logprobs-mode processed_logprobs"
            )
        self._tempered = True

    @staticmethod
    def _measure(
        policy: Policy, prompts: Sequence[Sequence[int]], answers: list[WrittenAnswer], temperature: float
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
                # The end may have been added here: the server has no figure for it, and it is as likely as we say.
                answer.sampled += answer.logprobs[len(answer.sampled) :]

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


def _written(choice: dict[str, Any], end: int) -> WrittenAnswer:
    tokens = choice.get("token_ids")
    if not tokens:
        raise BadInput(
            "the server returned no token ids; it must know return_token_ids (vLLM 0.10.2 and later)"
        )
    sampled = (choice.get("logprobs") or {}).get("token_logprobs")
    if not sampled or None in sampled:
        raise BadInput("the server returned no log-probabilities of its tokens; they were asked for")
    ended = choice.get("finish_reason") == "stop"
    if ended and tokens[-1] != end:
        tokens = [*tokens, end]
    return WrittenAnswer(tokens=list(tokens), sampled=list(sampled), ended=ended)


def _likeliest(choice: dict[str, Any]) -> float:
    """The log-probability of the likeliest first token."""
    told = (choice.get("logprobs") or {}).get("top_logprobs")
    if not told or not told[0]:
        raise BadInput("the server returned no log-probabilities of its tokens; they were asked for")
    return float(max(told[0].values()))
