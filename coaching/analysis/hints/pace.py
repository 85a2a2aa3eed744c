"""Rules about the pace of giving: too much, too little, unanswered, or just right."""

from __future__ import annotations

from coaching.analysis.hints.facts import TurnFacts
from coaching.analysis.hints.hint import LIKELY, UNLIKELY, Hint, Spark, ends, noise, offers_spark
from coaching.analysis.hints.words import chance, money, price, span, steps


def unanswered(facts: TurnFacts) -> Hint | None:
    """A concession that got nothing, or little, in return."""
    ours, theirs = facts.own_steps[-3:], facts.their_steps[-3:]
    count = min(len(ours), len(theirs))
    if count == 0 or ours[-1] < noise(facts) or facts.table["own_offer"] is None:
        return None
    ours, theirs = ours[-count:], theirs[-count:]
    given, got = sum(step for step in ours if step > 0), sum(step for step in theirs if step > 0)
    if got > 0.4 * given:
        return None
    evidence = f"The rep gave {steps(ours, facts)}; they gave {steps(theirs, facts)}."
    answer = (
        "The rep’s move went unanswered" if got < facts.scenario.step / 2 else "They answer with much less"
    )
    return Hint(
        "unanswered",
        "pace",
        0.8 if got < facts.scenario.step / 2 else 0.66,
        answer,
        f"You have given {money(given, facts)} for {money(got, facts) if got > 0 else 'nothing'}. "
        f"Stay at {price(facts.table['own_offer'], facts)} and ask for a move in return.",
        evidence,
        offers_spark(facts),
    )


def slowing(facts: TurnFacts) -> Hint | None:
    """Their steps shrink: an end may be near."""
    row = [step for step in facts.their_steps if step > -noise(facts)][-3:]
    reach = facts.reach
    if len(row) < 3 or reach is None or row[0] < noise(facts) or row[-1] > 0.55 * (row[0] + row[1]) / 2:
        return None
    own = price(facts.table["own_offer"], facts)
    where = (
        f"They moved {steps(row, facts)}: slowing down. The observer puts their limit at {span(facts)}; "
        f"the rep’s {own} is inside it with {chance(reach)}."
    )
    if reach >= LIKELY:
        say = f"They are slowing down, and your {own} is probably within their reach. Hold it and let them come."
    elif facts.scenario.issues:
        say = "They are slowing down on price. Trade a term for the next step instead of more money."
    else:
        say = "They are slowing down and may be near their end. Make your next step small, and ask for one back."
    return Hint("slowing", "pace", 0.67, "Their steps are getting smaller", say, where, offers_spark(facts))


def pace(facts: TurnFacts) -> Hint | None:
    """The player’s own room against the clock."""
    first = next((worth for worth in facts.own if worth is not None), None)
    last, reach = facts.own[-1], facts.reach
    if first is None or last is None or reach is None or facts.turn < 2:
        return None
    room = facts.sign * (first - facts.limit)
    if room < noise(facts):
        return None
    gone, time = facts.sign * (first - last) / room, facts.turn / facts.horizon
    played = (
        f"{chance(gone)} of the way from the first offer to the limit is gone "
        f"after turn {facts.turn} of {facts.horizon}."
    )
    spark = Spark(
        tuple(worth for worth in facts.own if worth is not None),
        "The rep’s offers by turn",
        "money",
        *ends([first, last, facts.limit]),
    )
    if gone > time + 0.3:
        say = f"You have used {chance(gone)} of your room by turn {facts.turn}. Smaller steps from here."
        return Hint(
            "pace_fast",
            "pace",
            min(0.85, 0.55 + 0.4 * (gone - time)),
            "Giving faster than time runs",
            say,
            played,
            spark,
        )
    if time >= 0.5 and gone < 0.15 and reach < UNLIKELY:
        own = price(facts.table["own_offer"], facts)
        say = f"Your {own} is probably beyond their reach, and half the time is gone. A real step now, for one in return."
        return Hint("pace_slow", "pace", 0.64, "Hardly moved, and probably too far out", say,
                    f"{played} The observer gives {chance(reach)} that {own} is within their limit.", spark)  # fmt: skip
    return None


def hold(facts: TurnFacts) -> Hint | None:
    """An offer of the player’s that they can probably take."""
    reach, gain = facts.reach, facts.gain
    if reach is None or gain is None or reach < 0.7 or facts.turn == 0:
        return None
    own = price(facts.table["own_offer"], facts)
    return Hint(
        "hold",
        "pace",
        0.44,
        "The rep’s offer is probably within reach",
        f"Your {own} is probably within their limit. Ask for their step before you give more.",
        f"The observer puts their limit at {span(facts)} and gives {chance(reach)} that it covers {own}.",
        offers_spark(facts),
    )
