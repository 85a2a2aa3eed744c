"""Records of arrays with one row for each game, of which some can be taken."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from negotiation.engine.deal.beliefs import LimitPosteriors

Index = npt.NDArray[np.intp]
Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


class Rows:
    """Base of such records: dataclasses of arrays, of other records, and of dicts of them."""

    def take(self, kept: Index) -> Self:
        """The rows ``kept``, in that order."""
        taken = {field.name: take(getattr(self, field.name), kept) for field in fields(self)}  # type: ignore[arg-type]
        return replace(self, **taken)  # type: ignore[type-var]


def take(value: Any, kept: Index) -> Any:
    """The rows ``kept`` of an array, a record or a dict of them; what has no rows stays as it is."""
    if isinstance(value, np.ndarray):
        return value[kept]
    if isinstance(value, Rows | LimitPosteriors):
        return value.take(kept)
    if isinstance(value, dict):
        return {key: take(each, kept) for key, each in value.items()}
    return value
