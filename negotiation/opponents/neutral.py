"""What a request says of sampling besides its temperature: nothing is left for a server to fill in.

A server takes what a request leaves open from the model's own ``generation_config.json``: Qwen2.5-Instruct ships top_p .8,
top_k 20 and a repetition penalty of 1.05 to 1.1. The model would then speak from another distribution than the one that
was learnt and measured. Every request states the neutral values instead.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

NEUTRAL = MappingProxyType({"top_p": 1.0, "presence_penalty": 0.0, "frequency_penalty": 0.0})
"""Of the OpenAI protocol: every server takes them."""
NEUTRAL_BEYOND = MappingProxyType({"top_k": 0, "min_p": 0.0, "repetition_penalty": 1.0})
"""Beyond the protocol: vLLM takes them, and whoever speaks as it does."""
NO_THINKING: dict[str, Any] = {"enable_thinking": False}
"""For chat templates that would else open a train of thought before the answer, such as Qwen3's."""
