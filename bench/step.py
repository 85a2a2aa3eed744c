"""What one step for an agent costs the server without its socket: a frame in, the engine, a frame out; processor time.

    .venv-train/bin/python -m bench.step [--rounds 9] [--output bench/results/step.json]

The episodes of ``bench.openenv``, of every scenario, persona and seat, are put to :class:`Conversation` frame by frame. The
least of several rounds is kept, since other work on the machine can only add.
"""

from __future__ import annotations

import time

from bench.experiment import Figures, Given, experiment, option
from bench.openenv import Episode, recorded
from negotiation.openenv.session import Conversation


def spent(episodes: list[Episode]) -> dict[str, float]:
    """Microseconds of processor time for a step, and for a reset."""
    seconds, counts = {"reset": 0.0, "step": 0.0}, {"reset": 0, "step": 0}
    for episode in episodes:
        conversation = Conversation()
        for place, frame in enumerate(episode):
            kind = "step" if place else "reset"
            began = time.process_time()
            answer = conversation.answer(frame)
            seconds[kind] += time.process_time() - began
            counts[kind] += 1
            assert answer is not None
            assert answer.startswith('{"type":"observation"')
    return {kind: 1e6 * seconds[kind] / counts[kind] for kind in seconds}


@experiment(
    "step.json",
    option("--rounds", type=int, default=9),
)
def main(chosen: Given) -> Figures:
    found: dict[str, object] = {"what": "processor microseconds in the server, least of all rounds"}
    for name, speak in (("deal", True), ("deal_without_words", False)):
        episodes = recorded(speak=speak)
        rounds = [spent(episodes) for _ in range(chosen.rounds)]
        found[name] = {kind: round(min(each[kind] for each in rounds), 1) for kind in ("step", "reset")}
    return found


if __name__ == "__main__":
    main()
