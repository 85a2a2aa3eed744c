"""Words and figures: what binds, and when the table asks first.

Only the offer field binds, with the terms laid out beside it. When the words propose another figure, or one
that can't be read for sure, name other terms, or look like an acceptance, the player is asked; nothing is logged
and nothing is lost until the same move comes back confirmed. A limit, a quote, a rejection or a hypothetical in the
words never asks for an offer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from negotiation.engine.deal import Action, Negotiation
from negotiation.engine.deal.case.acts import QUESTIONS, Talk
from negotiation.engine.deal.case.declared import DealCase
from negotiation.engine.deal.checks import is_absurd
from negotiation.engine.deal.listening import Heard, Listening, hear
from negotiation.engine.deal.scenario import Scenario
from negotiation.engine.deal.types import OTHER_SEAT, Observation, Seat
from negotiation.engine.language import (
    CONFIDENCE_TO_BIND,
    Reading,
    format_money,
    mentions_terms,
    named_terms,
    understand,
)
from negotiation.messages import ActData, ClarifyReason

SAME = 0.5
"""Two figures closer than this, in whole currency units, are the same figure."""


@dataclass(frozen=True, slots=True)
class Clarify:
    """A question to the player before a move binds.

    ``field_terms`` are those of the package as it is laid out; ``text_terms`` what the words would make of them,
    the same where the words name none.
    """

    reason: ClarifyReason
    message: str
    reading: Reading
    field_offer: float | None
    text_offer: float | None
    field_terms: dict[str, str]
    text_terms: dict[str, str]

    def data(self) -> dict[str, Any]:
        """The data of a ``clarify`` frame."""
        return asdict(self)


def read(text: str, *, scenario: Scenario, view: Observation) -> Reading:
    """What the player's words say, heard at this table."""
    return understand(
        text,
        money=scenario.money,
        seat=view.seat,
        standing_offer=view.standing_offer,
        own_offer=view.own_offer,
    )


def read_snapshot(text: str, *, scenario: Scenario, seat: Seat, table: dict[str, Any]) -> Reading:
    """As ``read``, from the latest ``turn_closed`` of the log: a preview needs no engine."""
    return understand(
        text,
        money=scenario.money,
        seat=seat,
        standing_offer=table["standing_offer"],
        own_offer=table["own_offer"],
    )


def heard(action: Action, table: Negotiation, listening: Listening | None = None) -> Action:
    """The move with what its words do, as the other side hears them: nothing, where there is no case to talk about.

    Args:
        listening: what was heard already, by a reader that takes its time.
    """
    if table.case is None or action.accept or action.walk_away:
        return action
    view = table.observe()
    said = [move.text for move in view.transcript if move.side == "opponent"]
    heard_ = listening or hear(
        action.text,
        speaker=table.case.seats[table.seat],
        listener=table.case.seats[OTHER_SEAT[table.seat]],
        told=tuple(each.id for each in view.told),
        raised=() if view.sheet is None else view.sheet.raised,
        last_line=said[-1] if said else "",
        settled=table.scenario.speaks_of,
    )
    return replace(action, talk=without_terms(heard_, table.scenario), asked=heard_.asked)


def without_terms(listening: Listening, scenario: Scenario) -> tuple[Talk, ...]:
    """What words do, less questions whose sentence is about what goes with the price: "spares on site" asks for no
    support, and is answered as what it is (``Scenario.terms_asked``)."""
    return tuple(each.talk for each in listening.heard if not _about_terms(each, scenario))


def _about_terms(heard_: Heard, scenario: Scenario) -> bool:
    return heard_.talk.act in QUESTIONS and mentions_terms(heard_.quote, scenario.option_names)


