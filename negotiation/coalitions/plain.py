"""The table for three in plain words, for a browser that runs no scripts: what was said, what lies on the table, the form.

With scripts the page draws the same from the frames of the socket (``static/js/coalition-table.js``).
"""

from __future__ import annotations

from typing import Any

from negotiation.engine.coalition import BUYERS, EVERYONE, SEATS, CoalitionScenario
from negotiation.engine.language.types import format_money


class PlainTable:
    """What ``coalition/_composer.html`` and ``coalition/_plain.html`` print, from what the scripts start from."""

    def __init__(self, start: dict[str, Any], scenario: CoalitionScenario) -> None:
        self._start = start
        self._scenario = scenario
        self._turns = [frame["data"] for frame in start["frames"] if frame.get("type") == "acted"]

    @property
    def open(self) -> bool:
        """Whether turns can be taken."""
        return bool(self._start["table"]["status"] == "live")

    @property
    def choices(self) -> list[dict[str, str]]:
        """The coalitions that the player can propose, the widest first."""
        own = [one["members"] for one in self._start["coalitions"] if self._start["seat"] in one["members"]]
        return [{"value": "+".join(members), "label": self._deal(members)} for members in reversed(own)]

    @property
    def others(self) -> list[dict[str, str]]:
        """Whom something can be said to in private."""
        seats = self._start["seats"]
        return [
            {"seat": seat, "short": seats[seat]["short"]} for seat in SEATS if seat != self._start["seat"]
        ]

    @property
    def buyers(self) -> list[dict[str, str]]:
        """Who pays."""
        return [{"seat": seat, "name": self._name(seat)} for seat in BUYERS]

    @property
    def said(self) -> list[dict[str, Any]]:
        """Every turn that the player may see."""
        proposals = {turn["number"]: turn["proposal"] for turn in self._turns if turn["proposal"]}
        return [
            {
                "who": self._name(turn["seat"]),
                "to": self._object(turn["to"]) if turn["to"] else "",
                "round": turn["round"],
                "text": turn["text"],
                "deed": self._deed(turn, proposals),
            }
            for turn in self._turns
        ]

    @property
    def offers(self) -> list[dict[str, Any]]:
        """What lies on the table, and whether the player can stand behind it."""
        seat = self._start["seat"]
        return [
            {
                "number": offer["number"],
                "words": self._proposal(offer["proposal"]),
                "by": self._name(offer["by"]),
                "gain": self._money(offer["gain"]),
                "loss": offer["gain"] < 0,
                "behind": " and ".join(self._object(one) for one in offer["supporters"]),
                "mine": seat in offer["proposal"]["members"] and seat not in offer["supporters"],
            }
            for offer in self._start["table"]["standing"]
        ]

    def _deed(self, turn: dict[str, Any], proposals: dict[int, dict[str, Any]]) -> str:
        if turn["proposal"]:
            return self._proposal(turn["proposal"])
        if turn["support"] is not None:
            backed = proposals.get(turn["support"])
            return f"Stands behind “{self._proposal(backed)}”" if backed else "Stands behind a proposal."
        return "Leaves the table." if turn["walk_away"] else ""

    def _proposal(self, proposal: dict[str, Any]) -> str:
        own = self._start["seat"]
        pays = ", ".join(
            f"{self._object(seat)} {'pay' if seat == own else 'pays'} {self._money(pay)}"
            for seat, pay in proposal["pays"].items()
        )
        return f"{self._deal(proposal['members'])}. {pays[0].upper()}{pays[1:]}."

    def _deal(self, members: list[str]) -> str:
        if len(members) == len(EVERYONE):
            return "All three share the store"
        buyers = [member for member in members if member != "seller"]
        if len(buyers) == 1:
            takes = "take" if buyers[0] == self._start["seat"] else "takes"
            return f"{self._name(buyers[0])} {takes} the whole store"
        if self._start["seat"] not in buyers:
            return "The two buyers take the depot"
        other = next(buyer for buyer in buyers if buyer != self._start["seat"])
        return f"You and {self._name(other)} take the depot"

    def _money(self, value: float) -> str:
        return ("−" if value < 0 else "") + format_money(abs(float(value)), self._scenario.money)

    def _name(self, seat: str) -> str:
        return "You" if seat == self._start["seat"] else str(self._start["seats"][seat]["short"])

    def _object(self, seat: str) -> str:
        return "you" if seat == self._start["seat"] else str(self._start["seats"][seat]["short"])
