"""Which episodes are nearly the same, noted when an episode comes: whoever looks at a choice need not wait for it."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.db.models import Q, QuerySet

from trainer.flywheel import near_duplicates
from trainer.flywheel.models import Episode, Twin


def episode_compare(episode: Episode) -> int:
    """Note which episodes this one is nearly the same as; how many. Doing it again changes nothing.

    Its row must be committed: of two that come at once, the one that looks later sees the other.
    """
    if episode.signature is None:
        return 0
    others = _outlines(Episode.objects.exclude(pk=episode.pk))
    shares = near_duplicates.likenesses(bytes(episode.signature), list(others.values()))
    found = []
    for other, share in zip(others, shares, strict=True):
        if share >= near_duplicates.ALIKE:
            first, second = sorted((episode.pk, other))
            found.append(Twin(one_id=first, other_id=second, likeness=float(share)))
    Twin.objects.bulk_create(found, ignore_conflicts=True)
    Episode.objects.filter(pk=episode.pk).update(compared=True)
    return len(found)


def compare_what_is_owed(*, limit: int = 500) -> int:
    """Compare episodes that nobody did yet: their worker was killed, or they came before twins were noted."""
    owed = Episode.objects.filter(compared=False).exclude(signature=None).order_by("created_at")[:limit]
    return sum(episode_compare(episode) for episode in owed)


def forget(episode: Episode) -> None:
    """Of what was withdrawn nobody is told what it was like."""
    Twin.objects.filter(Q(one=episode) | Q(other=episode)).delete()


def pairs_among(found: Sequence[Episode]) -> list[tuple[int, int, float]]:
    """The near-duplicates among these, by their places and with their likeness, ascending.

    While one of them is not compared yet, all are compared here.
    """
    if not all(episode.compared for episode in found):
        outlines = _outlines(Episode.objects.filter(state=Episode.State.TAKEN))
        return list(near_duplicates.alike([outlines.get(each.pk, b"") for each in found]))
    places = {episode.pk: place for place, episode in enumerate(found)}
    pairs = (
        (*sorted((places[one], places[other])), likeness)
        for one, other, likeness in Twin.objects.values_list("one_id", "other_id", "likeness")
        if one in places and other in places
    )
    return sorted(pairs)  # type: ignore[arg-type]  # a star hides how long each is


def _outlines(episodes: QuerySet[Episode]) -> dict[UUID, bytes]:
    rows = episodes.exclude(signature=None).order_by().values_list("pk", "signature")
    return {key: bytes(outline) for key, outline in rows if outline is not None}
