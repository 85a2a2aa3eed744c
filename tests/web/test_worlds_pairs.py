"""As ``test_worlds.py``, of the deal between two people: frames, pages, exports, previews and errors of one of them are the
same whatever the other hides, from the invitation until both lay their cards open."""

from __future__ import annotations

import uuid
from typing import Any

import pytest

from accounts.models import User
from accounts.services import user_create
from negotiation.engine.deal import Action, ActionRefused, Belief
from negotiation.engine.deal.types import OTHER_SEAT, Seat
from negotiation.messages import ActData
from negotiation.pairs import ending, hearing, links, selectors, services, sessions
from negotiation.pairs.models import PairDeal
from tests.noninterference.deal import world
from tests.noninterference.twins import Twin, difference, plain

pytestmark = pytest.mark.django_db

SEED = 1_234_567
HISTORY: tuple[tuple[str, float | None], ...] = (
    ("Good morning. We ask for 190,000.", 190_000.0),
    ("What matters most to you here?", 120_000.0),
    ("Time, above all. You are an idiot and that number is an insult.", 185_000.0),
    ("Move now or we walk away from this deal.", 130_000.0),
    ("I understand the pressure you are under.", 170_000.0),
    ("That is as far as we go on this.", 150_000.0),
)


def refused(deal: PairDeal, player: User, **move: Any) -> str:
    try:
        services.pair_act(deal_id=deal.pk, player=player, action_id=uuid.uuid4(), **move)
    except (ActionRefused, ValueError) as told:
        return f"{type(told).__name__} {told}"
    return "taken"


def words(text: str, offer: float | None, belief: Belief | None = None) -> ActData:
    return ActData(text, offer, None, None, belief, None, None, confirmed=True)


@pytest.mark.parametrize(
    ("seat", "end"),
    [
        ("seller", "accept"),
        pytest.param("buyer", "walk", marks=pytest.mark.thorough),
        pytest.param("seller", "left", marks=pytest.mark.thorough),
        pytest.param("buyer", "accept", marks=pytest.mark.thorough),
        pytest.param("seller", "walk", marks=pytest.mark.thorough),
        pytest.param("buyer", "left", marks=pytest.mark.thorough),
    ],
)
def test_a_deal_shows_one_of_the_two_the_same_in_two_worlds(twins: list[Twin], seat: Seat, end: str) -> None:
    seen_by_twin: list[list[Any]] = []
    hidden = []
    other = OTHER_SEAT[seat]
    for twin, number in zip(twins, (None, 7_001), strict=True):
        across = user_create(
            email=f"across{number}@example.com", password="correct horse", display_name="Kim Roe"
        )
        with world(number, seat):
            deal, token = services.pair_open(
                opener=twin.user, scenario="saas_enterprise", seat=seat, seed=SEED
            )
            services.pair_join(link=selectors.invitation(token), user=across)
            both: dict[str, User] = {seat: twin.user, other: across}
            hidden.append(sessions.kept.peek(PairDeal.objects.get(pk=deal.pk)).truth(other))
            seen = [_seen(twin, deal.pk, seat)]
            for text, offer in HISTORY:
                deal.refresh_from_db()
                believes = deal.on_turn == other
                # What the other believes is theirs too, and another thing in each world.
                belief = Belief(walk_away=100_000.0 + (number or 1)) if believes else None
                act = words(text, offer, belief)
                services.pair_act(
                    deal_id=deal.pk, player=both[deal.on_turn], action_id=uuid.UUID(int=len(seen)), act=act
                )
                sessions.kept.forget_all()
                seen.append(_seen(twin, deal.pk, seat))
            _coached(PairDeal.objects.get(pk=deal.pk), other, across)
            seen.append(_seen(twin, deal.pk, seat))
            _end(deal, both, end)
            services.cards_open(deal_id=deal.pk, player=twin.user)
            seen.append(_seen(twin, deal.pk, seat))
        sessions.kept.forget_all()
        seen_by_twin.append(seen)
    assert hidden[0] != hidden[1], "the worlds are the same"
    for one, two in zip(*seen_by_twin, strict=True):
        assert difference(one, two) == ""


def _coached(deal: PairDeal, seat: Seat, player: User) -> None:
    """Somebody looks over the other side's shoulder."""
    _, token = links.link_create(deal=deal, seat=seat, created_by=player, scope="coach")
    links.link_view(opened=selectors.link_opened(token, None), viewer=None)


def _end(deal: PairDeal, both: dict[str, User], end: str) -> None:
    deal.refresh_from_db()
    player = both[deal.on_turn]
    if end == "left":
        ending.pair_leave(deal_id=deal.pk)
        return
    table = selectors.snapshot_of(deal.pk, deal.on_turn)["table"]
    assert table is not None
    action = Action(accept=True) if end == "accept" else Action(walk_away=True)
    seen = (table["standing_offer"], table["standing_terms"]) if end == "accept" else (None, None)
    services.pair_act(deal_id=deal.pk, player=player, action_id=uuid.UUID(int=99), action=action, seen=seen)


def _seen(twin: Twin, deal_id: uuid.UUID, seat: Seat) -> list[str]:
    """All that the product shows somebody of a deal that they sit at."""
    deal = selectors.deal_of_player(deal_id, twin.user)
    assert deal is not None
    _, token = links.link_create(deal=deal, seat=seat, created_by=twin.user, scope="watch")
    tries = []
    if deal.on_turn != seat:
        tries = [
            refused(deal, twin.user, act=words("Me", 1.0)),
            refused(deal, twin.user, action=Action(accept=True)),
        ]
    return [
        plain(repr(selectors.frames_after(deal.pk, 0, seat))),
        plain(repr(selectors.frames_after(deal.pk, 0, f"watch-{seat}"))),
        plain(repr(hearing.reading_at(deal, seat, "What drives your number? We can do 155,000."))),
        plain(repr([selectors.watchers_of(deal, seat), selectors.sides_of(deal.pk, twin.user)])),
        repr(tries),
        twin.archive(),
        *twin.pages(f"/pairs/{deal.pk}/", f"/pairs/{deal.pk}/debrief/", "/"),
        twin.pages(f"/pair-watch/{token}/")[0].replace(token, "<token>"),
    ]
