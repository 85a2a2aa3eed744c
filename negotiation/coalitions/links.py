"""Links for spectators of a deal for three: made, looked through, withdrawn."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction

from accounts.models import User
from negotiation.coalitions.models import CoalitionDeal, CoalitionEvent, CoalitionLink, CoalitionLinkView
from negotiation.coalitions.selectors import Opened
from negotiation.table import links
from negotiation.table.log import append, locked

LIFETIME = timedelta(hours=24)


def link_create(*, deal: CoalitionDeal, created_by: User, scope: str) -> tuple[CoalitionLink, str]:
    """A new link and its token."""
    return links.link_create(CoalitionLink, created_by=created_by, lifetime=LIFETIME, deal=deal, scope=scope)


@transaction.atomic
def link_view(*, opened: Opened, viewer: User | None) -> None:
    """Somebody looks through a link: where it shows the truth of a live deal, the player is told and the deal is marked,
    once for each viewer of a link."""
    if not opened.reveals:
        return
    deal = locked(CoalitionDeal, opened.link.deal_id)
    if deal is None or not deal.is_live:
        return
    if CoalitionLinkView.objects.filter(link=opened.link, viewer=viewer).exists():
        return
    CoalitionLinkView.objects.create(link=opened.link, viewer=viewer)
    deal.assisted = True
    append(CoalitionEvent, deal, [("watched", {})])
    deal.save()


@transaction.atomic
def links_revoke(*, deal: CoalitionDeal, user: User) -> int:
    """Withdraw the links that somebody made; who watches through them is shown out."""
    return links.links_revoke(CoalitionLink.objects.filter(deal=deal, created_by=user))
