"""Old examples among the new: as many as asked, the same for the same seed, and they keep what was known."""

from __future__ import annotations

from pathlib import Path

import pytest

from trainer import datasets
from trainer.datasets import Example
from trainer.errors import BadInput
from trainer.learning.rehearsal import Rehearsal


def examples(kind: str, count: int) -> list[Example]:
    return [Example([{"role": "user", "content": kind}], f"{kind} {number}") for number in range(count)]


@pytest.fixture
def old(tmp_path: Path) -> Path:
    rows = (
        {"messages": [*each.chat, {"role": "assistant", "content": each.answer}]}
        for each in examples("old", 50)
    )
    datasets.write(tmp_path / "old" / "train.jsonl", rows)
    return tmp_path / "old"


@pytest.mark.parametrize(
    ("share", "added"), [(0.0, 0), (0.25, 10), (0.5, 30), (0.9, 50)], ids=["none", "a quarter", "half", "all"]
)
def test_so_many_are_old_as_were_asked_for_or_as_there_are(old: Path, share: float, added: int) -> None:
    new = examples("new", 30)
    mixed = Rehearsal(old, share).added_to(new, 7)
    assert mixed[:30] == new
    assert len(mixed) == 30 + added
    assert len({each.answer for each in mixed}) == len(mixed)
    assert all(each.answer.startswith("old") for each in mixed[30:])


def test_the_seed_draws_them(old: Path) -> None:
    new = examples("new", 30)
    assert Rehearsal(old).added_to(new, 1) == Rehearsal(old).added_to(new, 1)
    assert Rehearsal(old).added_to(new, 1) != Rehearsal(old).added_to(new, 2)
    assert Rehearsal().added_to(new, 1) == new


def test_bad_input_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="share must lie between 0 and 1"):
        Rehearsal(share=1.0)
    with pytest.raises(BadInput, match="nowhere"):
        Rehearsal(tmp_path / "nowhere").added_to(examples("new", 2), 0)
