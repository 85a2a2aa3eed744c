"""The log of a finished game, as a debrief asks for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from coaching.analysis.packages import Offered, PackageValues
from negotiation.engine.deal import SIGN, Scenario, Seat, scenarios


class NotFinished(ValueError):
    """The log has no end yet, so there is nothing to debrief."""


class FinishedLog:
    """The frames of one game, sorted by what they are."""

    def __init__(self, frames: Iterable[Mapping[str, Any]], scenario: Scenario | None) -> None:
        by_type: dict[str, list[dict[str, Any]]] = {}
        for frame in frames:
            if "type" in frame:
                by_type.setdefault(frame["type"], []).append(dict(frame["data"]))
        if "game_ended" not in by_type:
            raise NotFinished("this game has not ended yet")
        self.game = by_type["game_started"][0]
        self.scenario = scenario or scenarios()[self.game["scenario"]]
        self.outcome: dict[str, Any] = by_type["game_ended"][0]["outcome"]
        self.player = {move["turn"]: move for move in by_type.get("player_moved", [])}
        self.opponent = {move["turn"]: move for move in by_type.get("opponent_moved", [])}
        self.tables = by_type["turn_closed"]
        self.graded = by_type["turn_graded"]
        self.news = by_type.get("news", [])
        self.accounts = by_type.get("answer_explained", [])
        assisted = by_type.get("assisted", [])
        self.assisted: str | None = assisted[0]["reason"] if assisted else None
        self.seat: Seat = self.game["seat"]
        self.sign = SIGN[self.seat]
        self.ledger = PackageValues.of(self.scenario, self.seat, self.first_truth)

    @property
    def first_truth(self) -> dict[str, Any]:
        truth: dict[str, Any] = self.graded[0]["truth"]
        return truth

    @property
    def last_truth(self) -> dict[str, Any]:
        truth: dict[str, Any] = self.graded[-1]["truth"]
        return truth

    @property
    def width(self) -> float:
        """What there was to share at the start, in money; negative when there was nothing."""
        return self.ledger.zone

    @property
    def even_split(self) -> float | None:
        """The Nash point as what it is worth to the player: the price, where only that was open."""
        return self.ledger.limits[self.seat] + self.sign * self.width / 2 if self.width > 0 else None

    @property
    def offered(self) -> list[Offered]:
        """Every package that either side put forward, in order."""
        found: list[Offered] = []
        for turn in range(self.outcome["turns"] + 1):
            mine, theirs = self.player.get(turn), self.opponent.get(turn)
            if mine is not None and mine["offer"] is not None:
                beside = [(each["price"], each["terms"]) for each in mine.get("alternatives") or ()]
                for price, terms in [(mine["offer"], mine.get("terms") or {}), *beside]:
                    found.append((turn, "player", price, terms))
            if theirs is not None and theirs["offer"] is not None:
                found.append((turn, "opponent", theirs["offer"], theirs.get("terms") or {}))
        return found

    def zone_of(self, truth: Mapping[str, Any]) -> tuple[float, float]:
        """Where agreement lay: between both limits; over packages, from the own one as far as there is money.

        The lower end lies above the upper one where there was nothing to agree on.
        """
        if not self.scenario.issues:
            return truth["zopa_low"], truth["zopa_high"]
        ledger = PackageValues.of(self.scenario, self.seat, truth)
        own, across = ledger.limits[self.seat], ledger.limit_of_theirs()
        return (own, across) if self.seat == "seller" else (across, own)

    def worth_of(self, turn: int) -> tuple[float | None, float | None]:
        """What each side's package of a turn is worth to the player; of several, the one that then stood."""
        mine, theirs = self.player.get(turn), self.opponent.get(turn)
        own = across = None
        if mine is not None and mine["offer"] is not None:
            laid = [
                (mine["offer"], mine.get("terms") or {}),
                *((each["price"], each["terms"]) for each in mine.get("alternatives") or ()),
            ]
            own = self.ledger.worth(*laid[(theirs or {}).get("preferred") or 0])
        if theirs is not None and theirs["offer"] is not None:
            across = self.ledger.worth(theirs["offer"], theirs.get("terms") or {})
        return own, across

    @property
    def scale(self) -> float:
        """What errors are measured by: the zone, or its nominal width where there was none."""
        return self.width if self.width > 0 else self.scenario.nominal_width

    def truth_before(self, turn: int) -> dict[str, Any]:
        """Both truths as they stood while ``turn`` was played."""
        earlier = [g["truth"] for g in self.graded if g["turn"] < turn]
        truth: dict[str, Any] = earlier[-1] if earlier else self.first_truth
        return truth
