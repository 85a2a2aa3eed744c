"""A player that was trained on the batched engine: a small network on what may be seen, in NumPy.

``views`` what is seen, ``memory`` what is kept in mind, ``features`` what the network reads, ``choice`` what its outputs
mean, ``player`` the whole at one table or at many. How it was trained: ``trainer/domains/deal/oracle``.
"""

from negotiation.engine.deal.oracle.player import Oracle, Oracles

__all__ = ["Oracle", "Oracles"]
