"""The deal for three as something to learn: a menu of moves, what a game earned, and what it cost others."""
