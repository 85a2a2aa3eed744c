"""The debrief of a finished game: money, reward by turn, offers against both truths, bluffs, beliefs.

It reads the frames of the log as a coach sees them and nothing else, so any log can be debriefed anywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from coaching.analysis.adaptation import adaptation
from coaching.analysis.calibration import band, brier, brier_skill, calls, coverage, learned
from coaching.analysis.curves import concessions, own_steps
from coaching.analysis.packages import Ledger, Offered, packages
from negotiation.engine.deal import SIGN, Belief, Scenario, Seat, SeatTruth, scenarios
from negotiation.engine.deal.reward import belief_accuracy, is_bluff
from negotiation.engine.deal.types import OTHER_SEAT

SCHEMA = 1

TERM_LABELS = {
    "value": "Their movement",
    "theory_of_mind": "Reading them",
    "capitulation": "Conceding unmatched",
    "incoherence": "Incoherence",
    "bluff": "Bluffs",
    "market_event": "Reading the news",
    "efficiency": "Share of the zone",
    "speed": "Speed",
    "adaptation": "Adapting",
    "floor_breach": "Beyond your limit",
    "no_deal": "No deal",
}

END_TERMS = ("efficiency", "speed", "adaptation", "floor_breach", "no_deal")
"""The terms that only the end of a deal earns, for the page to tell them from those of the turns."""

REASONS = {
    "player_accepted": "You accepted their offer.",
    "opponent_accepted": "They accepted your offer.",
    "player_walked": "You walked away.",
    "opponent_walked": "They walked away.",
    "zone_collapsed": "The conflict used up the zone of agreement.",
    "horizon": "The last turn passed without agreement.",
}


class NotFinished(ValueError):
    """The log has no end yet, so there is nothing to debrief."""


def debrief(frames: Iterable[Mapping[str, Any]], scenario: Scenario | None = None) -> dict[str, Any]:
    """Everything the debrief page and ``manage.py debrief`` show. Money in whole currency units.

    Where terms stood beside the price, the zone, the limits and each ``worth`` are what it is worth to the player.

    Args:
        frames: the log as a coach sees it.
        scenario: the one that was played; by default the shipped one of that name.

    Raises:
        NotFinished: when the log does not end with the game's end.
    """
    log = _Log(frames, scenario)
    outcome = log.outcome
    width = log.width
    offers, theirs = _offers(log), _their_claims(log)
    return {
        "schema": SCHEMA,
        "scenario": log.game["scenario"],
        "persona": log.game["persona"],
        "seat": log.game["seat"],
        "currency": log.scenario.currency,
        "player": log.game["player_name"],
        "assisted": log.assisted,
        "headline": _headline(log, outcome),
        "zone": {
            **dict(zip(("original_low", "original_high"), log.zone_of(log.first_truth), strict=True)),
            **dict(zip(("final_low", "final_high"), log.zone_of(log.last_truth), strict=True)),
            "width": width,
            "nash": log.even_split,
        },
        "offers": offers,
        "packages": packages(log.ledger, outcome, log.offered),
        "terms": _terms(log),
        "bluffs": {"theirs": theirs, "yours": _your_claims(log)},
        "beliefs": _beliefs(log),
        "conduct": {
            "concessions": concessions(offers, log.seat, log.game["horizon"]),
            "learned": learned([(graded["turn"], graded["posterior"]) for graded in log.graded]),
            "calls": calls(theirs),
            "calibration": _calibration(log),
            "events": adaptation(
                log.news, log.player, own_steps(offers, log.seat), log.truth_before, log.seat
            ),
        },
        "tension": [
            {
                "turn": table["turn"],
                "value": table["tension"],
                "band": table["tension_band"],
                "zone_remaining": table["zopa_width_pct_remaining"],
            }
            for table in log.tables
        ],
        "news": log.news,
    }


class _Log:
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
        assisted = by_type.get("assisted", [])
        self.assisted: str | None = assisted[0]["reason"] if assisted else None
        self.seat: Seat = self.game["seat"]
        self.sign = SIGN[self.seat]
        self.ledger = Ledger.of(self.scenario, self.seat, self.first_truth)

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
        ledger = Ledger.of(self.scenario, self.seat, truth)
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


def _headline(log: _Log, outcome: Mapping[str, Any]) -> dict[str, Any]:
    price, split = outcome["price"], log.even_split
    worth = None if price is None else log.ledger.worth(price, outcome.get("agreed") or {})
    past_nash = log.sign * (worth - split) if worth is not None and split is not None else None
    return {
        "deal": outcome["deal"],
        "reason": outcome["reason"],
        "reason_text": REASONS[outcome["reason"]],
        "price": price,
        "worth": worth,
        "efficiency": outcome["efficiency"],
        "efficiency_current_width": outcome["efficiency_current_width"],
        "nash_price": outcome["nash_price"],
        "past_nash": past_nash,
        "left_on_the_table": outcome["left_on_the_table"],
        "erosion_cost": outcome["erosion_cost"],
        "floor_breached": outcome["floor_breached"],
        "zone_existed": log.width > 0,
        "turns": outcome["turns"],
        "total_reward": outcome["total_reward"],
    }


def _offers(log: _Log) -> list[dict[str, Any]]:
    """Both sides' offers turn by turn beside both limits as they then were."""
    rows = []
    for turn in range(0, log.outcome["turns"] + 1):
        mine, theirs = log.player.get(turn), log.opponent.get(turn)
        if mine is None and theirs is None:
            continue
        truth = log.truth_before(turn)
        low, high = log.zone_of(truth)
        own_worth, their_worth = log.worth_of(turn)
        rows.append(
            {
                "turn": turn,
                "own": mine["offer"] if mine else None,
                "theirs": theirs["offer"] if theirs else None,
                "own_worth": own_worth,
                "their_worth": their_worth,
                "own_limit": low if log.seat == "seller" else high,
                "their_limit": high if log.seat == "seller" else low,
            }
        )
    return rows