def heard_in_preview(
    text: str, case: DealCase, scenario: Scenario, seat: Seat, answers: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """What words that are still being written would be heard to do, in their writer's own terms.

    Which fact of the other side's a question is about is left out: whether there is one is for the answer to tell.

    Args:
        answers: the data of all that the other side has said, oldest first.
    """
    own = case.seats[seat]
    listening = hear(
        text,
        speaker=own,
        listener=case.seats[OTHER_SEAT[seat]],
        told=tuple(each["id"] for said in answers for each in said.get("told", ())),
        raised=tuple(each["id"] for said in answers for each in said.get("raised", ())),
        last_line=answers[-1]["text"] if answers else "",
        settled=scenario.speaks_of,
    )
    mine = {*own.fact, *own.argument, *own.claim}

    def shown(heard_: Heard) -> dict[str, Any]:
        done = heard_.talk
        return {
            "act": done.act,
            "topic": done.topic,
            "id": done.id if done.id in mine else None,
            "quote": heard_.quote,
        }

    return {
        "talk": [shown(each) for each in listening.heard if not _about_terms(each, scenario)],
        "unsure": [shown(each) for each in listening.unsure],
        "insult": listening.insult,
    }


def question_before(act: ActData, *, scenario: Scenario, view: Observation) -> Clarify | None:
    """The question to ask before ``act`` may bind, or None. A figure that makes no sense comes first."""
    if act.confirmed:
        return None
    money = scenario.money
    reading = read(act.text, scenario=scenario, view=view)
    proposed = reading.offer if reading.kind == "offer" else None
    laid_out = {**view.own_terms, **(act.terms or {})}
    differing = _differing_terms(act, scenario, view, binds=act.offer is not None or proposed is not None)

    def ask(reason: ClarifyReason, message: str) -> Clarify:
        return Clarify(reason, message, reading, act.offer, proposed, laid_out, {**laid_out, **differing})

    if act.offer is not None and is_absurd(act.offer, scenario):
        return ask(
            "absurd",
            f"Your offer field says {format_money(act.offer, money)}, far from any deal of this kind. "
            "Offer it all the same?",
        )
    if _looks_like_accept(act.text, reading, act.offer, view.standing_offer):
        standing = format_money(view.standing_offer or 0.0, money)
        return ask(
            "looks_like_accept",
            f"This sounds like a yes to {standing}. Only Accept closes the deal. Send it as words?",
        )
    if "farewell" in reading.acts and act.offer is None and proposed is None and not _only_asks(act.text):
        return ask(
            "looks_like_leaving",
            "This sounds like a goodbye. Only Walk away ends the talks. Send it as words?",
        )
    reason = _figure_question(act, reading, proposed, view)
    if reason == "unclear_figure":
        return ask(reason, "It is not clear which figure your words propose. Which one binds?")
    if reason is None and not differing:
        return None
    said = _spoken(proposed if reason else None, differing, scenario)
    field = _spoken(act.offer if reason else None, {k: laid_out[k] for k in differing}, scenario)
    where = "package" if differing else "offer field"
    held = (
        f"says {field}" if act.offer is not None else f"holds no price, with {field}" if field else "is empty"
    )
    return ask(reason or "terms_differ", f"Your words offer {said}, the {where} {held}. Bind which?")


def _figure_question(
    act: ActData, reading: Reading, proposed: float | None, view: Observation
) -> Literal["figure_differs", "unclear_figure"] | None:
    """What to ask about the figure in the words. One of several packages side by side may be the one meant."""
    if reading.kind != "offer":
        return None
    offered = [act.offer, *(package.price for package in act.alternatives)]
    if any(_same(proposed, figure) for figure in offered):
        return None
    if reading.confidence < CONFIDENCE_TO_BIND or proposed is None:
        return "unclear_figure"
    if act.offer is None and _same(proposed, view.own_offer):
        return None
    return "figure_differs"


def _differing_terms(act: ActData, scenario: Scenario, view: Observation, *, binds: bool) -> dict[str, str]:
    """The options that the words name and no package holds, where something is about to bind."""
    if not scenario.issues or not binds:
        return {}
    packages = [act.terms or {}, *(package.terms for package in act.alternatives)]
    held = [{**view.own_terms, **terms} for terms in packages]
    named = named_terms(act.text, scenario.option_names)
    return {issue: option for issue, option in named.items() if all(terms[issue] != option for terms in held)}


def _spoken(figure: float | None, terms: Mapping[str, str], scenario: Scenario) -> str:
    """A figure and terms in words: "$231,500 with 3 years and quarterly billing"."""
    named = " and ".join(
        option.label
        for issue in scenario.issues
        for option in issue.options
        if terms.get(issue.id) == option.id
    )
    if figure is None:
        return named
    price = format_money(figure, scenario.money)
    return f"{price} with {named}" if named else price


def _only_asks(text: str) -> bool:
    """One question and nothing else: "what would make this an easy yes?" says yes to nothing."""
    bare = text.strip()
    return bare.endswith("?") and not any(mark in bare[:-1] for mark in ".!?;")


def _looks_like_accept(text: str, reading: Reading, offer: float | None, standing: float | None) -> bool:
    if standing is None or "accept" not in reading.acts or _only_asks(text):
        return False
    return all(figure is None or _same(figure, standing) for figure in (reading.offer, offer))


def _same(one: float | None, other: float | None) -> bool:
    return one is not None and other is not None and abs(one - other) < SAME
