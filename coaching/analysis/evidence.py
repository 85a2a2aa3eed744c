"""What one finished game says about its player's skills.

For each skill it is fixed which observations count and how each scores in [0, 1]:

=============  =======================================================================================
every skill    decisions where it was at stake, from the move review: 1 for no regret, 0 from a blunder on;
               a fault counts against the one skill it is put down to, a move without a sure label not at all
probing        also: questions up to the first own number (two are full marks), and each stated estimate of
               their limit against the reference observer's error (as good as the observer: one half)
bluff_calls    each limit that they stated: 1 for a false one called or a true one left alone, else 0; a shaded one
               (see ``coaching.analysis.claims``) tells nothing, whether it was doubted or not
closing        also: a deal within both limits where there was room for one, or none where there was none
tension        also: the share of the zone that heat left, and the share of turns that stayed calm or warm
packaging      also, counted twice: the joint surplus of the deal as a share of the best there was
=============  =======================================================================================
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from coaching.analysis.debrief import debrief
from coaching.analysis.review.labels import FAULTS
from coaching.analysis.review.lessons import SKILLS, Skill
from coaching.analysis.review.moves import heard_acts
from coaching.analysis.review.record import PlayedGame, PlayedTurn, read_played
from negotiation.engine.deal.scenario import Scenario
from negotiation.engine.deal.tension import band

BLUNDER = 0.15
"""A regret from which a decision scores nothing: where the review's mistakes end and blunders begin."""
OPENING_TURNS, CLOSING_TURNS = 2, 3
_ASKED_ENOUGH = 2
_ERROR_FLOOR = 0.02
"""Errors of an estimate below this share of the zone are alike to a person."""
_COOL = ("calm", "warm")


@dataclass(frozen=True, slots=True)
class Evidence:
    """One game on one skill: mean score of its observations, their number, and what its faults gave away.

    ``regret`` is in shares of the zone; ``facts`` are counts for the page.
    """

    skill: Skill
    score: float
    observations: float
    regret: float
    facts: dict[str, int] = field(default_factory=dict)


def quality(regret: float) -> float:
    """A decision's score: 1 without regret, falling evenly to 0 at a blunder."""
    return 1.0 - min(1.0, max(0.0, regret) / BLUNDER)


def evidence_of(
    frames: Sequence[Mapping[str, Any]], scenario: Scenario, review: Mapping[str, Any], first_turn: int = 1
) -> list[Evidence]:
    """What a finished game says about each skill that it put to the test.

    Args:
        frames: the log as a coach sees it: calls of bluffs and estimates are held against the truth.
        review: the game's move review.
        first_turn: where its player came in; what was played before, in the deal that this one retries, is not
            counted twice.
    """
    reading = _Game(frames, scenario, review, first_turn)
    reading.decisions()
    reading.questions()
    reading.estimates()
    facts = reading.calls()
    reading.ending()
    reading.heat()
    reading.surplus()
    found = []
    for skill in SKILLS:
        scores = reading.scores[skill]
        if scores:
            mean = sum(scores) / len(scores)
            lost = reading.regret.get(skill, 0.0)
            found.append(Evidence(skill, mean, len(scores), lost, facts if skill == "bluff_calls" else {}))
    return found


def phases(review: Mapping[str, Any]) -> dict[str, float | None]:
    """What a move gave away on average in the opening, the middle and the last turns, in shares of the zone.

    Only faults count; a phase without a move has no figure.
    """
    moves = review["moves"]
    end = moves[-1]["turn"] if moves else 0
    lost: dict[str, list[float]] = {"opening": [], "middle": [], "closing": []}
    for move in moves:
        early, late = move["turn"] <= OPENING_TURNS, move["turn"] > end - CLOSING_TURNS
        phase = "opening" if early else "closing" if late else "middle"
        lost[phase].append(move["regret"] if move["label"] in FAULTS else 0.0)
    return {phase: sum(each) / len(each) if each else None for phase, each in lost.items()}


