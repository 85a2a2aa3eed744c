"""Shares as people read them, written in one way everywhere. The pages' scripts have the same in ``shares.js``."""

from __future__ import annotations

_SLACK = 1e-6
"""Of a tenth of a percent: what a product of floats may fall short of the figure that is meant."""
_NOTHING = 1e-9


def percent(share: float) -> str:
    """57.8% for .578: to a tenth of a percent, cut.

    Cut and not rounded, so that no share reads like a mark, or like the whole, that it falls short of. One that is
    not nothing never reads like nothing.
    """
    size = abs(share)
    if size < _NOTHING:
        return "0%"
    whole, tenth = divmod(int(size * 1000 + _SLACK), 10)
    if whole == tenth == 0:
        return "<0.1%" if share > 0 else ">−0.1%"
    return f"{'−' if share < 0 else ''}{whole}{f'.{tenth}' if tenth else ''}%"
