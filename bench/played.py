"""Deals that people have played in their own words, and how the answers were graded by who built neither, and by who did.
(In lines of ``careful_11`` to ``careful_15`` a sum may lack its first digits, which the shell took for a variable's name.)

    python -m bench.played bench/played/careful_1.toml     the deal once more, as text
    python -m bench.played                                 all of them, and what their grades come to

A file holds who plays, the table, and the player's lines; an offer, terms, a card, accepting and leaving stand beside
the words where they were used, else the figure binds that the words offer, as at the table, which asks where that is
not clear. A grade (``content``, ``empty`` or ``wrong``) is of one answer in its words: where the same line is answered
in another way today, it counts as not graded. Graded are the answers to lines of :data:`LONG` words or more.
"""

from __future__ import annotations

import argparse
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any

from bench.experiment import RESULTS, keep
from negotiation.engine.deal import Action, ActionRefused, Negotiation, Scenario
from negotiation.engine.language import CONFIDENCE_TO_BIND, named_terms
from negotiation.reading import heard, read

PLAYED = Path(__file__).resolve().parent / "played"
LONG = 9
"""Words of a line from which on its answer is graded."""
GRADES = ("content", "empty", "wrong")
BUILDER = "builder"
"""How the files of deals begin that were played and graded, not blind, by who built it. They are counted apart."""

TOLD_APART = {
    "a stranger, before the mends": tuple(f"stranger_{at}" for at in range(1, 9)),
    "the same, after the mends": tuple(f"builder_{at}" for at in range(32, 35)),
    "fresh deals of a builder's, questions of any trade answered": tuple(
        f"builder_{at}" for at in range(35, 47)
    ),
    "four fresh deals of another builder's, own reasons said, narrower hearing": tuple(
        f"builder_{at}" for at in range(83, 87)
    ),
    "fifteen of three strangers, with the second ear": tuple(
        f"{who}_{at}" for who in ("careful", "hurried", "hostile") for at in range(6, 11)
    ),
    "fifteen more, what nobody understood said back": tuple(
        f"{who}_{at}" for who in ("careful", "hurried", "hostile") for at in range(11, 16)
    ),
    "fifteen more, with 195 particulars a seat": tuple(
        f"{who}_{at}" for who in ("careful", "hurried", "hostile") for at in range(16, 21)
    ),
    "fifteen more, with 345 and questions said back less often": tuple(
        f"{who}_{at}" for who in ("careful", "hurried", "hostile") for at in range(21, 26)
    ),
    "fifteen more, particulars weighed": tuple(
        f"{who}_{at}" for who in ("careful", "hurried", "hostile") for at in range(26, 31)
    ),
}
"""Deals whose grades are also told as they were given, with intervals: what one person found before and after mending."""
_Z = 1.96


@dataclass(frozen=True, slots=True)
class Exchange:
    """One line of the player's and the answer to it; ``heard`` is what the words were heard to do."""

    line: str
    offer: float | None
    heard: tuple[str, ...]
    reply: str
    refused: bool = False
    news: tuple[str, ...] = ()

    @property
    def counts(self) -> bool:
        return len(self.line.split()) >= LONG and not self.refused and bool(self.reply)


@dataclass(slots=True)
class Played:
    """A deal as it was written down, at its table."""

    table: Negotiation
    lines: list[dict[str, Any]]

    @classmethod
    def read(cls, path: Path) -> Played:
        """Sit down at the table of a file.

        Raises:
            KeyError, ValueError: when the table can't be set.
        """
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        deal = data["deal"]
        table = Negotiation(deal["scenario"], deal["persona"], deal["seat"], deal["seed"], case=True)
        return cls(table, data.get("line", []))

    def action(self, line: dict[str, Any]) -> Action:
        """The move of one line, as the page would send it."""
        scenario, view = self.table.scenario, self.table.observe()
        text = line.get("text", "")
        if line.get("accept") or line.get("walk_away"):
            return Action(text, accept=line.get("accept", False), walk_away=line.get("walk_away", False))
        reading = read(text, scenario=scenario, view=view)
        clear = reading.confidence >= CONFIDENCE_TO_BIND
        meant = reading.offer is not None and (
            clear or (reading.offer != view.standing_offer and _plausible(reading.offer, scenario))
        )
        offer = line.get(
            "offer", reading.offer if meant else None
        )  # the table would ask where it is not clear
        terms = {**view.own_terms, **(named_terms(text, scenario.option_names) if clear else {})}
        terms |= line.get("terms", {})
        action = Action(
            text,
            offer=offer,
            terms=terms if offer is not None and scenario.issues else None,
            card=line.get("card"),
        )
        return heard(action, self.table)

    def play(self) -> Iterator[Exchange]:
        """Line after line, until the deal ends or the lines do."""
        for line in self.lines:
            if self.table.done:
                return
            action = self.action(line)
            does = tuple(f"{each.act} {each.topic or ''} {each.id or ''}".strip() for each in action.talk)
            try:
                reply = self.table.step(action).reply
            except ActionRefused as refusal:
                yield Exchange(action.text, action.offer, does, str(refusal), refused=True)
                continue
            now = self.table.turn - 1
            news = tuple(each.text for each in self.table.observe().headlines if each.turn == now)
            yield Exchange(action.text, action.offer, does, reply.text, news=news)


