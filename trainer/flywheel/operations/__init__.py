"""Keeping it running: what goes when, what is watched, and how it all comes back."""
