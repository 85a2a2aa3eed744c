"""Trying a finished deal again from any of its turns, against the same opponent; it counts for learning only."""
