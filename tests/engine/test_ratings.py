"""The ratings that the opponent picker shows."""

from __future__ import annotations

from itertools import pairwise

from negotiation.engine.deal import personas
from negotiation.ratings import persona_ratings


def test_every_persona_is_rated_at_five_difficulties() -> None:
    found = persona_ratings()
    assert set(found) == set(personas())
    for rows in found.values():
        assert [row["difficulty"] for row in rows] == [0.0, 0.25, 0.5, 0.75, 1.0]


def test_ratings_rise_with_difficulty_and_order_the_characters() -> None:
    found = persona_ratings()
    for rows in found.values():
        assert all(harder["rating"] > easier["rating"] for easier, harder in pairwise(rows))
    described = {name: rows[2]["rating"] for name, rows in found.items()}
    assert sorted(described, key=lambda name: described[name]) == list(personas()), "easiest first"
