"""SEPO on the small games of ``trainer.domains.drills``.

``training`` is the learner's loop, ``model`` what it trains, ``course`` the way from examples to a measured player.
"""
