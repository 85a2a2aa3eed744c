"""The words of a model that decides for itself: what they may say, and what is wrong with them."""

from __future__ import annotations

from dataclasses import replace

from negotiation.engine.deal import Observation, Reply, Scenario
from negotiation.opponents.guard.checker import check, tidy
from negotiation.opponents.guard.facts import Ending, Facts, facts_of
from negotiation.opponents.guard.objections import Objection


def facts_of_own(seen: Observation, reply: Reply, scenario: Scenario) -> Facts:
    """What its line may say. It need not name a new figure, which the table shows beside it."""
    ending: Ending = "accept" if reply.accept else "walk" if reply.walk_away else "none"
    return replace(facts_of(seen, reply, scenario, ending=ending), moved=False)


def objections(seen: Observation, reply: Reply, scenario: Scenario) -> tuple[Objection, ...]:
    """What is wrong with the words of ``reply``; nothing where there are none, or where none would be heard, since the
    limit was asked after."""
    line = tidy(reply.text)
    if not line:
        return ()
    facts = facts_of_own(seen, reply, scenario)
    return () if facts.probed else check(line, facts)
