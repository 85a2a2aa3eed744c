"""What is answered to a move at a table with a case: what the case has to say, beside what lies on the table itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from negotiation.engine.deal.case.words import MOST_ANSWERS, Spoken
from negotiation.engine.deal.conduct import Conduct
from negotiation.engine.deal.issues import labels, terms_of
from negotiation.engine.deal.listening.at_the_table import (
    ASSURE,
    CONFIDES,
    FIRM,
    HEADLINE,
    HEARD_ME,
    MIDDLE,
    MISHEARD,
    RULED_OUT,
    SUPPOSE,
    WENT_BACK,
    WHY_SO,
)
from negotiation.engine.deal.scenario import Scenario
from negotiation.engine.deal.state import SideState, State
from negotiation.engine.deal.strategist import Decision
from negotiation.engine.deal.types import SIGN, Seat
from negotiation.engine.language import Answer, Reading, format_money, listed
from negotiation.engine.language.types import AnswerKind

LESS_THAN_AN_OFFER: Final = frozenset(
    ("trading", "unheard", "taken_in", "used", "unknown", "suppose", "waits", "wide", "chatted", "greeted")
)
"""Answers that say nothing of substance: beside a new offer it is the offer that is answered."""
BESIDE_A_REASON: Final = frozenset(("guarded", "nothing_more"))
"""What nobody says who names in the same breath what holds it back."""
ON_A_REASON: Final = frozenset(
    ("near", "convinced", "partly", "moved", "unheard", "taken_in", "used", "waits", "trading")
)
"""Answers to a reason or a trade: they say whether it would help."""
LEAVES_IT_OPEN: Final = frozenset(("unknown", "declined", "wide", "no_more", "suppose", "guarded", "no_sum"))
"""Answers that tell nothing: a question whether they vouch for it has a better one."""
NOT_WHAT_WAS_ASKED: Final = frozenset(("unknown", "declined", "known", "again", "wide", "no_more"))
"""Answers to the topic of a question that was rather about the table."""

SAYS_ITS_OWN: Final = frozenset(("openly", "told", "confided", "traded"))
"""Answers to a question that had a subject of its own, beside a term that it named."""
_CIVIL: Final = frozenset(("chatted", "greeted"))
_CHOSEN: Final = frozenset(("either", "neither", "both"))
"""Answers to which of two things it is."""


@dataclass(frozen=True, slots=True)
class Heard:
    """The player's move as the other side takes it: what it did, how its words were read, what lies side by side."""

    conduct: Conduct
    reading: Reading | None
    packages: int
    asked: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Terms that the words ask about: issue to the options named."""
    named: Mapping[str, str] = field(default_factory=dict)
    """Terms that they name without asking: issue to option."""
    table: frozenset[str] = frozenset()
    """What of the table itself they ask about (``listening.at_the_table``)."""
    condition: str = ""
    """What the offer hangs on, as it can be said back (``listening.conditions``)."""
    trades: bool = False
    """Whether something was put against something."""
    likely: tuple[str, ...] = ()
    """What a question may have been about that was not understood, as it is called at the table."""
    left: str | None = None
    """A question that nobody understood, said back (``listening.echo``); empty where it can't be said back well."""
    last: str | None = None
    """The last question, said back, whoever understood it."""


