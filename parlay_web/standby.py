"""The tables' application for two processes of which one serves: the other has everything loaded and waits for its turn.

Both have the same listening socket from whoever keeps them running (``bin/play``). Whose turn it is holds a lock on a file,
and the kernel lets go of it when that process ends, however it ends: the other one takes the next connection a moment
later, instead of after all that a start has to load. In the file stand the server's number and its heartbeat's file.
"""

from __future__ import annotations

import fcntl
import os
import time
from pathlib import Path
from typing import IO

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from twisted.internet import reactor

from negotiation.warming import warm_up
from parlay_web.asgi import application as loaded
from parlay_web.pulse import Beating

LOOK_EVERY = 0.05


def take_turn(turn: Path, heartbeat: Path) -> IO[str]:
    """Wait until nobody else serves; what is returned is to be kept open. The heart beats meanwhile."""
    held = turn.open("a+")
    if not _ours(held):
        warm_up()
        while not _ours(held):
            heartbeat.touch()
            time.sleep(LOOK_EVERY)
    held.truncate(0)
    held.write(f"{os.getpid()} {heartbeat}")
    held.flush()
    return held


def _ours(held: IO[str]) -> bool:
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


if not isinstance(loaded, Beating):
    raise ImproperlyConfigured("PARLAY_HEARTBEAT: a process that takes its turn has a heartbeat")
application = loaded
_turn = take_turn(Path(settings.VAR_DIR) / "web.turn", application.file)
# Nobody may have asked for anything yet when somebody looks whether the loop turns.
reactor.callWhenRunning(application.begin)
