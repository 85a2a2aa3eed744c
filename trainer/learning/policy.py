"""A policy: a causal language model with a LoRA adapter, its tokenizer, and its chat template."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from contextlib import nullcontext
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

os.environ.setdefault("HF_HUB_OFFLINE", "1")  # before transformers reads it: models come from a folder

import torch
from peft import LoraConfig, PeftModel, get_peft_model
from safetensors import SafetensorError
from transformers import AutoModelForCausalLM, AutoTokenizer
from transformers.utils.logging import disable_progress_bar

from negotiation.opponents.neutral import NO_THINKING
from negotiation.serving.fingerprint import fingerprint
from trainer.errors import BadInput
from trainer.learning.decoding import WrittenAnswer, write
from trainer.learning.masks import TokenAutomaton
from trainer.learning.precision import Precision, mixed

Chat = list[dict[str, str]]
disable_progress_bar()
LINEAR = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")


@dataclass(frozen=True, slots=True)
class Lora:
    """Low-rank adapters (Hu et al. 2021), on every linear layer of the language model (Dettmers et al. 2023)."""

    rank: int = 16
    """r; 4 to 64 in Hu et al., where more than 8 changed little. vLLM must be started with at least this."""
    alpha: int = 32
    """Scale of the update is alpha / rank."""
    dropout: float = 0.0
    """0: dropout would make the policy that is trained another one than the policy that played."""


class Policy:
    """A model that reads a chat and writes an answer.

    ``model`` is what is trained: with an adapter a ``PeftModel``, otherwise the base itself. The reference policy
    is the same model with its adapter disabled in place, so it costs no memory.
    """

    def __init__(self, model: Any, tokenizer: Any, base: Path) -> None:
        self.model = model
        self.tokenizer = tokenizer
        self.base = base
        self.end = int(tokenizer.eos_token_id)
        self.pad = int(tokenizer.pad_token_id if tokenizer.pad_token_id is not None else self.end)

    @property
    def device(self) -> torch.device:
        return next(self.model.parameters()).device

    def recompute(self, precision: Precision) -> None:
        """Keep no activations of the blocks for the way back; they are worked out again there (Chen et al. 2016), in the
        precision that they had."""
        again = lambda: (nullcontext(), mixed(precision))  # noqa: E731  # on the way there, and on the way back
        self.model.gradient_checkpointing_enable(
            gradient_checkpointing_kwargs={"use_reentrant": False, "context_fn": again}
        )

    @property
    def trainable(self) -> list[torch.nn.Parameter]:
        return [weight for weight in self.model.parameters() if weight.requires_grad]

    @cached_property
    def automaton(self) -> TokenAutomaton:
        """The masks of this vocabulary."""
        return TokenAutomaton(self.spellings, self.end)

    @cached_property
    def spellings(self) -> list[bytes | None]:
        """The bytes of each token; ``None`` for special ones."""
        return token_bytes(self.tokenizer)

    def tokens(self, chat: Chat) -> list[int]:
        """A chat as the model reads it before it answers; templates that know trains of thought open none."""
        text = self.tokenizer.apply_chat_template(
            chat, tokenize=False, add_generation_prompt=True, **NO_THINKING
        )
        ids: list[int] = self.tokenizer(text, add_special_tokens=False)["input_ids"]
        return ids

    def answer_tokens(self, text: str) -> list[int]:
        """What the model has to write to have written ``text``."""
        ids: list[int] = self.tokenizer(text, add_special_tokens=False)["input_ids"]
        return [*ids, self.end]

    def text(self, answer: WrittenAnswer) -> str:
        """What was written, without the end."""
        tokens = [token for token in answer.tokens if token != self.end]
        text: str = self.tokenizer.decode(tokens, skip_special_tokens=False)
        return text

    def begins(self, tokens: Sequence[int]) -> list[int]:
        """Where each token of an answer begins, in bytes of its text."""
        places, at = [], 0
        for token in tokens:
            places.append(at)
            at += len(self.spellings[token] or b"")
        return places

    def write(
        self,
        prompts: Sequence[Sequence[int]],
        *,
        most: int,
        temperature: float,
        generator: torch.Generator,
        states: Sequence[int] | None = None,
        model: Any = None,
    ) -> list[WrittenAnswer]:
        """As :func:`trainer.learning.decoding.write`; ``model`` may be a merged copy of this one."""
        answers: list[WrittenAnswer] = write(
            model if model is not None else self.model,
            prompts,
            end=self.end,
            pad=self.pad,
            most=most,
            temperature=temperature,
            generator=generator,
            automaton=None if states is None else self.automaton,
            states=states,
        )
        return answers


def load(
    base: Path, adapter: Path | None = None, *, lora: Lora | None = None, train: bool = False, seed: int = 0
) -> Policy:
    """A policy from a local folder.

    Args:
        adapter: a PEFT folder to put on it.
        lora: a fresh adapter of this shape instead.
        train: whether the adapter will be trained.
        seed: of the fresh adapter's weights.

    Raises:
        BadInput: for a folder without a model, a tokenizer without a chat template or of another model, an
            adapter that was made for another base.
    """
    model, tokenizer = _load_base(base)
    if adapter is not None:
        check_adapter(base, adapter)
        model = PeftModel.from_pretrained(model, str(adapter), is_trainable=train)
    elif lora is not None:
        model = with_adapter(model, lora, base, seed)
    model.train(train)
    return Policy(model.to(best_device()), tokenizer, base)


def best_device() -> torch.device:
    """A GPU where there is one; under ``accelerate launch`` the one of this process."""
    if torch.cuda.is_available():
        return torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0")))
    return torch.device("cpu")


def _load_base(base: Path) -> tuple[Any, Any]:
    if not (base / "config.json").exists():
        raise BadInput(f"{base} holds no model (no config.json)")
    cuda = torch.cuda.is_available()
    try:
        tokenizer = AutoTokenizer.from_pretrained(str(base), local_files_only=True)
        model = AutoModelForCausalLM.from_pretrained(
            str(base), local_files_only=True, dtype=torch.bfloat16 if cuda else torch.float32
        )
    except (OSError, ValueError, KeyError, SafetensorError) as problem:
        raise BadInput(f"{base}: {str(problem).splitlines()[0]}") from problem
    if not tokenizer.chat_template:
        raise BadInput(f"{base}: its tokenizer has no chat template")
    if len(tokenizer) > model.get_input_embeddings().num_embeddings:
        raise BadInput(
            f"{base}: the tokenizer is of another model ({len(tokenizer)} tokens, more than it knows)"
        )
    if tokenizer.eos_token_id is None:
        raise BadInput(f"{base}: its tokenizer has no token for the end")
    return model, tokenizer


def with_adapter(model: Any, lora: Lora, base: Path, seed: int) -> Any:
    """The model with a fresh adapter, the same for the same seed. It changes nothing until it is trained."""
    config = LoraConfig(
        r=lora.rank,
        lora_alpha=lora.alpha,
        lora_dropout=lora.dropout,
        target_modules=lora_targets(model),
        task_type="CAUSAL_LM",
        base_model_name_or_path=str(base),
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return get_peft_model(model, config)


def lora_targets(model: Any) -> list[str]:
    """The linear layers of the language model's blocks, never those of a vision or audio tower beside it."""
    inside = [
        name
        for name, layer in model.named_modules()
        if isinstance(layer, torch.nn.Linear)
        and name.rsplit(".", 1)[-1] in LINEAR
        and not any(part in name for part in ("vision", "visual", "audio"))
    ]
    if not inside:
        raise BadInput("the model has no attention or feed-forward layers that an adapter could sit on")
    suffixes = sorted({name.rsplit(".", 1)[-1] for name in inside}, key=LINEAR.index)
    every = [name for name, _ in model.named_modules() if name.rsplit(".", 1)[-1] in suffixes]
    return suffixes if len(every) == len(inside) else inside


