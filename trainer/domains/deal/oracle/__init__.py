"""How the oracle (``negotiation/engine/deal/oracle``) is trained: in NumPy alone, on the batched engine.

``games`` plays, ``learning`` judges and learns, ``distribution`` is what moves are drawn from, ``layers`` the network
with its gradients.
"""
