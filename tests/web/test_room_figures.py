"""How pages write figures."""

from __future__ import annotations

import pytest

from coaching.templatetags.room import minus, percent


@pytest.mark.parametrize(
    ("share", "written"), [(None, "–"), (0.575, "57%"), (0.99999, "99%"), (-0.2, "−20%"), (0.0, "0%")]
)
def test_a_share_is_cut_and_never_reads_like_the_mark_above_it(share: float | None, written: str) -> None:
    assert percent(share) == written


def test_a_figure_below_zero_has_a_minus_sign_and_no_hyphen() -> None:
    assert minus("-204") == "−204"
    assert minus("12.5") == "12.5"