class _Game:
    """A game's observations as they are gathered, skill by skill."""

    def __init__(
        self,
        frames: Sequence[Mapping[str, Any]],
        scenario: Scenario,
        review: Mapping[str, Any],
        first_turn: int,
    ) -> None:
        self._scenario, self._first_turn = scenario, first_turn
        self._played: PlayedGame = read_played(frames, scenario)
        self._debrief = debrief(frames, scenario)
        self._outcome: Mapping[str, Any] = next(
            frame["data"]["outcome"] for frame in frames if frame.get("type") == "game_ended"
        )
        self._moves = {move["turn"]: move for move in review["moves"] if move["turn"] >= first_turn}
        self.scores: dict[Skill, list[float]] = {skill: [] for skill in SKILLS}
        self.regret: dict[Skill, float] = {}

    @property
    def _width(self) -> float:
        width = float(self._debrief["zone"]["width"])
        return width if width > 0 else self._scenario.nominal_width

    def decisions(self) -> None:
        """Every reviewed move, for the skills that it put to the test."""
        for turn in self._played.turns:
            move = self._moves.get(turn.turn)
            if move is None or move["label"] is None:
                continue
            if move["label"] in FAULTS and move["skill"]:
                self.regret[move["skill"]] = self.regret.get(move["skill"], 0.0) + move["regret"]
                at_stake = [move["skill"]]
            else:
                at_stake = self._at_stake(turn, move)
            for skill in at_stake:
                if skill != "bluff_calls":
                    self.scores[skill].append(quality(move["regret"]))

    def _at_stake(self, turn: PlayedTurn, move: Mapping[str, Any]) -> list[Skill]:
        """The skills that a move without fault shows."""
        made, kinds = turn.move, {choice["kind"] for choice in move["choices"]}
        if made.accept or made.walk_away:
            return ["closing"]
        first = turn.before.own_offer is None or turn.turn <= OPENING_TURNS
        shown: list[Skill] = ["opening" if first else "pacing"]
        if kinds & {"accept", "walk_away"}:
            shown.append("closing")
        if made.card is not None or band(turn.before.tension) not in _COOL:
            shown.append("tension")
        if "trade" in kinds:
            shown.append("packaging")
        return shown

    def questions(self) -> None:
        """Questions up to and with the first own number."""
        if self._first_turn > 1:
            return
        asked = 0
        for turn in self._played.turns:
            asked += "question" in heard_acts(turn.move.words, self._played, turn.before)
            if turn.move.offer is not None:
                break
        self.scores["probing"].append(min(1.0, asked / _ASKED_ENOUGH))

    def estimates(self) -> None:
        """Each stated limit against the observer who counts offers and headlines only."""
        least = _ERROR_FLOOR * self._width
        for row in self._debrief["beliefs"]["by_turn"]:
            stated, truth = row["stated"]["walk_away"], row["truth"]["walk_away"]
            if stated is not None and row["turn"] >= self._first_turn:
                own, observer = abs(stated - truth) + least, abs(row["reference"] - truth) + least
                self.scores["probing"].append(observer / (observer + own))

    def calls(self) -> dict[str, int]:
        """Each limit that they stated and did not merely shade; returns how many there were of each kind."""
        facts = {"caught": 0, "missed": 0, "false_calls": 0, "left_alone": 0}
        claims = self._debrief["bluffs"]["theirs"]
        for claim in claims:
            if claim["turn"] < self._first_turn or claim["stands"] == "shaded":
                continue
            called = claim["verdict"] in ("caught", "false_call")
            kind = ("caught" if called else "missed") if claim["bluff"] else None
            facts[kind or ("false_calls" if called else "left_alone")] += 1
            self.scores["bluff_calls"].append(float(called == claim["bluff"]))
        return facts

    def ending(self) -> None:
        """Whether it ended as it should have."""
        head = self._debrief["headline"]
        if head["deal"]:
            self.scores["closing"].append(float(not head["floor_breached"]))
        else:
            self.scores["closing"].append(float(not head["zone_existed"]))

    def heat(self) -> None:
        """What conflict took, and how many turns stayed cool."""
        lost = self._debrief["headline"]["erosion_cost"] / self._width
        turns = [row for row in self._debrief["tension"] if row["turn"] >= self._first_turn]
        self.scores["tension"].append(1.0 - min(1.0, max(0.0, lost)))
        if turns:
            self.scores["tension"].append(sum(row["band"] in _COOL for row in turns) / len(turns))

    def surplus(self) -> None:
        """What the deal was worth to both, of what it could have been."""
        joint, best = self._outcome.get("joint_surplus"), self._outcome.get("best_joint_surplus") or 0.0
        if self._scenario.issues and joint is not None and best > 0:
            self.scores["packaging"] += 2 * [min(1.0, max(0.0, joint / best))]
