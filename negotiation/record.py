"""From the engine's objects to the rows of the log: one function for each event that the engine causes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, cast

from negotiation.engine.deal import Action, Negotiation
from negotiation.engine.deal.case.declared import SeatCase
from negotiation.engine.deal.case.drawn import ADVERSE
from negotiation.engine.deal.case.state import FactTruth, Sheet
from negotiation.engine.deal.issues import Issue, bundle_worths
from negotiation.engine.deal.law import LAW
from negotiation.engine.deal.types import (
    OTHER_SEAT,
    SIGN,
    Headline,
    LimitMove,
    Observation,
    Reply,
    Term,
    Truth,
)
from negotiation.engine.deal.wire import to_json
from negotiation.events import (
    AnswerExplained,
    EventType,
    GameEnded,
    GameStarted,
    LimitMoved,
    News,
    OpponentMoved,
    OwnSheet,
    PlayerMoved,
    TurnClosed,
    TurnGraded,
)
from negotiation.hints import hint_for
from negotiation.models import Game
from negotiation.opponents import Account, Answer
from negotiation.table.models import Logged

Row = tuple[EventType, Any]


def started(game: Game, table: Negotiation) -> Iterator[Row]:
    """The set-up, the persona's first words when it speaks first, and the table before the first move."""
    view = table.observe()
    data: GameStarted = {
        "scenario": game.scenario,
        "persona": game.persona,
        "seat": game.seat,
        "horizon": view.horizon,
        "difficulty": game.difficulty,
        "player_name": game.player.get_full_name(),
        "law": LAW,
        "own": to_json(view.own),
    }
    if table.case is not None and view.sheet is not None:
        data["case"] = table.case.scenario
        data["sheet"] = own_sheet(view.sheet, table.case.seats[table.seat])
    yield "game_started", data
    yield from (("news", news(headline)) for headline in view.headlines)
    if table.opening is not None:
        yield "opponent_moved", opponent_moved(0, table.opening)
    yield "turn_closed", turn_closed(view, 0)
    yield "turn_graded", turn_graded(table, 0, (), 0.0, table.truth.facts)


NOT_RETRIED = frozenset({"whispered", "watched", "assisted"})
"""What a coach added to a game does not go along into its retry."""


def before_turn(log: Iterable[Logged], turn: int) -> list[Row]:
    """The rows of a log that stand before the player's move on ``turn``, without a coach's doings."""
    rows: list[Row] = []
    for row in log:
        if row.type == "player_moved" and row.data["turn"] == turn:
            break
        if row.type not in NOT_RETRIED:
            rows.append((row.type, row.data))
    return rows


def bound(action: Action, view: Observation) -> Action:
    """The action with every term written out: an issue that it leaves open stays as in the last package."""
    if action.offer is None:
        return action
    beside = tuple(replace(each, terms={**view.own_terms, **each.terms}) for each in action.alternatives)
    return replace(action, terms={**view.own_terms, **(action.terms or {})}, alternatives=beside)


def own_sheet(sheet: Sheet, side: SeatCase) -> OwnSheet:
    """What a player knows of its own side of a case, and which of it weakens who tells it."""
    facts = [
        {
            "id": each.id,
            "topic": each.topic,
            "says": each.says,
            "weakens": bool(side.fact[each.id].value) and each.high == ADVERSE[side.fact[each.id].value],
        }
        for each in sheet.facts
    ]
    return {"facts": facts, "needs": dict(sheet.needs)}


def player_moved(turn: int, action: Action, action_id: str) -> PlayerMoved:
    """The player's move exactly as it was bound."""
    data: PlayerMoved = {
        "turn": turn,
        "text": action.text,
        "offer": action.offer,
        "card": action.card,
        "challenge": action.challenge,
        "claim": action.claim,
        "accept": action.accept,
        "walk_away": action.walk_away,
        "action_id": action_id,
        "belief": to_json(action.belief) if action.belief else None,
        "event_estimate": action.event_estimate,
        "terms": None if action.terms is None else dict(action.terms),
        "alternatives": to_json(action.alternatives),
    }
    if action.talk:
        data["talk"] = to_json(action.talk)
    if action.asked:
        data["asked"] = to_json(action.asked)
    return data


def answered(table: Negotiation, turn: int, action: Action, answer: Answer | None = None) -> Iterator[Row]:
    """Play the move on ``table`` and yield all that the turn adds to the log."""
    answer = answer or Answer()
    before, was = table.observe(), table.truth
    known = {headline.id for headline in before.headlines}
    step = table.step(action, answer.reply, words=answer.words)
    view, truth = step.observation, table.truth
    if step.reply != Reply():
        moved = opponent_moved(turn, step.reply, stand_in=answer.stand_in)
        yield "opponent_moved", {**moved, **_said_of_the_case(table, before, view, was, truth)}
    if answer.account is not None:
        yield "answer_explained", answer_explained(turn, answer.account)
    for headline in view.headlines:
        if headline.id not in known:
            yield "news", news(headline)
    closed = turn_closed(view, turn)
    if table.case and view.sheet and before.sheet and view.sheet.facts != before.sheet.facts:
        closed["sheet"] = own_sheet(view.sheet, table.case.seats[table.seat])
    yield "turn_closed", closed
    changed = tuple(now for now, then in zip(truth.facts, was.facts, strict=True) if now != then)
    yield "turn_graded", turn_graded(table, turn, step.terms, step.reward, changed)
    if table.outcome is not None:
        ended: GameEnded = {"turn": turn, "outcome": to_json(table.outcome)}
        yield "game_ended", ended


