"""What was said at a table with a case, as its player knows it: what was asked, told, objected to and answered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from negotiation.engine.deal.case.declared import Argument, DealCase
from negotiation.engine.deal.case.file import cases
from negotiation.engine.deal.case.labels import OPENING_QUESTIONS
from negotiation.engine.deal.types import OTHER_SEAT, Seat

_QUESTIONS = frozenset(("ask_open", "ask_closed", "ask_problem", "follow_up", "ask_proof"))


@dataclass(frozen=True, slots=True)
class Saying:
    """Something that the other side told or gave as a reason, word for word, and the turn in which it did."""

    id: str
    topic: str
    says: str
    turn: int


@dataclass(frozen=True, slots=True)
class TableTalk:
    """The talk so far.

    ``asked`` are topics, each with the last turn in which the player asked about it; ``used`` the ids of the own sheet's
    arguments that were said; ``told`` and ``raised`` are in the order of the talk.
    """

    case: DealCase
    seat: Seat
    asked: Mapping[str, int]
    used: frozenset[str]
    told: tuple[Saying, ...]
    raised: tuple[Saying, ...]

    @property
    def next_question(self) -> str:
        """The first question of the trade after a topic that nobody asked or told about; empty where none is left."""
        known = {*self.asked, *(each.topic for each in self.told)}
        questions = OPENING_QUESTIONS[OTHER_SEAT[self.seat]].items()
        return next((question for topic, question in questions if topic not in known), "")

    def answer_to(self, objection: Saying) -> Argument | None:
        """What the own sheet has to say against an objection, where nothing of that was said yet.

        Which argument meets which objection is the case's, the same whatever either side hides.
        """
        meets = self.case.seats[OTHER_SEAT[self.seat]].objection[objection.id].answers
        own = [
            each for each in self.case.seats[self.seat].arguments if each.id in meets and not each.sweetener
        ]
        if self.used & meets.keys():
            return None
        return max(own, key=lambda each: meets[each.id], default=None)


def read_talk(frames: Iterable[Mapping[str, Any]]) -> TableTalk | None:
    """The talk of a live game from the frames of its player's role; ``None`` at a table without a case."""
    case, seat = None, "seller"
    asked: dict[str, int] = {}
    used: set[str] = set()
    told: list[Saying] = []
    raised: list[Saying] = []
    for frame in frames:
        kind, data = frame.get("type"), frame.get("data", {})
        if kind == "game_started":
            case, seat = cases().get(data.get("case", "")), data["seat"]
        elif kind == "player_moved":
            for each in data.get("talk", ()):
                if each["act"] in _QUESTIONS and each["topic"]:
                    asked[each["topic"]] = data["turn"]
                elif each["id"]:
                    used.add(each["id"])
        elif kind == "opponent_moved":
            told += _sayings(data, "told")
            raised += _sayings(data, "raised")
    if case is None:
        return None
    own: Seat = "seller" if seat == "seller" else "buyer"
    return TableTalk(case, own, asked, frozenset(used), tuple(told), tuple(raised))


def _sayings(data: Mapping[str, Any], part: str) -> list[Saying]:
    return [Saying(each["id"], each["topic"], each["says"], data["turn"]) for each in data.get(part, ())]
