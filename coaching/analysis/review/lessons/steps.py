"""How much to give, and when: the first number, then each step."""

from __future__ import annotations

from coaching.analysis.review.lessons import lines
from coaching.analysis.review.lessons.lesson import Lesson
from coaching.analysis.review.moment import Moment
from coaching.analysis.wording import KeptMessage, gettext_noop, told

SAME_STEP = 0.015
"""Steps closer than this, as a share of the usual room, are the same step to a person."""
MOST_OF_ROOM = 0.5
"""From this share of the room on, one step gave most of it."""
STILL_TURNS = 3
"""Standing still is told as such from so many turns on."""


def _too_much(moment: Moment) -> bool:
    return moment.gave and moment.both_offer and moment.less >= SAME_STEP


def _too_little(moment: Moment) -> bool:
    return not moment.opening and moment.both_offer and moment.less <= -SAME_STEP


def _they_moved(moment: Moment) -> bool:
    return moment.their_last_step is not None and moment.their_last_step > moment.tick / 2


def _they_stood(moment: Moment) -> bool:
    return moment.their_last_step is not None and moment.their_last_step <= moment.tick / 2


def _share_of_room(moment: Moment) -> float:
    """What the step gave of the room there was; the whole of it where it went past the walk-away."""
    return min(1.0, moment.own.step / moment.room) if moment.room > 0 else 1.0


def _gave(moment: Moment) -> str:
    return moment.money(moment.own.step)


def _due(moment: Moment) -> KeptMessage:
    """What would have been enough, as the end of a sentence."""
    if moment.better.step > moment.tick / 2:
        return told(gettext_noop("about {step} would have done"), step=moment.money(moment.better.step))
    return told(gettext_noop("nothing was due yet"))


def _moved(moment: Moment) -> str:
    return moment.money(moment.their_last_step or 0.0)


def _first(moment: Moment) -> str:
    return moment.price(moment.own.offer or 0.0)


_BOTH_STILL = gettext_noop(
    "Since turn {turn} you had not moved, and nor had they: about {step} would have kept it alive."
)
_STILL = gettext_noop("Since turn {turn} you had not moved: about {step} would have kept it alive.")

