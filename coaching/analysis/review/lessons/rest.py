"""Stated limits, terms, cards, questions; and what is left when nothing else tells two moves apart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, cast

from coaching.analysis.review.lessons import lines
from coaching.analysis.review.lessons.lesson import Lesson, Skill
from coaching.analysis.review.moment import Moment
from coaching.analysis.wording import KeptMessage, gettext_noop, told
from negotiation.engine.cards import CARDS, GIFT, Card, Coaching
from negotiation.engine.deal.issues import bundle_worths, labels
from negotiation.engine.deal.types import OTHER_SEAT

MISFIT = 0.05
"""A stated limit that lies this share of the usual room short of where theirs most likely is does not fit."""


def _claim(moment: Moment) -> str:
    return moment.price(moment.turn.before.open_claim or 0.0)


def _misfit(moment: Moment) -> float:
    """By how much their limit most likely lies further than the one they stated."""
    claim = moment.turn.before.open_claim
    if claim is None or moment.believed is None:
        return 0.0
    return moment.sign * (moment.believed - claim)


def _uncalled(moment: Moment) -> bool:
    return moment.turn.before.open_claim is not None and moment.better.kind == "challenge"


CALLS: tuple[Lesson, ...] = (
    Lesson(
        id="bluff_uncalled",
        skill="bluff_calls",
        direction="call",
        tested=lambda m: _uncalled(m) and _misfit(m) > MISFIT * m.played.scenario.nominal_width,
        says=lambda m: told(
            gettext_noop(
                "They gave {claim} as their limit. By their offers and words it more likely lay near {likely}."
            ),
            claim=_claim(m),
            likely=m.price(m.played.scenario.round(m.believed or 0.0)),
        ),
        act=gettext_noop(
            "Hold a stated limit against what they offered before it, and say so where it does not fit."
        ),
        start=gettext_noop("Questioning limits that don't fit."),
        line=lines.calling,
    ),
    Lesson(
        id="call_untried",
        skill="bluff_calls",
        direction="call",
        tested=_uncalled,
        says=lambda m: told(
            gettext_noop(
                "They gave {claim} as their limit. Doubting it was worth {worth} on average, "
                "even though it may have been true."
            ),
            claim=_claim(m),
            worth=m.money(m.gain),
        ),
        act=gettext_noop("Ask what a stated limit rests on before you believe it."),
        start=gettext_noop("Asking what their limits rest on."),
        line=lines.calling,
    ),
    Lesson(
        id="false_call",
        skill="bluff_calls",
        direction="trust",
        tested=lambda m: (
            m.turn.before.open_claim is not None
            and m.turn.move.challenge is True
            and m.better.kind != "challenge"
        ),
        says=lambda m: told(
            gettext_noop(
                "You doubted the {claim} that they gave as their limit; letting it stand was worth {worth} more on average."
            ),
            claim=_claim(m),
            worth=m.money(m.gain),
        ),
        act=gettext_noop(
            "Where a stated limit fits their offers, let it stand and ask for something else than the price."
        ),
        stop=gettext_noop("Doubting limits that fit."),
        line=lines.trading,
    ),
)


def _other_terms(moment: Moment) -> bool:
    own, better = moment.own, moment.better
    return own.bundle != better.bundle and better.offer is not None and own.offer is not None


_TRADED: Final = {
    (True, True): gettext_noop("{terms}: worth {mine} to you, and usually worth {theirs} to them."),
    (True, False): gettext_noop("{terms}: worth {mine} to you, and usually a cost of {theirs} to them."),
    (False, True): gettext_noop("{terms}: a cost of {mine} to you, and usually worth {theirs} to them."),
    (False, False): gettext_noop("{terms}: a cost of {mine} to you, and usually a cost of {theirs} to them."),
}
"""What better terms are to the player and to the other side, each by whether it gains."""


def _by_terms(moment: Moment) -> tuple[float, float]:
    """What the better terms are worth more, at one price: to the player, and usually to the other side."""
    scenario, own, better = moment.played.scenario, moment.own.bundle, moment.better.bundle
    mine = bundle_worths(scenario.issues, moment.turn.before.own.values)
    theirs = scenario.nominal_worths(OTHER_SEAT[moment.played.seat])
    return float(mine[better] - mine[own]), float(theirs[better] - theirs[own])


def _named(moment: Moment) -> str:
    return ", ".join(labels(moment.played.scenario.issues, moment.better.bundle, moment.own.bundle))


def _traded(moment: Moment) -> KeptMessage:
    mine, theirs = _by_terms(moment)
    return told(
        _TRADED[mine >= 0, theirs >= 0],
        terms=_named(moment),
        mine=moment.money(mine),
        theirs=moment.money(theirs),
    )


TERMS: tuple[Lesson, ...] = (
    Lesson(
        id="terms_untraded",
        skill="packaging",
        direction="terms",
        tested=lambda m: _other_terms(m) and bool(_named(m)) and sum(_by_terms(m)) > 0,
        says=_traded,
        act=gettext_noop(
            "Trade what is worth more to one of you than it costs the other, before you give money."
        ),
        start=gettext_noop("Trading terms before money."),
        line=lines.trading,
    ),
)


def _card_lessons() -> Iterator[Lesson]:
    for card in CARDS.values():
        if card.coaching is not None:
            yield _unplayed(card, card.coaching)


def _unplayed(card: Card, coaching: Coaching) -> Lesson:
    return Lesson(
        id=coaching.mark,
        skill=cast(Skill, coaching.skill),
        direction="card",
        tested=lambda m: m.better.card == card.id and m.own.card != card.id,
        says=lambda m: told(
            gettext_noop("The card {card} was worth {worth} here. {why}"),
            card=card.title,
            worth=m.money(m.gain),
            why=coaching.why,
        ),
        act=told(
            gettext_noop("Keep the card {card} for such a moment. {does}"), card=card.title, does=card.does
        ),
        start=told(gettext_noop("Playing the card {card} where it tells."), card=card.title),
        line=lambda m: lines.giving(m) if card.id == GIFT else "",
    )


def _heated(moment: Moment) -> bool:
    heat = moment.heat
    return heat is not None and heat[1] - heat[0] >= 1


def _card(moment: Moment) -> str:
    card = moment.own.card
    return CARDS[card].title if card is not None else ""


REST: tuple[Lesson, ...] = (
    *_card_lessons(),
    Lesson(
        id="card_harmed",
        skill="tension",
        direction="card",
        tested=lambda m: m.own.card is not None and m.better.card is None and _heated(m),
        says=lambda m: told(
            gettext_noop(
                "Playing the card {card} heated the table from {before} to {after} of 100, "
                "and playing none was worth {worth} more."
            ),
            card=_card(m),
            before=round((m.heat or (0, 0))[0]),
            after=round((m.heat or (0, 0))[1]),
            worth=m.money(m.gain),
        ),
        act=gettext_noop("Play a card that presses only where the table is cool and they are short of time."),
        stop=gettext_noop("Cards that heat the table."),
    ),
    Lesson(
        id="card_wasted",
        skill="tension",
        direction="card",
        tested=lambda m: m.own.card is not None and m.better.card is None,
        says=lambda m: told(
            gettext_noop("Playing no card was worth {worth} more here than the card {card}."),
            worth=m.money(m.gain),
            card=_card(m),
        ),
        act=gettext_noop("Keep a card for the moment that it is for."),
        stop=gettext_noop("Cards without a moment for them."),
    ),
    Lesson(
        id="unasked",
        skill="probing",
        direction="ask",
        tested=lambda m: m.better.act == "question" and not m.asked,
        says=lambda m: told(
            gettext_noop("You asked nothing here; a question with the same number was worth {worth} more."),
            worth=m.money(m.gain),
        ),
        act=gettext_noop("Put a question beside each number."),
        start=gettext_noop("A question beside each number."),
        line=lines.asking,
    ),
    Lesson(
        id="unheard",
        skill="probing",
        direction="ask",
        tested=lambda m: m.better.act == "empathy" and "empathy" not in m.acts,
        says=lambda m: told(
            gettext_noop("Saying that you heard them, with this number, was worth {worth} more."),
            worth=m.money(m.gain),
        ),
        act=gettext_noop("Say back what they told you before you name a number."),
        start=gettext_noop("Saying back what they told you."),
        line=lines.hearing,
    ),
    Lesson(
        id="worth_more",
        skill="pacing",
        direction="card",
        tested=lambda m: True,
        says=lambda m: told(
            gettext_noop(
                "Against all who could have sat there, another move earned {worth} more on average."
            ),
            worth=m.money(m.gain),
        ),
        act=gettext_noop("Look at this turn again, and try the other move."),
    ),
)
