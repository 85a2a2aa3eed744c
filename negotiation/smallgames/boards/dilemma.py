"""The prisoner's dilemma: its matrix, and a row of lamps for each side."""

from __future__ import annotations

from typing import Any

from negotiation.engine.drills import IPD, RoundView, View
from negotiation.engine.drills.ipd import COOPERATE, DEFECT
from negotiation.smallgames.boards.types import Choice, Line
from negotiation.smallgames.sitting import Sitting

WORDS = {COOPERATE: "Cooperate", DEFECT: "Defect"}
DONE = {COOPERATE: "cooperated", DEFECT: "defected"}


class DilemmaBoard:
    """Both know the same."""

    def __init__(self, sitting: Sitting) -> None:
        view = sitting.view
        if not isinstance(view, RoundView):
            raise TypeError("the dilemma is seen round by round")
        self._view = view

    @property
    def ask(self) -> str:
        """The same every round."""
        return "Give or take?"

    def picture(self) -> dict[str, Any]:
        """The four cells with how often each came up, and the rounds so far."""
        pairs = list(zip(self._view.own, self._view.other, strict=True))
        rules = IPD()
        rows = [
            {
                "label": f"You {WORDS[own].lower()}",
                "cells": [
                    {
                        "pays": rules.pay((own, other), ((), ()), 0),
                        "times": pairs.count((own, other)),
                        "last": bool(pairs) and pairs[-1] == (own, other),
                    }
                    for other in (COOPERATE, DEFECT)
                ],
            }
            for own in (COOPERATE, DEFECT)
        ]
        lamps = [{"own": own == COOPERATE, "other": other == COOPERATE} for own, other in pairs]
        return {"rows": rows, "lamps": lamps, "left": range(IPD.rounds - len(pairs))}

    def choices(self) -> list[Choice]:
        """Two."""
        return [
            Choice(COOPERATE, "Cooperate", "3 if they do, 0 if not"),
            Choice(DEFECT, "Defect", "5 if they cooperate, 1 if not"),
        ]

    def lines(self, *, reveal: bool) -> list[Line]:
        """Nothing was hidden."""
        rounds = zip(self._view.own, self._view.other, self._view.payoffs, strict=True)
        return [
            Line(n, DONE[own].capitalize(), DONE[other].capitalize(), paid)
            for n, (own, other, paid) in enumerate(rounds, 1)
        ]

    def words(self, action: int, view: View) -> str:
        """Cooperate or defect."""
        return WORDS[action]

    def theory(self, advice: dict[int, float], view: View) -> str:
        """Always the same, whatever came before."""
        return (
            "The only equilibrium defects, in every round: a known end unravels back to the start. "
            "It is an answer to nobody’s kindness, and nobody can exploit it."
        )
