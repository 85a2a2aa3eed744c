"""How pages write figures."""

from __future__ import annotations

import json

import pytest

from coaching.templatetags.room import minus, percent
from tests.servers import ROOT

SHARES = json.loads((ROOT / "tests" / "shares.json").read_text())
"""Shares and how they are written; the scripts are held to the same file."""


@pytest.mark.parametrize(("share", "written"), [(None, "–"), *SHARES])
def test_a_share_is_cut_and_reads_neither_like_a_mark_above_it_nor_like_nothing(
    share: float | None, written: str
) -> None:
    assert percent(share) == written


def test_a_figure_below_zero_has_a_minus_sign_and_no_hyphen() -> None:
    assert minus("-204") == "−204"
    assert minus("12.5") == "12.5"