def _terms(log: _Log) -> dict[str, Any]:
    by_turn = []
    totals: dict[str, float] = {}
    for graded in log.graded:
        if not graded["terms"]:
            continue
        terms = [{**term, "label": TERM_LABELS[term["name"]]} for term in graded["terms"]]
        by_turn.append({"turn": graded["turn"], "terms": terms, "total": graded["reward"]})
        for term in terms:
            totals[term["name"]] = totals.get(term["name"], 0.0) + term["points"]
    return {
        "by_turn": by_turn,
        "totals": [
            {"name": name, "label": label, "points": totals[name]}
            for name, label in TERM_LABELS.items()
            if name in totals
        ],
    }


def _their_claims(log: _Log) -> list[dict[str, Any]]:
    """Each floor that they stated: true or not, and what was made of it."""
    claims = []
    for turn, move in sorted(log.opponent.items()):
        if move["claim"] is None:
            continue
        truth = log.truth_before(turn)["opponent"]["walk_away"]
        verdict, settled = _verdict_after(log, turn)
        claims.append(
            {
                "turn": turn,
                "claim": move["claim"],
                "truth": truth,
                "off_by": abs(move["claim"] - truth) / truth,
                "bluff": is_bluff(move["claim"], truth),
                "verdict": verdict,
                "settled_on": settled,
            }
        )
    return claims


def _verdict_after(log: _Log, turn: int) -> tuple[str, int | None]:
    """How a claim made on ``turn`` was settled: the first bluff term after it that is not zero."""
    for graded in log.graded:
        if graded["turn"] <= turn:
            continue
        for term in graded["terms"]:
            if term["name"] == "bluff" and term["value"]:
                value = term["value"]
                return ("caught" if value == 1 else "false_call" if value == -1 else "swallowed"), graded[
                    "turn"
                ]
        later = log.opponent.get(graded["turn"])
        if later is not None and later["claim"] is not None:
            break
    return "unchallenged", None


def _your_claims(log: _Log) -> list[dict[str, Any]]:
    claims = []
    for turn, move in sorted(log.player.items()):
        if move["card"] != "batna_reveal":
            continue
        claim = move["claim"] if move["claim"] is not None else move["offer"]
        truth = log.truth_before(turn)["player"]["walk_away"]
        answer = log.opponent.get(turn)
        claims.append(
            {
                "turn": turn,
                "claim": claim,
                "truth": truth,
                "bluff": claim is not None and is_bluff(claim, truth),
                "called": bool(answer and answer["challenge"]),
            }
        )
    return claims


def _accuracy(belief: Belief, truth: Mapping[str, Any], scale: float) -> float:
    scores = belief_accuracy(belief, SeatTruth(**truth), scale)
    return sum(scores.values()) / len(scores)


def _beliefs(log: _Log) -> dict[str, Any]:
    """Stated beliefs against the truth, beside what a Bayesian observer would have believed.

    ``skill`` is how much of the reference observer's remaining error on their limit the player did without:
    0 is as good as the observer, 1 perfect, negative worse.
    """
    rows = []
    errors, reference_errors = [], []
    for turn, move in sorted(log.player.items()):
        if move["belief"] is None:
            continue
        truth = log.truth_before(turn)["opponent"]
        belief = Belief(**move["belief"])
        reference = next(g["posterior"]["mean"] for g in reversed(log.graded) if g["turn"] < turn)
        if belief.walk_away is not None:
            errors.append(abs(belief.walk_away - truth["walk_away"]))
            reference_errors.append(abs(reference - truth["walk_away"]))
        rows.append(
            {
                "turn": turn,
                "stated": move["belief"],
                "truth": truth,
                "accuracy": _accuracy(belief, truth, log.scale),
                "reference": reference,
            }
        )
    observer = sum(reference_errors)
    return {
        "by_turn": rows,
        "mean_accuracy": sum(r["accuracy"] for r in rows) / len(rows) if rows else None,
        "skill": 1 - sum(errors) / observer if observer > 0 else None,
    }


def _calibration(log: _Log) -> dict[str, Any]:
    """Stated chances of an alternative, and stated bands of their limit, against what was true at the time.

    The observer's own 95% intervals on the same turns stand beside the bands.
    """
    forecasts, bands, observed = [], [], []
    for turn, move in sorted(log.player.items()):
        belief = move["belief"]
        if belief is None:
            continue
        truth = log.truth_before(turn)["opponent"]
        if belief["p_alternative"] is not None:
            forecasts.append((belief["p_alternative"], bool(truth["has_alternative"])))
        if belief["walk_away"] is not None:
            bands.append((*band(belief["walk_away"], belief["confidence"]), truth["walk_away"]))
            posterior = next(g["posterior"] for g in reversed(log.graded) if g["turn"] < turn)
            observed.append((*posterior["ci95"], truth["walk_away"]))
    base_rate = log.scenario.seats[OTHER_SEAT[log.seat]].alternative_probability
    return {
        "brier": brier(forecasts),
        "brier_skill": brier_skill(forecasts, base_rate),
        "forecasts": len(forecasts),
        "coverage": coverage(bands),
        "observer_coverage": coverage(observed),
    }
