"""The checks that a log can answer: each reads the frames of one finished game and says yes, no or no occasion.

Pure: no database. Frames are those of the coach's role. Texts are heard by the same reader as at the table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from coaching.analysis.debrief import debrief
from negotiation.engine.deal import SIGN, Scenario, Seat
from negotiation.engine.language import understand

Answer = Literal["yes", "no", "na"]


@dataclass(frozen=True, slots=True)
class RuleVerdict:
    """An answer and its reason, in words for the rep."""

    answer: Answer
    why: str


class Log:
    """One finished game, as the rules ask about it."""

    def __init__(self, frames: Sequence[Mapping[str, Any]], scenario: Scenario) -> None:
        self.debrief = debrief(frames, scenario)
        self.money = scenario.money
        self.moves = [f["data"] for f in frames if f.get("type") == "player_moved"]
        self.replies = {f["data"]["turn"]: f["data"] for f in frames if f.get("type") == "opponent_moved"}
        self.tables = [f["data"] for f in frames if f.get("type") == "turn_closed"]
        self.seat: Seat = self.debrief["seat"]
        self.sign = SIGN[self.seat]

    def acts(self, move: Mapping[str, Any]) -> set[str]:
        """The acts and tactics heard in the words of a move."""
        if not move["text"]:
            return set()
        reading = understand(move["text"], money=self.money, seat=self.seat)
        return {*reading.acts, *reading.tactics}


def question_first(log: Log) -> RuleVerdict:
    """A question in a turn before the first own number: one in the same breath can't be answered first."""
    for move in log.moves:
        if move["offer"] is not None:
            return RuleVerdict("no", f"Your first number came on turn {move['turn']}, before any answer.")
        if "question" in log.acts(move):
            return RuleVerdict("yes", f"You asked on turn {move['turn']}.")
    return RuleVerdict("no", "You asked nothing.")


def no_double_concession(log: Log) -> RuleVerdict:
    """Never two concessions in a row while the other side stood still in between."""
    last_offer: float | None = None
    gave_on: int | None = None
    their_last: float | None = log.replies[0]["offer"] if 0 in log.replies else None
    for move in log.moves:
        offer, turn = move["offer"], move["turn"]
        if offer is not None:
            gave = last_offer is not None and log.sign * (last_offer - offer) > 0
            if gave and gave_on is not None:
                return RuleVerdict(
                    "no", f"You gave on turn {gave_on} and again on turn {turn}; they had not moved."
                )
            gave_on = turn if gave else None
            last_offer = offer
        reply = log.replies.get(turn)
        if reply is not None and reply["offer"] is not None:
            if their_last is not None and log.sign * (reply["offer"] - their_last) > 0:
                gave_on = None
            their_last = reply["offer"]
    return RuleVerdict("yes", "You never gave twice in a row for nothing.")


def bluff_called(log: Log) -> RuleVerdict:
    """At least one of their false limits was called."""
    bluffs = [claim for claim in log.debrief["bluffs"]["theirs"] if claim["bluff"]]
    if not bluffs:
        return RuleVerdict("na", "They stated no false limit.")
    caught = next((claim for claim in bluffs if claim["verdict"] == "caught"), None)
    if caught:
        return RuleVerdict("yes", f"You called the limit they stated on turn {caught['turn']}.")
    return RuleVerdict("no", f"The limit they stated on turn {bluffs[0]['turn']} was false, and stood.")


def no_threat(log: Log) -> RuleVerdict:
    """No threat in any of the rep's words."""
    threat = next((move for move in log.moves if "threat" in log.acts(move)), None)
    if threat:
        return RuleVerdict("no", f"Your words on turn {threat['turn']} were a threat.")
    return RuleVerdict("yes", "You threatened with nothing.")


def inside_limit(log: Log) -> RuleVerdict:
    """A deal, and not beyond one's own limit; where no price suited both, leaving is no failure."""
    head = log.debrief["headline"]
    if head["deal"]:
        if head["floor_breached"]:
            return RuleVerdict("no", "The price lies beyond your own limit.")
        return RuleVerdict("yes", "You closed inside your own limit.")
    if not head["zone_existed"]:
        return RuleVerdict("na", "There was no price that suited both.")
    return RuleVerdict("no", "There was no deal, though there was room for one.")


def kept_cool(log: Log) -> RuleVerdict:
    """The tension never became critical."""
    hot = next((table for table in log.tables if table["tension_band"] == "critical"), None)
    if hot:
        return RuleVerdict("no", f"The talks were at breaking point after turn {hot['turn']}.")
    return RuleVerdict("yes", "The talks never came to breaking point.")


def belief_stated(log: Log) -> RuleVerdict:
    """An estimate of their limit, written down while playing."""
    for move in log.moves:
        if move["belief"] and move["belief"].get("walk_away") is not None:
            return RuleVerdict("yes", f"You wrote down an estimate of their limit on turn {move['turn']}.")
    return RuleVerdict("no", "You wrote down no estimate of their limit.")


@dataclass(frozen=True, slots=True)
class Rule:
    """A check that needs no manager: its words on the rubric and the function that answers it."""

    text: str
    answer: Callable[[Log], RuleVerdict]


RULES: dict[str, Rule] = {
    "question_first": Rule("Asked a question before the first number", question_first),
    "no_double_concession": Rule("Never conceded twice in a row for nothing", no_double_concession),
    "bluff_called": Rule("Called a bluff", bluff_called),
    "no_threat": Rule("Used no threat", no_threat),
    "inside_limit": Rule("Closed inside the own limit", inside_limit),
    "kept_cool": Rule("Kept the talks from breaking point", kept_cool),
    "belief_stated": Rule("Wrote down an estimate of their limit", belief_stated),
}
"""Every automatic check by its name in ``Check.auto``."""
