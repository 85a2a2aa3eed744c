"""A debrief in words and rows, as its page prints it."""

from __future__ import annotations

from typing import Any

from negotiation.engine.coalition import EVERYONE, SEATS, CoalitionScenario, Seat, in_order
from negotiation.engine.language.types import format_money
from negotiation.engine.shares import percent

SeatWords = dict[str, dict[str, str]]


class DebriefPage:
    """The review of one deal, seen from the player's seat."""

    def __init__(self, found: dict[str, Any], scenario: CoalitionScenario, seats: SeatWords) -> None:
        self._found = found
        self._outcome = found["outcome"]
        self._seat: Seat = found["seat"]
        self._scenario = scenario
        self._seats = seats

    def _money(self, value: float) -> str:
        sign = "−" if value < -0.5 else ""
        return sign + format_money(abs(float(round(value))), self._scenario.money)

    def _name(self, seat: str) -> str:
        return "You" if seat == self._seat else self._seats[seat]["short"]

    def _object(self, seat: str) -> str:
        return "you" if seat == self._seat else self._seats[seat]["short"]

    def _together(self, members: list[str], joint: str) -> str:
        words = joint.join(self._object(member) for member in members)
        return words[0].upper() + words[1:]

    def headline(self) -> dict[str, Any]:
        """The figures at the top of the page, written out."""
        out, seat = self._outcome, self._seat
        whole = max(row["value"] for row in self._found["worth"])
        others = [self._seats[other]["name"] for other in SEATS if other != seat]
        return {
            "company": self._seats[seat]["company"],
            "others": " and ".join(others),
            "got": self._money(out["payoffs"][seat]),
            "shapley": self._money(out["shapley"][seat]),
            "best": self._money(out["core"][seat][1]) if out["core"] else "–",
            "share": percent(out["payoffs"][seat] / whole),
            "whole": self._money(whole),
            "efficiency": percent(out["efficiency"]),
            "lost": self._money(self._found["price_of_leaving_out"]),
            "meter_max": round(whole),
            "words": self._words(),
        }

    def _words(self) -> str:
        agreement = self._outcome["agreement"]
        if agreement is None:
            return f"After {self._outcome['rounds']} rounds nobody had signed. Nobody gets anything."
        members = agreement["members"]
        pays = ", ".join(
            f"{self._object(payer)} {'pay' if payer == self._seat else 'pays'} {self._money(pay)}"
            for payer, pay in agreement["pays"].items()
        )
        when = f"in round {self._outcome['rounds']}"
        if len(members) == len(EVERYONE):
            return f"All three signed {when}: {pays} a year."
        who = self._together(members, " and ")
        what = self._scenario.arrangements["alone" if "seller" in members else "depot"]
        left = "You had left the table." if self._seat in self._found["walked_away"] else "You were left out."
        tail = "" if self._seat in members else f" {left}"
        return f"{who} signed {when} for {what}: {pays} a year.{tail}"

    def rows(self) -> dict[str, list[dict[str, Any]]]:
        """The tables: coalitions, seats beside theory, proposals, claims, what the player did not hear."""
        found, out = self._found, self._outcome
        return {
            "worth": [
                {
                    "name": self._together(row["members"], " + "),
                    "value": row["value"],
                    "meter": round(row["value"]),
                }
                for row in found["worth"]
            ],
            "seats": [
                {
                    "name": self._name(seat),
                    "got": out["payoffs"][seat],
                    "shapley": out["shapley"][seat],
                    "nucleolus": out["nucleolus"][seat],
                    "core": out["core"][seat] if out["core"] else None,
                }
                for seat in in_order(EVERYONE)
            ],
            "proposals": [
                {
                    "round": row["round"],
                    "by": self._name(row["by"]),
                    "private": row["to"] is not None,
                    "who": self._together(row["members"], ", "),
                    "payoffs": [row["payoffs"][seat] for seat in SEATS],
                    "agreed": row["agreed"],
                }
                for row in found["proposals"]
            ],
            "claims": [
                {
                    "round": row["round"],
                    "by": self._name(row["by"]),
                    "private": row["to"] is not None,
                    "rival": self._object(row["rival"]),
                    "price": self._money(row["price"]),
                    "true": row["true"],
                }
                for row in found["claims"]
            ],
            "hidden": [
                {
                    "round": row["round"],
                    "by": self._name(row["seat"]),
                    "to": self._object(row["to"]),
                    "text": row["text"],
                }
                for row in found["behind_your_back"]
            ],
        }
