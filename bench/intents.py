"""How often a person hears what is asked: questions that others wrote and labelled, and what the house reader makes of them.

    python -m bench.intents [--rehearse] [--output bench/results/intents.json]

A question is labelled with the clause that answers it best: a topic of the case, a question of any trade
(``case.trade.COVERS``), or none. It is heard rightly where the reader hears that label, nearly where it hears one whose
answers lie close (a topic that the question of the trade covers), wrongly where it hears only others, and not at all where
it hears nothing. Nobody tuned the reader for them. Those of a case
were written for it, as over a whole deal, by somebody who knew the case and nothing of the reader.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.experiment import Figures, Given, experiment
from negotiation.engine.deal import scenarios
from negotiation.engine.deal.case.acts import QUESTIONS, TOPICS
from negotiation.engine.deal.case.file import cases
from negotiation.engine.deal.case.trade import COVERS
from negotiation.engine.deal.listening import listen, of_the_trade
from negotiation.engine.deal.types import OTHER_SEAT, Seat

FOLDER = Path(__file__).resolve().parent / "intents"
ANY, STANDS_IN = "any", ("saas_enterprise", "buyer")
"""Questions of no case are put to somebody of one."""
FEW = 60


@dataclass(frozen=True, slots=True)
class Wish:
    """One question, who is asked, and the labels that fit it equally well."""

    text: str
    labels: tuple[str, ...]
    scenario: str
    asked: Seat

    def heard(self) -> set[str]:
        """The labels that the house reader hears."""
        seats = cases()[self.scenario].seats
        listening = listen(self.text, speaker=seats[OTHER_SEAT[self.asked]], listener=seats[self.asked])
        titles = {issue.id: issue.title for issue in scenarios()[self.scenario].issues}
        topics = [
            str(each.talk.topic) for each in listening.heard if each.talk.act in QUESTIONS and each.talk.topic
        ]
        return {*topics, *of_the_trade(self.text, titles).found}


def wishes(path: Path) -> Iterator[Wish]:
    """The questions of a file."""
    for asked, by_label in tomllib.loads(path.read_text(encoding="utf-8")).items():
        scenario, seat = STANDS_IN if asked == ANY else (path.stem, asked)
        for label, listed in by_label.items():
            for text in listed:
                yield Wish(text, tuple(label.split("|")), scenario, seat)  # type: ignore[arg-type]  # a seat's name


def verdict(wish: Wish) -> str:
    """``right``, ``near``, ``wrong`` or ``unheard``; where nothing should be heard, that is right."""
    heard = wish.heard()
    wanted = set(wish.labels)
    if not wanted & {*TOPICS, *COVERS}:
        return "wrong" if heard else "right"
    if heard & wanted:
        return "right"
    close: set[str] = {topic for label in heard & set(COVERS) for topic in COVERS[label]}
    close |= {label for label, covered in COVERS.items() if covered & heard}
    if close & wanted:
        return "near"
    return "wrong" if heard else "unheard"


@experiment("intents.json", rehearsal=True)
def main(chosen: Given) -> Figures:
    by_file: dict[str, dict[str, float]] = {}
    by_label: dict[str, Counter[str]] = {}
    of_cases: Counter[str] = Counter()
    for path in sorted(FOLDER.glob("*.toml")):
        asked = list(wishes(path))[: FEW if chosen.rehearse else None]
        found = [(wish.labels[0], verdict(wish)) for wish in asked]
        by_file[path.stem] = {"questions": len(found), **shares(Counter(each for _, each in found))}
        of_cases.update(each for _, each in found if path.stem in cases())
        for label, each in found:
            by_label.setdefault(label, Counter())[each] += 1
    everything: Counter[str] = sum(by_label.values(), Counter())
    return {
        "all": {"questions": everything.total(), **shares(everything)},
        "of_cases": {"questions": of_cases.total(), **shares(of_cases)},
        "by_file": by_file,
        "by_label": {
            label: {"questions": each.total(), **shares(each)} for label, each in sorted(by_label.items())
        },
    }


def shares(found: Counter[str]) -> dict[str, float]:
    """Of each verdict."""
    return {
        each: round(found[each] / max(1, found.total()), 3) for each in ("right", "near", "wrong", "unheard")
    }


if __name__ == "__main__":
    main()