def weights_of(base: Path) -> str:
    """The checksum of a base model's weights: what an adapter belongs to."""
    found = fingerprint(base)
    if found is None:
        raise BadInput(f"{base} holds no weights (*.safetensors)")
    return found


def save_adapter(policy: Policy, folder: Path, **about: Any) -> None:
    """Write the adapter as PEFT does, with ``parlay.json`` beside it: which base it belongs to, and how it reads."""
    policy.model.save_pretrained(str(folder))
    about = {"base": str(policy.base), "base_sha256": weights_of(policy.base), **about}
    (folder / "parlay.json").write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")


def check_adapter(base: Path, adapter: Path) -> None:
    """Whether an adapter is whole and was made for this base.

    Raises:
        BadInput: when it is not.
    """
    try:
        json.loads((adapter / "adapter_config.json").read_text(encoding="utf-8"))
        about = json.loads((adapter / "parlay.json").read_text(encoding="utf-8"))
    except OSError as problem:
        raise BadInput(f"{adapter} holds no adapter of ours ({Path(problem.filename).name})") from problem
    except ValueError as problem:
        raise BadInput(f"{adapter}: its description is damaged") from problem
    if about.get("base_sha256") != weights_of(base):
        raise BadInput(f"{adapter} was trained on another base than {base}")


def merged_copy(policy: Policy) -> Any:
    """A plain model with the adapter's update added to its weights: faster to write with, the same distribution.

    Copied afresh each time, since subtracting an update again would leave rounding behind.
    """
    copy = deepcopy(policy.model)
    plain = copy.merge_and_unload() if isinstance(copy, PeftModel) else copy
    plain.eval()
    return plain.requires_grad_(False)


def token_bytes(tokenizer: Any) -> list[bytes | None]:
    """The bytes that each token of a byte-level vocabulary writes; ``None`` for special ones."""
    letters = {letter: byte for byte, letter in _byte_letters().items()}
    special = set(tokenizer.all_special_ids)
    added = {index: str(token) for index, token in tokenizer.added_tokens_decoder.items()}
    found: list[bytes | None] = []
    for index, token in enumerate(tokenizer.convert_ids_to_tokens(list(range(len(tokenizer))))):
        if index in special or token is None:
            found.append(None)
        elif index in added:
            found.append(added[index].encode())
        elif all(letter in letters for letter in token):
            found.append(bytes(letters[letter] for letter in token))
        else:
            raise BadInput("the tokenizer is not byte-level; masks need to know the bytes of each token")
    return found


def _byte_letters() -> dict[int, str]:
    """The letters that byte-level vocabularies write bytes with (Radford et al. 2019, GPT-2's encoder)."""
    plain = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    letters = {byte: chr(byte) for byte in plain}
    others = (byte for byte in range(256) if byte not in letters)
    return letters | {byte: chr(256 + place) for place, byte in enumerate(others)}
