"""A model server for trainings, in this process behind real HTTP: a policy writes, at a temperature that the test sets.

It loads the adapter that it is told to load, as vLLM does, and tells the log-probabilities of what it drew from.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import torch
from peft import PeftModel

from trainer.learning.decoding import write
from trainer.learning.policy import load


@dataclass
class Double:
    """The running server.

    ``heats`` draws at so many times the temperature that was asked for; ``raw`` tells log-probabilities of temperature 1
    whatever it draws at; ``loads_for`` seconds an adapter is being read. ``asked`` holds paths and bodies, in order.
    """

    base: Path
    heats: float = 1.0
    raw: bool = False
    loads_for: float = 0.0
    url: str = ""
    asked: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    loading: bool = False
    early: int = 0
    """Answers that were asked for while an adapter was being read, and readings begun while one was."""

    def __post_init__(self) -> None:
        self._policy = load(self.base)
        self._plain = self._policy.model
        self._one_at_a_time = threading.Lock()

    def answer(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        self.early += self.loading
        if path.endswith("/load_lora_adapter"):
            self.loading = True
            time.sleep(self.loads_for)
        with self._one_at_a_time:
            self.asked.append((path, body))
            if path.endswith("/load_lora_adapter"):
                plain = load(self.base).model
                self._policy.model = PeftModel.from_pretrained(plain, body["lora_path"]).eval()
                self.loading = False
                return {}
            return {"choices": [self._choice(body)]}

    def _choice(self, body: dict[str, Any]) -> dict[str, Any]:
        heat = body["temperature"] * self.heats
        generator = torch.Generator().manual_seed(body["seed"])
        prompt = body["prompt"]
        (each,) = write(
            self._policy.model,
            [prompt],
            end=self._policy.end,
            pad=self._policy.pad,
            most=body["max_tokens"],
            temperature=heat,
            generator=generator,
        )
        with torch.inference_mode():
            logits = self._policy.model(torch.tensor([[*prompt, *each.tokens]])).logits[0].float()
        told = torch.log_softmax(logits / (1.0 if self.raw or not heat else heat), dim=-1)[
            len(prompt) - 1 : -1
        ]
        return {
            "index": 0,
            "token_ids": each.tokens,
            "finish_reason": "stop" if each.ended else "length",
            "logprobs": {
                "token_logprobs": told.gather(1, torch.tensor(each.tokens)[:, None])[:, 0].tolist(),
                "top_logprobs": [{"likeliest": float(row.max())} for row in told],
            },
        }


class Server(ThreadingHTTPServer):
    """Takes all of a step's requests at once."""

    request_queue_size = 256


@contextmanager
def serving(base: Path, **how: Any) -> Iterator[Double]:
    """A server of ``base`` on a thread."""
    double = Double(base, **how)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            said = json.dumps(double.answer(self.path, body)).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(said)))
            self.end_headers()
            self.wfile.write(said)

        def log_message(self, *said: Any) -> None:
            """Quiet."""

    server = Server(("127.0.0.1", 0), Handler)
    double.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield double
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
