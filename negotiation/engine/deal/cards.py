"""Credibility: what playing cards is paid with. The cards themselves are in ``engine/cards``."""

from __future__ import annotations

from negotiation.engine.cards import CARDS, Card

__all__ = ["CARDS", "POINTS_PER_TURN", "STARTING_POINTS", "Card"]

STARTING_POINTS = 100
POINTS_PER_TURN = 5
