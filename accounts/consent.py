"""The wording under which people consent to the training use of their deals. A new wording is a new version."""

from __future__ import annotations

WORDINGS: dict[int, str] = {
    1: (
        "Parlay may use the deals that I play alone, with their words, offers and outcomes but without my name, "
        "to train the opponents of this installation. I can take this back at any time; deals are then left out "
        "of every training set that is made afterwards. What a model has learnt by then can't be unlearnt."
    ),
}
"""Every wording that anybody was ever shown, by version. Never edited: it is what people said yes to."""

CURRENT = max(WORDINGS)
