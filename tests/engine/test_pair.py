"""A deal between two people: moves alternate, both seats are counted alike, nothing but the setup and the moves decides."""

from __future__ import annotations

import pytest

from negotiation.engine.deal import Action, ActionRefused, Seat, scenarios
from negotiation.engine.deal.case.file import cases
from negotiation.engine.deal.issues import Package
from negotiation.engine.deal.pair import PairTable

SAAS = scenarios()["saas_enterprise"]
SEATS: tuple[Seat, ...] = ("seller", "buyer")


def table(seed: int = 7, *, opens: Seat = "seller", case: bool = True) -> PairTable:
    return PairTable(SAAS, seed, opens, case=case and SAAS.id in cases())


def test_moves_alternate_and_who_is_not_on_turn_changes_nothing() -> None:
    pair = table()
    before = pair.observe("buyer")
    with pytest.raises(ActionRefused) as refused:
        pair.play("buyer", Action(text="Me first", offer=150_000))
    assert refused.value.code == "not_your_turn"
    assert (pair.moves, pair.observe("buyer")) == (0, before)
    pair.play("seller", Action(text="We ask for 190,000.", offer=190_000))
    assert pair.on_turn == "buyer"
    pair.play("buyer", Action(text="130,000 is what we can do.", offer=130_000))
    assert (pair.on_turn, pair.turn) == ("seller", 2)


def test_each_sees_the_other_move_and_its_own_truth_alone() -> None:
    pair = table()
    pair.play("seller", Action(text="We ask for 190,000.", offer=190_000))
    seller, buyer = pair.observe("seller"), pair.observe("buyer")
    assert (seller.own_offer, buyer.standing_offer) == (190_000, 190_000)
    assert [move.side for move in seller.transcript] == ["player"]
    assert [move.side for move in buyer.transcript] == ["opponent"]
    assert seller.own == pair.truth("seller")
    assert buyer.own == pair.truth("buyer")
    assert seller.sheet is not None
    assert buyer.sheet is not None
    assert {each.id for each in seller.sheet.facts} != {each.id for each in buyer.sheet.facts}


def test_an_acceptance_closes_at_what_stands_and_both_shares_make_the_whole() -> None:
    pair = table(case=False)
    zone = pair.truth("buyer").walk_away - pair.truth("seller").walk_away
    price = pair.truth("seller").walk_away + zone / 4
    terms = {issue.id: issue.options[0].id for issue in SAAS.issues}
    pair.play("seller", Action(offer=price, terms=terms))
    pair.play("buyer", Action(accept=True))
    end = pair.end
    assert end is not None
    assert (end.reason, end.by, end.price, end.terms) == ("accepted", "buyer", price, terms)
    joint = end.outcomes["seller"].joint_surplus
    best = end.outcomes["seller"].best_joint_surplus
    assert joint is not None
    shares = sum(outcome.efficiency for outcome in end.outcomes.values())
    assert shares == pytest.approx(joint / best)
    assert end.outcomes["seller"].reason == "opponent_accepted"
    assert pair.on_turn is None
    with pytest.raises(ActionRefused):
        pair.play("seller", Action(text="One more thing"))


def test_the_same_setup_and_moves_give_the_same_deal() -> None:
    moves: list[tuple[Seat, Action]] = [
        ("buyer", Action(text="What matters most to you here?", offer=120_000)),
        ("seller", Action(text="You are an idiot and that is an insult.", offer=220_000)),
        ("buyer", Action(text="Fine.", offer=125_000)),
    ]
    one, other = (PairTable.replay(SAAS, 11, "buyer", moves) for _ in range(2))
    for seat in SEATS:
        assert one.observe(seat) == other.observe(seat)
    assert one.turn == 2


def test_the_last_turn_passes_without_agreement() -> None:
    pair = PairTable(SAAS, 3, "seller", horizon=2)
    for move in range(4):
        pair.play(SEATS[move % 2], Action(text=f"Let us see, {move}."))
    assert pair.end is not None
    assert (pair.end.reason, pair.end.by, pair.end.price) == ("horizon", None, None)


def test_news_takes_both_offers_off_the_table() -> None:
    eventful = next(one for one in scenarios().values() if one.drift)
    turn = eventful.drift[0].turn
    pair = PairTable(eventful, 3, "seller")
    while pair.turn < turn:
        for seat in SEATS:
            price = eventful.plausible_high if seat == "seller" else eventful.plausible_low
            pair.play(seat, Action(text=f"Turn {pair.turn}.", offer=price))
    assert pair.observe("seller").headlines
    for seat in SEATS:
        assert (pair.observe(seat).own_offer, pair.observe(seat).standing_offer) == (None, None)


@pytest.mark.parametrize(
    "action",
    [
        Action(text="x", card="anchor_silence"),
        Action(text="x", challenge=True),
        Action(text="x", claim=1.0),
        Action(offer=150_000, alternatives=(Package(151_000, {}),)),
        Action(text="x", event_estimate=0.1),
    ],
    ids=["card", "challenge", "claim", "packages", "estimate"],
)
def test_what_would_ask_the_table_for_a_truth_is_refused(action: Action) -> None:
    with pytest.raises(ActionRefused):
        table().check("seller", action)


def test_heat_is_the_same_whoever_brings_it() -> None:
    insult, calm = Action(text="You are an idiot."), Action(text="Let us look at it.")
    hot = []
    for rude in SEATS:
        pair = table()
        for seat in SEATS:
            pair.play(seat, insult if seat == rude else calm)
        hot.append(pair.observe("seller").tension)
    assert hot[0] == hot[1] > table().observe("seller").tension
