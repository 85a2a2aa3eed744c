"""Reading what people bring in a process of its own, under limits, so that no text can stop the one that serves tables."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

_ROOT = Path(__file__).resolve().parent.parent


def ends_well(module: str, *arguments: str, content: bytes, seconds: float) -> bool:
    """Whether ``python -m module`` reads ``content`` as its input and ends well, within ``seconds`` by the wall."""
    command = (sys.executable, "-m", module, *arguments)
    try:
        done = subprocess.run(  # noqa: S603  # ourselves
            command, cwd=_ROOT, input=content, capture_output=True, check=False, timeout=seconds
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def limit_processor(seconds: int) -> None:
    """From here on the kernel ends this process when it has used so much processor time."""
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
