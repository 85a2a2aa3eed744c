"""A model made on the spot, for where nobody has a better one: a Qwen2 of random weights, which talks gibberish.

Runs in ``.venv-serve``. It shows that a server and everything around it works, and that no harm comes of a model
that can't play; it is no opponent to learn from.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
VOCABULARY = 1024
START, END, PAD = "<|im_start|>", "<|im_end|>", "<|endoftext|>"
TEMPLATE = (
    "{% for message in messages %}"
    "{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>\\n' }}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"
)
TARGETS = ("q_proj", "k_proj", "v_proj", "o_proj")


def make_model(
    directory: Path, *, seed: int = 0, positions: int = 4096, width: int = 128, layers: int = 2
) -> None:
    """Write tokenizer and weights in the form that transformers and vLLM load: some 0.5M parameters, or as many as
    ``width`` and ``layers`` make (512 and 12: 32M)."""
    import torch
    from transformers import Qwen2Config, Qwen2ForCausalLM

    torch.manual_seed(seed)
    tokenizer = _tokenizer()
    config = Qwen2Config(
        vocab_size=len(tokenizer),
        hidden_size=width,
        intermediate_size=2 * width,
        num_hidden_layers=layers,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=positions,
        tie_word_embeddings=True,
        bos_token_id=None,
        eos_token_id=tokenizer.convert_tokens_to_ids(END),
        pad_token_id=tokenizer.convert_tokens_to_ids(PAD),
    )
    directory.mkdir(parents=True, exist_ok=True)
    tokenizer.save_pretrained(directory)
    Qwen2ForCausalLM(config).save_pretrained(directory)


def make_adapter(directory: Path, *, base: Path, rank: int = 8, seed: int = 1) -> None:
    """Write a LoRA adapter of random weights for the model in ``base``, in the form that PEFT writes."""
    import torch
    from safetensors.torch import save_file

    shape = json.loads((base / "config.json").read_text())
    width, heads = shape["hidden_size"], shape["num_attention_heads"]
    shared = width // heads * shape["num_key_value_heads"]
    out = {"q_proj": width, "k_proj": shared, "v_proj": shared, "o_proj": width}
    random = torch.Generator().manual_seed(seed)
    weights = {}
    for layer in range(shape["num_hidden_layers"]):
        for target in TARGETS:
            name = f"base_model.model.model.layers.{layer}.self_attn.{target}"
            weights[f"{name}.lora_A.weight"] = torch.randn(rank, width, generator=random) / rank
            weights[f"{name}.lora_B.weight"] = torch.randn(out[target], rank, generator=random) / rank
    directory.mkdir(parents=True, exist_ok=True)
    save_file(weights, directory / "adapter_model.safetensors", metadata={"format": "pt"})
    config = {
        "peft_type": "LORA",
        "task_type": "CAUSAL_LM",
        "base_model_name_or_path": str(base),
        "r": rank,
        "lora_alpha": 2 * rank,
        "lora_dropout": 0.0,
        "bias": "none",
        "target_modules": list(TARGETS),
    }
    (directory / "adapter_config.json").write_text(json.dumps(config, indent=2) + "\n")


def _tokenizer() -> Any:
    """Byte-level BPE with single digits, learnt from the product's own scenarios."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    bpe = Tokenizer(models.BPE())
    bpe.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    bpe.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY,
        special_tokens=[PAD, START, END],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
    )
    told = sorted((ROOT / "negotiation" / "engine" / "data").rglob("*.toml"))
    bpe.train([str(path) for path in told], trainer)
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=bpe, eos_token=END, pad_token=PAD)
    tokenizer.chat_template = TEMPLATE
    return tokenizer


def main() -> int:
    """``DIRECTORY [--adapter DIRECTORY]...``: the model, and adapters for it."""
    parser = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--adapter", type=Path, action="append", default=[])
    parser.add_argument("--rank", type=int, default=8)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--layers", type=int, default=2)
    chosen = parser.parse_args()
    if not (chosen.directory / "config.json").exists():
        make_model(chosen.directory, seed=chosen.seed, width=chosen.width, layers=chosen.layers)
    for number, adapter in enumerate(chosen.adapter, 1):
        make_adapter(adapter, base=chosen.directory, rank=chosen.rank, seed=chosen.seed + number)
    return 0


if __name__ == "__main__":
    sys.exit(main())
