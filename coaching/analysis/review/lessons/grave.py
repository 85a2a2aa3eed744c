"""What is told whatever it was worth: a number past theirs, an insult, a bluff that was called."""

from __future__ import annotations

from coaching.analysis.review.lessons import lines
from coaching.analysis.review.lessons.lesson import Lesson
from coaching.analysis.review.moment import Moment
from coaching.analysis.wording import gettext_noop


def _overbid(moment: Moment) -> str:
    asked = moment.turn.before.standing_offer
    offered = moment.own.offer
    same = moment.own.bundle == moment.position.bundle and not moment.played.scenario.issues
    if same and asked is not None and offered is not None:
        return (
            f"You offered {moment.price(offered)} where they asked for {moment.price(asked)}: "
            f"{moment.money(moment.overbid)} more than they wanted of you."
        )
    less = moment.money(moment.overbid)
    return f"The package that you put down was worth {less} less to you than the one they had put down."


def _insulted(moment: Moment) -> str:
    heat = moment.heat
    if heat is not None and heat[1] - heat[0] >= 1:
        return f"You insulted them, and the table went from {heat[0]:.0f} to {heat[1]:.0f} of 100."
    return "You insulted them. Whoever is insulted gives less, or leaves."


def _called(moment: Moment) -> str:
    claim, limit = moment.turn.move.claim or 0.0, moment.turn.before.own.walk_away
    away = moment.money(claim - limit)
    return f"You named {moment.price(claim)} as your limit, {away} from the true one, and they called it."


GRAVE: tuple[Lesson, ...] = (
    Lesson(
        id="overbid",
        skill="closing",
        direction="less",
        tested=lambda m: m.overbid > 0,
        says=_overbid,
        act=gettext_noop(
            "Before you send a number, hold it against theirs: what they ask is the most that you can need."
        ),
        stop=gettext_noop("Offering more than they ask."),
        line=lambda m: lines.taking(m) if m.standing_inside is not None else lines.holding(m),
        figure=lambda m: m.turn.before.standing_offer if m.standing_inside is not None else None,
        grave=True,
    ),
    Lesson(
        id="insulted",
        skill="tension",
        direction="manner",
        tested=lambda m: "insult" in m.acts,
        says=_insulted,
        act=gettext_noop(
            "Go against the number, never against the person; and if it is out, take it back at once."
        ),
        stop=gettext_noop("Insulting them."),
        line=lines.apologising,
        grave=True,
    ),
    Lesson(
        id="bluff_called",
        skill="bluff_calls",
        direction="manner",
        tested=lambda m: m.called_bluff,
        says=_called,
        act=gettext_noop(
            "Name a limit only where it is one. Otherwise say where you stand, and what would move you."
        ),
        stop=gettext_noop("Naming limits that are none."),
        line=lines.honest,
        grave=True,
    ),
)