STEPS: tuple[Lesson, ...] = (
    Lesson(
        id="no_anchor",
        skill="opening",
        direction="more",
        tested=lambda m: m.opening and m.own.offer is None and m.both_offer and m.turn.turn > 1,
        says=lambda m: told(
            gettext_noop(
                "On turn {turn} you had still named no number, and questions alone move nobody to yours."
            ),
            turn=m.turn.turn,
        ),
        act=gettext_noop("Put your first number down by turn 2, with its reason."),
        start=gettext_noop("A number of yours by turn 2."),
        line=lines.naming,
        figure=lambda m: m.better.offer,
    ),
    Lesson(
        id="opened_low",
        skill="opening",
        direction="less",
        tested=lambda m: m.opening and m.own.offer is not None and m.both_offer and m.less >= SAME_STEP,
        says=lambda m: told(
            gettext_noop(
                "Your first number, {first}, left {less} less room than one that would still have been believed."
            ),
            first=_first(m),
            less=m.money(m.own.step - m.better.step),
        ),
        act=gettext_noop(
            "Open with the most that you can give a reason for; the first numbers set the range."
        ),
        start=gettext_noop("Opening with more room."),
        line=lines.naming,
        figure=lambda m: m.better.offer,
    ),
    Lesson(
        id="opened_far",
        skill="opening",
        direction="more",
        tested=lambda m: m.opening and m.own.offer is not None and m.both_offer and m.less <= -SAME_STEP,
        says=lambda m: told(
            gettext_noop("Your first number, {first}, lay {more} beyond one that would have been believed."),
            first=_first(m),
            more=m.money(m.own.step - m.better.step),
        ),
        act=gettext_noop("Open where you can say what the number rests on."),
        stop=gettext_noop("Opening beyond what you can give a reason for."),
        line=lines.naming,
        figure=lambda m: m.better.offer,
    ),
    Lesson(
        id="gave_most",
        skill="pacing",
        direction="less",
        tested=lambda m: _too_much(m) and _share_of_room(m) >= MOST_OF_ROOM,
        says=lambda m: told(
            gettext_noop(
                "You gave {gave} at once: {share}% of the room that you had left, with {left} turns to go."
            ),
            gave=_gave(m),
            share=round(100 * _share_of_room(m)),
            left=m.turns_left,
        ),
        act=gettext_noop("Give at most a tenth of your room at a time, and name what you want for it."),
        stop=gettext_noop("Giving most of your room in one step."),
        line=lines.for_something,
        figure=lambda m: m.next_offer,
    ),
    Lesson(
        id="gave_at_deadline",
        skill="pacing",
        direction="less",
        tested=lambda m: _too_much(m) and m.their_deadline,
        says=lambda m: told(
            gettext_noop("You gave {gave} under a deadline that was theirs; {due}."),
            gave=_gave(m),
            due=_due(m),
        ),
        act=gettext_noop("When they name a deadline, ask what happens after it before you give anything."),
        stop=gettext_noop("Giving because they set a deadline."),
        line=lines.after_that_day,
    ),
    Lesson(
        id="gave_unasked",
        skill="pacing",
        direction="less",
        tested=lambda m: _too_much(m) and _they_stood(m),
        says=lambda m: told(
            gettext_noop("You gave {gave} after an offer of theirs that gave you nothing; {due}."),
            gave=_gave(m),
            due=_due(m),
        ),
        act=gettext_noop("When they have not moved, ask for their step before you make yours."),
        stop=gettext_noop("Giving while they stand still."),
        line=lines.holding,
    ),
    Lesson(
        id="gave_too_much",
        skill="pacing",
        direction="less",
        tested=_too_much,
        says=lambda m: told(gettext_noop("You gave {gave}; {due}."), gave=_gave(m), due=_due(m)),
        act=gettext_noop("Give less at a time, and name what you want for it."),
        stop=gettext_noop("Giving more than the moment asks."),
        line=lines.for_something,
        figure=lambda m: m.next_offer,
    ),
    Lesson(
        id="took_back",
        skill="pacing",
        direction="more",
        tested=lambda m: (
            _too_little(m) and not m.opening and m.own.offer is not None and m.own.step < -m.tick / 2
        ),
        says=lambda m: told(
            gettext_noop("You took back {taken} that you had already given."), taken=m.money(m.own.step)
        ),
        act=gettext_noop("Let what you have given stand; if you can't go on, stay where you are and ask."),
        stop=gettext_noop("Taking back what you gave."),
        line=lines.holding,
    ),
    Lesson(
        id="answered_nothing",
        skill="pacing",
        direction="more",
        tested=lambda m: _too_little(m) and m.stayed and _they_moved(m),
        says=lambda m: told(
            gettext_noop("They had come {moved} towards you, and you stayed: about {due} was due."),
            moved=_moved(m),
            due=m.money(m.better.step),
        ),
        act=gettext_noop("Answer each step of theirs with a smaller one of yours."),
        start=gettext_noop("A small step for each of theirs."),
        line=lines.answering,
        figure=lambda m: m.next_offer,
    ),
    Lesson(
        id="answered_little",
        skill="pacing",
        direction="more",
        tested=lambda m: _too_little(m) and m.gave and _they_moved(m),
        says=lambda m: told(
            gettext_noop("They had come {moved} towards you, and you gave {gave}: about {due} was due."),
            moved=_moved(m),
            gave=_gave(m),
            due=m.money(m.better.step),
        ),
        act=gettext_noop("When they make a step, let yours be one that they can see."),
        start=gettext_noop("Steps that they can see."),
        line=lines.answering,
        figure=lambda m: m.next_offer,
    ),
    Lesson(
        id="stood_still",
        skill="pacing",
        direction="more",
        tested=lambda m: (
            _too_little(m) and m.still_since is not None and m.turn.turn - m.still_since + 1 >= STILL_TURNS
        ),
        says=lambda m: told(
            _BOTH_STILL if _they_stood(m) else _STILL,
            turn=m.still_since or 0,
            step=m.money(m.better.step),
        ),
        act=gettext_noop("When nobody moves for two turns, move first: a little, and for something."),
        start=gettext_noop("A small step when nobody moves."),
        line=lines.unlocking,
        figure=lambda m: m.next_offer,
    ),
    Lesson(
        id="stayed_put",
        skill="pacing",
        direction="more",
        tested=lambda m: _too_little(m) and m.stayed,
        says=lambda m: told(
            gettext_noop("You stayed where you were; about {step} was worth giving here."),
            step=m.money(m.better.step),
        ),
        act=gettext_noop("Give a little before you are asked twice, and name what you want for it."),
        start=gettext_noop("A small step before you are asked twice."),
        line=lines.for_something,
        figure=lambda m: m.next_offer,
    ),
    Lesson(
        id="gave_too_little",
        skill="pacing",
        direction="more",
        tested=lambda m: _too_little(m) and m.gave,
        says=lambda m: told(
            gettext_noop("You gave {gave}; about {step} was worth giving here."),
            gave=_gave(m),
            step=m.money(m.better.step),
        ),
        act=gettext_noop("Let a step be one that they can see."),
        start=gettext_noop("Steps that they can see."),
        line=lines.for_something,
        figure=lambda m: m.next_offer,
    ),
)
