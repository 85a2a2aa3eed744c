"""What is told whatever it was worth: a number past theirs, an insult, a bluff that was called."""

from __future__ import annotations

from coaching.analysis.review.lessons import lines
from coaching.analysis.review.lessons.lesson import Lesson
from coaching.analysis.review.moment import Moment
from coaching.analysis.wording import KeptMessage, gettext_noop, told


def _overbid(moment: Moment) -> KeptMessage:
    asked = moment.turn.before.standing_offer
    offered = moment.own.offer
    same = moment.own.bundle == moment.position.bundle and not moment.played.scenario.issues
    if same and asked is not None and offered is not None:
        return told(
            gettext_noop(
                "You offered {offered} where they asked for {asked}: {more} more than they wanted of you."
            ),
            offered=moment.price(offered),
            asked=moment.price(asked),
            more=moment.money(moment.overbid),
        )
    return told(
        gettext_noop(
            "The package that you put down was worth {less} less to you than the one they had put down."
        ),
        less=moment.money(moment.overbid),
    )


def _insulted(moment: Moment) -> KeptMessage:
    heat = moment.heat
    if heat is not None and heat[1] - heat[0] >= 1:
        return told(
            gettext_noop("You insulted them, and the table went from {before} to {after} of 100."),
            before=round(heat[0]),
            after=round(heat[1]),
        )
    return told(gettext_noop("You insulted them. Whoever is insulted gives less, or leaves."))


def _called(moment: Moment) -> KeptMessage:
    claim, limit = moment.turn.move.claim or 0.0, moment.turn.before.own.walk_away
    return told(
        gettext_noop("You named {claim} as your limit, {away} from the true one, and they called it."),
        claim=moment.price(claim),
        away=moment.money(claim - limit),
    )


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
