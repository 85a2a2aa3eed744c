"""Issues beside the price: what else is agreed, and what each way of agreeing it is worth.

Utilities are in money and additive, ``U(price, terms) = sigma * (price - walk_away) + sum_k v_k(option_k)``
(Raiffa 1982; Keeney & Raiffa 1976). Terms are numbered: a *bundle* is one choice on every issue, and bundle 0
takes the first option of each, which is what a price without terms means.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Literal

import numpy as np
import numpy.typing as npt

from negotiation.engine.deal.chance import Array
from negotiation.engine.deal.errors import ActionRefused

Terms = Mapping[str, str]
"""Issue id to option id."""
MAX_ISSUES, MAX_OPTIONS, MAX_BUNDLES = 4, 5, 128


@dataclass(frozen=True, slots=True, eq=False)
class Option:
    """One way to settle an issue. ``value`` is money to each seat; ``says`` are other names people use."""

    id: str
    label: str
    says: tuple[str, ...]
    value: Mapping[Literal["seller", "buyer"], float]


@dataclass(frozen=True, slots=True, eq=False)
class Issue:
    """Something to agree on beside the price. Two issues are the same only if they are one object.

    ``jitter`` is the relative standard deviation of each seat's hidden values around ``Option.value``.
    """

    id: str
    title: str
    options: tuple[Option, ...]
    jitter: float = 0.15


@dataclass(frozen=True, slots=True)
class Package:
    """A price with its terms; an issue that is not named keeps its first option."""

    price: float
    terms: Terms


@lru_cache(maxsize=256)
def bundles(issues: tuple[Issue, ...]) -> tuple[tuple[int, ...], ...]:
    """Every way to settle all issues, as option numbers; the last issue changes fastest."""
    return tuple(product(*(range(len(issue.options)) for issue in issues)))


def bundle_worths(issues: tuple[Issue, ...], values: Sequence[Sequence[float]] | Array) -> Array:
    """Worth of each bundle; the values of the options, issue after issue, lie on the last axis.

    Args:
        values: shape ``(..., options of all issues)``, or a sequence per issue.

    Returns:
        Shape ``(..., bundles)``.
    """
    flat = (
        np.asarray(values, dtype=np.float64)
        if isinstance(values, np.ndarray)
        else np.array([value for issue in values for value in issue], dtype=np.float64)
    )
    if not issues:
        return np.zeros((*flat.shape[:-1], 1))
    worth: Array = flat[..., _option_columns(issues)].sum(axis=-1)
    return worth


@lru_cache(maxsize=256)
def usual_worths(issues: tuple[Issue, ...]) -> Mapping[Literal["seller", "buyer"], tuple[float, ...]]:
    """What each bundle is worth to a seat by the scenario's own sheet, in money beyond the first bundle.

    Public: whoever knows the scenario knows these; what a seat's terms are really worth is drawn around them.
    """

    def of(seat: Literal["seller", "buyer"]) -> tuple[float, ...]:
        gains = [
            [each.value[seat] - issue.options[0].value[seat] for each in issue.options] for issue in issues
        ]
        return tuple(bundle_worths(issues, gains).tolist())

    return {"seller": of("seller"), "buyer": of("buyer")}


@lru_cache(maxsize=256)
def _option_columns(issues: tuple[Issue, ...]) -> npt.NDArray[np.intp]:
    """Shape ``(bundles, issues)``: where each bundle's options stand in the flat row of values."""
    starts = np.cumsum([0, *(len(issue.options) for issue in issues[:-1])])
    columns: npt.NDArray[np.intp] = np.array(bundles(issues), dtype=np.intp) + starts
    return columns


def terms_of(issues: tuple[Issue, ...], bundle: int) -> dict[str, str]:
    """A bundle as people name it."""
    if not issues:
        return {}
    chosen = bundles(issues)[bundle]
    return {issue.id: issue.options[index].id for issue, index in zip(issues, chosen, strict=True)}


def bundle_of(issues: tuple[Issue, ...], terms: Terms, otherwise: int = 0) -> int:
    """The bundle of ``terms``; an issue that is not named stays as in the bundle ``otherwise``.

    Raises:
        ActionRefused: for an issue or option that does not exist.
    """
    if not terms:
        return otherwise
    unknown = set(terms) - {issue.id for issue in issues}
    if unknown:
        raise ActionRefused("unknown_issue", f"{sorted(unknown)[0]} is not an issue of this deal.", "terms")
    index = 0
    for issue, kept in zip(issues, bundles(issues)[otherwise], strict=True):
        named = terms.get(issue.id)
        number = kept if named is None else _option_number(issue, named)
        index = index * len(issue.options) + number
    return index


def _option_number(issue: Issue, name: str) -> int:
    for number, option in enumerate(issue.options):
        if option.id == name:
            return number
    raise ActionRefused("unknown_option", f"{name} is not an option for {issue.title.lower()}.", "terms")


def labels(issues: tuple[Issue, ...], bundle: int, than: int | None = None) -> tuple[str, ...]:
    """What a bundle says on each issue, or only where it differs from the bundle ``than``."""
    chosen = bundles(issues)[bundle]
    other: tuple[int | None, ...] = (None,) * len(chosen) if than is None else bundles(issues)[than]
    return tuple(
        issue.options[index].label
        for issue, index, before in zip(issues, chosen, other, strict=True)
        if index != before
    )
