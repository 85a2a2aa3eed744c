"""The deal for agents: an OpenEnv server, a process of its own, and clients for it.

``tables`` is what both ends mean by a turn; ``environment`` is the deal as OpenEnv knows environments; ``app`` and
``session`` serve it; ``client`` plays it from afar. Only the serving half imports the ``openenv`` library, which is heavy.
"""
