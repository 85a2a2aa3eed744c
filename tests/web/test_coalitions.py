"""Deals for three over HTTP: who may play, what a turn leaves in the log, what never reaches the third seat."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client

from accounts.models import Team, User
from negotiation.coalitions import selectors, sessions
from negotiation.coalitions.events import redact
from negotiation.coalitions.forms import action_from
from negotiation.coalitions.models import CoalitionDeal, CoalitionEvent
from negotiation.coalitions.services import deal_act, deal_create
from negotiation.engine.coalition import (
    SEATS,
    Action,
    CoalitionGame,
    Proposal,
    Seat,
    coalition_scenarios,
    draw_stakes,
)
from negotiation.engine.deal.errors import ActionRefused
from negotiation.models import EventIsWritten
from negotiation.table.errors import MoveRefused

pytestmark = pytest.mark.django_db(transaction=True)

SignIn = Callable[[User], Client]
CAST = {"seller": "shark", "buyer_a": "diplomat", "buyer_b": "veteran"}


@pytest.fixture(autouse=True)
def _no_kept_sessions() -> Iterator[None]:
    yield
    sessions.kept.forget_all()


def sit_down(player: User, seat: Seat = "buyer_b", seed: int = 11, team: Team | None = None) -> CoalitionDeal:
    return deal_create(player=player, team=team, scenario="cold_store", seat=seat, opponents=CAST, seed=seed)


@pytest.fixture
def deal(rep: User, team: Team) -> CoalitionDeal:
    return sit_down(rep, team=team)


def post(client: Client, deal: CoalitionDeal, **form: Any) -> Any:
    """A turn by the form, as a browser without scripts sends it."""
    return client.post(f"/coalitions/{deal.id}/act/", {"action_id": str(uuid.uuid4()), **form})


def take(deal: CoalitionDeal, **data: Any) -> CoalitionDeal:
    """A turn with this data, as a frame brings it."""
    return deal_act(
        deal_id=deal.id, player=deal.player, action_id=uuid.uuid4(), action=action_from({"text": "", **data})
    )


def share(buyer_a: float = 110_000, buyer_b: float = 90_000) -> dict[str, Any]:
    return {"members": list(SEATS), "pays": {"buyer_a": buyer_a, "buyer_b": buyer_b}}


def play_to_the_end(deal: CoalitionDeal) -> CoalitionDeal:
    while deal.is_live:
        deal = deal_act(
            deal_id=deal.id,
            player=deal.player,
            action_id=uuid.uuid4(),
            action=Action(text=f"Round {deal.round}?"),
        )
    return deal


def test_a_new_deal_is_opened_by_the_form_and_the_seats_before_the_player_have_acted(
    rep: User, signed_in: SignIn
) -> None:
    client = signed_in(rep)
    assert client.get("/coalitions/new/").status_code == 200
    answer = client.post(
        "/coalitions/new/",
        {
            "scenario": "cold_store",
            "seat": "buyer_a",
            "persona_seller": "veteran",
            "persona_buyer_b": "shark",
        },
    )
    deal = CoalitionDeal.objects.get()
    assert answer["Location"] == f"/coalitions/{deal.id}/"
    assert deal.opponents == {"seller": "veteran", "buyer_b": "shark"}
    page = client.get(answer["Location"])
    assert page.status_code == 200
    kinds = list(CoalitionEvent.objects.filter(deal=deal).values_list("type", "data__seat"))
    assert kinds == [("started", "buyer_a"), ("acted", "seller")]


def test_one_person_cannot_sit_in_two_seats(rep: User, signed_in: SignIn) -> None:
    answer = signed_in(rep).post(
        "/coalitions/new/",
        {"scenario": "cold_store", "seat": "seller", "persona_buyer_a": "shark", "persona_buyer_b": "shark"},
    )
    assert answer.status_code == 422
    assert "two seats" in answer.text
    with pytest.raises(MoveRefused, match="two seats"):
        deal_create(
            player=rep,
            scenario="cold_store",
            seat="seller",
            opponents={"buyer_a": "shark", "buyer_b": "shark"},
        )


def test_only_the_player_opens_the_table_and_only_those_who_lead_read_the_debrief(
    deal: CoalitionDeal, rep: User, stranger: User, manager: User, client: Client, signed_in: SignIn
) -> None:
    address = f"/coalitions/{deal.id}/"
    assert "/accounts/login/" in client.get(address)["Location"]
    assert signed_in(rep).get(f"{address}debrief/")["Location"] == address
    for other in (stranger, manager):
        assert signed_in(other).get(address).status_code == 404
        assert post(signed_in(other), deal, text="Hello").status_code == 404
    play_to_the_end(deal)
    assert signed_in(rep).get(f"{address}debrief/").status_code == 200
    assert signed_in(manager).get(f"{address}debrief/").status_code == 200
    assert signed_in(stranger).get(f"{address}debrief/").status_code == 404


def test_a_turn_is_followed_by_all_that_it_led_to(deal: CoalitionDeal) -> None:
    before = deal.last_seq
    frames = selectors.frames_after(take(deal, text="Let us share.", proposal=share()), before)
    seen = [frame["data"]["seat"] for frame in frames if "data" in frame]
    assert seen[0] == "buyer_b"
    assert [frame["seq"] for frame in frames] == list(range(before + 1, before + 1 + len(frames)))
    standing = selectors.table_of(CoalitionDeal.objects.get(pk=deal.pk))["standing"]
    mine = next(offer for offer in standing if offer["by"] == "buyer_b")
    own = CoalitionEvent.objects.get(deal=deal, seq=1).data["own"]
    assert mine["gain"] == own["shared"] - 90_000


def test_a_turn_that_is_sent_twice_is_taken_once(deal: CoalitionDeal, rep: User, signed_in: SignIn) -> None:
    client, action_id = signed_in(rep), str(uuid.uuid4())
    for _ in range(2):
        answer = post(client, deal, action_id=action_id, text="Anyone?")
        assert answer["Location"] == f"/coalitions/{deal.id}/"
    assert CoalitionEvent.objects.filter(deal=deal, data__seat="buyer_b", type="acted").count() == 1


def test_without_scripts_the_form_proposes_supports_and_leaves(
    deal: CoalitionDeal, rep: User, signed_in: SignIn
) -> None:
    client, address = signed_in(rep), f"/coalitions/{deal.id}/"
    page = client.get(address).text
    noscript = "".join(page.split("<noscript>")[1:])
    assert 'name="pay_buyer_a"' in noscript
    post(
        client,
        deal,
        text="Let us share.",
        coalition="+".join(SEATS),
        pay_buyer_a="110000",
        pay_buyer_b="90,000",
    )
    mine = CoalitionEvent.objects.get(deal=deal, type="acted", data__seat="buyer_b").data
    assert mine["proposal"] == share()
    noscript = "".join(client.get(address).text.split("<noscript>")[1:])
    assert "you pay $90,000" in noscript
    assert "Let us share." in noscript
    backed = next(
        offer for offer in selectors.table_of(CoalitionDeal.objects.get(pk=deal.pk))["standing"]
        if offer["by"] != "buyer_b" and "buyer_b" in offer["proposal"]["members"]
    )  # fmt: skip
    assert f'name="support" value="{backed["number"]}"' in noscript
    refused = post(
        client, deal, text="Then this.", coalition="+".join(SEATS), pay_buyer_a="1", pay_buyer_b="300000"
    )
    assert refused.status_code == 422
    assert "Then this.</textarea>" in refused.text
    assert 'name="knowingly"' in refused.text
    missing = post(client, deal, coalition="+".join(SEATS), pay_buyer_a="1", pay_buyer_b="")
    assert "Say what each buyer pays." in missing.text
    assert post(client, deal, action_id="x", text="Hm.").status_code == 422
    post(client, deal, walk_away="1")
    assert "It is over" in client.get(address).text


@pytest.mark.parametrize(
    ("turn", "code"),
    [
        ({"text": ""}, "empty_action"),
        ({"text": 5}, "bad_text"),
        ({"text": "\ud800"}, "bad_text"),
        ({"support": "2"}, "bad_support"),
        ({"text": "a", "to": "waiter"}, "unknown_seat"),
        ({"proposal": "all"}, "bad_proposal"),
        ({"proposal": {"members": [1], "pays": {}}}, "bad_proposal"),
        ({"proposal": {"members": list(SEATS), "pays": {"buyer_a": "90k"}}}, "payment_not_finite"),
        ({"proposal": share(buyer_b=float("nan"))}, "payment_not_finite"),
        ({"proposal": share(buyer_b=300_000)}, "below_outside"),
        ({"support": 99}, "no_such_proposal"),
    ],
)
def test_a_turn_that_cannot_be_taken_is_refused_by_name_and_writes_nothing(
    deal: CoalitionDeal, turn: dict[str, Any], code: str
) -> None:
    with pytest.raises(ActionRefused) as refused:
        take(deal, **turn)
    assert refused.value.code == code
    assert CoalitionEvent.objects.filter(deal=deal).count() == deal.last_seq
    assert take(deal, text="Still here.").moves == 1


def test_a_loss_is_signed_only_knowingly(deal: CoalitionDeal) -> None:
    assert take(deal, proposal=share(buyer_b=300_000), knowingly=True).moves == 1


def test_a_turn_that_arrives_twice_at_once_is_taken_once(deal: CoalitionDeal, rep: User) -> None:
    action_id = uuid.uuid4()

    def act() -> int:
        try:
            return deal_act(
                deal_id=deal.id, player=rep, action_id=action_id, action=Action(text="Anyone?")
            ).moves
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        moves = [future.result() for future in [pool.submit(act) for _ in range(4)]]
    assert moves == [1] * 4
    assert CoalitionEvent.objects.filter(deal=deal, data__seat="buyer_b", type="acted").count() == 1


def test_a_refused_turn_leaves_the_session_as_it_was(deal: CoalitionDeal, rep: User) -> None:
    before = sessions.kept.take(deal)
    sessions.kept.keep(deal, before)
    with pytest.raises(ActionRefused):
        deal_act(deal_id=deal.id, player=rep, action_id=uuid.uuid4(), action=Action(support=99))
    assert sessions.kept.take(deal) is before
    assert len(before.table.entries) == deal.last_seq - 1


def test_the_lobby_shows_live_and_finished_deals(rep: User, signed_in: SignIn) -> None:
    live, done = sit_down(rep), play_to_the_end(sit_down(rep, seed=12))
    page = signed_in(rep).get("/").text
    assert f'/coalitions/{live.id}/"' in page
    assert f'/coalitions/{done.id}/debrief/"' in page


def test_a_cold_process_goes_on_exactly_where_a_warm_one_was(rep: User) -> None:
    """Two deals of one seed; one loses its session before every move."""
    warm, cold = sit_down(rep), sit_down(rep)
    share_all = Proposal.of(frozenset(SEATS), buyer_a=1e5, buyer_b=8e4)
    for number in range(4):
        for deal in (warm, cold):
            if deal is cold:
                sessions.kept.forget_all()
            deal_act(
                deal_id=deal.id,
                player=rep,
                action_id=uuid.uuid4(),
                action=Action(text=f"What about {number}?", proposal=share_all),
            )
    logs = [
        list(CoalitionEvent.objects.filter(deal=deal).values_list("seq", "type", "data"))
        for deal in (warm, cold)
    ]
    assert logs[0] == logs[1]
    assert len(logs[0]) > 8


def test_what_two_say_in_private_never_reaches_the_third(rep: User) -> None:
    """Over many games: every private turn of the two others is a bare number in every answer, at every moment."""
    hidden = 0
    for seed in range(8):
        deal = sit_down(rep, seed=seed)
        deal = play_to_the_end(deal)
        entries = CoalitionEvent.objects.filter(deal=deal, type="acted")
        private = [
            e for e in entries if e.data["to"] not in (None, "buyer_b") and e.data["seat"] != "buyer_b"
        ]
        hidden += len(private)
        shown = json.dumps([selectors.frames_after(deal, 0), selectors.table_of(deal)])
        for event in private:
            assert {"seq": event.seq} in selectors.frames_after(deal, 0)
            assert event.data["text"] not in shown
    assert hidden > 0


@pytest.mark.parametrize("seat", SEATS)
def test_a_live_table_tells_nothing_of_the_others_truth(rep: User, signed_in: SignIn, seat: Seat) -> None:
    deal = sit_down(rep, seat=seat, seed=77)
    stakes = draw_stakes(coalition_scenarios()["cold_store"], 77)
    page = signed_in(rep).get(f"/coalitions/{deal.id}/").text
    take(deal, text="What is it worth to you?")
    page += signed_in(rep).get(f"/coalitions/{deal.id}/").text
    page = re.sub(r"<svg.*?</svg>", "", page, flags=re.DOTALL)  # a drawing has all kinds of figures
    assert str(deal.seed) not in {word.strip('",:') for word in page.split()}
    memo = {abs(round(float(value))) for value in coalition_scenarios()["cold_store"].memo().ravel()}
    for index, other in enumerate(SEATS):
        for value in stakes[index]:
            figure = abs(int(value))
            if figure and figure not in memo:
                told = f"{figure:,}" in page or str(figure) in page
                assert told == (other == seat), (other, figure)


def test_redaction_shows_listed_keys_only() -> None:
    data = {"seat": "seller", "to": None, "text": "Hm.", "secret": 1}
    assert redact(seq=3, kind="acted", data=data, role="buyer_a")["data"] == {
        "seat": "seller",
        "to": None,
        "text": "Hm.",
    }
    assert redact(seq=3, kind="acted", data={**data, "to": "buyer_b"}, role="buyer_a") == {"seq": 3}
    assert "data" in redact(seq=3, kind="acted", data={**data, "to": "buyer_b"}, role="buyer_b")


def test_the_log_is_append_only_and_contiguous(deal: CoalitionDeal) -> None:
    event = CoalitionEvent.objects.filter(deal=deal).last()
    assert event is not None
    for forbidden in (event.save, event.delete, CoalitionEvent.objects.all().delete):
        with pytest.raises(EventIsWritten):
            forbidden()
    with pytest.raises(IntegrityError), transaction.atomic():
        CoalitionEvent.objects.create(deal=deal, seq=event.seq, type="acted", data={})
    play_to_the_end(deal)
    seqs = list(CoalitionEvent.objects.filter(deal=deal).values_list("seq", flat=True))
    assert seqs == list(range(1, len(seqs) + 1))


def test_a_finished_deal_takes_no_more_turns_and_keeps_what_it_came_to(deal: CoalitionDeal) -> None:
    done = play_to_the_end(deal)
    with pytest.raises(MoveRefused, match="over"):
        deal_act(deal_id=deal.id, player=deal.player, action_id=uuid.uuid4(), action=Action(text="One more."))
    ended = CoalitionEvent.objects.get(deal=deal, type="ended").data["outcome"]
    assert (done.payoff, done.shapley) == (ended["payoffs"]["buyer_b"], ended["shapley"]["buyer_b"])


def test_walking_away_ends_it_for_the_player_and_the_others_play_on(
    deal: CoalitionDeal, rep: User, signed_in: SignIn
) -> None:
    done = take(deal, text="Good luck.", walk_away=True)
    assert done.status == "finished"
    assert selectors.frames_after(done, 0)[-1]["data"]["outcome"]["payoffs"]["buyer_b"] == 0
    assert "You had left the table." in signed_in(rep).get(f"/coalitions/{deal.id}/debrief/").text


def test_the_debrief_is_the_replay_of_the_log(deal: CoalitionDeal, rep: User, signed_in: SignIn) -> None:
    play_to_the_end(deal)
    sessions.kept.forget_all()
    found = selectors.debrief_of(CoalitionDeal.objects.get(pk=deal.pk))
    ended = CoalitionEvent.objects.get(deal=deal, type="ended").data["outcome"]
    assert found["outcome"] == ended
    assert found["lessons"]
    game = CoalitionGame("cold_store", deal.opponents, deal.seed)
    assert len(found["worth"]) == 4
    assert found["outcome"]["worth"]["seller+buyer_a+buyer_b"] == max(row["value"] for row in found["worth"])
    assert not game.done
    page = signed_in(rep).get(f"/coalitions/{deal.id}/debrief/").text
    assert "Shapley" in page