def _said_of_the_case(
    table: Negotiation, before: Observation, view: Observation, was: Truth, now: Truth
) -> dict[str, Any]:
    """What an answer told, gave as its reasons and found to be false; nothing of what it did not do."""
    if table.case is None or view.sheet is None or before.sheet is None:
        return {}
    side = table.case.seats[OTHER_SEAT[table.seat]]
    known = set(before.told)
    new = view.sheet.raised[len(before.sheet.raised) :]
    said = {
        "told": [to_json(each) for each in view.told if each not in known],
        "raised": [
            {"id": each, "topic": side.objection[each].topic, "says": side.objection[each].says}
            for each in new
        ],
        "exposed": [each for each in now.exposed if each not in was.exposed],
    }
    return {name: part for name, part in said.items() if part}


def news(headline: Headline) -> News:
    """A headline's public words."""
    return {"turn": headline.turn, "id": headline.id, "kind": headline.kind, "text": headline.text}


def answer_explained(turn: int, account: Account) -> AnswerExplained:
    """Who found the answer of a turn, and how."""
    return cast("AnswerExplained", {"turn": turn, **to_json(account)})


def opponent_moved(turn: int, reply: Reply, *, stand_in: bool = False) -> OpponentMoved:
    """The persona's move."""
    return {
        "turn": turn,
        "text": reply.text,
        "offer": reply.offer,
        "card": reply.card,
        "claim": reply.claim,
        "accept": reply.accept,
        "walk_away": reply.walk_away,
        "challenge": reply.challenge,
        "terms": None if reply.terms is None else dict(reply.terms),
        "preferred": reply.preferred,
        "stand_in": stand_in,
        "deadline_turns": reply.deadline_turns,
    }


def turn_closed(view: Observation, turn: int) -> TurnClosed:
    """What the player sees of the table after ``turn`` (0 is the opening)."""
    return {
        "turn": turn,
        "tension": view.tension,
        "tension_band": view.tension_band,
        "zopa_width_pct_remaining": view.zopa_width_pct_remaining,
        "own_offer": view.own_offer,
        "standing_offer": view.standing_offer,
        "open_claim": view.open_claim,
        "pending_estimate": view.pending_estimate,
        "credibility_points": view.credibility_points,
        "credibility_cap": view.credibility_cap,
        "cards": list(view.cards),
        "sweeteners_left": view.sweeteners_left,
        "own_terms": dict(view.own_terms),
        "standing_terms": dict(view.standing_terms),
        "own_worth": view.own_worth,
        "standing_worth": view.standing_worth,
        "own": to_json(view.own),
        "limit_moves": [limit_moved(view, each) for each in view.limit_moves],
    }


def limit_moved(view: Observation, move: LimitMove) -> LimitMoved:
    """From what to what the player's own limit went, and why in words."""
    words = next((news.text for news in view.headlines if news.id == move.headline), "")
    return {"cause": move.cause, "words": words, "before": move.before, "after": move.after}


def turn_graded(
    table: Negotiation,
    turn: int,
    terms: tuple[Term, ...],
    reward: float,
    changed: tuple[FactTruth, ...] = (),
) -> TurnGraded:
    """Truth, reward terms and the reference observer: for a coach's eyes while the game is live.

    ``changed`` are the facts that are not as they were a turn ago. ``nash`` is the even split of the zone, as what it is
    worth to the player: the price, where only that is open.
    """
    truth, view = table.truth, table.observe()
    zone = zone_of(table.scenario.issues, truth)
    data: TurnGraded = {
        "turn": turn,
        "truth": {
            "player": to_json(truth.player),
            "opponent": to_json(truth.opponent),
            "zopa_low": truth.zopa_low,
            "zopa_high": truth.zopa_high,
            "zone": zone,
            "nash": truth.player.walk_away + SIGN[truth.seat] * zone / 2 if zone > 0 else None,
        },
        "open_claim_is_bluff": truth.open_claim_is_bluff,
        "terms": cast("list[dict[str, Any]]", to_json(terms)),
        "reward": reward,
        "total_reward": table.total_reward,
        "posterior": posterior_of(table),
        "hint": hint_for(view, truth, zone),
    }
    if table.case is not None:
        data["objections"] = to_json(truth.objections)
        if changed:
            data["facts"] = to_json(changed)
    return data


def zone_of(issues: tuple[Issue, ...], truth: Truth) -> float:
    """What there is to share now, in money: between both limits, with the terms that are best for both."""
    joint = bundle_worths(issues, truth.seller.values) + bundle_worths(issues, truth.buyer.values)
    return truth.zopa_high - truth.zopa_low + float(joint.max())


def posterior_of(table: Negotiation) -> dict[str, Any]:
    """The reference observer's belief about the opponent's limit, in money, with ``grid`` ascending."""
    sign = SIGN[table.seat]
    posterior = table.reference_posterior()
    limits, mass = posterior.density()
    estimate = posterior.estimate()
    grid = [round(sign * float(limit), 2) for limit in limits][::sign]
    density = [round(float(share), 5) for share in mass][::sign]
    ends = sorted((sign * estimate.low, sign * estimate.high))
    return {"mean": sign * estimate.mean, "ci95": ends, "grid": grid, "density": density}
