"""Rules about what presses: heat, a stated limit, the end."""

from __future__ import annotations

from coaching.analysis.hints.facts import TurnFacts
from coaching.analysis.hints.hint import LIKELY, UNLIKELY, Hint, Spark, offers_spark, standing_words
from coaching.analysis.hints.words import about, chance, price, span, turns

LAST_TURNS = 3
JUMP = 12
"""A rise of the tension within one turn that is worth a word."""


def tension(facts: TurnFacts) -> Hint | None:
    """Heat that eats into the room for a deal."""
    band, values = facts.table["tension_band"], facts.tension
    jumped = len(values) > 1 and values[-1] - values[-2] >= JUMP
    if band not in ("strained", "critical") and not (jumped and band == "warm"):
        return None
    lost = "" if facts.width >= 99.5 else f" {round(100 - facts.width)}% of the room for a deal is gone."
    return Hint(
        kind="tension",
        topic="tension",
        weight={"critical": 0.95, "strained": 0.78}.get(band, 0.5),
        title=f"The table is {band}" if band != "warm" else "It is getting warmer",
        say="Slow down. Show that you heard them, or ask what matters most, before the next number.",
        evidence=f"Tension went {', '.join(str(round(value)) for value in values[-4:])} of 100.{lost}",
        spark=Spark(values, "Tension by turn", "points", 0.0, 100.0),
    )


def claim(facts: TurnFacts) -> Hint | None:
    """A stated limit, held against what their offers say."""
    bluff, further = facts.bluff, facts.further
    if bluff is None or further is None:
        return None
    stated = price(facts.table["open_claim"], facts)
    asks = "take" if facts.seat == "buyer" else "pay"
    evidence = (
        f"They state {stated} as the {'least' if facts.seat == 'buyer' else 'most'} they would {asks}. By their offers "
        f"the observer gives {chance(further)} that they can go further, and {chance(bluff)} that it is far enough "
        "from the truth for a call to succeed."
    )
    spark = offers_spark(facts)
    if bluff >= LIKELY:
        say = f"I doubt their {stated}. Have them back it up before you move."
        return Hint("claim", "claim", 0.9, "The limit they state looks like a bluff", say, evidence, spark)
    if further <= UNLIKELY:
        say = f"Their {stated} is plausible. Don't call it; ask what else would help them."
        return Hint("claim", "claim", 0.62, "The limit they state fits their offers", say, evidence, spark)
    say = f"Ask what their {stated} rests on. Don't call it yet."
    return Hint("claim", "claim", 0.58, "The limit they state is an open question", say, evidence, spark)


def deadline(facts: TurnFacts) -> Hint | None:
    """The last turns."""
    gain = facts.gain
    if facts.left > LAST_TURNS or gain is None:
        return None
    standing = price(facts.table["standing_offer"], facts)
    left = turns(facts.left)
    evidence = (
        f"{left.capitalize()} left of {facts.horizon}. {standing_words(facts)} "
        f"The observer puts their limit at {span(facts)}."
    )
    if gain < 0:
        say = f"{left.capitalize()} left and their {standing} is beyond your limit. Say what you need, and be ready to walk."
    else:
        say = f"{left.capitalize()} left. Decide now which number you close at; {standing} is already yours to take."
    return Hint(
        "deadline",
        "end",
        {1: 0.88, 2: 0.78}.get(facts.left, 0.68),
        "Time is nearly up",
        say,
        evidence,
        offers_spark(facts),
    )


def close(facts: TurnFacts) -> Hint | None:
    """An offer that leaves little to get."""
    gain, slack = facts.gain, facts.slack
    if gain is None or slack is None or gain <= 0 or facts.turn == 0:
        return None
    share = gain / (gain + slack)
    if share < 0.8:
        return None
    standing = price(facts.table["standing_offer"], facts)
    return Hint(
        "close",
        "end",
        0.5 + 0.4 * share * facts.turn / facts.horizon,
        "Little more is to be had",
        f"Their {standing} leaves little more to get. Consider taking it.",
        f"{standing_words(facts)} The observer expects {about(slack, facts)} more: "
        f"that is {chance(share)} of what there is.",
        offers_spark(facts),
    )


def beyond(facts: TurnFacts) -> Hint | None:
    """An offer that the player can’t take: a question, and no reason to stop moving (holding out costs deals)."""
    gain = facts.gain
    if gain is None or gain >= 0 or facts.turn == 0:
        return None
    standing = price(facts.table["standing_offer"], facts)
    return Hint(
        "beyond",
        "pace",
        0.46,
        "Their offer is still beyond the limit",
        f"Their {standing} is still beyond your limit. Ask what drives it, and go on in small steps.",
        f"{standing_words(facts)} The observer puts their limit at {span(facts)}.",
        offers_spark(facts),
    )
