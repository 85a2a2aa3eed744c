"""Does an adapter belong to the model that is served? Folders as PEFT writes them, right and wrong in every way."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from negotiation.serving.checks import AdapterRefused, check_base, read_adapter, same_model
from negotiation.serving.fingerprint import fingerprint
from negotiation.serving.health import figures_of, median_of

WIDTH, SHARED, RANK = 16, 8, 4
MODULE = "model.layers.0.self_attn.{}"


def safetensors(file: Path, shapes: dict[str, list[int]]) -> None:
    """A file of zeros in these forms."""
    table: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    end = 0
    for name, shape in shapes.items():
        size = 4 * shape[0] * shape[1]
        table[name] = {"dtype": "F32", "shape": shape, "data_offsets": [end, end + size]}
        end += size
    head = json.dumps(table).encode()
    file.write_bytes(len(head).to_bytes(8, "little") + head + bytes(end))


@pytest.fixture
def base(tmp_path: Path) -> Path:
    folder = tmp_path / "base"
    folder.mkdir()
    shapes = {"q_proj": [WIDTH, WIDTH], "k_proj": [SHARED, WIDTH]}
    safetensors(
        folder / "model.safetensors", {f"{MODULE.format(n)}.weight": shape for n, shape in shapes.items()}
    )
    return folder


def adapter(base: Path, *, shapes: dict[str, list[int]] | None = None, **config: Any) -> Path:
    folder = base.parent / "adapter"
    folder.mkdir()
    whole = {
        "peft_type": "LORA",
        "base_model_name_or_path": str(base),
        "r": RANK,
        "bias": "none",
        "target_modules": ["q_proj", "k_proj"],
    }
    (folder / "adapter_config.json").write_text(json.dumps({**whole, **config}))
    prefix = f"base_model.model.{MODULE}"
    safetensors(
        folder / "adapter_model.safetensors",
        shapes
        or {
            f"{prefix.format('q_proj')}.lora_A.weight": [RANK, WIDTH],
            f"{prefix.format('q_proj')}.lora_B.weight": [WIDTH, RANK],
            f"{prefix.format('k_proj')}.lora_A.weight": [RANK, WIDTH],
            f"{prefix.format('k_proj')}.lora_B.weight": [SHARED, RANK],
        },
    )
    return folder


def pair(name: str, out: int, into: int, rank: int = RANK) -> dict[str, list[int]]:
    prefix = f"base_model.model.{MODULE.format(name)}"
    return {f"{prefix}.lora_A.weight": [rank, into], f"{prefix}.lora_B.weight": [out, rank]}


def test_one_that_fits_is_read_whole(base: Path) -> None:
    facts = read_adapter(adapter(base))
    assert (facts.base, facts.rank, facts.targets) == (str(base), RANK, ("k_proj", "q_proj"))
    assert facts.shapes[MODULE.format("k_proj")] == (SHARED, WIDTH)
    assert len(facts.sha256) == 64
    check_base(facts, str(base))


def test_one_made_for_another_model_is_refused_by_name(base: Path) -> None:
    facts = read_adapter(adapter(base, base_model_name_or_path="Qwen/Qwen2.5-7B-Instruct"))
    with pytest.raises(AdapterRefused, match=r"made for Qwen/Qwen2\.5-7B-Instruct, but the server runs"):
        check_base(facts, str(base))


def test_the_same_name_does_not_help_where_a_matrix_has_another_form(base: Path) -> None:
    facts = read_adapter(adapter(base, shapes=pair("q_proj", WIDTH, 2 * WIDTH)))
    with pytest.raises(AdapterRefused, match=r"q_proj is 16 by 32 in the adapter and 16 by 16 in"):
        check_base(facts, str(base))


def test_the_same_name_and_form_do_not_help_where_the_weights_are_others(base: Path) -> None:
    folder = adapter(base)
    (folder / "parlay.json").write_text(json.dumps({"base_sha256": fingerprint(base)}))
    check_base(read_adapter(folder), str(base))
    weights = bytearray((base / "model.safetensors").read_bytes())
    weights[-1] = 1
    (base / "model.safetensors").write_bytes(weights)
    with pytest.raises(AdapterRefused, match="trained on other weights than those of"):
        check_base(read_adapter(folder), str(base))


def test_the_same_weights_under_another_name_are_the_same_base(base: Path) -> None:
    folder = adapter(base, base_model_name_or_path="elsewhere/other")
    copy = base.parent / "copy"
    shutil.copytree(base, copy)
    with pytest.raises(AdapterRefused, match="made for elsewhere/other"):
        check_base(read_adapter(folder), str(copy))
    (folder / "parlay.json").write_text(json.dumps({"base_sha256": fingerprint(base)}))
    check_base(read_adapter(folder), str(copy))


def test_a_module_that_the_base_lacks_is_named(base: Path) -> None:
    facts = read_adapter(adapter(base, shapes=pair("gate", WIDTH, WIDTH)))
    with pytest.raises(AdapterRefused, match=r"changes model\.layers\.0\.self_attn\.gate, which"):
        check_base(facts, str(base))


def test_a_base_that_lies_on_another_machine_is_compared_by_name_alone(base: Path) -> None:
    facts = read_adapter(adapter(base, base_model_name_or_path="Qwen/Qwen2.5-1.5B-Instruct"))
    check_base(facts, "/models/Qwen2.5-1.5B-Instruct")
    with pytest.raises(AdapterRefused, match="made for"):
        check_base(facts, "Qwen/Qwen2.5-3B-Instruct")


@pytest.mark.parametrize(
    ("config", "told"),
    [
        ({"peft_type": "IA3"}, "only LoRA"),
        ({"use_dora": True}, "use_dora"),
        ({"bias": "all"}, "bias"),
        ({"modules_to_save": ["lm_head"]}, "modules_to_save"),
        ({"r": 0}, "r must be"),
        ({"r": 8}, "has rank 4"),
        ({"base_model_name_or_path": ""}, "does not name"),
    ],
)
def test_what_the_server_could_not_serve_is_refused(base: Path, config: dict[str, Any], told: str) -> None:
    with pytest.raises(AdapterRefused, match=told):
        read_adapter(adapter(base, **config))


def test_half_a_pair_is_no_adapter(base: Path) -> None:
    half = dict(list(pair("q_proj", WIDTH, WIDTH).items())[:1])
    with pytest.raises(AdapterRefused, match="not whole"):
        read_adapter(adapter(base, shapes=half))


def test_broken_files_are_refused_in_one_line(base: Path) -> None:
    folder = adapter(base)
    weights = folder / "adapter_model.safetensors"
    for broken in (b"", b"\xff" * 64, (2**40).to_bytes(8, "little") + b"{}"):
        weights.write_bytes(broken)
        with pytest.raises(AdapterRefused) as refused:
            read_adapter(folder)
        assert "\n" not in str(refused.value)
    weights.unlink()
    with pytest.raises(AdapterRefused, match="is missing"):
        read_adapter(folder)
    (folder / "adapter_config.json").write_text("[]")
    with pytest.raises(AdapterRefused, match="not an object"):
        read_adapter(folder)


def test_names_of_one_model(tmp_path: Path) -> None:
    there = tmp_path / "base"
    there.mkdir()
    (tmp_path / "link").symlink_to(there)
    other = tmp_path / "other" / "base"
    other.mkdir(parents=True)
    assert same_model(str(there), str(tmp_path / "link"))
    assert same_model("org/name", "org/name/")
    assert not same_model(str(there), str(other)), "two folders that both exist are two models"


METRICS = """
# HELP vllm:num_requests_running Number of requests
vllm:num_requests_running{engine="0",model_name="base"} 3.0
vllm:num_requests_waiting{engine="0",model_name="base"} 2.0
vllm:kv_cache_usage_perc{engine="0",model_name="base"} 0.25
vllm:generation_tokens_total{engine="0",model_name="base"} 1200.0
vllm:time_to_first_token_seconds_bucket{engine="0",le="0.01",model_name="base"} 0.0
vllm:time_to_first_token_seconds_bucket{engine="0",le="0.02",model_name="base"} 10.0
vllm:time_to_first_token_seconds_bucket{engine="0",le="+Inf",model_name="base"} 10.0
"""


def test_figures_of_a_server() -> None:
    figures = figures_of(METRICS)
    assert figures is not None
    assert (figures.running, figures.waiting, figures.cache_used, figures.tokens) == (3, 2, 0.25, 1200)
    assert figures.first_token == pytest.approx(0.015)
    assert figures_of("python_info 1.0\n") is None


def test_the_median_of_a_histogram() -> None:
    assert median_of([]) is None
    assert median_of([(1.0, 0.0), (float("inf"), 0.0)]) is None
    assert median_of([(1.0, 4.0), (2.0, 8.0), (float("inf"), 8.0)]) == 1.0
    assert median_of([(1.0, 1.0), (float("inf"), 4.0)]) == 1.0, "beyond the last bound nothing more is known"
