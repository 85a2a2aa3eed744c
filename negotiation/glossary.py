"""The words of the product that somebody new to it has to be told, each with what it means, in one place."""

from __future__ import annotations

from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class Term(NamedTuple):
    """A word as it stands on the pages, and its meaning in one or two plain sentences."""

    word: str | Promise
    meaning: str | Promise


TERMS: dict[str, Term] = {
    "accept": Term(
        _("Accept"),
        _("Take the other side’s last offer. It ends the deal at once, and you are asked to confirm it."),
    ),
    "bluff": Term(
        _("Bluff"),
        _("A walk-away that somebody states and that is false by more than 15% of the price."),
    ),
    "burned": Term(
        _("Burned"),
        _(
            "What a quarrel costs: while tension is above 75, both walk-aways come closer and there is less to share."
        ),
    ),
    "card": Term(
        _("Card"),
        _(
            "A move beside your words, such as a deadline or a silence. You play one at a time; most cost credit."
        ),
    ),
    "coached": Term(
        _("Coached"),
        _(
            "Somebody saw the other side’s secrets, or passed you a note, while you played. It counts for no rating."
        ),
    ),
    "credit": Term(
        _("Credit"),
        _("How much your word counts. You begin with 100; cards and bluffs that are found out spend it."),
    ),
    "debrief": Term(
        _("Debrief"),
        _(
            "The page after a deal: what the other side hid, how much of it you got, and which move cost most."
        ),
    ),
    "difficulty": Term(
        _("Difficulty"),
        _(
            "How closely the opponent bargains: how little it gives, how long it waits, how well it reads you."
        ),
    ),
    "expert": Term(
        _("The expert"),
        _(
            "A strong player written by us, in your seat, in the same deal. A yardstick; it sees no more than you did."
        ),
    ),
    "fact-sheet": Term(
        _("Fact sheet"),
        _("What your side may say, with its proof, and what it must not claim."),
    ),
    "hurry": Term(_("Hurry"), _("How much a side needs to close soon. Who is in a hurry gives more.")),
    "offer": Term(
        _("Offer"),
        _("The price and terms that stand under “I understood” when you send. They bind you if accepted."),
    ),
    "other-option": Term(
        _("Other option"),
        _("What a side would do if this deal failed, and what that is worth to it."),
    ),
    "practice": Term(
        _("Practice"), _("A deal played on from an earlier turn, or with seats swapped. It is not rated.")
    ),
    "rating": Term(
        _("Rating"),
        _(
            "How strong an opponent is, measured over many games on the scale of chess: 200 more wins about 3 in 4."
        ),
    ),
    "read": Term(
        _("Your read"),
        _(
            "What you believe about them: their walk-away, their hurry, their other option. They never see it."
        ),
    ),
    "share": Term(
        _("Share"),
        _("How much of the room for a deal you got, in percent. 100% is all of it, no deal is 0%."),
    ),
    "tension": Term(
        _("Tension"),
        _("How heated the talk is, from 0 to 100. Insults, pressure and standing still raise it."),
    ),
    "terms": Term(
        _("Terms"),
        _(
            "What is settled beside the price, such as delivery. It can be cheap for one side and dear for the other."
        ),
    ),
    "turn": Term(_("Turn"), _("What you say and what they answer, together. A deal has 20 at most.")),
    "walk-away": Term(
        _("Walk-away"),
        _(
            "The worst price a side would still sign. You know yours; theirs is hidden until the deal is over."
        ),
    ),
    "watcher": Term(
        _("Watcher"),
        _(
            "Somebody with a link to your table. A watcher sees what you see; a coach sees both sides and may pass notes."
        ),
    ),
    "zone": Term(
        _("Room for a deal"),
        _("The prices between both walk-aways. Where there are none, no deal is the right end."),
    ),
}
