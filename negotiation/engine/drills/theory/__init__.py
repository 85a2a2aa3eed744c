"""Exact theory of the games in which both move at once."""
