"""Case files: read, validated, and refused with every problem named at once.

``docs/scenarios.md`` is the format in words. One file a scenario, under ``engine/data/cases``; the particulars of those that
ship have files of their own, under ``engine/data/particulars``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar, cast

from negotiation.engine.deal.case.acts import TOPICS, Topic
from negotiation.engine.deal.case.declared import (
    Argument,
    Claim,
    DealCase,
    Fact,
    Need,
    Objection,
    SeatCase,
)
from negotiation.engine.deal.case.particulars import particulars
from negotiation.engine.deal.case.trade import COVERS
from negotiation.engine.deal.scenario import Scenario
from negotiation.engine.deal.scenario_fields import SLUG, Table, shown
from negotiation.engine.deal.scenario_file import ScenarioError, parsed, placed, scenarios
from negotiation.engine.deal.types import SIGN

_DATA: Final = Path(__file__).resolve().parent.parent.parent / "data"
CASE_DIR: Final = _DATA / "cases"
PARTICULARS_DIR: Final = _DATA / "particulars"

LONGEST_CLAUSE: Final = 20
LONGEST_SENTENCE: Final = 26
"""Words of a clause: one breath, whatever frame it is spoken in."""
_CHARACTERS, _CUE_CHARACTERS = 160, 40
MOST_GUARDED: Final = 3
DEAL_VALUES: Final = ("urgency", "alternative", "budget", "walk_away")
"""The hidden values of a seat at a deal for two that facts may bear on."""
_MOST: Final = {"facts": 16, "needs": 8, "objections": 6, "arguments": 8, "never": 8, "answers": 22}
_FEWEST: Final = {"facts": 1, "needs": 1}
HEAVIEST: Final = 0.40
"""What the objections of a seat may hold in all: more, and nothing closes."""


class CaseError(ScenarioError):
    """A case file that cannot be used. ``problems`` holds all that is wrong, in the order of the file."""


@dataclass(frozen=True, slots=True)
class Ground:
    """What a case stands on: its scenario's seats, hidden values, options and sweeteners."""

    scenario: str
    values: Mapping[str, tuple[str, ...]]
    """Seat to the names of its hidden values."""
    options: frozenset[str] = frozenset()
    sweeteners: Mapping[str, int] = field(default_factory=dict)
    """How many sweeteners each seat has to give."""

    def others(self, seat: str) -> list[str]:
        return [each for each in self.values if each != seat]


def ground_of(scenario: Scenario) -> Ground:
    """What the case of a deal for two stands on."""
    options = (f"{issue.id}.{option.id}" for issue in scenario.issues for option in issue.options)
    return Ground(
        scenario=scenario.id,
        values=dict.fromkeys(SIGN, DEAL_VALUES),
        options=frozenset(options),
        sweeteners={seat: len(scenario.sweeteners_of(seat)) for seat in SIGN},
    )


def read_case(text: str, name: str, ground: Ground) -> DealCase:
    """The case that a TOML text describes.

    Raises:
        CaseError: with every problem and its line.
    """
    try:
        return parse_case(parsed(text, name), name, ground)
    except ScenarioError as error:
        raise CaseError(name, placed(error.problems, text)) from error


def parse_case(raw: Mapping[str, Any], name: str, ground: Ground) -> DealCase:
    """Build and validate a case from its parsed TOML.

    Raises:
        CaseError: naming every key that is missing, unknown, of the wrong type or out of range.
    """
    top = Table(raw, (), [])
    tables = {seat: top.table(seat) for seat in ground.values}
    seats = {seat: _seat(table, seat, ground) for seat, table in tables.items()}
    top.close()
    if not top.problems:
        for seat, table in tables.items():
            _check_links(seat, seats, table, ground)
    if top.problems:
        raise CaseError(name, top.problems)
    return DealCase(ground.scenario, seats)


def _seat(table: Table, seat: str, ground: Ground) -> SeatCase:
    needs = table.table("needs")
    found = SeatCase(
        needs=tuple(_need(each, id_, seat, ground) for id_, each in _named(needs)),
        facts=tuple(_fact(*each, seat, ground, frozenset(needs)) for each in _by_topic(table, "facts")),
        objections=tuple(_objection(*each) for each in _by_topic(table, "objections")),
        arguments=tuple(
            _argument(*each, ground.sweeteners.get(seat, 0)) for each in _by_topic(table, "arguments")
        ),
        never=tuple(_claim(*each) for each in _by_topic(table, "never")),
        answers=_answers(table.table("answers", optional=True)),
        asked=_asked(table.table("asked", optional=True)),
        terms=_terms(table.table("terms", optional=True), ground),
    )
    found = _with_more(found, table.table("more", optional=True))
    found = replace(found, particulars=particulars(table, (*found.facts, *found.objections)))
    table.close()
    for part, most in _MOST.items():
        count, least = len(getattr(found, part)), _FEWEST.get(part, 0)
        if not least <= count <= most:
            table.note(f"there are {count}, expected {least} to {most}", part)
    _no_twins(table, "facts", found.facts)
    _no_twins(table, "objections", found.objections)
    sayable: tuple[Argument | Claim, ...] = (*found.arguments, *found.never)
    _no_twins(table, "arguments", sayable)
    held = sum(each.hold for each in found.objections)
    if held > HEAVIEST:
        table.note(f"hold {held:.2f} of the zone in all, expected at most {HEAVIEST:.2f}", "objections")
    return found


