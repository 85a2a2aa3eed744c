"""How well are words read, and how varied are the words that are spoken?

    python -m bench.language [--corpus PATH ...] [--games 500] [--every 1] [--output bench/results/language.json]

Reading is measured on the hand-written sentences: the gold set over the six scenarios, all sentences as shipped,
all in five folds in which the classifier never saw the sentence, and those that nothing was learnt from. The
figures of the held-out batches when first read stand in their files. ``--corpus`` takes files of
CraigslistBargain dialogues as JSON lines (``dialog``: ``text`` and ``strategy``); they are not ours to ship.
"""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from bench.experiment import Figures, Given, experiment, option
from negotiation.engine.deal import Action, Negotiation, personas, scenarios
from negotiation.engine.deal.selfplay import STRATEGIES
from negotiation.engine.deal.streams import stream
from negotiation.engine.language import CONFIDENCE_TO_BIND, MoneyContext, Reading, Seat, understand
from negotiation.engine.language.classifier import fitted
from tests.language.fit_classifier import examples, fit
from tests.language.gold import Gold, gold, heldout, learnt, unlearnt

FOLDS = 5
FIRST_SEED = 90_000
SPOKEN_STRATEGIES = ("linear", "tit_for_tat", "expert", "boulware")
_PRICE = re.compile(r"\$\s?(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(k?)\b")

Read = tuple[Gold, Reading]


def share(part: float, whole: float) -> float:
    return round(part / whole, 4) if whole else 0.0


def is_exact(one: Gold, reading: Reading) -> bool:
    return reading.kind == one.kind and reading.offer == one.offer


def is_silent(one: Gold, reading: Reading) -> bool:
    """A wrong offer that would bind without a question."""
    return (
        reading.offer is not None and reading.offer != one.offer and reading.confidence >= CONFIDENCE_TO_BIND
    )


def scores(read: list[Read]) -> dict[str, Any]:
    """Accuracy in all and per kind, the confusion of kinds, silent misreadings and needless questions."""
    kinds = sorted({one.kind for one, _ in read})
    confusion: Counter[tuple[str, str]] = Counter((one.kind, reading.kind) for one, reading in read)
    offers = [reading for one, reading in read if one.kind == "offer"]
    per_kind = {}
    for kind in kinds:
        ours = [(one, reading) for one, reading in read if one.kind == kind]
        heard = sum(count for (_, found), count in confusion.items() if found == kind)
        per_kind[kind] = {
            "sentences": len(ours),
            "exact": share(sum(is_exact(*pair) for pair in ours), len(ours)),
            "recall": share(confusion[kind, kind], len(ours)),
            "precision": share(confusion[kind, kind], heard),
            "silent": sum(is_silent(*pair) for pair in ours),
        }
    return {
        "sentences": len(read),
        "exact_offer_and_kind": share(sum(is_exact(*pair) for pair in read), len(read)),
        "silent_misreadings": sum(is_silent(*pair) for pair in read),
        "needless_questions": share(sum(r.confidence < CONFIDENCE_TO_BIND for r in offers), len(offers)),
        "per_kind": per_kind,
        "per_scenario": {name: brief(read, name) for name in sorted({one.scenario for one, _ in read})},
        "confusion": {kind: {other: confusion[kind, other] for other in kinds} for kind in kinds},
    }


def brief(read: list[Read], scenario: str) -> dict[str, float]:
    """What ``scores`` tells first, for one scenario."""
    ours = [pair for pair in read if pair[0].scenario == scenario]
    return {
        "sentences": len(ours),
        "exact": share(sum(is_exact(*pair) for pair in ours), len(ours)),
        "silent": sum(is_silent(*pair) for pair in ours),
    }


def in_folds(sentences: list[Gold]) -> list[Read]:
    """Every sentence read with a classifier that was fitted without it."""
    read: list[Read] = []
    for fold in range(FOLDS):
        seen = [one for place, one in enumerate(sentences) if place % FOLDS != fold]
        with fitted(fit(examples(seen))):
            read += [(one, one.read()) for one in sentences[fold::FOLDS]]
    return read


