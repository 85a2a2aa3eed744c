"""What may be said: the decision that a line has to carry, and what both sides know already."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from negotiation.engine.deal import Observation, Reply, Scenario
from negotiation.engine.deal.issues import bundle_of, labels
from negotiation.engine.deal.types import OTHER_SEAT, Seat
from negotiation.engine.language import MoneyContext, OptionNames, understand
from negotiation.opponents.guard.case import CaseWords
from negotiation.opponents.guard.phrases import asks_after_the_limit

Ending = Literal["none", "accept", "walk"]


@dataclass(frozen=True, slots=True)
class Facts:
    """One turn of the speaker's, as far as words are concerned. Money in whole currency units.

    Args:
        offer: the figure that the speaker stands at after the line; for an acceptance, the price agreed.
        moved: whether that figure is new, so that the line has to name it.
        claim: the limit that it states with its card, true or not.
        public: every figure that either side has put on the table.
        ending: whether the line ends the talks, by taking the deal or by leaving.
        final: whether a last offer was decided.
        deadline_turns: the deadline that was decided, in turns.
        terms: labels that the line may name: those of the packages on the table.
        others: everything else that the scenario could throw in, which it may not.
        gift: the sweetener that was decided.
        options: what people call the options of all issues, and ``packages`` those that are on the table.
        news: headlines, whose numbers anybody may quote.
        secrets: what must not be told in any way, for the second lock on the same door.
        probed: whether the other side's last words asked after the limit.
        said: lines that the speaker has used, in lower case.
        case: what the line may take from the world behind the deal.
    """

    money: MoneyContext
    seat: Seat
    offer: float | None = None
    moved: bool = False
    claim: float | None = None
    public: frozenset[float] = frozenset()
    standing: float | None = None
    ending: Ending = "none"
    final: bool = False
    deadline_turns: int | None = None
    terms: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    gift: str | None = None
    options: tuple[OptionNames, ...] = ()
    packages: tuple[tuple[str, str], ...] = ()
    news: tuple[str, ...] = ()
    secrets: frozenset[float] = frozenset()
    probed: bool = False
    said: frozenset[str] = field(default_factory=frozenset)
    case: CaseWords = field(default_factory=CaseWords)

    @property
    def figures(self) -> frozenset[float]:
        """Every figure that the line may name."""
        own = {figure for figure in (self.offer, self.claim) if figure is not None}
        return self.public | own


def facts_of(
    seen: Observation,
    reply: Reply,
    scenario: Scenario,
    *,
    ending: Ending,
    final: bool = False,
    deadline_turns: int | None = None,
    gift: str | None = None,
    case: CaseWords | None = None,
) -> Facts:
    """The facts for ``reply``, where ``seen`` is the table from the speaker's seat before it.

    Args:
        ending: whether the line ends the talks; a parting word does, although its reply decides nothing.
        case: what it may say of the world behind the deal, where there is one.
    """
    packages: set[tuple[str, str]] = set()
    named: list[str] = []
    for terms, stands in (
        (seen.own_terms, seen.own_offer is not None),
        (seen.standing_terms, seen.standing_offer is not None),
        (reply.terms or {}, reply.offer is not None),
    ):
        if stands:
            packages |= set(terms.items())
            named += labels(scenario.issues, bundle_of(scenario.issues, terms))
    offered = {move.offer for move in seen.transcript} | {move.claim for move in seen.transcript}
    agreed = seen.standing_offer if reply.accept else reply.offer
    own = seen.own
    secrets = {own.walk_away, own.budget} | ({own.alternative_value} if own.alternative_value else set())
    worths = {abs(value) for issue in own.values for value in issue if value}
    public = frozenset(figure for figure in offered if figure is not None)
    return Facts(
        money=scenario.money,
        seat=seen.seat,
        offer=seen.own_offer if agreed is None else agreed,
        moved=reply.offer is not None and reply.offer != seen.own_offer and ending == "none",
        claim=reply.claim,
        public=public,
        standing=seen.standing_offer,
        ending=ending,
        final=final,
        deadline_turns=deadline_turns,
        terms=tuple(dict.fromkeys(named)),
        others=tuple(each.name for each in scenario.sweeteners if each.name != gift),
        gift=gift,
        options=scenario.option_names,
        packages=tuple(sorted(packages)),
        news=tuple(headline.text for headline in seen.headlines),
        secrets=frozenset(secrets | worths) - public,
        probed=_probes(seen, scenario),
        said=frozenset(move.text.lower() for move in seen.transcript if move.side == "player" and move.text),
        case=case or CaseWords(),
    )


def _probes(seen: Observation, scenario: Scenario) -> bool:
    """Whether what was last heard asks after the limit, or for a yes or no about it."""
    heard = next((move.text for move in reversed(seen.transcript) if move.side == "opponent"), "")
    if not heard:
        return False
    reading = understand(heard, money=scenario.money, seat=OTHER_SEAT[seen.seat])
    asked = bool({"limit", "budget", "alternative"} & set(reading.topics)) or "injection" in reading.acts
    return asked or asks_after_the_limit(heard)
