"""What the figure across the table shows is read from keys that every role may see."""

from __future__ import annotations

import re

from negotiation.events import visible_keys
from tests.servers import ROOT


def test_a_face_reads_nothing_of_a_move_that_a_watcher_may_not_see() -> None:
    told = re.search(r"READS = \[([^\]]+)\]", (ROOT / "static/js/expression.js").read_text(encoding="utf-8"))
    assert told is not None
    reads = set(re.findall(r'"(\w+)"', told[1]))
    assert "claim" in reads
    # The side is the fold's own word for which event it was.
    assert reads - {"side"} <= visible_keys("opponent_moved", "watcher")
    assert {"tension", "tension_band"} <= visible_keys("turn_closed", "watcher")
