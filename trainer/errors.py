"""What the person at the keyboard has to mend."""

from __future__ import annotations


class BadInput(Exception):
    """Bad input: one line that names it. A command that raises it ends with status 2."""
