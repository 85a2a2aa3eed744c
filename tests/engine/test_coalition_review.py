"""The review of a finished game: theory's figures, true and false claims, and words that fit what happened."""

from __future__ import annotations

import numpy as np
import pytest

from negotiation.engine.coalition import EVERYONE, SEATS, Action, Claim, CoalitionGame, Proposal, Seat
from negotiation.engine.coalition.review import review

# Gains: seller and first buyer 90, seller and second 70, the buyers 20, all three 130 (thousands).
STAKES = np.array([[-120e3, -145e3, 0], [210e3, 150e3, 95e3], [190e3, 125e3, 75e3]])
EMPTY_CORE = np.array([[-120e3, -145e3, 0], [210e3, 130e3, 155e3], [200e3, 110e3, 95e3]])
SELLER_AND_A = frozenset[Seat]({"seller", "buyer_a"})


def played(*turns: Action, stakes: np.ndarray = STAKES) -> CoalitionGame:
    """A game without personas: turns go round the seats."""
    game = CoalitionGame("cold_store", {}, 1, stakes=stakes)
    for turn in turns:
        seat = game.table.to_move
        assert seat is not None
        game.step(seat, turn)
    return game


def told(game: CoalitionGame, seat: Seat) -> dict[str, str]:
    return {lesson["title"]: lesson["text"] for lesson in review(game, seat)["lessons"]}


WAIT = Action(text="I wait.")
PAIR = Proposal.of(SELLER_AND_A, buyer_a=165e3)
SHARED = Proposal.of(EVERYONE, buyer_a=112e3, buyer_b=98e3)


def test_a_deal_of_three_is_explained_by_what_each_brings() -> None:
    game = played(Action(proposal=SHARED), Action(support=1), Action(support=1))
    found = review(game, "buyer_b")
    assert found["outcome"]["shapley"] == pytest.approx(
        {"seller": 190e3 / 3, "buyer_a": 115e3 / 3, "buyer_b": 85e3 / 3}
    )
    assert found["outcome"]["core"] == {"seller": [30e3, 110e3], "buyer_a": [0, 60e3], "buyer_b": [0, 40e3]}
    assert (found["price_of_leaving_out"], found["left_out"]) == (0, [])
    words = told(game, "buyer_b")
    assert "you add $40,000" in words["What you bring"]
    assert "$28,333: that is your Shapley value. You got $27,000, $1,333 less." in words["What you bring"]
    assert "nobody had anything better" in words["What holds"]
    assert "All three signed" in words["Who was in"]
    assert "What you passed over" not in words


def test_who_is_left_out_learns_the_price_of_it_and_what_it_passed_over() -> None:
    game = played(Action(proposal=SHARED), WAIT, WAIT, WAIT, Action(proposal=PAIR), WAIT, Action(support=5))
    found = review(game, "buyer_b")
    assert (found["formed"], found["left_out"], found["price_of_leaving_out"]) == (
        "seller+buyer_a",
        ["buyer_b"],
        40e3,
    )
    words = told(game, "buyer_b")
    assert "You were left out. With all three there was $40,000 more" in words["Who was in"]
    assert "you and Harbour got $45,000 between them" in words["What holds"].lower().replace(
        "harbour", "Harbour"
    )
    assert "You got" not in words["What holds"], "the page is headed by it"
    assert "In round 1 Harbour proposed a deal that left you $27,000" in words["What you passed over"]
    assert "It took Northfield's word as well" in words["What you passed over"]


def test_who_left_was_not_left_out() -> None:
    game = played(WAIT, WAIT, Action(walk_away=True), Action(proposal=PAIR), Action(support=4))
    assert review(game, "buyer_b")["walked_away"] == ["buyer_b"]
    assert told(game, "buyer_b")["Who was in"].startswith("You left the table. With all three")
    assert told(game, "seller")["Who was in"].startswith("Sana left the table.")


def test_an_empty_core_is_called_what_it_is() -> None:
    game = played(Action(proposal=SHARED), Action(support=1), WAIT, *[WAIT] * 33, stakes=EMPTY_CORE)
    found = review(game, "seller")
    assert found["outcome"]["core"] is None
    assert found["core"] == []
    words = told(game, "seller")["What holds"]
    assert "No division of the whole was safe" in words
    # The pairs make 90, 80 and 100 thousand, and all three no more than the best of them: (270 - 200) / 3.
    assert "of $23,333 or more" in words
    assert "Nobody signed" in told(game, "seller")["Who was in"]


def test_claims_are_held_against_what_was_offered() -> None:
    game = played(
        WAIT,
        Action(proposal=PAIR),
        Action(text="x", claim=Claim("seller", 150e3)),
        Action(text="x", claim=Claim("buyer_a", 165e3)),
        *[Action(walk_away=True)] * 2,
    )
    assert [(row["by"], row["true"]) for row in review(game, "seller")["claims"]] == [
        ("buyer_b", False),
        ("seller", True),
    ]


def test_what_two_said_in_private_is_told_afterwards_and_nothing_before() -> None:
    game = played(Action(text="Between us.", to="buyer_a"))
    with pytest.raises(ValueError, match="goes on"):
        review(game, "buyer_b")
    for _ in range(2):
        seat = game.table.to_move
        assert seat is not None
        game.step(seat, Action(walk_away=True))
    assert [turn["text"] for turn in review(game, "buyer_b")["behind_your_back"]] == ["Between us."]
    assert all(review(game, seat)["behind_your_back"] == [] for seat in SEATS[:2])
