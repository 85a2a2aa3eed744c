"""The loss: a clipped policy gradient with a KL penalty towards the reference, on log-probabilities of what was sampled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import torch
from torch.utils.checkpoint import checkpoint

KlEstimator = Literal["k3", "one_sided"]


@dataclass(frozen=True, slots=True)
class LossSettings:
    """How far an update may go."""

    OLD_KEYS: ClassVar[dict[str, str]] = {"leash": "kl_estimator"}

    clip_low: float = 0.2
    """PPO's epsilon (Schulman et al. 2017): the ratio is not pushed under 1 - this."""
    clip_high: float = 0.28
    """DAPO's clip-higher (Yu et al. 2025): room for unlikely tokens to become likely. 0.2 is PPO."""
    kl: float = 0.02
    """Weight of the KL penalty, the divergence from the reference; .04 in DeepSeekMath, 0 in DAPO."""
    kl_estimator: KlEstimator = "k3"
    """``k3`` is Schulman's unbiased, non-negative estimator (2020), as in DeepSeekMath. ``one_sided`` is
    max(0, log p - log p_ref): it only holds back what the policy came to like more than the reference."""
    truncate: float = 2.0
    """Where a server drew a token, what it says beside what the learner says of the token's likelihood weighs it, by at
    most this (truncated importance sampling; Yao et al. 2025, "Your efficient RL framework secretly brings you off-policy
    RL training", take 2)."""
    norm: Literal["tokens", "rows"] = "tokens"
    """``tokens`` weighs each token alike (DAPO; Dr. GRPO, Liu et al. 2025). ``rows`` weighs each answer alike, as
    GRPO did: here it would weigh the word *accept*, alone in its answer, seven times as heavily as the word *offer*
    before twenty others, and a model that once took a bad deal would soon take none. Seen in one run each, not
    compared with all else equal."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows padded on the right. Shapes are (rows, tokens); answers' positions are those with ``mine``."""

    ids: torch.Tensor
    attention: torch.Tensor
    mine: torch.Tensor
    """True where a token was written by the policy."""
    mask_numbers: torch.Tensor
    """The mask that each of these tokens was drawn under, -1 for none."""
    old_logprobs: torch.Tensor
    advantages: torch.Tensor
    sampled: torch.Tensor | None = None
    """What the sampler says it drew with, where that is somebody else."""


def trust(batch: Batch, most: float) -> torch.Tensor:
    """The weight of each token: min(learner's / sampler's likelihood, most), 1 where they are one."""
    if batch.sampled is None:
        return torch.ones_like(batch.old_logprobs)
    return torch.exp(batch.old_logprobs - batch.sampled).clamp(max=most)


def clipped(
    logprobs: torch.Tensor, old: torch.Tensor, advantages: torch.Tensor, settings: LossSettings
) -> torch.Tensor:
    """-min(ratio A, clip(ratio) A) of each token (Schulman et al. 2017, eq. 7). All of one shape."""
    ratio = torch.exp(logprobs - old)
    within = ratio.clamp(1 - settings.clip_low, 1 + settings.clip_high)
    return -torch.minimum(ratio * advantages, within * advantages)


def divergence(logprobs: torch.Tensor, reference: torch.Tensor, estimator: KlEstimator) -> torch.Tensor:
    """An estimate of KL(policy || reference) from each token drawn from the policy."""
    gap = reference - logprobs
    if estimator == "one_sided":
        return torch.clamp(-gap, min=0)
    return torch.exp(gap) - gap - 1


def total(
    logprobs: torch.Tensor,
    reference: torch.Tensor | None,
    batch: Batch,
    settings: LossSettings,
    rows: int,
    tokens: int,
) -> tuple[torch.Tensor, torch.Tensor]:
    """The loss of a micro-batch as its share of a step's, and the sum of its divergences.

    Args:
        rows, tokens: of the whole step, so that micro-batches add up to the step's loss.
    """
    weights = batch.mine.float()
    each = clipped(logprobs, batch.old_logprobs, batch.advantages, settings)
    apart = (
        torch.zeros_like(each)
        if reference is None
        else divergence(logprobs, reference, settings.kl_estimator)
    )
    each = (each + settings.kl * apart) * weights * trust(batch, settings.truncate)
    if settings.norm == "tokens":
        loss = each.sum() / tokens
    else:
        loss = (each.sum(dim=1) / weights.sum(dim=1).clamp(min=1)).sum() / rows
    return loss, (apart.detach() * weights).sum()


