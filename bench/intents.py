"""How often a person hears what is asked: questions that others wrote and labelled, and what the readers make of them.

    python -m bench.intents [--rehearse] [--output bench/results/intents.json]

A question is labelled with the clause that answers it best: a topic of the case, a question of any trade
(``case.trade.COVERS``), or none. It is heard rightly where the reader hears that label, nearly where it hears one whose
answers lie close (a topic that the question of the trade covers), wrongly where it hears only others, and not at all where
it hears nothing. They were written for a case, as over a whole deal, by somebody who knew the case and nothing of the
readers. Neither has learnt from them; what the readers' opinions weigh beside each other (the constants of ``ear.hearing``
and ``ear.intents``) was chosen with the first batch in view, and the second was read once after that. ``house`` is what is
heard where the second ear is not installed.
"""

from __future__ import annotations

import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from bench.experiment import Figures, Given, experiment
from negotiation.engine.deal import scenarios
from negotiation.engine.deal.case.acts import QUESTIONS, TOPICS
from negotiation.engine.deal.case.file import cases
from negotiation.engine.deal.case.trade import COVERS
from negotiation.engine.deal.listening import Listening, hear, listen, of_the_trade
from negotiation.engine.deal.listening.ear.intents import second_ear
from negotiation.engine.deal.types import OTHER_SEAT, Seat

FOLDER = Path(__file__).resolve().parent / "intents"
VERDICTS = ("right", "near", "wrong", "unheard")
FEWER = 6
Reader = Callable[..., Listening]


@dataclass(frozen=True, slots=True)
class Wish:
    """One question, who is asked, and the labels that fit it equally well."""

    text: str
    labels: tuple[str, ...]
    scenario: str
    asked: Seat
    batch: str

    def heard(self, reader: Reader) -> set[str]:
        """The labels that a reader hears."""
        seats, scenario = cases()[self.scenario].seats, scenarios()[self.scenario]
        listening = reader(self.text, speaker=seats[OTHER_SEAT[self.asked]], listener=seats[self.asked])
        trade = of_the_trade(self.text, {issue.id: issue.title for issue in scenario.issues})
        if listening.asked is not None:
            trade = trade.as_heard(replace(listening.asked, particulars=()))
        topics = [
            str(each.talk.topic) for each in listening.heard if each.talk.act in QUESTIONS and each.talk.topic
        ]
        return {*topics, *trade.found}


def wishes(path: Path) -> Iterator[Wish]:
    """The questions of a file."""
    for asked, by_label in tomllib.loads(path.read_text(encoding="utf-8")).items():
        for label, listed in by_label.items():
            for text in listed:
                yield Wish(text, tuple(label.split("|")), path.stem, asked, path.parent.name)  # type: ignore[arg-type]  # a seat's name


def verdict(wish: Wish, reader: Reader) -> str:
    """``right``, ``near``, ``wrong`` or ``unheard``; where nothing should be heard, that is right."""
    heard = wish.heard(reader)
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
    if second_ear() is None:
        message = "the second ear is not installed (requirements/ear.txt): there is nothing to compare"
        raise SystemExit(message)
    asked = [wish for path in sorted(FOLDER.glob("*/*.toml")) for wish in wishes(path)]
    asked = asked[:: FEWER if chosen.rehearse else 1]
    # First, while each question is new to the ear.
    speeds = {"house": speed(asked, listen), "both": speed(asked, hear)}
    return {"house": figures(asked, listen), "both": figures(asked, hear), "milliseconds": speeds}


def figures(asked: Sequence[Wish], reader: Reader) -> Figures:
    """How a reader hears the questions: all of them, those of each file, those of each label."""
    found = [(wish, verdict(wish, reader)) for wish in asked]
    groups: dict[str, dict[str, Counter[str]]] = {"by_batch": {}, "by_file": {}, "by_label": {}}
    for wish, each in found:
        for group, name in (
            ("by_batch", wish.batch),
            ("by_file", f"{wish.batch}/{wish.scenario}"),
            ("by_label", wish.labels[0]),
        ):
            groups[group].setdefault(name, Counter())[each] += 1
    everything = Counter(each for _, each in found)
    return {"all": shares(everything)} | {
        group: {name: shares(counts) for name, counts in sorted(named.items())}
        for group, named in groups.items()
    }


def speed(asked: Sequence[Wish], reader: Reader) -> dict[str, float]:
    """Milliseconds that one question takes, and of processor time: the encoder uses as many cores as there are."""
    taken = []
    for wish in asked:
        began, worked = time.perf_counter(), time.process_time()
        wish.heard(reader)
        taken.append((1000 * (time.perf_counter() - began), 1000 * (time.process_time() - worked)))
    wall, work = np.array(taken).T
    return {
        f"{name}_{share}": round(float(np.quantile(times, at)), 2)
        for name, times in (("wall", wall), ("processor", work))
        for share, at in (("median", 0.5), ("p95", 0.95))
    }


def shares(found: Counter[str]) -> dict[str, float]:
    """How many there are, and the share of each verdict."""
    shared = {each: round(found[each] / max(1, found.total()), 3) for each in VERDICTS}
    return {"questions": found.total(), **shared}


if __name__ == "__main__":
    main()
