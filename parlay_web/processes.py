"""Processes that we start. Standard library only."""

from __future__ import annotations

import ctypes
import signal
import sys


def die_with_parent() -> None:
    """For ``preexec_fn``: on Linux the kernel ends the child even when its parent is killed without a chance to."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGTERM)
