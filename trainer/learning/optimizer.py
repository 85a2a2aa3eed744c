"""The optimizer that both kinds of training share."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import torch


@dataclass(frozen=True, slots=True)
class OptimizerSettings:
    """AdamW (Loshchilov & Hutter 2019)."""

    learning_rate: float = 1e-3
    """1e-6 to 1e-5 for full weights of large models in the papers; a LoRA adapter wants about ten times as much
    (Schulman & Thinking Machines 2025), a network of a million weights far more."""
    beta1: float = 0.9
    beta2: float = 0.95
    """.999 forgets too slowly for runs of a hundred steps."""
    weight_decay: float = 0.0
    clip: float = 1.0
    """Norm that the gradient is cut to (Pascanu et al. 2013)."""
    warm_up: int = 5
    """Steps over which the rate climbs to its value."""
    decay: bool = False
    """Whether the rate then falls to a tenth along a cosine (Loshchilov & Hutter 2017)."""


def make(weights: Iterable[torch.nn.Parameter], settings: OptimizerSettings) -> torch.optim.AdamW:
    """AdamW over ``weights``."""
    return torch.optim.AdamW(
        list(weights),
        lr=settings.learning_rate,
        betas=(settings.beta1, settings.beta2),
        weight_decay=settings.weight_decay,
    )


def rate(settings: OptimizerSettings, step: int, steps: int) -> float:
    """The learning rate of ``step``, counted from 0, of ``steps``."""
    if step < settings.warm_up:
        return settings.learning_rate * (step + 1) / settings.warm_up
    if not settings.decay:
        return settings.learning_rate
    share = (step - settings.warm_up) / max(1, steps - settings.warm_up)
    return settings.learning_rate * (0.1 + 0.9 * 0.5 * (1 + math.cos(math.pi * share)))


def take_step(optimizer: torch.optim.Optimizer, settings: OptimizerSettings, step: int, steps: int) -> float:
    """One update with the gradients that are there; returns their norm before it was cut."""
    for group in optimizer.param_groups:
        group["lr"] = rate(settings, step, steps)
    weights = [weight for group in optimizer.param_groups for weight in group["params"]]
    norm = float(torch.nn.utils.clip_grad_norm_(weights, settings.clip))
    if math.isfinite(norm):
        optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    return norm