def _named(table: Table) -> Iterator[tuple[str, Table]]:
    for id_ in table:
        if not SLUG.fullmatch(id_):
            table.note("is not an id: a small letter, then small letters, digits or _, at most 64", id_)
        yield id_, table.entry(id_)


def _by_topic(seat: Table, key: str) -> Iterator[tuple[Topic, str, Table]]:
    """Everything under ``[seat.key]``, written as ``topic.id``."""
    table = seat.table(key, optional=True)
    for topic in table:
        if topic not in TOPICS:
            table.note(f"is not a topic; there are {', '.join(TOPICS)}", topic)
        for id_, each in _named(table.table(topic)):
            yield cast(Topic, topic), id_, each


def _clause(table: Table, key: str = "says") -> str:
    return _checked(table, table.text(key, _CHARACTERS), key)


def _checked(table: Table, clause: str, key: str, *, most: int = LONGEST_CLAUSE) -> str:
    words = len(clause.split())
    if words > most:
        table.note(f"has {words} words, expected at most {most}", key)
    if clause.endswith((".", "!", "?", ",", ";", ":")):
        table.note("ends with a mark, expected a clause that goes into a sentence", key)
    return clause


def _cues(table: Table) -> tuple[str, ...]:
    cues = table.texts("cues", 1, 8, optional=True)
    if any(len(cue) > _CUE_CHARACTERS for cue in cues):
        table.note(f"has a cue of more than {_CUE_CHARACTERS} characters", "cues")
    return cues


def _need(table: Table, id_: str, seat: str, ground: Ground) -> Need:
    need = Need(
        id=id_,
        says=_clause(table),
        options=table.texts("options", 1, 8, optional=True),
        sweetener=_sweetener(
            table, max((ground.sweeteners.get(each, 0) for each in ground.others(seat)), default=0)
        ),
        cues=_cues(table),
    )
    for option in need.options:
        if option not in ground.options:
            table.note(f"{shown(option)} is not an option of this scenario, written issue.option", "options")
    table.close()
    return need


def _sweetener(table: Table, most: int) -> int:
    if "sweetener" not in table:
        return 0
    return table.whole("sweetener", 1, max(1, most)) if most else _no_sweetener(table)


def _no_sweetener(table: Table) -> int:
    table.whole("sweetener", 1, 99)
    table.note("there is no sweetener of that seat in this scenario", "sweetener")
    return 0


def _fact(topic: Topic, id_: str, table: Table, seat: str, ground: Ground, needs: frozenset[str]) -> Fact:
    says = table.text_or_pair("says", _CHARACTERS)
    for clause in says:
        _checked(table, clause, "says")
    values = ground.values[seat]
    about = table.choice("on", (*values, *needs)) if "on" in table else topic if topic in values else ""
    fact = Fact(
        id=id_,
        topic=topic,
        guard=table.whole("guard", 0, MOST_GUARDED) if "guard" in table else 1,
        says=says,
        value=about if about in values else "",
        need=about if about not in values else "",
        cues=_cues(table),
    )
    table.close()
    if len(says) == 2 and not fact.value:
        table.note(f"two clauses need a hidden value: on = one of {', '.join(values)}", "says")
    if len(says) == 1 and fact.value:
        table.note(
            f"on {shown(fact.value)} needs two clauses: one for its low cell, one for its high", "says"
        )
    return fact


def _objection(topic: Topic, id_: str, table: Table) -> Objection:
    answers = table.table("answers")
    objection = Objection(
        id=id_,
        topic=topic,
        says=_clause(table),
        hold=table.number("hold", "(0, 0.2]"),
        answers={key: answers.number(key, "(0, 1]") for key in answers},
        cues=_cues(table),
    )
    table.close()
    return objection


