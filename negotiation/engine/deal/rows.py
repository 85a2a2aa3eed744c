"""Records of arrays with one row for each game, of which some can be taken."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
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
        # Past the class's own ``__init__``, which a review would call a hundred thousand times.
        taken = object.__new__(type(self))
        for name in _names(type(self)):  # type: ignore[arg-type]  # a class is hashable
            value = getattr(self, name)
            object.__setattr__(taken, name, value[kept] if type(value) is np.ndarray else take(value, kept))
        return taken


@cache
def _names(record: type[Any]) -> tuple[str, ...]:
    """The names of a record's fields: a review asks for them many thousand times."""
    return tuple(field.name for field in fields(record))


def take(value: Any, kept: Index) -> Any:
    """The rows ``kept`` of an array, a record or a dict of them; what has no rows stays as it is."""
    if isinstance(value, np.ndarray):
        return value[kept]
    if isinstance(value, Rows | LimitPosteriors):
        return value.take(kept)
    if isinstance(value, dict):
        return {key: take(each, kept) for key, each in value.items()}
    return value
