"""A real server under the grammar of orders: a model of random weights that can only write what can be played."""

from __future__ import annotations

import json
import urllib.request
from typing import Any

import pytest

from negotiation.engine.diplomacy.geography import POWERS
from tests.servers import ModelServer
from trainer.domains.diplomacy.answers import orders_ebnf, parse
from trainer.domains.diplomacy.pool import HELD_OUT, PoolSettings, bots_at_play, phase_of
from trainer.domains.diplomacy.tables import Start
from trainer.domains.diplomacy.telling import brief

pytestmark = [pytest.mark.vllm, pytest.mark.timeout(900)]
OF_EACH = 4


def complete(server: ModelServer, start: Start, seed: int) -> dict[str, Any]:
    """An answer's second stage from the server, with the log-probability of each token."""
    body = {
        "model": "base",
        "messages": [{"role": "user", "content": brief(start).split("\n")[0]}],
        "max_tokens": 600,
        "temperature": 1.0,
        "seed": seed,
        "logprobs": True,
        "structured_outputs": {"grammar": orders_ebnf(start.state, start.power)},
    }
    request = urllib.request.Request(  # noqa: S310  # our own server
        f"{server.url}/chat/completions", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=120) as answer:  # noqa: S310
        choice: dict[str, Any] = json.load(answer)["choices"][0]
        return choice


def test_orders_of_a_server_under_the_grammar_can_all_be_played_in_every_kind_of_phase(
    model_server: ModelServer,
) -> None:
    kinds: dict[str, list[Start]] = {}
    for start, _ in bots_at_play(PoolSettings(games=3, years=4), 2, HELD_OUT):
        kind: str = phase_of(start.state)
        kind += " disbands" if kind == "winter" and start.state.delta(start.power) < 0 else ""
        if len(start.lines.rows) <= 8:
            kinds.setdefault(kind, []).append(start)
    assert set(kinds) == {"spring", "fall", "retreats", "winter", "winter disbands"}
    written = set()
    for kind, starts in kinds.items():
        for number, start in enumerate(starts[:: max(1, len(starts) // OF_EACH)][:OF_EACH]):
            choice = complete(model_server, start, number)
            text = choice["message"]["content"]
            assert choice["finish_reason"] == "stop", (kind, POWERS[start.power], text)
            assert parse(text, start.state, start.power).orders, (kind, text)
            assert all(token["logprob"] <= 0 for token in choice["logprobs"]["content"])
            written.add(text)
    assert len(written) > 15
