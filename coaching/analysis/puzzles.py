"""Puzzles cut from a finished game: was that limit true, and where did it lie?

A question shows what the player had at that moment and nothing later; the answer holds the truth, what a careful
observer could have known then, and what gave it away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from negotiation.engine.deal.issues import bundle_of, bundle_worths, labels
from negotiation.engine.deal.persona import personas
from negotiation.engine.deal.reward import BLUFF_TOLERANCE, is_bluff
from negotiation.engine.deal.scenario import Scenario
from negotiation.engine.deal.strategist.claims import is_honest
from negotiation.engine.deal.types import SIGN, Seat
from negotiation.engine.language import format_money
from negotiation.engine.shares import percent

Kind = Literal["bluff", "limit"]
Frames = Sequence[Mapping[str, Any]]

MISS = 0.1
"""A band is meant to miss the truth one time in ten."""
MOST_BLUFFS = 2
_OFFERS_TO_GO_BY = 3


@dataclass(frozen=True, slots=True)
class Cut:
    """A puzzle that a game holds: its kind, and the turn after whose answer it is asked."""

    kind: Kind
    turn: int


@dataclass(frozen=True, slots=True)
class Solved:
    """How an answer did: a score in [0, 1], and whether it was as good as could be asked."""

    score: float
    right: bool
    fair: bool
    """Whether the observer, on the same evidence, would have had it right."""


def cut(frames: Frames, scenario: Scenario) -> list[Cut]:
    """The puzzles that a finished game is good for: the last two stated limits, and one guess at mid-game.

    Of a persona that never bluffs, as its page says, no limit is asked about: the name would be the answer.
    """
    persona = personas()[_first(frames, "game_started")["persona"]]
    theirs = [frame["data"] for frame in frames if frame.get("type") == "opponent_moved"]
    stated = {
        move["claim"]: move["turn"] for move in theirs if move["claim"] is not None and move["turn"] > 0
    }
    doubtful = [] if is_honest(persona) else sorted(stated.values())[-MOST_BLUFFS:]
    found = [Cut("bluff", turn) for turn in doubtful]
    closed = {frame["data"]["turn"] for frame in frames if frame.get("type") == "turn_closed"}
    offered = [move["turn"] for move in theirs if move["offer"] is not None and move["turn"] in closed]
    # Over packages a limit is a figure for each set of terms: nothing that one band could hold.
    if len(offered) >= _OFFERS_TO_GO_BY and not scenario.issues:
        middle = max(_OFFERS_TO_GO_BY - 1, len(offered) // 2)
        found.append(Cut("limit", offered[min(middle, len(offered) - 1)]))
    return found


def question_of(frames: Frames, scenario: Scenario, puzzle: Cut) -> dict[str, Any]:
    """What the player had at that moment. Plain values; nothing of the answer is among them."""
    seen = _seen(frames, puzzle)
    game = _first(frames, "game_started")
    table = _last(seen, "turn_closed")
    said = _at(seen, "opponent_moved", puzzle.turn)
    return {
        "kind": puzzle.kind,
        "turn": puzzle.turn,
        "seat": game["seat"],
        "persona": game["persona"],
        "persona_name": personas()[game["persona"]].name,
        "claim": said["claim"] if puzzle.kind == "bluff" else None,
        "words": said["text"],
        "own_limit": table["own"]["walk_away"],
        "offers": _offers(seen, scenario),
        "headlines": [frame["data"]["text"] for frame in seen if frame.get("type") == "news"],
    }


def answer_of(frames: Frames, scenario: Scenario, puzzle: Cut) -> dict[str, Any]:
    """The truth then, what a careful observer made of it, and what gave it away."""
    graded = _at(frames, "turn_graded", puzzle.turn) or _last(frames, "turn_graded")
    if puzzle.kind == "limit":
        truth = graded["truth"]["opponent"]["walk_away"]
        posterior = graded["posterior"]
        low, high = _band(posterior)
        return {
            "truth": truth,
            "low": low,
            "high": high,
            "score": interval_score(low, high, truth),
            "posterior": posterior,
        }
    claim = _at(frames, "opponent_moved", puzzle.turn)["claim"]
    truth = _limit_before(frames, puzzle.turn)
    chance = chance_of_bluff(claim, graded["posterior"])
    return {
        "truth": truth,
        "bluff": is_bluff(claim, truth),
        "chance": chance,
        "off_by": abs(claim - truth) / abs(truth),
        "tells": _tells(frames, scenario, puzzle.turn, claim, truth, chance),
    }


def judge_bluff(said_bluff: bool, answer: Mapping[str, Any]) -> Solved:
    """Right or wrong."""
    right = said_bluff == answer["bluff"]
    return Solved(float(right), right, (answer["chance"] > 0.5) == answer["bluff"])


def judge_limit(low: float, high: float, answer: Mapping[str, Any]) -> Solved:
    """A band against the observer's on the same evidence: one half is as good as the observer."""
    own, observer = interval_score(low, high, answer["truth"]), answer["score"]
    inside = low <= answer["truth"] <= high
    return Solved(
        score=observer / (observer + own) if observer + own > 0 else 0.5,
        right=inside and own <= 2 * observer,
        fair=answer["low"] <= answer["truth"] <= answer["high"],
    )


