"""What a player can read off the table about what the other side hides: bits a frame, by what gave them away.

``python -m bench.leakage``. One history is played at tables of many worlds, which differ in the other side's truth
alone; those that look alike to the player stay together. With ``n`` worlds equally likely, a frame that splits a group
of ``g`` into parts of ``p`` tells ``log2 g - sum(p/g * log2 p)`` bits. What the other side chose to tell
(``tests/noninterference/deal.py`` lists it) is counted apart from what the table lets slip, which must be nothing.
"""

from __future__ import annotations

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "parlay_web.settings.test")

import django

from bench.experiment import Figures, Given, experiment, keep, option
from negotiation.engine.deal import scenarios


@experiment(
    "leakage.json",
    option("--seeds", type=int, default=10, help="histories of each scenario, persona and seat"),
    option("--worlds", type=int, default=32),
)
def main(chosen: Given) -> Figures:
    django.setup()
    from bench.leakage_frames import measured  # imports models

    report: Figures = {"worlds": chosen.worlds, "scenarios": {}}
    for scenario in sorted(scenarios()):
        report["scenarios"][scenario] = measured(scenario, chosen.seeds, chosen.worlds)
        keep(report, chosen.output)
    return report


if __name__ == "__main__":
    main()