def _with_more(side: SeatCase, table: Table) -> SeatCase:
    """The side with what it says to who asks on, written under ``[seat.more]`` as ``topic.id``."""
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    things: tuple[Fact | Objection, ...] = (*side.objections, *side.facts)
    about: dict[tuple[str, str], Fact | Objection] = {(each.topic, each.id): each for each in things}
    for topic in table:
        clauses = table.table(topic)
        for id_ in clauses:
            said = found[topic, id_] = clauses.text_or_pair(id_, _CHARACTERS)
            for clause in said:
                _checked(clauses, clause, id_)
            thing = about.get((topic, id_))
            if thing is None:
                clauses.note("is neither a fact nor an objection of this seat", id_)
            elif len(said) == 2 and (isinstance(thing, Objection) or len(thing.says) == 1):
                clauses.note("has two clauses, where the thing itself has one", id_)
    return replace(
        side,
        facts=tuple(replace(each, more=found.get((each.topic, each.id), ())) for each in side.facts),
        objections=tuple(
            replace(each, more="".join(found.get((each.topic, each.id), ())[:1])) for each in side.objections
        ),
    )


def _argument(topic: Topic, id_: str, table: Table, sweeteners: int) -> Argument:
    argument = Argument(
        id=id_,
        topic=topic,
        says=_clause(table),
        hits=table.slug("hits"),
        proof=bool(table.flag("proof")),
        sweetener=_sweetener(table, sweeteners),
        cues=_cues(table),
        point=_clause(table, "point") if "point" in table else "",
    )
    table.close()
    return argument


def _claim(topic: Topic, id_: str, table: Table) -> Claim:
    claim = Claim(id=id_, topic=topic, says=_clause(table), cues=_cues(table))
    table.close()
    return claim


def _answers(table: Table) -> Mapping[Topic, str]:
    for topic in table:
        if topic not in TOPICS:
            table.note(f"is not a topic; there are {', '.join(TOPICS)}", topic)
    return {cast(Topic, topic): _clause(table, topic) for topic in table}


def _asked(table: Table) -> Mapping[str, tuple[str, ...]]:
    """What is said to the questions of any trade, each with one answer or the answers of the first time and the next."""
    found = {}
    for question in table:
        if question not in COVERS:
            table.note(f"is no question of the trade; there are {', '.join(COVERS)}", question)
        found[question] = table.text_or_pair(question, _CHARACTERS)
        for clause in found[question]:
            _checked(table, clause, question, most=LONGEST_SENTENCE)
    return found


def _terms(table: Table, ground: Ground) -> Mapping[str, str]:
    """Why each of the terms matters, by the id of its issue."""
    issues = {option.partition(".")[0] for option in ground.options}
    found = {}
    for issue in table:
        if issue not in issues:
            table.note("is no term of this scenario", issue)
        found[issue] = _checked(table, table.text(issue, _CHARACTERS), issue, most=LONGEST_SENTENCE)
    return found


_Named = TypeVar("_Named", Fact, Objection, Argument | Claim)


def _no_twins(table: Table, part: str, found: tuple[_Named, ...]) -> None:
    """Note every id that stands twice: scripts name things by their id alone."""
    seen: set[str] = set()
    for each in found:
        if each.id in seen:
            table.note(f"{shown(each.id)} is taken by another of its kind", part, each.topic, each.id)
        seen.add(each.id)


def _check_links(seat: str, seats: Mapping[str, SeatCase], table: Table, ground: Ground) -> None:
    """Arguments hit needs of somebody else's, and objections are answered by what somebody else can say or give."""
    others = [seats[other] for other in ground.others(seat)]
    needs = {need.id for other in others for need in other.needs}
    for argument in seats[seat].arguments:
        if argument.hits not in needs:
            text = (
                f"{shown(argument.hits)} is not a need of another seat; there are {', '.join(sorted(needs))}"
            )
            table.note(text, "arguments", argument.topic, argument.id, "hits")
    known = {each for other in others for each in (*other.argument, *other.claim)} | ground.options
    known |= {
        f"sweetener_{n}"
        for other in ground.others(seat)
        for n in range(1, ground.sweeteners.get(other, 0) + 1)
    }
    for objection in seats[seat].objections:
        for answer in objection.answers:
            if answer not in known:
                path = ("objections", objection.topic, objection.id, "answers")
                table.note(f"{answer} is not an argument, option or sweetener that the other side has", *path)


def case_path(scenario: str) -> Path:
    return CASE_DIR / f"{scenario}.toml"


@cache
def case_texts() -> dict[str, str]:
    """The texts of the cases that ship for deals for two, with their particulars, by the id of their scenario."""
    return {id_: _text_of(id_) for id_ in scenarios() if case_path(id_).exists()}


def _text_of(scenario: str) -> str:
    parts = (case_path(scenario), PARTICULARS_DIR / f"{scenario}.toml")
    return "\n".join(each.read_text(encoding="utf-8") for each in parts if each.exists())


@cache
def cases() -> dict[str, DealCase]:
    """The cases that ship for deals for two, by the id of their scenario."""
    shipped = scenarios()
    return {
        id_: read_case(text, case_path(id_).name, ground_of(shipped[id_]))
        for id_, text in case_texts().items()
    }
