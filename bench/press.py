"""Do words alone buy anything at the board? One power that plays as a DumbBot and writes, among six envoys, against silence.

    python -m bench.press [--games 24] [--years 4] [--power FRANCE] [--output bench/results/press.json]

The games run through the code of the table (`negotiation.diplomacy.conduct`), without its database. Every arm plays the
same seeds, so a game differs from its silent twin by what the words did. What is written is written at the start of every
phase, to each other power or to all. The writer never reads, and plays on as if it had said nothing.
Gains are means of pairs with 95% bootstrap intervals over games; every game's own figures are kept.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy is loaded
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "parlay_web.settings.test")

import django

from bench.experiment import Figures, Given, experiment, option
from negotiation.engine.diplomacy import POWERS
from negotiation.engine.diplomacy.geography import POWER_ID


@experiment(
    "press.json",
    option("--games", type=int, default=24),
    option("--years", type=int, default=4),
    option("--power", choices=POWERS, default="FRANCE"),
)
def main(asked: Given) -> Figures:
    django.setup()
    from bench.press_games import measured  # imports models

    found = measured(asked.games, asked.years, POWER_ID[asked.power])
    return {"power": asked.power, "years": asked.years, "scripts": found}


if __name__ == "__main__":
    main()
