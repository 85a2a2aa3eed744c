"""Malformed answers are blamed where they left the grammar; products may be rounded, the rest may not."""

from __future__ import annotations

import pytest
import torch

from negotiation.opponents.protocol.grammar import choice, literal
from trainer.learning.decoding import WrittenAnswer
from trainer.learning.precision import mixed
from trainer.learning.rollout import Row
from trainer.learning.samples import blamed

from .toy import WORDS, make_base, make_policy

GRAMMAR = choice(literal(f"say {word}") for word in WORDS)


@pytest.mark.parametrize(
    ("text", "fault"), [("say low", None), ("say lot", "t"), ("so", "o"), ("say l", "<end>")]
)
def test_the_token_that_leaves_the_grammar_bears_the_penalty(tmp_path, text, fault) -> None:
    policy = make_policy(make_base(tmp_path / "base"))
    tokens = policy.answer_tokens(text)
    place = policy.automaton.first_refused(GRAMMAR, tokens)
    advantages = blamed(Row([1], WrittenAnswer(tokens=tokens), place), -4.0)
    assert len(advantages) == len(tokens)
    if fault is None:
        assert place is None
        assert advantages == [-4.0] * len(tokens)
        return
    assert place is not None
    before = policy.tokenizer.decode(tokens[:place])
    assert f"say {WORDS[0]}".startswith(before) or any(f"say {word}".startswith(before) for word in WORDS)
    assert policy.tokenizer.decode([tokens[place]]).endswith(fault) or tokens[place] == policy.end
    assert [share for share in advantages if share] == [-4.0]
    assert advantages[place] == -4.0


def test_quick_products_are_rounded_products_with_gradients_in_full() -> None:
    rng = torch.Generator().manual_seed(3)
    inputs = torch.randn((2, 5, 64), generator=rng, requires_grad=True)
    layer = torch.nn.Linear(64, 32)
    exact = layer(inputs)
    with mixed("auto"):
        quick, single = layer(inputs), layer(inputs[:, :1])
    assert quick.dtype == torch.float32
    assert torch.allclose(quick, exact, atol=0.05)
    assert torch.equal(single, layer(inputs[:, :1]))
    with mixed("float32"):
        assert torch.equal(layer(inputs), exact)
    (gradient,) = torch.autograd.grad(quick.sum(), layer.weight)
    (wanted,) = torch.autograd.grad(exact.sum(), layer.weight)
    assert gradient.dtype == torch.float32
    assert torch.allclose(gradient, wanted, atol=0.1)
