"""Learning to play the seven-power board.

``tries`` and ``stages`` are how an answer is written, ``self_play`` where positions of its own come from, ``bot`` a
frozen policy as a player, ``course`` the way from bots' examples to a measured player.
"""
