"""What the debrief of a deal between two people prints, from one side of the table.

It reads what that side may see, and nothing else. What there was to share, and what each got of it, tells of both sides'
truth: it is there once both have laid their cards open.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from negotiation import catalogue
from negotiation.engine.deal import Scenario
from negotiation.engine.deal.case.labels import ACT_WORDS, TOPIC_WORDS
from negotiation.engine.deal.types import OTHER_SEAT, SIGN, Seat
from negotiation.engine.language import format_money
from negotiation.pairs.selectors import Side, cards_shown, name_of, snapshot_of
from negotiation.pairs.sessions import scenario_of
from negotiation.public import seat_brief

_WIDTH, _HEIGHT, _EDGE = 640.0, 200.0, 14.0
"""The course, in units of its drawing."""


def person_card(name: str, scenario: Scenario, seat: Seat) -> dict[str, Any]:
    """A person across the table, in the words in which the pages of a deal speak of a persona."""
    brief = seat_brief(scenario, seat)
    first, _, rest = name.partition(" ")
    return {
        "id": "",
        "name": name,
        "first": first,
        "rest": f" {rest}" if rest else "",
        "initials": "".join(part[0] for part in name.split()[:2]).upper(),
        "title": f"{brief['role']}, {brief['company']}",
        "tagline": "A person, as you are: their papers are as hidden from you as yours from them.",
    }


class DebriefPage:
    """What ``pairs/debrief.html`` prints."""

    def __init__(self, side: Side) -> None:
        self._deal, self.seat = side.deal, side.seat
        self.scenario = scenario_of(side.deal)
        self.case = catalogue.case_on_texts(side.deal.case_text_id, side.deal.scenario_text_id)
        self._state = snapshot_of(side.deal.pk, side.seat)
        agreed, self.sealed = cards_shown(side.deal)
        self.mine_open, self.theirs_open = side.seat in agreed, OTHER_SEAT[side.seat] in agreed
        self.me = "You" if side.own else name_of(side.deal, side.seat)
        self.they = name_of(side.deal, OTHER_SEAT[side.seat])
        self.brief = seat_brief(self.scenario, side.seat)

    @property
    def headline(self) -> str:
        """The price, or that there was none."""
        price = self._deal.price
        return "No deal" if price is None else self.money(price)

    @property
    def words(self) -> str:
        """How it ended, in one sentence."""
        who = self.me if self._deal.ended_by == self.seat else self.they
        whose = f"{self.they}’s" if who == self.me else ("your" if self.me == "You" else f"{self.me}’s")
        return {
            "accepted": f"{who} accepted {whose} offer.",
            "walked": f"{who} walked away.",
            "left": f"{who} did not come back to move in time. It counts for nothing.",
            "zone_collapsed": "The heat used up the last of the room for a deal.",
            "horizon": "The last turn passed without agreement.",
        }.get(self._deal.outcome_reason, "")

    @property
    def terms(self) -> list[str]:
        """What was agreed on beside the price."""
        outcome = self._state["outcome"] or {}
        return self._labels(outcome.get("agreed") or {})

    @property
    def figures(self) -> list[dict[str, str]]:
        """What this side can count by itself."""
        own, table = self._state["own"] or {}, self._state["table"] or {}
        limit = own.get("walk_away")
        found = []
        if limit is not None:
            title = "Your walk-away" if self.me == "You" else "Their walk-away"
            found.append({"title": title, "value": self.money(limit), "note": "As it stood at the end."})
        worth = self._worth()
        if worth is not None and limit is not None:
            beyond = SIGN[self.seat] * (worth - limit)
            note = (
                "More than walking away would have been worth."
                if beyond >= 0
                else "Walking away was worth more."
            )
            found.append({"title": "Beyond it", "value": self.money(beyond), "note": note})
        found.append({"title": "Turns", "value": f"{self._deal.turn} of {self._deal.horizon}", "note": ""})
        if table:
            left = table["zopa_width_pct_remaining"]
            found.append(
                {
                    "title": "Room at the close",
                    "value": f"{left:.0f}%",
                    "note": f"Of the usual room; the tension was {table['tension_band']}.",
                }
            )
        return found

    def _worth(self) -> float | None:
        """What was agreed on is worth to this side, as a price on the first terms."""
        price = self._deal.price
        if price is None or self._state["own"] is None or self._state["outcome"] is None:
            return None
        return self._worth_of(price, self._state["outcome"]["agreed"])

    def _worth_of(self, price: float, terms: Mapping[str, str]) -> float:
        values = (self._state["own"] or {}).get("values") or []
        total = 0.0
        for issue, row in zip(self.scenario.issues, values, strict=False):
            chosen = (
                [option.id for option in issue.options].index(terms[issue.id]) if issue.id in terms else 0
            )
            total += row[chosen]
        return price + SIGN[self.seat] * total

    @property
    def course(self) -> list[dict[str, Any]]:
        """Every package that was put on the table, with what it was worth to this side."""
        found = []
        for move in self._state["transcript"]:
            if move["offer"] is None:
                continue
            worth = self._worth_of(move["offer"], move["terms"] or {})
            mine = move["side"] == "player"
            found.append(
                {
                    "turn": move["turn"],
                    "mine": mine,
                    "who": self.me if mine else self.they,
                    "price": self.money(move["offer"]),
                    "terms": self._labels(move["terms"] or {}),
                    "worth": self.money(worth),
                    "at": worth,
                }
            )
        return found

    @property
    def drawing(self) -> dict[str, Any] | None:
        """The course as points of two lines and the limit, in units of the drawing; ``None`` where nothing was offered."""
        course = self.course
        limit = (self._state["own"] or {}).get("walk_away")
        if not course or limit is None:
            return None
        values = [row["at"] for row in course] + [limit]
        low, high = min(values), max(values)
        spread = (high - low) or 1.0
        last = max(1, max(row["turn"] for row in course) - 1)

        def y(value: float) -> float:
            return round(_HEIGHT - _EDGE - (value - low) / spread * (_HEIGHT - 2 * _EDGE), 1)

        def x(turn: int) -> float:
            return round(_EDGE + (turn - 1) / last * (_WIDTH - 2 * _EDGE), 1)

        lines: dict[bool, list[dict[str, float]]] = {True: [], False: []}
        for row in course:
            lines[row["mine"]].append({"x": x(row["turn"]), "y": y(row["at"])})
        return {
            "mine": lines[True],
            "theirs": lines[False],
            "limit": y(limit),
            "width": int(_WIDTH),
            "height": int(_HEIGHT),
        }

    @property
    def talk(self) -> list[dict[str, Any]]:
        """What this side's words were heard to do, most often first."""
        done = Counter(
            (each["act"], each.get("topic"))
            for move in self._state["transcript"]
            for each in move.get("talk") or ()
        )
        return [
            {"words": _in_words(act, topic), "times": times} for (act, topic), times in done.most_common()
        ]

    @property
    def lines(self) -> list[dict[str, Any]]:
        """What was said, as it was written."""
        return [
            {
                "turn": move["turn"],
                "who": self.me if move["side"] == "player" else self.they,
                "mine": move["side"] == "player",
                "text": move["text"],
                "deed": self._deed(move),
            }
            for move in self._state["transcript"]
        ]

    def _deed(self, move: Mapping[str, Any]) -> str:
        if move["accept"]:
            return "Accepts"
        if move["walk_away"]:
            return "Leaves the table"
        if move["offer"] is None:
            return ""
        return " · ".join([self.money(move["offer"]), *self._labels(move["terms"] or {})])

    @property
    def open_cards(self) -> dict[str, Any] | None:
        """Both sides' truth and what there was to share, once both have laid their cards open."""
        sealed = self.sealed
        if not sealed:
            return None
        sides = [self._opened(seat, sealed) for seat in (self.seat, OTHER_SEAT[self.seat])]
        best, got = sealed.get("best_joint_surplus"), sealed.get("joint_surplus")
        nash = sealed.get("nash_price")
        return {
            "sides": sides,
            "zone": self.money(best) if best else "",
            "lost": self.money(best - got) if best and got is not None and round(best - got) > 0 else "",
            "nash": self.money(nash) if nash is not None else "",
            "nash_terms": self._labels(sealed.get("nash_terms") or {}),
        }

    def _opened(self, seat: Seat, sealed: Mapping[str, Any]) -> dict[str, Any]:
        counted = sealed.get("counted", {}).get(seat, {})
        share = counted.get("efficiency")
        facts = sealed.get("facts", {}).get(seat, [])
        return {
            "who": self.me if seat == self.seat else self.they,
            "limit": self.money(sealed["close"][seat]["walk_away"]),
            "share": f"{100 * share:.0f}%" if share is not None and self._deal.price is not None else "",
            "told": [each["says"] for each in facts if each["told"]],
            "kept": [each["says"] for each in facts if not each["told"]],
        }

    def money(self, value: float) -> str:
        """An amount in the scenario's currency, rounded to its step where it is a price."""
        return ("−" if value < 0 else "") + format_money(abs(round(value)), self.scenario.money)

    def _labels(self, terms: Mapping[str, str]) -> list[str]:
        return [
            option.label
            for issue in self.scenario.issues
            for option in issue.options
            if terms.get(issue.id) == option.id
        ]


def _in_words(act: str, topic: str | None) -> str:
    words = ACT_WORDS[act].replace("{topic}", TOPIC_WORDS[topic] if topic else "it")  # type: ignore[index]  # as logged
    return words[0].upper() + words[1:]
