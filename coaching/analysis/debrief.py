"""The debrief of a finished game: money, reward by turn, offers against both truths, bluffs, beliefs.

It reads the frames of the log as a coach sees them and nothing else, so any log can be debriefed anywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from coaching.analysis.adaptation import adaptation
from coaching.analysis.calibration import band, brier, brier_skill, calls, coverage, learned
from coaching.analysis.claims import truthfulness
from coaching.analysis.curves import concessions, own_steps
from coaching.analysis.discovery import discovery
from coaching.analysis.finished_log import FinishedLog
from coaching.analysis.packages import packages
from coaching.analysis.patience import patience
from coaching.analysis.sums import sums, sweeteners
from coaching.analysis.wording import gettext, gettext_noop
from negotiation.engine.cards import FLOOR
from negotiation.engine.deal import Belief, Scenario, SeatTruth
from negotiation.engine.deal.case.declared import DealCase
from negotiation.engine.deal.reward import belief_accuracy, is_bluff
from negotiation.engine.deal.types import OTHER_SEAT
from negotiation.opponents.standins import counted

SCHEMA = 1

TERM_LABELS = {
    "value": gettext_noop("Their movement"),
    "theory_of_mind": gettext_noop("Reading them"),
    "capitulation": gettext_noop("Conceding unmatched"),
    "incoherence": gettext_noop("Incoherence"),
    "bluff": gettext_noop("Bluffs"),
    "market_event": gettext_noop("Reading the news"),
    "efficiency": gettext_noop("Share of the zone"),
    "speed": gettext_noop("Speed"),
    "adaptation": gettext_noop("Adapting"),
    "floor_breach": gettext_noop("Beyond your limit"),
    "no_deal": gettext_noop("No deal"),
}

END_TERMS = ("efficiency", "speed", "adaptation", "floor_breach", "no_deal")
"""The terms that only the end of a deal earns, for the page to tell them from those of the turns."""

REASONS = {
    "player_accepted": gettext_noop("You accepted their offer."),
    "opponent_accepted": gettext_noop("They accepted your offer."),
    "player_walked": gettext_noop("You walked away."),
    "opponent_walked": gettext_noop("They walked away."),
    "zone_collapsed": gettext_noop("Open conflict ended the talks."),
    "horizon": gettext_noop("The last turn passed without agreement."),
}


def debrief(
    frames: Iterable[Mapping[str, Any]], scenario: Scenario | None = None, case: DealCase | None = None
) -> dict[str, Any]:
    """Everything the debrief page and ``manage.py debrief`` show. Money in whole currency units.

    Where terms stood beside the price, the zone, the limits and each ``worth`` are what it is worth to the player.

    Args:
        frames: the log as a coach sees it.
        scenario: the one that was played; by default the shipped one of that name.
        case: the world behind it, where there was one.

    Raises:
        NotFinished: when the log does not end with the game's end.
    """
    log = FinishedLog(frames, scenario)
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
            "learned": [
                {**row, "low": log.scenario.round(row["low"]), "high": log.scenario.round(row["high"])}
                for row in learned([(graded["turn"], graded["posterior"]) for graded in log.graded])
            ],
            "calls": calls(theirs),
            "patience": patience(log.first_truth),
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
        "discovery": discovery(log, case),
        "voices": counted(log.accounts) if log.accounts else None,
    }


def _headline(log: FinishedLog, outcome: Mapping[str, Any]) -> dict[str, Any]:
    price, split = outcome["price"], log.even_split
    worth = None if price is None else log.ledger.worth(price, outcome.get("agreed") or {})
    past_nash = log.sign * (worth - split) if worth is not None and split is not None else None
    own_sweets, their_sweets = sweeteners(log.player, log.opponent, log.scenario, log.seat)
    added = further = None
    if worth is not None and price is not None:
        if log.width > 0:
            added = sums(
                price=price,
                worth=worth,
                limit=log.ledger.limits[log.seat],
                room=log.width,
                share=outcome["efficiency"],
                sweetened=own_sweets,
                seat=log.seat,
            )
        if not log.scenario.issues:
            then = log.truth_before(outcome["turns"])["opponent"]["walk_away"]
            further = log.sign * (then - price) + their_sweets
    return {
        "deal": outcome["deal"],
        "reason": outcome["reason"],
        "reason_text": gettext(REASONS[outcome["reason"]]),
        "price": price,
        "worth": worth,
        "efficiency": outcome["efficiency"],
        "efficiency_current_width": outcome["efficiency_current_width"],
        "nash_price": outcome["nash_price"],
        "past_nash": past_nash,
        "left_on_the_table": added["left"] if added else outcome["left_on_the_table"],
        "sums": added,
        "further": further,
        "erosion_cost": outcome["erosion_cost"],
        "floor_breached": outcome["floor_breached"],
        "zone_existed": log.width > 0,
        "turns": outcome["turns"],
        "total_reward": outcome["total_reward"],
    }


def _offers(log: FinishedLog) -> list[dict[str, Any]]:
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


def _terms(log: FinishedLog) -> dict[str, Any]:
    by_turn = []
    totals: dict[str, float] = {}
    for graded in log.graded:
        if not graded["terms"]:
            continue
        terms = [{**term, "label": gettext(TERM_LABELS[term["name"]])} for term in graded["terms"]]
        by_turn.append({"turn": graded["turn"], "terms": terms, "total": graded["reward"]})
        for term in terms:
            totals[term["name"]] = totals.get(term["name"], 0.0) + term["points"]
    return {
        "by_turn": by_turn,
        "totals": [
            {"name": name, "label": gettext(label), "points": totals[name]}
            for name, label in TERM_LABELS.items()
            if name in totals
        ],
    }


def _their_claims(log: FinishedLog) -> list[dict[str, Any]]:
    """Each floor that they stated: true, shaded or false, and what was made of it."""
    claims = []
    for turn, move in sorted(log.opponent.items()):
        if move["claim"] is None:
            continue
        truth = log.truth_before(turn)["opponent"]["walk_away"]
        verdict, settled = _verdict_after(log, turn)
        stands = truthfulness(move["claim"], truth, log.scenario.step)
        if verdict == "false_call" and stands == "shaded":
            verdict = "doubted"
        claims.append(
            {
                "turn": turn,
                "claim": move["claim"],
                "truth": truth,
                "off_by": abs(move["claim"] - truth) / truth,
                "off": abs(move["claim"] - truth),
                "stands": stands,
                "bluff": stands == "false",
                "verdict": verdict,
                "settled_on": settled,
            }
        )
    return claims


def _verdict_after(log: FinishedLog, turn: int) -> tuple[str, int | None]:
    """How a claim made on ``turn`` was settled: the first bluff term after it that is not zero.

    The score knows true and false alone; who doubted a shaded one was not wrong, which the caller says.
    """
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


def _your_claims(log: FinishedLog) -> list[dict[str, Any]]:
    claims = []
    for turn, move in sorted(log.player.items()):
        if move["card"] != FLOOR:
            continue
        claim = move["claim"] if move["claim"] is not None else move["offer"]
        truth = log.truth_before(turn)["player"]["walk_away"]
        answer = log.opponent.get(turn)
        claims.append(
            {
                "turn": turn,
                "claim": claim,
                "truth": truth,
                "off": None if claim is None else abs(claim - truth),
                "stands": None if claim is None else truthfulness(claim, truth, log.scenario.step),
                "bluff": claim is not None and is_bluff(claim, truth),
                "called": bool(answer and answer["challenge"]),
            }
        )
    return claims


def _accuracy(belief: Belief, truth: Mapping[str, Any], scale: float) -> float:
    scores = belief_accuracy(belief, SeatTruth(**truth), scale)
    return sum(scores.values()) / len(scores)


def _beliefs(log: FinishedLog) -> dict[str, Any]:
    """Stated beliefs against the truth, beside what a Bayesian observer would have believed.

    ``skill`` is the difference of both errors on their limit over the larger one: 0 is as good as the observer, 1
    perfect, -1 an error beside which the observer's is nothing.
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
    own, observer = sum(errors), sum(reference_errors)
    return {
        "by_turn": rows,
        "mean_accuracy": sum(r["accuracy"] for r in rows) / len(rows) if rows else None,
        "skill": (observer - own) / max(observer, own) if max(observer, own) > 0 else None,
    }


def _calibration(log: FinishedLog) -> dict[str, Any]:
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