def _plausible(offer: float, scenario: Scenario) -> bool:
    return scenario.plausible_low <= offer <= scenario.plausible_high


def briefing(table: Negotiation) -> Iterator[str]:
    """What the player has on the table before the first line."""
    scenario, view = table.scenario, table.observe()
    spec = scenario.seats[table.seat]
    yield f"{scenario.title}: {scenario.summary}"
    yield f"You are the {table.seat}, {spec.role} of {spec.company}. {spec.brief}"
    yield f"Across: {table.persona.name}. {view.horizon} turns."
    yield f"Walk away at {view.own.walk_away:,.0f}; alternative worth {view.own.alternative_value or 'nothing'}."
    for issue, values in zip(scenario.issues, view.own.values, strict=True):
        options = (f"{each.label} ({worth:+,.0f})" for each, worth in zip(issue.options, values, strict=True))
        yield f"  {issue.title}: {', '.join(options)}"
    if table.case is not None and view.sheet is not None:
        yield "You know: " + "; ".join(each.says for each in view.sheet.facts)
        yield "You can say: " + "; ".join(each.says for each in table.case.seats[table.seat].arguments)
        yield "Never say: " + "; ".join(each.says for each in table.case.seats[table.seat].never)
    if table.opening is not None:
        yield f"\nTHEM: {table.opening.text}"


def show(path: Path, doing: bool) -> None:
    played = Played.read(path)
    print(*briefing(played.table), sep="\n")
    for each in played.play():
        print(f"\nYOU:  {each.line}" + (f"  [{each.offer:,.0f}]" if each.offer is not None else ""))
        if doing:
            print(f"      heard: {', '.join(each.heard) or 'nothing'}")
        for headline in each.news:
            print(f"NEWS: {headline}")
        print(("(not possible: " if each.refused else "THEM: ") + each.reply + (")" if each.refused else ""))
    view = played.table.observe()
    if played.table.outcome is not None:
        print(f"\nEnded: {played.table.outcome.reason}, {played.table.outcome.price}")
    else:
        print(
            f"\nTurn {view.turn} of {view.horizon}. They stand at {view.standing_offer}, you at {view.own_offer}."
        )


def graded(path: Path) -> Counter[str]:
    """How many answers of a deal have which grade; ``open`` are those without one."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    grades = {(each["line"], each["reply"]): each["grade"] for each in data.get("grade", [])}
    return Counter(
        grades.get((each.line, each.reply), "open") for each in Played.read(path).play() if each.counts
    )


def shares(deals: Iterable[Counter[str]]) -> dict[str, Any]:
    """What the grades of some deals come to."""
    total = sum(deals, Counter[str]())
    known = sum(total[grade] for grade in GRADES)
    share = {grade: round(total[grade] / known, 4) if known else None for grade in GRADES}
    return {"graded": known, "open": total["open"], "share": share}


def when_graded(paths: Iterable[Path]) -> dict[str, Any]:
    """What the grades of some deals came to when they were given, whatever is answered today: each grade's number,
    and its share with Wilson's 95% interval."""
    given = Counter(
        each["grade"]
        for path in paths
        for each in tomllib.loads(path.read_text(encoding="utf-8")).get("grade", [])
    )
    of = sum(given[grade] for grade in GRADES)
    return {grade: {"answers": given[grade], "of": of, "share": wilson(given[grade], of)} for grade in GRADES}


def wilson(hits: int, of: int) -> tuple[float, float, float] | None:
    """A share between the ends of its 95% interval (Wilson 1927): low, share, high."""
    if not of:
        return None
    share, wide = hits / of, _Z**2 / of
    middle = (share + wide / 2) / (1 + wide)
    half = sqrt(share * (1 - share) * wide + wide**2 / 4) / (1 + wide)
    return round(middle - half, 4), round(share, 4), round(middle + half, 4)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("deals", nargs="*", type=Path)
    parser.add_argument("--heard", action="store_true", help="also what each line was heard to do")
    parser.add_argument("--output", type=Path, default=RESULTS / "played.json")
    given = parser.parse_args()
    if given.deals:
        for path in given.deals:
            show(path, given.heard)
        return
    deals = {path.stem: graded(path) for path in sorted(PLAYED.glob("*.toml"))}
    strangers = {name: counts for name, counts in deals.items() if not name.startswith(BUILDER)}
    found: dict[str, Any] = {
        "deals": {name: dict(counts) for name, counts in deals.items()},
        **shares(strangers.values()),
        BUILDER: shares(counts for name, counts in deals.items() if name not in strangers),
    }
    found["when_graded"] = {
        name: when_graded(PLAYED / f"{each}.toml" for each in listed) for name, listed in TOLD_APART.items()
    }
    keep(found, given.output)
    for whose, counted in (("strangers", found), (BUILDER, found[BUILDER])):
        print(
            whose,
            counted["share"],
            f"of {counted['graded']} answers graded; {counted['open']} without a grade",
        )
    for name, grades in found["when_graded"].items():
        print(name, grades)


if __name__ == "__main__":
    main()
