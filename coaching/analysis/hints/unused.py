"""Rules about what is not being used: news, terms beside the price, questions, a first number."""

from __future__ import annotations

from dataclasses import dataclass

from coaching.analysis.hints.facts import TurnFacts
from coaching.analysis.hints.hint import Hint, noise, signed
from coaching.analysis.hints.words import about, money, span, turns
from negotiation.engine.deal.issues import Issue, bundle_of, bundles
from negotiation.engine.deal.types import OTHER_SEAT
from negotiation.engine.deal.world import expected_effect


def news(facts: TurnFacts) -> Hint | None:
    """A fresh headline, by what it usually does to their limit."""
    fresh = [each for each in facts.news if each.turn >= facts.turn]
    if not fresh:
        return None
    last = fresh[-1]
    other, scenario = OTHER_SEAT[facts.seat], facts.scenario
    effect = expected_effect(scenario, last, other, facts.persona.mev_sensitivity)  # type: ignore[arg-type]
    moved = facts.sign * effect * scenario.seats[other].walk_away
    evidence = f"“{last.text}” On average such news moves their limit by {about(moved, facts)}"
    if abs(moved) < noise(facts):
        say = "That news changes little for them. Ask what it means to them anyway; the answer tells you something."
        return Hint(
            "news",
            "news",
            0.4,
            "News, of little weight",
            say,
            f"“{last.text}” It hardly concerns their limit.",
        )
    if moved > 0:
        say = f"That news should move them your way by {about(moved, facts)}. Ask what it changes for them before you move."
        return Hint("news", "news", 0.76, "The news helps", say, f"{evidence} the rep’s way.")
    say = f"That news makes it harder for them by {about(moved, facts)}. Expect smaller steps, and ask what it changes."
    return Hint("news", "news", 0.6, "The news hurts", say, f"{evidence} away from the rep.")


def terms(facts: TurnFacts) -> Hint | None:
    """The best trade beside the price that the table leaves out."""
    issues = facts.scenario.issues
    if not issues or facts.turn == 0:
        return None
    side = "own_terms" if facts.own[-1] is not None else "standing_terms"
    chosen = bundles(issues)[bundle_of(issues, facts.table[side])]
    best = max(
        (_trade(facts, number, now) for number, now in enumerate(chosen)), key=lambda trade: trade.joint
    )
    if best.joint < 2 * noise(facts):
        return None
    other = OTHER_SEAT[facts.seat]
    label, title = best.label, best.issue.title.lower()
    if best.theirs > 0 and best.ours >= 0:
        ours, worth = about(best.ours, facts), about(best.theirs, facts)
        say = f"Propose “{label}” on {title}: worth {ours} to you and usually {worth} to them as well."
    elif best.theirs > 0:
        cost, worth = about(best.ours, facts), about(best.theirs, facts)
        say = f"Offer “{label}” on {title}: it costs you {cost}, is usually worth {worth} to them, and buys price."
    else:
        worth, price = about(best.ours, facts), about(best.theirs, facts)
        say = f"Ask for “{label}” on {title}: it is worth {worth} to you and usually costs them {price}."
    evidence = (
        f"“{label}” against what is on the table: {signed(best.ours, facts)} for the rep, "
        f"usually {signed(best.theirs, facts)} for a {other}. "
        f"Together {money(best.joint, facts)} that nobody gets now."
    )
    return Hint(
        "terms",
        "terms",
        min(0.7, 0.5 + best.joint / facts.scenario.nominal_width),
        "A trade is being left out",
        say,
        evidence,
    )


def first_number(facts: TurnFacts) -> Hint | None:
    """Asking before the first number, and naming one in time."""
    if facts.own[-1] is not None:
        return None
    if not facts.asked and facts.turn < 2:
        asked = facts.talk.next_question if facts.talk else ""
        say = (
            f"Before you name a number, ask: “{asked}”"
            if asked
            else "Before you name a number, ask what drives their budget and their timeline."
        )
        return Hint(
            "ask_first",
            "probe",
            0.5,
            "No question yet",
            say,
            "Nobody has asked them anything so far, and no number of the rep’s is on the table.",
        )
    if facts.turn < 2:
        return None
    way = "high" if facts.seat == "seller" else "low"
    say = f"Put a number on the table: {way}, and with a reason. The talk will turn around it."
    evidence = (
        f"{turns(facts.turn).capitalize()} played without an offer of the rep’s. "
        f"The observer puts their limit at {span(facts)}."
    )
    return Hint("anchor", "probe", 0.56, "No number of ours yet", say, evidence)


def ask(facts: TurnFacts) -> Hint | None:
    """A long while without a question."""
    since = facts.turn - (facts.asked[-1] if facts.asked else 0)
    if since < 3 or facts.own[-1] is None:
        return None
    question = facts.talk.next_question if facts.talk else ""
    say = (
        f"Ask with your next move: “{question}” Nobody has yet."
        if question
        else "Ask an open question with your next move: what would make this easier for them?"
    )
    asked = (
        f"The last question was on turn {facts.asked[-1]}."
        if facts.asked
        else "The rep has asked nothing so far."
    )
    return Hint(
        "ask",
        "probe",
        0.42,
        "Talking without asking",
        say,
        f"{asked} Questions cost nothing and calm the table.",
    )


@dataclass(frozen=True, slots=True)
class _Trade:
    """Another option on one issue: what it changes for the player, and usually for the other side."""

    issue: Issue
    label: str
    ours: float
    theirs: float

    @property
    def joint(self) -> float:
        return self.ours + self.theirs


def _trade(facts: TurnFacts, number: int, now: int) -> _Trade:
    issue, other = facts.scenario.issues[number], OTHER_SEAT[facts.seat]
    own = facts.table["own"]["values"][number]
    trades = [
        _Trade(issue, option.label, own[at] - own[now], option.value[other] - issue.options[now].value[other])
        for at, option in enumerate(issue.options)
    ]
    return max(trades, key=lambda trade: trade.joint)
