"""Taking, holding and leaving."""

from __future__ import annotations

from coaching.analysis.review.lessons import lines
from coaching.analysis.review.lessons.lesson import Lesson
from coaching.analysis.review.moment import Moment
from coaching.analysis.wording import KeptMessage, gettext_noop, told


def _last_step(moment: Moment) -> str:
    return moment.money(moment.their_last_step or 0.0)


def _left_within(moment: Moment) -> KeptMessage:
    inside = moment.standing_inside or 0.0
    price = moment.price(moment.turn.before.standing_offer or 0.0)
    if inside > 0:
        return told(
            gettext_noop("You left with {price} on the table, {inside} inside your walk-away."),
            price=price,
            inside=moment.money(inside),
        )
    return told(gettext_noop("You left with {price} on the table, at your walk-away."), price=price)


def _untaken(moment: Moment) -> KeptMessage:
    return told(
        gettext_noop(
            "{price} lay on the table. Among all who could have sat there, talks that went on ended {worth} worse for you "
            "on average: they come no further, or they leave."
        ),
        price=moment.price(moment.turn.before.standing_offer or 0.0),
        worth=moment.money(moment.gain),
    )


ENDS: tuple[Lesson, ...] = (
    Lesson(
        id="accepted_moving",
        skill="closing",
        direction="stay",
        tested=lambda m: m.turn.move.accept and m.better.kind != "accept" and m.theirs_moved,
        says=lambda m: told(
            gettext_noop(
                "You took it while they were giving: their last offer was worth {step} more than the one before. "
                "Holding on was worth {worth} more on average."
            ),
            step=_last_step(m),
            worth=m.money(m.gain),
        ),
        act=gettext_noop("While each of their offers is better than the last, wait for the one that is not."),
        start=gettext_noop("Waiting while they are still giving."),
        line=lines.holding,
    ),
    Lesson(
        id="accepted_early",
        skill="closing",
        direction="stay",
        tested=lambda m: m.turn.move.accept and m.better.kind != "accept",
        says=lambda m: told(
            gettext_noop(
                "You took it with {left} turns to go. "
                "Against all who could have sat there, going on was worth {worth} more on average."
            ),
            left=m.turns_left,
            worth=m.money(m.gain),
        ),
        act=gettext_noop("Before you take an offer, ask once more for something."),
        start=gettext_noop("Asking once more before you take an offer."),
        line=lines.holding,
    ),
    Lesson(
        id="left_within",
        skill="closing",
        direction="stay",
        tested=lambda m: (
            m.turn.move.walk_away and m.better.kind != "walk_away" and m.standing_inside is not None
        ),
        says=_left_within,
        act=gettext_noop(
            "Before you leave, hold their offer against your walk-away: what is better than that is better than leaving."
        ),
        stop=gettext_noop("Leaving an offer that is better than none."),
        line=lines.taking,
        figure=lambda m: m.turn.before.standing_offer,
    ),
    Lesson(
        id="left_early",
        skill="closing",
        direction="stay",
        tested=lambda m: m.turn.move.walk_away and m.better.kind != "walk_away",
        says=lambda m: told(
            gettext_noop(
                "You left with {left} turns to go. Staying was worth {worth} on average: a deal was still likely."
            ),
            left=m.turns_left,
            worth=m.money(m.gain),
        ),
        act=gettext_noop("Leave when the last turns come, not before: until then a question costs nothing."),
        stop=gettext_noop("Leaving while a deal is still likely."),
        line=lines.asking,
    ),
    Lesson(
        id="should_have_taken",
        skill="closing",
        direction="take",
        tested=lambda m: m.better.kind == "accept",
        says=_untaken,
        act=gettext_noop("Choose beforehand at what number you close, and take it when it comes."),
        start=gettext_noop("Taking what lies there when no more is coming."),
        line=lines.taking,
        figure=lambda m: m.turn.before.standing_offer,
    ),
    Lesson(
        id="should_have_left",
        skill="closing",
        direction="leave",
        tested=lambda m: m.better.kind == "walk_away",
        says=lambda _moment: told(
            gettext_noop(
                "What could still be won here was less than what leaving costs nothing to keep: no deal was better."
            )
        ),
        act=gettext_noop("Leave when every price that they could still reach lies beyond your walk-away."),
        start=gettext_noop("Leaving where nothing is to be won."),
        line=lines.leaving,
    ),
)
