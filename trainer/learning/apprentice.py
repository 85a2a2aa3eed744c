"""The apprentice: a small model made from nothing, of a standard architecture so that every server loads it.

Llama in shape (Touvron et al. 2023; Qwen2's without its biases), about a million weights, with a byte-level BPE
vocabulary (Sennrich et al. 2016; Radford et al. 2019) that keeps digits apart, so that numbers are read place by place.
Not Qwen2 itself: transformers 5 puts that family's own way of splitting text into every tokenizer that comes with it,
and a frame of the protocol, one token here, would be a dozen there.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

USER, ASSISTANT, END, PAD = "<|user|>", "<|assistant|>", "<|end|>", "<|pad|>"
CHAT_TEMPLATE = (
    "{% for message in messages %}"
    "{% if message['role'] == 'assistant' %}" + ASSISTANT + "{{ message['content'] }}" + END + "{% else %}"
    "" + USER + "{{ message['content'] }}{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}" + ASSISTANT + "{% endif %}"
)


@dataclass(frozen=True, slots=True)
class Build:
    """The size of an apprentice. The defaults make about a million weights."""

    vocabulary: int = 1536
    """Tokens. Enough that each frame and each line of the protocol becomes a token or two."""
    hidden: int = 128
    layers: int = 4
    heads: int = 4
    key_value_heads: int = 2
    """Grouped-query attention (Ainslie et al. 2023)."""
    inner: int = 384
    positions: int = 1024


DIGITS = r"\d"


def make_tokenizer(texts: Iterable[str], vocabulary: int, apart: str = DIGITS) -> PreTrainedTokenizerFast:
    """A byte-level BPE vocabulary learnt from ``texts``; what matches ``apart`` is never merged with its neighbours."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(apart), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        special_tokens=[PAD, END, USER, ASSISTANT],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    wrapped = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token=PAD,
        eos_token=END,
        additional_special_tokens=[USER, ASSISTANT],
        clean_up_tokenization_spaces=False,
    )
    wrapped.chat_template = CHAT_TEMPLATE
    return wrapped


def make_model(build: Build, tokenizer: Any, seed: int) -> LlamaForCausalLM:
    """A model with random weights, the same for the same seed."""
    config = LlamaConfig(
        vocab_size=len(tokenizer),
        hidden_size=build.hidden,
        intermediate_size=build.inner,
        num_hidden_layers=build.layers,
        num_attention_heads=build.heads,
        num_key_value_heads=build.key_value_heads,
        max_position_embeddings=build.positions,
        tie_word_embeddings=True,
        bos_token_id=None,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return LlamaForCausalLM(config)


def save_base(model: Any, tokenizer: Any, folder: Path) -> None:
    """Write a base model that transformers and vLLM load from the folder."""
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