def labels(read: list[Read], group: str) -> dict[str, dict[str, float]]:
    """Precision and recall of each act or tactic over the sentences that carry labels."""
    told = [pair for pair in read if getattr(pair[0], group) is not None]
    counts: dict[str, Counter[str]] = {}
    for one, reading in told:
        wanted, found = set(getattr(one, group)), set(getattr(reading, group))
        for label in wanted | found:
            side = "hit" if label in wanted & found else "missed" if label in wanted else "false"
            counts.setdefault(label, Counter())[side] += 1
    table = {
        label: {
            "labelled": seen["hit"] + seen["missed"],
            "precision": share(seen["hit"], seen["hit"] + seen["false"]),
            "recall": share(seen["hit"], seen["hit"] + seen["missed"]),
        }
        for label, seen in sorted(counts.items())
    }
    total = sum(counts.values(), Counter[str]())
    table["all"] = {
        "labelled": total["hit"] + total["missed"],
        "precision": share(total["hit"], total["hit"] + total["false"]),
        "recall": share(total["hit"], total["hit"] + total["missed"]),
        "sentences": len(told),
    }
    return table


def speed(sentences: list[Gold]) -> dict[str, float]:
    """Milliseconds that one reading takes."""
    taken = []
    for one in sentences:
        started = time.perf_counter()
        one.read()
        taken.append(1000 * (time.perf_counter() - started))
    median, late = np.quantile(taken, [0.5, 0.95])
    return {"median_ms": round(float(median), 3), "p95_ms": round(float(late), 3)}


def dialogues(paths: list[Path]) -> Iterator[dict[str, Any]]:
    for path in paths:
        for line in path.read_text(encoding="utf-8").splitlines():
            yield json.loads(line)


def corpus(paths: list[Path]) -> dict[str, Any]:
    """The number reader on haggling by strangers.

    The corpus marks moves, not figures: where exactly one "$" amount stands in a text, that is the figure.
    A bound figure that nobody wrote as an amount of that text is misread; one bound in a move that is
    neither proposal, counter nor agreement is only suspect, for the corpus' marks are made by rules too.
    """
    counts: Counter[str] = Counter()
    suspects: list[str] = []
    for dialogue in dialogues(paths):
        last: dict[str, float | None] = {"buyer": None, "seller": None}
        asked, target = float(dialogue["seller_price"]), float(dialogue["buyer_price"])
        money = MoneyContext(min(asked, target) * 0.4, max(asked, target) * 1.25)
        for said in dialogue["dialog"]:
            seat: Seat = "buyer" if said["speaker"] == "sys" else "seller"
            other = "seller" if seat == "buyer" else "buyer"
            text = said["text"]
            reading = understand(
                text, money=money, seat=seat, standing_offer=last[other], own_offer=last[seat]
            )
            amounts = {
                float(digits.replace(",", "")) * (1000 if thousand else 1)
                for digits, thousand in _PRICE.findall(text)
            }
            counts["utterances"] += 1
            bound = reading.offer is not None and reading.confidence >= CONFIDENCE_TO_BIND
            if len(amounts) == 1:
                amount = amounts.pop()
                counts["one amount"] += 1
                counts["figure right"] += reading.figure == amount
                if said["strategy"] in ("propose", "counter"):
                    counts["offers"] += 1
                    counts["offers read"] += reading.offer == amount
                    counts["offers bound"] += reading.offer == amount and bound
                if bound and reading.offer != amount:
                    counts["bound to another figure"] += 1
                    suspects.append(f"{said['strategy']}: {text} -> {reading.offer}")
            if bound and said["strategy"] not in ("propose", "counter", "agree"):
                counts["bound in another move"] += 1
                suspects.append(f"{said['strategy']}: {text} -> {reading.offer}")
            if reading.offer is not None:
                last[seat] = reading.offer
    return {
        "utterances": counts["utterances"],
        "with_one_amount": counts["one amount"],
        "figure_right": share(counts["figure right"], counts["one amount"]),
        "offers_with_one_amount": counts["offers"],
        "offers_read": share(counts["offers read"], counts["offers"]),
        "offers_bound_without_question": share(counts["offers bound"], counts["offers"]),
        "bound_to_another_figure": counts["bound to another figure"],
        "bound_in_another_move": counts["bound in another move"],
        "suspects": suspects,
    }