class TableAnswers:
    """The answers of one persona.

    Args:
        named: its own packages so far, price and terms, the latest last; read when it is asked why its figure went back.
    """

    def __init__(self, scenario: Scenario, seat: Seat, named: Sequence[tuple[float, int]]) -> None:
        self._scenario = scenario
        self._seat: Seat = seat
        self._named = named
        self._helped: set[str] = set()
        """Options of which it has said that they would help."""
        self._explained: set[str] = set()
        """Terms of which it has said why they matter."""

    def to(self, decision: Decision, heard: Heard, spoken: Spoken, state: State) -> tuple[Answer, ...]:
        """What is answered: what lies on the table, where that was asked after, before what the case knows of it."""
        answers = spoken.answers
        if spoken.talked is not None:
            spoken_to = any(each.kind not in _CIVIL for each in answers)
            of_table = self._of_the_table(heard, state, spoken_to)
            answers = (*_greeted(answers), *of_table, *self._supposed(heard, spoken, _ungreeted(answers)))[
                :MOST_ANSWERS
            ]
        if (
            heard.conduct.fresh_offer
        ):  # both halves of a trade are there, and an offer is more than a word beside it
            answers = tuple(each for each in answers if each.kind not in LESS_THAN_AN_OFFER)
        answers = tuple(self._helped_by(self._with_term(each, heard), spoken, state) for each in answers)
        if spoken.talked is not None and not decision.walk_away:
            answers = self._vouched(heard, self._hanging(decision, heard, answers))
            answers = self._no_bar(heard, spoken, answers)
        if decision.accept:  # nobody names what stands in the way who says yes
            answers = tuple(each for each in answers if each.kind not in _CHOSEN)
        if spoken.objection:  # who names what holds it back has answered what does
            answers = tuple(each for each in answers if each.kind not in BESIDE_A_REASON)
        ends = decision.accept or decision.walk_away
        asked = self._asked(heard, state.player)
        if spoken.talked is None or ends or not asked or decision.offer is None:
            return answers
        chosen = terms_of(self._scenario.issues, decision.bundle)
        own = terms_of(self._scenario.issues, state.player.bundle) if state.player.offer is not None else {}
        named = {
            issue.id: [option.label for option in issue.options if option.id == chosen[issue.id]]
            for issue in self._scenario.issues
            if issue.id in asked
        }
        other = [
            option.label
            for issue in self._scenario.issues
            for option in issue.options
            if option.id in asked.get(issue.id, ()) and option.id not in (chosen[issue.id], own.get(issue.id))
        ]
        if any(each.kind in _CHOSEN for each in answers):
            return answers
        apart = any(each.kind in SAYS_ITS_OWN for each in answers) and len(asked) < len(self._scenario.issues)
        if apart and not {WHY_SO, FIRM} & heard.table:
            return answers  # the term only stood beside what was asked
        stands = Answer("stands", fact=listed([label for labels_ in named.values() for label in labels_]))
        weighs = [Answer("weighs", topic=other[0])] if len(other) == 1 else []
        if heard.conduct.fresh_offer:
            weighs = []  # what they would give for it is on the table
        elif WHY_SO in heard.table and len(asked) == 1 and (why := self._why(next(iter(asked)), spoken)):
            weighs = [Answer("openly", why)]
        elif FIRM in heard.table and any(named.values()):
            weighs = [Answer("firm")]
        elif len(other) > 1:
            weighs = [Answer("suppose")]
        rest = [each for each in answers if each.kind not in NOT_WHAT_WAS_ASKED]
        return (stands, *weighs, *rest)[:MOST_ANSWERS]

    def _why(self, issue: str, spoken: Spoken) -> str:
        """Why a term matters, the first time that it is asked."""
        why = "" if issue in self._explained else spoken.terms.get(issue, "")
        if why:
            self._explained.add(issue)
        return why

    def _helped_by(self, answer: Answer, spoken: Spoken, state: State) -> Answer:
        """Asked once more about a reason of which all was said, it says what would help, once for each thing that would."""
        if answer.kind != "again":
            return answer
        own = terms_of(self._scenario.issues, state.player.bundle) if state.player.offer is not None else {}
        for name in spoken.helps.get(answer.fact, ()):
            issue, option = name.split(".", 1)
            label = next(
                (
                    each.label
                    for known in self._scenario.issues
                    if known.id == issue
                    for each in known.options
                    if each.id == option
                ),
                "",
            )
            if label and own.get(issue) != option and name not in self._helped:
                self._helped.add(name)
                return Answer("would_help", topic=label)
        return answer

    def _with_term(self, answer: Answer, heard: Heard) -> Answer:
        """The answer to a trade names the one term that it was about."""
        if answer.kind != "trading" or len(heard.named) != 1:
            return answer
        ((issue, option),) = heard.named.items()
        options = next(each.options for each in self._scenario.issues if each.id == issue)
        return replace(answer, topic=next(each.label for each in options if each.id == option))

    def _asked(self, heard: Heard, player: SideState) -> Mapping[str, frozenset[str]]:
        """The terms that were asked about; of what lies in a package that was just put down, nothing was."""
        if not heard.conduct.fresh_offer:
            return heard.asked
        own = terms_of(self._scenario.issues, player.bundle)
        return {issue: named for issue, named in heard.asked.items() if not named or named - {own[issue]}}

    def _of_the_table(self, heard: Heard, state: State, spoken_to: bool) -> Iterator[Answer]:
        """A headline that was asked after, and why the persona's figure went back, where it did."""
        if HEADLINE in heard.table and state.headlines:
            yield Answer("headline", fact=state.headlines[-1].text.rstrip("."))
        if CONFIDES in heard.table and not spoken_to:
            yield Answer("thanked")
        if MISHEARD in heard.table and not heard.conduct.fresh_offer:
            yield Answer("misheard")
        if HEARD_ME in heard.table and state.player.offer is not None and not heard.conduct.fresh_offer:
            yield Answer("heard_you", fact=self._package(state.player))
        if WENT_BACK in heard.table and (because := self._went_back(state.opponent)):
            yield Answer("went_back", fact=listed(because))

        if MIDDLE in heard.table and not heard.conduct.fresh_offer:
            yield Answer("middle")

    def _hanging(self, decision: Decision, heard: Heard, answers: tuple[Answer, ...]) -> tuple[Answer, ...]:
        """What the offer hangs on is answered, whatever is said of its figure; terms that lie in a package are
        answered with it."""
        offers = heard.conduct.fresh_offer
        if not (heard.trades or (offers and heard.condition)):
            return answers
        if self._lies_in_it(decision, heard) or not (offers or (heard.condition and not heard.named)):
            return answers
        figure = offers or (heard.reading is not None and heard.reading.figure is not None)
        kind: AnswerKind = "agreed_if" if decision.accept else "condition" if figure else "conditional"
        rest = tuple(each for each in answers if each.kind != "trading")
        return (*rest[: MOST_ANSWERS - 1], Answer(kind, fact=heard.condition))

    def _lies_in_it(self, decision: Decision, heard: Heard) -> bool:
        """Whether the terms that the words name lie in the package that it answers with."""
        if not heard.named or decision.offer is None:
            return False
        chosen = terms_of(self._scenario.issues, decision.bundle)
        return all(chosen[issue] == option for issue, option in heard.named.items())

    def _vouched(self, heard: Heard, answers: tuple[Answer, ...]) -> tuple[Answer, ...]:
        """Where it was asked whether they vouch for something, what is known of it comes first, and never in its place."""
        if ASSURE not in heard.table:
            return answers
        kept = tuple(each for each in answers if each.kind not in LEAVES_IT_OPEN)
        return (*kept[: MOST_ANSWERS - 1], Answer("vouch"))

    def _no_bar(self, heard: Heard, spoken: Spoken, answers: tuple[Answer, ...]) -> tuple[Answer, ...]:
        """Asked whether something stands in the way for good, it says that nothing does which has its price."""
        if RULED_OUT not in heard.table or heard.conduct.fresh_offer:
            return answers
        kept = tuple(each for each in answers if each.kind not in LEAVES_IT_OPEN)
        if len(kept) == MOST_ANSWERS or any(each.kind in ON_A_REASON for each in kept):
            return answers
        return (*kept, Answer("no_bar"))

    def _supposed(self, heard: Heard, spoken: Spoken, answers: tuple[Answer, ...]) -> tuple[Answer, ...]:
        """The answers where it was asked whether something would help that is neither offered nor one of the terms: that
        is weighed, and nothing that merely touches on it is told."""
        if MIDDLE in heard.table:
            return tuple(each for each in answers if each.kind not in NOT_WHAT_WAS_ASKED)
        if SUPPOSE not in heard.table or ASSURE in heard.table or heard.asked or HEARD_ME in heard.table:
            return answers
        said = tuple(each for each in answers if each.kind not in NOT_WHAT_WAS_ASKED | {"detail"})
        if any(each.kind in ON_A_REASON for each in answers):
            return said  # whether it helps has been said
        if heard.conduct.fresh_offer:
            return answers
        if any(each.kind == "openly" for each in said):
            return said  # what it comes to has been said
        return (*said, self._weighed(spoken))

    def _weighed(self, spoken: Spoken) -> Answer:
        """What may help is weighed against what was said to hold it back, if the message is about that."""
        touched = () if spoken.talked is None else spoken.talked.touched
        return Answer("unsettling", fact=touched[0]) if touched else Answer("suppose")

    def _package(self, side: SideState) -> str:
        """A side's package in words: its price and the terms that differ from the plain ones."""
        price = format_money(side.offer or 0.0, self._scenario.money)
        terms = self._labels(side.bundle, than=0)
        return f"{price} with {listed(terms)}" if terms else price

    def _went_back(self, side: SideState) -> tuple[str, ...]:
        """The terms for which the persona now wants more than it last wanted without them; empty where it does not."""
        if side.offer is None:
            return ()
        asks = SIGN[self._seat] * side.offer
        cheaper = (bundle for offer, bundle in reversed(self._named) if SIGN[self._seat] * offer < asks)
        before = next(cheaper, side.bundle)
        return () if before == side.bundle else self._labels(side.bundle, than=before)

    def _labels(self, bundle: int, *, than: int) -> tuple[str, ...]:
        return labels(self._scenario.issues, bundle, than)


def _greeted(answers: tuple[Answer, ...]) -> tuple[Answer, ...]:
    """A greeting that comes first."""
    return answers[:1] if answers and answers[0].kind in _CIVIL else ()


def _ungreeted(answers: tuple[Answer, ...]) -> tuple[Answer, ...]:
    return answers[len(_greeted(answers)) :]
