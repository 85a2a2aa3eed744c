"""Reads of adapters: who may be chosen, how somebody is called, what still sits at a table."""

from __future__ import annotations

from typing import TypedDict

from django.db.models import Count, OuterRef, Subquery
from django.db.models.functions import Coalesce

from negotiation.models import Game
from negotiation.serving.models import Adapter


class AdapterRow(TypedDict):
    """An adapter as a line of the page. ``live`` deals are under way with it, ``played`` were ever begun."""

    adapter: Adapter
    live: int
    played: int
    present: bool


def offered() -> list[Adapter]:
    """The adapters that players may choose."""
    return list(Adapter.objects.filter(status=Adapter.Status.OFFERED).order_by("title"))


def champion() -> Adapter | None:
    """The offered adapter that was promoted last: the one with a certificate of where it comes from."""
    promoted = Adapter.objects.filter(status=Adapter.Status.OFFERED).exclude(certificate="")
    return promoted.order_by("-loaded_at").first()


def rows(present: frozenset[str]) -> list[AdapterRow]:
    """Every adapter with its deals; ``present`` are the names that the server holds now."""
    with_it = Game.objects.filter(opponent_model=OuterRef("name")).order_by().values("opponent_model")
    counted = Coalesce(Subquery(with_it.annotate(n=Count("pk")).values("n")), 0)
    live = Coalesce(Subquery(with_it.filter(status=Game.Status.LIVE).annotate(n=Count("pk")).values("n")), 0)
    found = Adapter.objects.annotate(live=live, played=counted)
    return [
        {"adapter": one, "live": one.live, "played": one.played, "present": one.name in present}
        for one in found
    ]


def live_deals(name: str) -> int:
    """How many deals are under way with this adapter."""
    return Game.objects.filter(opponent_model=name, status=Game.Status.LIVE).count()


def voice_of(game: Game) -> str:
    """Who speaks across the table, to go after the persona's name; empty where that is the strategist itself."""
    if game.opponent == Game.Opponent.STRATEGIC:
        return ""
    if game.opponent == Game.Opponent.NARRATED:
        return "in free words"
    title = Adapter.objects.filter(name=game.opponent_model).values_list("title", flat=True).first()
    return f"played by {title or game.opponent_model}"
