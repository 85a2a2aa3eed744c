"""Links for who looks on at one side of a deal between two people: made, looked through, withdrawn."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction

from accounts.models import User
from negotiation.engine.deal.types import Seat
from negotiation.pairs.models import PairDeal, PairLink, PairLinkView
from negotiation.pairs.selectors import Opened
from negotiation.table import links

LIFETIME = timedelta(hours=24)


def link_create(*, deal: PairDeal, seat: Seat, created_by: User, scope: str) -> tuple[PairLink, str]:
    """A new link onto one side and its token, which is given out this once."""
    return links.link_create(
        PairLink, created_by=created_by, lifetime=LIFETIME, deal=deal, scope=scope, seat=seat
    )


def link_view(*, opened: Opened, viewer: User | None) -> None:
    """Somebody looks through a link: where it shows a sheet of a live deal, its player can see who it was.

    Nothing goes into the log: the other side is not to learn that anybody helps.
    """
    if opened.reveals:
        PairLinkView.objects.get_or_create(link=opened.link, viewer=viewer)


@transaction.atomic
def links_revoke(*, deal: PairDeal, user: User) -> int:
    """Withdraw the links that somebody made onto this deal; who looks on through them is shown out."""
    made = PairLink.objects.filter(deal=deal, created_by=user).exclude(scope=PairLink.Scope.SIT)
    return links.links_revoke(made)