def spoken_games(games: int) -> Iterator[tuple[str, list[str]]]:
    """(persona, its lines) of whole games against reference strategies."""
    names, places = list(personas()), list(scenarios())
    said = [one.text for one in gold() if one.kind == "none"]
    for number in range(games):
        persona, seed = names[number % len(names)], FIRST_SEED + number
        seat: Seat = "seller" if (number // 3) % 2 == 0 else "buyer"
        game = Negotiation(places[(number // 6) % len(places)], persona, seat, seed)
        player = STRATEGIES[SPOKEN_STRATEGIES[number % len(SPOKEN_STRATEGIES)]]()
        lines = [game.opening.text] if game.opening else []
        while not game.done:
            rng = stream(seed, "player", game.turn)
            action = player.act(game.observe(), rng)
            if not action.accept and not action.walk_away and not action.text:
                action = Action(
                    text=str(rng.choice(said)), offer=action.offer, card=action.card, belief=action.belief
                )
            reply = game.step(action).reply
            if reply is not None:
                lines.append(reply.text)
        yield persona, lines


def speech(games: int) -> dict[str, Any]:
    """Variety of what the personas say: distinct pairs of words, lines said again, figures left out."""
    pairs: dict[str, Counter[tuple[str, str]]] = {name: Counter() for name in personas()}
    lines: dict[str, Counter[str]] = {name: Counter() for name in personas()}
    lengths: list[int] = []
    again = 0
    for persona, spoken in spoken_games(games):
        again += len(spoken) - len(set(spoken))
        for line in spoken:
            words = re.findall(r"[a-z']+|#", re.sub(r"\$?\d[\d,.]*M?", "#", line.lower()))
            lengths.append(len(words))
            pairs[persona].update(pairwise(words))
            lines[persona][" ".join(words)] += 1
    return {
        "games": games,
        "lines": sum(sum(one.values()) for one in lines.values()),
        "lines_said_twice_in_a_game": again,
        "words_median": int(np.median(lengths)),
        "words_p95": int(np.quantile(lengths, 0.95)),
        "per_voice": {
            name: {
                "lines": sum(lines[name].values()),
                "different_lines": len(lines[name]),
                "most_frequent_line": share(max(lines[name].values()), sum(lines[name].values())),
                "distinct_2_per_1000_pairs": _distinct(pairs[name]),
                "different_pairs": len(pairs[name]),
            }
            for name in pairs
        },
    }


def _distinct(pairs: Counter[tuple[str, str]]) -> float:
    """Expected share of different pairs in a random 1,000 of them: comparable between corpora of any size."""
    total, size = sum(pairs.values()), 1000
    missing = sum((1 - count / total) ** size for count in pairs.values())
    return round((len(pairs) - missing) / size, 4)


def run(paths: list[Path], games: int, every: int) -> dict[str, Any]:
    """All figures, from one sentence in ``every`` and so many games."""
    batches, everything = heldout(), learnt()[::every]
    shipped = [(one, one.read()) for one in everything]
    report: dict[str, Any] = {
        "gold_set": scores([(one, one.read()) for one in gold()[::every]]),
        "never_learnt_from": scores([(one, one.read()) for one in unlearnt()[::every]]),
        "as_shipped": scores(shipped),
        "unseen_by_the_classifier": scores(in_folds(everything)),
        "first_runs": {batch.name: batch.first_run.table() | {"note": batch.note} for batch in batches},
        "acts": labels(shipped, "acts"),
        "tactics": labels(shipped, "tactics"),
        "speed": speed(everything),
        "speech": speech(games),
    }
    if paths:
        report["craigslist_bargain"] = corpus(paths)
    return report


def show(report: dict[str, Any]) -> None:
    for title in ("gold_set", "never_learnt_from", "as_shipped", "unseen_by_the_classifier"):
        part = report[title]
        print(title, *(f"{name} {part[name]}" for name in list(part)[:4]), sep="\n  ")
        for kind, row in part["per_kind"].items():
            print(f"    {kind:13}", row)
        for name, row in part["per_scenario"].items():
            print(f"    {name:22}", row)
    for title in ("first_runs", "acts", "tactics"):
        print(title)
        for name, row in report[title].items():
            print(f"  {name:13}", row)
    for title in ("speed", "speech", "craigslist_bargain"):
        if title in report:
            print(title, json.dumps({k: v for k, v in report[title].items() if k != "suspects"}, indent=1))


@experiment(
    "language.json",
    option("--corpus", type=Path, nargs="*", default=[]),
    option("--games", type=int, default=500),
    option("--every", type=int, default=1, help="one sentence in so many is read"),
    told=False,
)
def main(options: Given) -> Figures:
    report = run(options.corpus, options.games, options.every)
    show(report)
    report.get("craigslist_bargain", {}).pop("suspects", None)
    return report


if __name__ == "__main__":
    main()