def interval_score(low: float, high: float, truth: float) -> float:
    """The interval score of a 90% band, in money; smaller is better (Gneiting & Raftery 2007, eq. 43)."""
    return (high - low) + 2 / MISS * (max(0.0, low - truth) + max(0.0, truth - high))


def chance_of_bluff(claim: float, posterior: Mapping[str, Any]) -> float:
    """How likely the observer, who does not listen to claims, finds it that a stated limit is false."""
    limits, mass = np.array(posterior["grid"]), np.array(posterior["density"])
    false = np.abs(claim - limits) > BLUFF_TOLERANCE * np.abs(limits)
    return float(mass[false].sum() / mass.sum())


def _band(posterior: Mapping[str, Any]) -> tuple[float, float]:
    """The observer's central 90% band, in money."""
    grid, cumulative = posterior["grid"], np.cumsum(posterior["density"])
    ends = np.searchsorted(cumulative, np.array([MISS / 2, 1 - MISS / 2]) * cumulative[-1])
    low, high = (float(grid[min(len(grid) - 1, int(end))]) for end in ends)
    return low, high


def _tells(
    frames: Frames, scenario: Scenario, turn: int, claim: float, truth: float, chance: float
) -> list[str]:
    """What gave a stated limit away, or spoke for it."""
    seat: Seat = _first(frames, "game_started")["seat"]
    sign, money = SIGN[seat], scenario.money
    told = []
    offered = [move for move in _all(frames, "opponent_moved") if move["offer"] is not None]
    beyond = [move for move in offered if move["turn"] > turn and sign * (move["offer"] - claim) > 0]
    if beyond and not scenario.issues:
        later = beyond[0]
        told.append(f"On turn {later['turn']} they offered {format_money(later['offer'], money)} themselves.")
    apart = scenario.round(abs(truth - claim))
    if apart >= scenario.step:
        way = "further than they said" if sign * (truth - claim) > 0 else "less far than they said"
        told.append(f"They would have gone {format_money(apart, money)} {way}.")
    then = [move["offer"] for move in offered if move["turn"] <= turn]
    if then and not scenario.issues and sign * (claim - then[-1]) > 0:
        gap = format_money(scenario.round(abs(claim - then[-1])), money)
        told.append(f"Their own offer still stood {gap} short of the limit they stated.")
    told.append(
        f"From offers and news alone, a careful observer put the chance of a bluff at {percent(chance)}."
    )
    claims = [move for move in _all(frames, "opponent_moved") if move["claim"] is not None]
    if len(claims) > 1:
        false = sum(is_bluff(each["claim"], _limit_before(frames, each["turn"])) for each in claims)
        told.append(f"They stated a limit {len(claims)} times in this deal; {false} of them were false.")
    return told


def _limit_before(frames: Frames, turn: int) -> float:
    """Their true limit while ``turn`` was played."""
    graded = _all(frames, "turn_graded")
    then = [each for each in graded if each["turn"] < turn] or graded
    return float(then[-1]["truth"]["opponent"]["walk_away"])


def _offers(seen: Frames, scenario: Scenario) -> list[dict[str, Any]]:
    """Both sides' offers by turn, each with what it is worth to the player as a price on the first terms."""
    own, seat = _last(seen, "turn_closed")["own"], _first(seen, "game_started")["seat"]
    worths = bundle_worths(scenario.issues, own.get("values", ()))
    rows: dict[int, dict[str, Any]] = {}
    for frame in seen:
        side = {"player_moved": "own", "opponent_moved": "theirs"}.get(frame.get("type", ""))
        if side is None or frame["data"]["offer"] is None:
            continue
        data = frame["data"]
        row = rows.setdefault(data["turn"], {"turn": data["turn"], "own": None, "theirs": None})
        bundle = bundle_of(scenario.issues, data.get("terms") or {})
        row[side] = data["offer"]
        row[f"{side}_worth"] = data["offer"] + SIGN[seat] * float(worths[bundle])
        if scenario.issues:
            row[f"{side}_terms"] = ", ".join(labels(scenario.issues, bundle))
    return [rows[turn] for turn in sorted(rows)]


def _seen(frames: Frames, puzzle: Cut) -> list[Mapping[str, Any]]:
    """The log up to the moment that is asked about, without what only a coach saw."""
    last = "opponent_moved" if puzzle.kind == "bluff" else "turn_closed"
    kept: list[Mapping[str, Any]] = []
    for frame in frames:
        if frame.get("type") != "turn_graded":
            kept.append(frame)
        if frame.get("type") == last and frame["data"]["turn"] == puzzle.turn:
            break
    return kept


def _all(frames: Frames, kind: str) -> list[dict[str, Any]]:
    return [frame["data"] for frame in frames if frame.get("type") == kind]


def _first(frames: Frames, kind: str) -> dict[str, Any]:
    return _all(frames, kind)[0]


def _last(frames: Frames, kind: str) -> dict[str, Any]:
    return _all(frames, kind)[-1]


def _at(frames: Frames, kind: str, turn: int) -> dict[str, Any]:
    """The event of that kind on that turn; empty when there was none."""
    return next((data for data in _all(frames, kind) if data["turn"] == turn), {})