def answer_logprobs(
    model: Any, batch: Batch, masks: Any, temperature: float, chunk: int = 512
) -> tuple[torch.Tensor, torch.Tensor]:
    """Log-probabilities of the tokens that were written, under the masks they were drawn with, and entropies.

    The vocabulary's logits are only ever held for ``chunk`` positions at once, and made again on the way back
    (Chen et al. 2016), so memory does not grow with the vocabulary times the batch.

    Args:
        masks: the automaton that numbers the masks.

    Returns:
        Two tensors of the batch's shape, zero where nothing was written. Entropies carry no gradient.
    """
    core = model.get_base_model() if hasattr(model, "get_base_model") else model
    hidden = core.model(input_ids=batch.ids, attention_mask=batch.attention).last_hidden_state
    rows, places = batch.mine.nonzero(as_tuple=True)
    states, targets = hidden[rows, places - 1], batch.ids[rows, places]
    numbers = batch.mask_numbers[rows, places]
    found, entropies = [], []
    for begin in range(0, len(rows), chunk):
        part = slice(begin, begin + chunk)
        allowed = _allowed(masks, numbers[part], core.lm_head.out_features, states.device)
        logprob, entropy = checkpoint(
            _chosen, states[part], targets[part], core.lm_head, allowed, temperature, use_reentrant=False
        )
        found.append(logprob)
        entropies.append(entropy)
    out = torch.zeros(batch.ids.shape, device=hidden.device)
    spread = torch.zeros_like(out)
    spread[rows, places] = torch.cat(entropies).detach()
    return out.index_put((rows, places), torch.cat(found)), spread


def _chosen(
    states: torch.Tensor, targets: torch.Tensor, head: Any, allowed: torch.Tensor | None, temperature: float
) -> tuple[torch.Tensor, torch.Tensor]:
    logits = head(states).float()
    if allowed is not None:
        logits = logits.masked_fill(~allowed, -torch.inf)
    logprobs = torch.log_softmax(logits / temperature, dim=-1)
    with torch.no_grad():
        entropy = -(logprobs.exp() * logprobs.clamp(min=-1e9)).sum(dim=-1)
    return logprobs.gather(1, targets[:, None])[:, 0], entropy


def _allowed(masks: Any, numbers: torch.Tensor, width: int, device: torch.device) -> torch.Tensor | None:
    """Shape (positions, vocabulary); every token is allowed where a position has no mask."""
    listed = numbers.tolist()
    if all(number < 0 for number in listed):
        return None
    allowed = torch.ones((len(listed), width), dtype=torch.bool)
    under = [place for place, number in enumerate(listed) if number >= 0]
    allowed[under, masks.size :] = False
    allowed[under, : masks.size] = masks.masks([listed[place] for place in under])
    return allowed.to(device)


def collate(
    prompts: Sequence[Sequence[int]],
    answers: Sequence[Sequence[int]],
    pad: int,
    device: torch.device,
    *,
    logprobs: Sequence[Sequence[float]] | None = None,
    masks: Sequence[Sequence[int]] | None = None,
    advantages: Sequence[Sequence[float]] | None = None,
    forced: Sequence[Sequence[bool]] | None = None,
    sampled: Sequence[Sequence[float]] | None = None,
) -> Batch:
    """Rows of prompt and answer, padded on the right; tokens that were forced are read, not learnt from."""
    longest = max(len(prompt) + len(answer) for prompt, answer in zip(prompts, answers, strict=True))
    shape = (len(prompts), longest)
    ids = torch.full(shape, pad)
    attention = torch.zeros(shape, dtype=torch.long)
    mine = torch.zeros(shape, dtype=torch.bool)
    numbers = torch.full(shape, -1)
    old, gains = torch.zeros(shape), torch.zeros(shape)
    drawn_with = None if sampled is None or not any(sampled) else torch.zeros(shape)
    for row, (prompt, answer) in enumerate(zip(prompts, answers, strict=True)):
        begin, stop = len(prompt), len(prompt) + len(answer)
        ids[row, :begin] = torch.tensor(prompt)
        ids[row, begin:stop] = torch.tensor(answer)
        attention[row, :stop] = 1
        mine[row, begin:stop] = True
        if forced is not None and len(forced[row]):
            mine[row, begin:stop] = ~torch.tensor(forced[row])
        if masks is not None and len(masks[row]):
            numbers[row, begin:stop] = torch.tensor(masks[row])
        if logprobs is not None:
            old[row, begin:stop] = torch.tensor(logprobs[row])
            if drawn_with is not None and sampled is not None:
                drawn_with[row, begin:stop] = torch.tensor(sampled[row] or logprobs[row])
        if advantages is not None:
            gains[row, begin:stop] = torch.tensor(advantages[row])
    return Batch(
        ids.to(device),
        attention.to(device),
        mine.to(device),
        numbers.to(device),
        old.to(device),
        gains.to(device),
        None if drawn_with is None else drawn_with.to(device),
    )
