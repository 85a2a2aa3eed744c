"""Two people negotiate one deal: invited by a link that works once, each from their own seat, in turns."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Membership, Team, User
from accounts.services import membership_set, user_create
from negotiation.engine.deal import Action, ActionRefused
from negotiation.messages import ActData
from negotiation.pairs import ending, links, selectors, services, sessions
from negotiation.pairs.kind import PAIRS
from negotiation.pairs.models import PairDeal, PairEvent, PairLink
from negotiation.reading import Clarify
from negotiation.table import forgetting
from negotiation.table.errors import LogDiverged, MoveRefused
from negotiation.table.links import LinkRefused
from tests.tables import pair_between

pytestmark = pytest.mark.django_db
SignIn = Callable[[User], Client]


@pytest.fixture
def colleague(db: None) -> User:
    return user_create(email="colleague@example.com", password="correct horse", display_name="Kim Roe")


@pytest.fixture
def deal(rep: User, colleague: User) -> PairDeal:
    return pair_between(rep, colleague, seed=4)


def words(text: str = "", offer: float | None = None, *, confirmed: bool = True) -> ActData:
    return ActData(text, offer, None, None, None, None, None, confirmed=confirmed)


def act(deal: PairDeal, player: User, **move: Any) -> Any:
    return services.pair_act(deal_id=deal.pk, player=player, action_id=uuid.uuid4(), **move)


def on_turn(deal: PairDeal) -> tuple[User, User]:
    """Who is to move, and who waits."""
    deal.refresh_from_db()
    assert deal.seller is not None
    assert deal.buyer is not None
    both = (deal.seller, deal.buyer)
    return both if deal.on_turn == "seller" else both[::-1]


def closed_at(deal: PairDeal, price: float) -> PairDeal:
    """Whoever is to move offers, the other accepts."""
    first, second = on_turn(deal)
    act(deal, first, act=words("Let us settle this.", price))
    terms = selectors.snapshot_of(deal.pk, selectors.seat_of(deal, second) or "")["table"]
    seen = (price, None if terms is None else terms["standing_terms"])
    act(deal, second, action=Action(accept=True), seen=seen)
    deal.refresh_from_db()
    return deal


# -- the invitation --------------------------------------------------------------------------------


def test_a_link_takes_its_opener_to_the_other_seat_once(rep: User, colleague: User, manager: User) -> None:
    deal, token = services.pair_open(opener=rep, scenario="saas_enterprise", seat="buyer")
    assert (deal.status, deal.buyer, deal.seller, deal.last_seq) == ("waiting", rep, None, 0)
    link = selectors.invitation(token)
    live = services.pair_join(link=link, user=colleague)
    assert (live.status, live.seller, live.on_turn) == ("live", colleague, live.opens)
    with pytest.raises(LinkRefused) as refused:
        services.pair_join(link=link, user=manager)
    assert refused.value.reason == "taken"
    with pytest.raises(LinkRefused) as again:
        selectors.invitation(token)
    assert again.value.reason == "taken"
    assert selectors.taken_by(token, colleague) == live
    assert selectors.taken_by(token, manager) is None


def test_nobody_sits_across_from_themselves(rep: User) -> None:
    deal, token = services.pair_open(opener=rep, scenario="saas_enterprise", seat="seller")
    with pytest.raises(LinkRefused) as refused:
        services.pair_join(link=selectors.invitation(token), user=rep)
    assert refused.value.reason == "own_invitation"
    deal.refresh_from_db()
    assert deal.status == "waiting"


def test_a_new_invitation_closes_the_old_and_a_cleared_table_closes_both(rep: User, colleague: User) -> None:
    deal, old = services.pair_open(opener=rep, scenario="saas_enterprise", seat="seller")
    new = services.invitation_renew(deal_id=deal.pk, opener=rep)
    with pytest.raises(LinkRefused):
        selectors.invitation(old)
    link = selectors.invitation(new)
    services.pair_withdraw(deal_id=deal.pk, opener=rep)
    with pytest.raises(LinkRefused):
        services.pair_join(link=link, user=colleague)
    with pytest.raises(MoveRefused):
        services.pair_withdraw(deal_id=deal.pk, opener=rep)
    with pytest.raises(MoveRefused):
        services.pair_withdraw(deal_id=deal.pk, opener=colleague)


def test_only_the_hash_of_an_invitation_is_kept(rep: User) -> None:
    _, token = services.pair_open(opener=rep, scenario="saas_enterprise", seat="seller")
    assert token not in repr(PairLink.objects.values())


@pytest.mark.parametrize(
    "setup", [{"scenario": "x"}, {"seat": "x"}, {"move_within": 7}], ids=["scenario", "seat", "pace"]
)
def test_a_table_that_cannot_be_laid_is_refused(rep: User, setup: dict[str, Any]) -> None:
    with pytest.raises(MoveRefused):
        services.pair_open(opener=rep, **{"scenario": "saas_enterprise", "seat": "seller", **setup})


# -- playing ---------------------------------------------------------------------------------------


def test_who_is_not_on_turn_writes_nothing(deal: PairDeal) -> None:
    _, waits = on_turn(deal)
    before = (deal.last_seq, deal.moves)
    for move in ({"act": words("Me first", 100_000)}, {"action": Action(walk_away=True)}):
        with pytest.raises(ActionRefused) as refused:
            act(deal, waits, **move)
        assert refused.value.code == "not_your_turn"
    deal.refresh_from_db()
    assert (deal.last_seq, deal.moves) == before


def test_a_move_is_for_the_two_alone(deal: PairDeal, manager: User) -> None:
    with pytest.raises(MoveRefused) as refused:
        act(deal, manager, act=words("Hello"))
    assert refused.value.code == "no_such_game"


def test_moves_alternate_until_one_accepts_what_stands(deal: PairDeal) -> None:
    first, second = on_turn(deal)
    act(deal, first, act=words("We can do 160.", 160_000))
    assert on_turn(deal) == (second, first)
    act(deal, second, act=words("150 and we sign.", 150_000))
    deal.refresh_from_db()
    assert (deal.moves, deal.turn) == (2, 2)
    with pytest.raises(MoveRefused) as refused:
        act(deal, first, action=Action(accept=True), seen=(149_000, None))
    assert refused.value.code == "offer_changed"
    act(deal, first, action=Action(accept=True), seen=(150_000, None))
    deal.refresh_from_db()
    assert (deal.status, deal.price, deal.outcome_reason) == ("finished", 150_000, "accepted")
    assert deal.ended_by == selectors.seat_of(deal, first)
    assert (deal.on_turn, deal.move_by) == ("", None)
    with pytest.raises(MoveRefused) as over:
        act(deal, second, act=words("Wait"))
    assert over.value.code == "game_over"


def test_a_move_that_comes_again_counts_once(deal: PairDeal) -> None:
    first, _ = on_turn(deal)
    action_id = uuid.uuid4()
    once = services.pair_act(
        deal_id=deal.pk, player=first, action_id=action_id, act=words("Hello there", 150_000)
    )
    again = services.pair_act(
        deal_id=deal.pk, player=first, action_id=action_id, act=words("Hello there", 150_000)
    )
    assert (once.seq, once.repeated, again.seq, again.repeated) == (once.seq, False, once.seq, True)  # type: ignore[union-attr]
    assert PairEvent.objects.filter(deal=deal, type="moved").count() == 1


def test_what_is_not_clear_is_asked_of_its_writer_before_it_binds(deal: PairDeal) -> None:
    first, second = on_turn(deal)
    before = deal.last_seq
    asked = act(deal, first, act=words("We can do 155,000.", 150_000, confirmed=False))
    assert isinstance(asked, Clarify)
    assert asked.reason == "figure_differs"
    deal.refresh_from_db()
    assert (deal.last_seq, on_turn(deal)) == (before, (first, second))


def test_a_session_is_rebuilt_from_the_log_and_a_log_of_another_engine_is_not_played_on(
    deal: PairDeal,
) -> None:
    first, second = on_turn(deal)
    act(deal, first, act=words("What matters most to you here?", 160_000))
    act(deal, second, act=words("Time. 120,000.", 120_000))
    deal.refresh_from_db()
    held = sessions.kept.take(deal)
    seen = {seat: held.observe(seat) for seat in ("seller", "buyer")}
    rebuilt = sessions.rebuild(deal)
    assert {seat: rebuilt.observe(seat) for seat in ("seller", "buyer")} == seen
    deal.seed += 1
    with pytest.raises(LogDiverged):
        sessions.rebuild(deal)


# -- who left --------------------------------------------------------------------------------------


def test_who_lets_the_time_pass_has_left_and_the_other_is_free(deal: PairDeal) -> None:
    first, second = on_turn(deal)
    assert deal.move_by is not None
    assert ending.pairs_sweep(deal.move_by - timedelta(seconds=1)) == 0
    assert ending.pairs_sweep(deal.move_by + timedelta(seconds=1)) == 1
    assert ending.pairs_sweep(deal.move_by + timedelta(seconds=1)) == 0
    deal.refresh_from_db()
    assert (deal.status, deal.outcome_reason, deal.price) == ("abandoned", "left", None)
    assert deal.ended_by == selectors.seat_of(deal, first)
    ended = selectors.snapshot_of(deal.pk, selectors.seat_of(deal, second) or "")["outcome"]
    assert ended is not None
    assert ended["reason"] == "opponent_left"


def test_each_move_gives_the_other_the_whole_time(deal: PairDeal) -> None:
    first, _ = on_turn(deal)
    PairDeal.objects.filter(pk=deal.pk).update(move_by=timezone.now() + timedelta(seconds=2))
    sessions.kept.forget_all()
    act(deal, first, act=words("Hello", 150_000))
    deal.refresh_from_db()
    assert deal.move_by is not None
    assert deal.move_by > timezone.now() + timedelta(minutes=deal.move_within - 1)


def test_a_table_that_nobody_came_to_is_cleared(rep: User) -> None:
    deal, _ = services.pair_open(opener=rep, scenario="saas_enterprise", seat="seller")
    assert ending.pairs_sweep(timezone.now() + services.INVITED_FOR - timedelta(minutes=1)) == 0
    assert ending.pairs_sweep(timezone.now() + services.INVITED_FOR + timedelta(minutes=1)) == 1
    deal.refresh_from_db()
    assert deal.status == "withdrawn"


# -- whose side is seen ----------------------------------------------------------------------------


def test_cards_lie_open_for_both_once_both_agree(deal: PairDeal) -> None:
    first, second = on_turn(deal)
    with pytest.raises(MoveRefused):
        services.cards_open(deal_id=deal.pk, player=first)
    closed_at(deal, 150_000)
    assert services.cards_open(deal_id=deal.pk, player=first) is False
    assert selectors.cards_shown(deal)[1] is None
    assert services.cards_open(deal_id=deal.pk, player=first) is False, "asked twice"
    assert services.cards_open(deal_id=deal.pk, player=second) is True
    sealed = selectors.cards_shown(deal)[1]
    assert sealed is not None
    assert sealed["close"].keys() == {"seller", "buyer"}
    deal.refresh_from_db()
    assert [row.seq for row in PAIRS.read(deal.pk, 0)] == list(range(1, deal.last_seq + 1))


def test_a_manager_sees_both_sides_only_where_both_are_theirs(
    deal: PairDeal, manager: User, team: Team, rep: User, colleague: User
) -> None:
    own = selectors.seat_of(deal, rep)
    assert [side.seat for side in selectors.sides_of(deal.pk, manager)] == [own]
    membership_set(user=colleague, team=team, role="rep")
    both = pair_between(rep, colleague)
    assert [side.seat for side in selectors.sides_of(both.pk, manager)] == ["seller", "buyer"]
    assert [side.seat for side in selectors.sides_of(both.pk, rep)] == ["seller"]
    stranger = user_create(email="stranger@example.com", password="correct horse")
    assert selectors.sides_of(both.pk, stranger) == []


def test_who_leads_the_other_and_plays_sees_one_side(manager: User, rep: User, team: Team) -> None:
    assert Membership.objects.filter(user=manager, role="manager").exists()
    deal = pair_between(manager, rep)
    assert [(side.seat, side.own) for side in selectors.sides_of(deal.pk, manager)] == [("seller", True)]


def test_a_coachs_link_shows_one_side_and_not_to_the_one_across(
    deal: PairDeal, rep: User, colleague: User
) -> None:
    seat = selectors.seat_of(deal, rep)
    assert seat is not None
    _, token = links.link_create(deal=deal, seat=seat, created_by=rep, scope="coach")
    opened = selectors.link_opened(token, None)
    assert (opened.role, opened.reveals) == (seat, True)
    for player in (rep, colleague):
        with pytest.raises(LinkRefused) as refused:
            selectors.link_opened(token, player)
        assert refused.value.reason == "at_your_table"
    _, plain = links.link_create(deal=deal, seat=seat, created_by=rep, scope="watch")
    watching = selectors.link_opened(plain, None)
    assert not watching.reveals
    shown = selectors.snapshot_of(deal.pk, watching.role)
    assert (shown["own"], shown["sheet"]) == (None, None)
    assert "limit_moves" not in (shown["table"] or {})


def test_only_the_one_who_was_looked_at_is_told(deal: PairDeal, rep: User, manager: User) -> None:
    seat = selectors.seat_of(deal, rep)
    assert seat is not None
    before = deal.last_seq
    _, token = links.link_create(deal=deal, seat=seat, created_by=rep, scope="coach")
    opened = selectors.link_opened(token, manager)
    for _ in range(2):
        links.link_view(opened=opened, viewer=manager)
    assert selectors.watchers_of(deal, seat) == [
        {"by": manager.get_full_name(), "maker": rep.get_full_name()}
    ]
    other = "buyer" if seat == "seller" else "seller"
    assert selectors.watchers_of(deal, other) == []  # type: ignore[arg-type]
    deal.refresh_from_db()
    assert deal.last_seq == before, "the log says nothing of it, so the other side cannot tell"


# -- words that go ---------------------------------------------------------------------------------


def test_one_forgets_and_the_others_deal_stays_whole(deal: PairDeal) -> None:
    first, second = on_turn(deal)
    act(deal, first, act=words("Mine to forget", 160_000))
    act(deal, second, act=words("Mine to keep", 130_000))
    act(deal, first, action=Action(walk_away=True))
    forgetting.transcripts_delete(player=first)
    seat = selectors.seat_of(deal, second)
    assert seat is not None
    lines = selectors.snapshot_of(deal.pk, seat)["transcript"]
    assert [(line["side"], line["text"], line["offer"]) for line in lines] == [
        ("opponent", "", 160_000),
        ("player", "Mine to keep", 130_000),
        ("opponent", "", None),
    ]
    names = PairEvent.objects.filter(deal=deal, type="seated").order_by("seq").values_list("data", flat=True)
    assert {row["name"] for row in names} == {"", second.get_full_name()}


def test_the_team_that_keeps_words_for_the_shorter_time_decides(
    rep: User, colleague: User, team: Team
) -> None:
    strict = Team.objects.create(name="Strict", retention_days=7)
    membership_set(user=colleague, team=strict, role="rep")
    assert pair_between(rep, colleague).team == strict
    assert pair_between(colleague, rep).team == strict


# -- pages -----------------------------------------------------------------------------------------


def test_a_deal_is_opened_joined_and_looked_back_at_in_the_browser(
    rep: User, colleague: User, signed_in: SignIn
) -> None:
    host, guest = signed_in(rep), signed_in(colleague)
    assert host.get("/pairs/new/").status_code == 200
    made = host.post("/pairs/new/", {"scenario": "saas_enterprise", "seat": "seller", "move_within": "15"})
    table = made["Location"]
    waiting = host.get(table).content.decode()
    link = waiting.partition('readonly value="http://testserver')[2].partition('"')[0]
    assert link.startswith("/pairs/join/")
    assert guest.get(table).status_code == 404
    assert host.get(link).status_code == 403
    assert b"Take the seat" in guest.get(link).content
    assert guest.post(link)["Location"] == table
    assert guest.get(link)["Location"] == table
    for client in (host, guest):
        page = client.get(table)
        assert page.status_code == 200
        assert page["Cache-Control"]
    assert host.get(link).status_code == 410
    deal = PairDeal.objects.get()
    for client in (host, guest):
        assert client.get("/").status_code == 200
        assert client.get(f"/pairs/{deal.pk}/debrief/")["Location"] == table
    closed_at(deal, 150_000)
    for client in (host, guest):
        page = client.get(f"/pairs/{deal.pk}/debrief/")
        assert b"Unrated" in page.content
        assert b"Lay my cards open" in page.content
    for client in (host, guest):
        assert client.post(f"/pairs/{deal.pk}/cards/").status_code == 302
    assert b"Share of what there was" in host.get(f"/pairs/{deal.pk}/debrief/").content


def test_a_guest_takes_the_seat_where_guests_may_play(rep: User, client: Client, settings: Any) -> None:
    _, token = services.pair_open(opener=rep, scenario="saas_enterprise", seat="seller")
    settings.DEMO = False
    shut = client.post(f"/pairs/join/{token}/")
    assert shut.status_code == 200
    assert b"Sign in first" in shut.content
    assert b"as a guest" not in shut.content
    settings.DEMO = True
    assert client.post(f"/pairs/join/{token}/").status_code == 302
    deal = PairDeal.objects.get()
    assert deal.buyer is not None
    assert deal.buyer.is_guest
    assert client.get(f"/pairs/{deal.pk}/").status_code == 200


def test_looking_at_an_invitation_takes_nothing(rep: User, client: Client) -> None:
    deal, token = services.pair_open(opener=rep, scenario="saas_enterprise", seat="seller")
    for method in (client.get, client.head):
        answer = method(f"/pairs/join/{token}/")
        assert answer.status_code == 200
        assert "no-store" in answer["Cache-Control"]
    deal.refresh_from_db()
    assert deal.status == "waiting"


def test_a_link_for_a_coach_is_made_watched_and_withdrawn(
    deal: PairDeal, rep: User, signed_in: SignIn, client: Client
) -> None:
    player = signed_in(rep)
    made = player.post(f"/pairs/{deal.pk}/links/", {"scope": "coach"})
    assert made.status_code == 201
    path = made.json()["url"].removeprefix("http://testserver")
    page = client.get(path)
    assert page.status_code == 200
    bootstrap = page.context["bootstrap"]
    assert bootstrap["snapshot"]["own"] is None, "the page itself holds no sheet"
    assert player.post(f"/pairs/{deal.pk}/links/", {"scope": "sit"}).status_code == 422
    assert player.post(f"/pairs/{deal.pk}/links/revoke/").json() == {"revoked": 1}
    assert client.get(path).status_code == 410
