"""Which episodes a dataset is made of: the choice as plain values, and what it chooses now."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal

from django.db.models import Q

from negotiation.opponents.protocol import Style
from trainer.flywheel import near_duplicates, twins
from trainer.flywheel.models import Episode
from trainer.flywheel.selectors import episodes_usable

Split = Literal["train", "validation"]


@dataclass(frozen=True, slots=True)
class Filters:
    """An empty tuple lets everything through. Shares lie in [0, 1]."""

    style: Style = "brief"
    sources: tuple[str, ...] = ()
    scenarios: tuple[str, ...] = ()
    personas: tuple[str, ...] = ()
    seats: tuple[str, ...] = ()
    least: float = 0.6
    """The least share of the zone."""
    unknown: bool = True
    """Whether transcripts whose share nobody knows are let through."""
    pool: bool = False
    """Only deals in which a person beat a trained model."""
    once: bool = True
    """Of nearly the same deals only the best."""
    validation: float = 0.1
    """The share of deals set aside, drawn by their names. Nearly the same deals are on the same side."""

    def to_json(self) -> dict[str, Any]:
        """As kept with a dataset."""
        return {name: list(v) if isinstance(v, tuple) else v for name, v in asdict(self).items()}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Filters:
        """As :meth:`to_json` wrote it; a filter that it does not know takes its default."""
        known = {field.name for field in fields(cls)}
        values: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in data.items()
            if name in known
        }
        return cls(**values)


@dataclass(frozen=True, slots=True)
class Chosen:
    """One episode of a choice, and the side of the split that it is on."""

    episode: Episode
    split: Split


@dataclass(frozen=True, slots=True)
class Selection:
    """What the filters let through now. ``pairs`` are the near-duplicates among all, by their places in ``found``."""

    found: list[Episode]
    chosen: list[Chosen]
    pairs: list[tuple[int, int, float]]


def choose(filters: Filters) -> Selection:
    """Episodes in the order in which they came; the same ones for the same filters and the same store."""
    found = list(_matching(filters))
    pairs = twins.pairs_among(found)
    roots = near_duplicates.families(len(found), pairs)
    kept = _best_of(found, roots) if filters.once else set(range(len(found)))
    aside = _set_aside(found, {roots[place] for place in kept}, filters.validation)
    chosen = [
        Chosen(episode, "validation" if roots[place] in aside else "train")
        for place, episode in enumerate(found)
        if place in kept
    ]
    return Selection(found, chosen, pairs)


def _matching(filters: Filters) -> Any:
    wanted = Q(efficiency__gte=filters.least)
    if filters.unknown:
        wanted |= Q(efficiency=None)
    found = episodes_usable().filter(wanted)
    for name, allowed in (
        ("source", filters.sources),
        ("scenario", filters.scenarios),
        ("persona", filters.personas),
        ("seat", filters.seats),
    ):
        if allowed:
            found = found.filter(**{f"{name}__in": allowed})
    if filters.pool:
        found = found.filter(beat_model=True)
    return found.defer("signature").order_by("created_at", "id")


def _best_of(found: list[Episode], roots: list[int]) -> set[int]:
    """Of each family the episode with the best share, the first of equals."""
    best: dict[int, int] = {}
    for place, root in enumerate(roots):
        if root not in best or (found[place].efficiency or 0) > (found[best[root]].efficiency or 0):
            best[root] = place
    return set(best.values())


def _set_aside(found: list[Episode], families: set[int], share: float) -> set[int]:
    """So many families, by a number that follows from the name of their first episode alone."""

    def drawn(family: int) -> bytes:
        return hashlib.sha256(found[family].key.encode()).digest()

    return set(sorted(families, key=drawn)[: int(share * len(families) + 0.5)])
