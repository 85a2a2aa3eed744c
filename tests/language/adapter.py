"""The published encoder with a low-rank adapter that learns (Hu et al. 2022), for what fits the second ear."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from negotiation.engine.deal.listening.ear.encoder import SCALED, published
from negotiation.engine.deal.listening.ear.wordpiece import MOST_PIECES

MODULES = ("query", "key", "value", "dense")
WARM, LEAST = 50, 0.02


class Adapted:
    """Texts to points, as :class:`negotiation.engine.deal.listening.ear.encoder.Encoder` makes them, with gradients."""

    def __init__(self, *, rank: int, seed: int, dropped: float = 0.1) -> None:
        import torch
        from peft import LoraConfig, get_peft_model
        from transformers import AutoModel, AutoTokenizer

        torch.manual_seed(seed)
        folder = weights()
        self._cut = AutoTokenizer.from_pretrained(folder)
        settings = LoraConfig(
            r=rank, lora_alpha=int(SCALED * rank), lora_dropout=dropped, target_modules=list(MODULES)
        )
        self.model = get_peft_model(AutoModel.from_pretrained(folder, add_pooling_layer=False), settings)
        self.model.train()

    @property
    def width(self) -> int:
        """Numbers of a point."""
        return int(self.model.config.hidden_size)

    @property
    def learnt(self) -> list[Any]:
        """What the optimiser moves."""
        return [each for each in self.model.parameters() if each.requires_grad]

    def points(self, texts: list[str]) -> Any:
        """Unit vectors, of shape (texts, width)."""
        from torch.nn import functional

        batch = self._cut(texts, return_tensors="pt", padding=True, truncation=True, max_length=MOST_PIECES)
        state = self.model(**batch).last_hidden_state
        there = batch["attention_mask"].unsqueeze(-1).float()
        return functional.normalize((state * there).sum(1) / there.sum(1), dim=-1)

    def factors(self) -> dict[str, np.ndarray[Any, Any]]:
        """The adapter, by the names under which the product reads it."""
        return {
            name.removeprefix("base_model.model.")
            .replace(".lora_A.default.weight", ".down")
            .replace(".lora_B.default.weight", ".up"): value.detach().numpy()
            for name, value in self.model.named_parameters()
            if ".lora_" in name
        }


def optimiser_of(groups: Iterable[dict[str, Any]], steps: int) -> tuple[Any, Any]:
    """AdamW with a rate that climbs at first and then falls."""
    import torch

    optimiser = torch.optim.AdamW(list(groups), weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min(1.0, (step + 1) / WARM) * max(LEAST, 1 - step / steps)
    )
    return optimiser, schedule


def weights() -> Path:
    """The folder of the published weights."""
    folder = published()
    if folder is None:
        message = "install requirements/ear.txt into this environment first"
        raise SystemExit(message)
    return folder


def halves(numbers: dict[str, np.ndarray[Any, Any]]) -> dict[str, Any]:
    """The numbers in sixteen bits each, as they are kept."""
    return {name: each.astype(np.float16) for name, each in numbers.items()}
