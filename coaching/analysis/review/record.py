"""A finished game as its player saw it: all that the move review may know.

Built from the frames that the player was sent, so hidden truth cannot get in.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from negotiation.engine.deal import Persona, Scenario, Seat, SeatTruth, personas
from negotiation.engine.deal.case.acts import Talk
from negotiation.engine.deal.case.declared import DealCase
from negotiation.engine.deal.case.rules import Record
from negotiation.engine.deal.case.state import ToldFact
from negotiation.engine.deal.issues import bundle_of


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """One move of either side, with its terms as a bundle's number. ``words`` are what was said with it, ``talk`` what they
    were heard to do, ``deadline_turns`` the turns that a deadline gives."""

    offer: float | None
    bundle: int
    card: str | None
    claim: float | None
    challenge: bool | None
    accept: bool
    walk_away: bool
    words: str
    deadline_turns: int | None = None
    talk: tuple[Talk, ...] = ()


@dataclass(frozen=True, slots=True)
class TableView:
    """What the player saw of the table after a turn."""

    own: SeatTruth
    own_offer: float | None
    standing_offer: float | None
    open_claim: float | None
    tension: float
    points: int
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """One turn: the table before it, the player's move, the answer, and the table after it; ``record`` is what the answer
    told, raised and found out, at a table with a case."""

    turn: int
    before: TableView
    move: PlayedMove
    reply: PlayedMove | None
    after: TableView | None
    record: Record | None = None


@dataclass(frozen=True, slots=True)
class ReviewHeadline:
    """News, by the turn it came with."""

    id: str
    kind: str
    turn: int


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game from the player's seat, start to end."""

    scenario: Scenario
    persona: Persona
    seat: Seat
    difficulty: float
    horizon: int
    opening: PlayedMove | None
    turns: tuple[PlayedTurn, ...]
    headlines: tuple[ReviewHeadline, ...]
    case: DealCase | None = None
    """The world behind the deal, as its author wrote it."""
    needs: Mapping[str, float] = field(default_factory=dict)
    """What the player's own needs weigh, 1 as heavily as usual."""
    guided_turns: int = 0
    """So many of the first turns were played under the guide of a first deal."""


def _seat_truth(data: Mapping[str, Any]) -> SeatTruth:
    values = tuple(tuple(each) for each in data.get("values", ()))
    known = {key: value for key, value in data.items() if key in SeatTruth.__dataclass_fields__}
    return SeatTruth(**{**known, "values": values})


def _view(data: Mapping[str, Any]) -> TableView:
    return TableView(
        own=_seat_truth(data["own"]),
        own_offer=data["own_offer"],
        standing_offer=data["standing_offer"],
        open_claim=data["open_claim"],
        tension=data["tension"],
        points=data["credibility_points"],
        cards=tuple(data["cards"]),
    )


class _Bundles:
    """Terms as they were named become bundles; what is not named stays as it was on that side."""

    def __init__(self, scenario: Scenario) -> None:
        self._issues = scenario.issues
        self._last = 0

    def of(self, data: Mapping[str, Any]) -> int:
        if data.get("offer") is not None:
            self._last = bundle_of(self._issues, data.get("terms") or {}, self._last)
        return self._last

    def stand_at(self, terms: Mapping[str, str] | None) -> None:
        """The terms that the table shows for this side; settles which of several packages stands."""
        if terms is not None:
            self._last = bundle_of(self._issues, terms, self._last)


def _move(data: Mapping[str, Any], bundle: int) -> PlayedMove:
    return PlayedMove(
        offer=data["offer"],
        bundle=bundle,
        card=data["card"],
        claim=data["claim"],
        challenge=data.get("challenge"),
        accept=data["accept"],
        walk_away=data["walk_away"],
        words=data["text"],
        deadline_turns=data.get("deadline_turns"),
        talk=tuple(Talk(**each) for each in data.get("talk", ())),
    )


def _record(answer: Mapping[str, Any]) -> Record:
    """What an answer told, raised and found out."""
    return Record(
        told=tuple(ToldFact(**each) for each in answer.get("told", ())),
        raised=tuple(each["id"] for each in answer.get("raised", ())),
        exposed=tuple(answer.get("exposed", ())),
    )


def read_played(
    frames: Iterable[Mapping[str, Any]],
    scenario: Scenario,
    case: DealCase | None = None,
    guided_turns: int = 0,
) -> PlayedGame:
    """Read a finished game from the frames of its player.

    Args:
        frames: the log as the player's role sees it.
        scenario: the one that was played.
        case: the world behind it, where there was one.
        guided_turns: how many of its first turns were played under the guide of a first deal.
    """
    game: Mapping[str, Any] = {}
    moved: dict[int, Mapping[str, Any]] = {}
    answered: dict[int, Mapping[str, Any]] = {}
    closed: dict[int, Mapping[str, Any]] = {}
    headlines = []
    for frame in frames:
        kind, data = frame.get("type"), frame.get("data", {})
        if kind == "game_started":
            game = data
        elif kind == "player_moved":
            moved[data["turn"]] = data
        elif kind == "opponent_moved":
            answered[data["turn"]] = data
        elif kind == "turn_closed":
            closed[data["turn"]] = data
        elif kind == "news":
            headlines.append(ReviewHeadline(data["id"], data["kind"], data["turn"]))
    mine, theirs = _Bundles(scenario), _Bundles(scenario)
    opening = _move(answered[0], theirs.of(answered[0])) if 0 in answered else None
    turns = []
    for turn in sorted(moved):
        data, after, reply = _stood(moved[turn], closed.get(turn)), closed.get(turn), answered.get(turn)
        move = _move(data, mine.of(data))
        mine.stand_at(after.get("own_terms") if after else None)
        answer = _move(reply, theirs.of(reply)) if reply else None
        seen = _view(after) if after else None
        record = None if case is None or reply is None else _record(reply)
        turns.append(PlayedTurn(turn, _view(closed[turn - 1]), move, answer, seen, record))
    return PlayedGame(
        scenario=scenario,
        persona=personas()[game["persona"]],
        seat=game["seat"],
        difficulty=game["difficulty"],
        horizon=game["horizon"],
        opening=opening if opening is None or opening.offer is not None else None,
        turns=tuple(turns),
        headlines=tuple(headlines),
        case=case,
        needs=game.get("sheet", {}).get("needs", {}),
        guided_turns=guided_turns,
    )


def _stood(move: Mapping[str, Any], after: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """The move with the package that stands: of several side by side, the one the opponent preferred."""
    if not move.get("alternatives") or after is None or after["own_offer"] is None:
        return move
    return {**move, "offer": after["own_offer"], "terms": after.get("own_terms")}
