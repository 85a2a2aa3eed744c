"""How much is tried: ``bin/test --all`` tries everything, the quick set a part of it. PARLAY_TESTS says which this is."""

from __future__ import annotations

import os
from collections.abc import Iterable
from itertools import product
from typing import Any, TypeVar

import pytest
from _pytest.mark import ParameterSet

_Much = TypeVar("_Much")
PROFILE = os.environ.get("PARLAY_TESTS", "quick")


def matrix(*axes: Iterable[Any], one_in: int) -> list[ParameterSet]:
    """All rows of a product, of which the quick set has each ``one_in``-th: the rest are marked ``thorough``.

    With a number that has no divisor in common with the lengths of the axes, every value of each axis stays.
    """
    return [
        pytest.param(*row, marks=pytest.mark.thorough if number % one_in else ())
        for number, row in enumerate(product(*axes))
    ]


def times(whole: int) -> int:
    """So many examples of a property: all of them in the thorough profile, a quarter in the quick one."""
    return whole if PROFILE == "thorough" else whole // 4


def few(quick: _Much, whole: _Much) -> _Much:
    """``whole`` in the thorough profile, ``quick`` else."""
    return whole if PROFILE == "thorough" else quick
