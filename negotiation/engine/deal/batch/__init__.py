"""Thousands of games at once: the engine over arrays, equal to the scalar engine game for game.

What is left out is what does not move a price: words, stated beliefs, and the reward terms that grade them.
``tests/engine/test_batch.py`` plays both engines side by side.
"""

from negotiation.engine.deal.batch.moves import Moves, Replies
from negotiation.engine.deal.batch.play import BatchNegotiation, Outcomes

__all__ = ["BatchNegotiation", "Moves", "Outcomes", "Replies"]
