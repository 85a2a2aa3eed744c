"""Does the loop compound? Three generations, each from what good players left behind since, judged by the real gate.

    python -m bench.flywheel [--rehearse] [--seed 0] [--output bench/results/flywheel.json]

Everything is the product's own: deals are played through its services by a scripted player of good strength (the expert,
at tables that suit it), harvested, frozen, trained on in a process of its own, judged and decided about. The base is an
apprentice that was taught by weak players. All gates use the same held-out deals, so that generations can
be laid beside each other; nothing was chosen by them but whom to promote.

Every generation goes on from the champion and learns the moves of all deals so far, of which there are 60,
230 and 430. A run that does not pass is held, and the champion stays. The gate's rules are the house's, but for the margins
of exploitability and of form. Processes of the trainer are started by TRAINER_PYTHON where that is set.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bench.experiment import Figures, Given, experiment, option
from tests.servers import ROOT, Stack

LEAST = 0.6
PASSWORD = "correct horse battery"  # noqa: S105  # of people who live as long as the bench
MEASURED = 2_026


TRAINER_PYTHON = os.environ.get("TRAINER_PYTHON") or str(ROOT / ".venv-train" / "bin" / "python")


def trainer(*arguments: str) -> None:
    """One command of the trainer, in its own environment."""
    command = [TRAINER_PYTHON, "-m", "trainer", *arguments]
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


def base_of(folder: Path, size: Size, seed: int) -> Path:
    """A model that has seen weak players: what everything else stands on. One that is there is taken."""
    data, taught, config = folder / "data", folder / "sft", folder / "teachers.toml"
    if not (taught / "base" / "config.json").exists():
        folder.mkdir(parents=True, exist_ok=True)
        config.write_text("teachers = { capitulator = 0.3, conceder = 0.3, linear = 0.4 }\n")
        quick = folder / "quick.toml"
        quick.write_text('[sft]\nprecision = "auto"\n')
        common = ("--seed", str(seed), "--output")
        episodes, steps = str(size.teachers), str(size.teaching)
        trainer("generate", "--config", str(config), "--episodes", episodes, *common, str(data))
        taught_by = ("--config", str(quick), "--data", str(data), "--steps", steps)
        trainer("sft", *taught_by, *common, str(taught))
    return taught / "base"


@dataclass(frozen=True, slots=True)
class Size:
    """How much of everything; ``people`` and ``learning``, which is in steps, are by generation."""

    people: tuple[int, ...] = (60, 170, 200)
    """Deals played well before each generation."""
    teachers: int = 700
    teaching: int = 350
    learning: tuple[int, ...] = (80, 200, 300)
    episodes: int = 144
    exploiting: int = 12
    exploit_margin: float = 0.2
    """Wider than the house's .05: of so few deals a smaller rise can't be ruled out."""
    validity_margin: float = 0.05
    """Wider than the house's .02: a network of a million weights pays for new moves in form. The floor of .95 stands."""

    def gate(self) -> str:
        """The gate's settings."""
        return (
            f"exploit_episodes = {self.exploiting}\nexploit_margin = {self.exploit_margin}\n"
            f"validity_margin = {self.validity_margin}\n"
            f"[measured]\nepisodes = {self.episodes}\n"
        )


REHEARSAL = Size((2,), 40, 8, (4,), 12, 4)
LEARN = """[rehearsal]
data = "{known}"
share = 0.15
[sft]
precision = "auto"
[sft.optimizer]
learning_rate = 2e-3
warm_up = 10
decay = true
weight_decay = 0.01
"""
"""An adapter on a base that knows the moves. On people's deals alone it half forgets how answers are written, and the gate
holds it (docs/flywheel.md), so one example in seven is of those that the base was taught."""


class Loop:
    """The product in one process: people who play, a desk, and its training worker."""

    def __init__(self, base: Path, size: Size, seed: int) -> None:
        from accounts.models import User
        from accounts.services import consent_give, user_create

        self.base, self.size, self.seed = base, size, 1000 * seed + 1
        self.desk = user_create(email="desk@example.com", password=PASSWORD, is_staff=True)
        self.players: list[User] = []
        for number in range(5):
            player = user_create(email=f"rep{number}@example.com", password=PASSWORD)
            consent_give(user=player, granted=True)
            self.players.append(player)

    def play(self, deals: int) -> int:
        """So many good deals more; how many that made examples."""
        from tests.trainer_web.people import good_deal
        from tests.trainer_web.play import play_well
        from trainer.flywheel.tasks import harvest_what_is_owed

        played = 0
        while played < deals:
            self.seed += 1
            chosen = good_deal(self.seed, LEAST, self.seed)
            if chosen is None:
                continue
            set_up = {part: getattr(chosen, part) for part in ("scenario", "persona", "seat")}
            play_well(self.players[played % len(self.players)], chosen.seed, **set_up)
            played += 1
        examples: int = harvest_what_is_owed()
        return examples

    def train(self, number: int, seed: int) -> Any:
        """The next run, from everything so far and from the champion, to its end."""
        from trainer.flywheel.datasets import dataset_freeze
        from trainer.flywheel.filters import Filters
        from trainer.flywheel.promotion.models import Generation
        from trainer.flywheel.runs.services import run_request

        champion = Generation.objects.filter(state="champion").first()
        dataset = dataset_freeze(name=f"Up to {number}", note="", filters=Filters(), by=self.desk)
        run = run_request(
            name=f"Run {number}", by=self.desk, dataset=dataset, recipe="sft", base=str(self.base), start=champion,
            sft_steps=self.size.learning[number - 1], seed=seed,
        )  # fmt: skip
        return self._worked(run)

    def judge(self, run: Any) -> Any:
        """Its gate, on the deals that all gates of this bench use."""
        from trainer.flywheel.runs.judging import gate_request

        gate = gate_request(run=run, by=self.desk)
        type(gate).objects.filter(pk=gate.pk).update(seed=MEASURED)
        return self._worked(gate)

    def decide(self, gate: Any) -> str:
        """Promote what passed, hold what did not."""
        from trainer.flywheel.promotion import services
        from trainer.flywheel.runs.judging import passed

        deed = services.run_promote if passed(gate) else services.run_hold
        return deed(gate=gate, by=self.desk, reason="As the gate says.").action

    @staticmethod
    def _worked(run: Any) -> Any:
        from trainer.flywheel.tasks import train

        train(run.pk)
        run.refresh_from_db()
        if run.state != "done":
            raise SystemExit(f"{run.name}: {run.state}, {run.reason}")
        return run


def row_of(number: int, deals: int, gate: Any, action: str, seconds: dict[str, float]) -> dict[str, Any]:
    """What is kept of one generation."""
    from trainer.flywheel.promotion.rating import rating_from
    from trainer.flywheel.runs.judging import report_of

    report = report_of(gate)
    rating = rating_from(report["scores"], report["settings"]["measured"]["mixture"]["difficulty"])
    spread, players = 2 * rating.deviation, report["table"]["players"]
    return {
        "generation": number,
        "deals": deals,
        "decision": action,
        "rating": {"mean": rating.rating, "ci95": [rating.rating - spread, rating.rating + spread]},
        **{
            measure: {side: players[side][measure] for side in ("candidate", "champion")}
            for measure in ("efficiency", "deal_rate", "share_of_deals", "breach_rate", "validity")
        },
        "criteria": report["criteria"],
        "exploited": report["exploited"],
        "best_response": report["best_response"],
        "seconds": {name: round(value, 1) for name, value in seconds.items()},
    }  # fmt: skip


def processor_seconds() -> float:
    """What this process and those that it waited for took of the processor."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def turn_round(loop: Loop, number: int, seed: int) -> dict[str, Any]:
    """One generation: games, a run, a gate, a decision."""
    seconds: dict[str, float] = {}
    began = time.monotonic()
    deals = loop.play(loop.size.people[number - 1])
    seconds["games"] = time.monotonic() - began
    began = time.monotonic()
    run = loop.train(number, seed)
    seconds["training"] = time.monotonic() - began
    began = time.monotonic()
    gate = loop.judge(run)
    seconds["judging"] = time.monotonic() - began
    row = row_of(number, deals, gate, loop.decide(gate), seconds)
    told = {each["id"]: each["apart"] for each in row["criteria"]}
    sys.stderr.write(f"generation {number}: {row['decision']}, {json.dumps(told)}\n")
    return row


def turned(place: Path, size: Size, seed: int) -> list[dict[str, Any]]:
    """All generations, in an installation of its own under ``place``."""
    house = Stack(place / "house", TRAINER_PYTHON=TRAINER_PYTHON)
    house.directory.mkdir(parents=True)
    learn = LEARN.format(known=place / "base" / "data")
    for name, text in (("gate", size.gate()), ("learn", learn)):
        (house.directory / f"{name}.toml").write_text(text)
        house.environment[f"PARLAY_{name.upper()}_CONFIG"] = str(house.directory / f"{name}.toml")
    house.environment["LOG_LEVEL"] = "ERROR"
    house.start_redis()
    try:
        house.manage("migrate", "--no-input", "--verbosity=0")
        base = base_of(place / "base", size, seed)
        os.environ.update(house.environment)
        import django

        django.setup()
        loop = Loop(base, size, seed)
        return [turn_round(loop, number, seed) for number in range(1, len(size.learning) + 1)]
    finally:
        house.stop()


@experiment(
    "flywheel.json",
    option("--seed", type=int, default=0),
    option("--scratch", type=Path, help="where the installation is kept; a temporary folder unless given"),
    rehearsal=True,
)
def main(chosen: Given) -> Figures:
    size = REHEARSAL if chosen.rehearse else Size()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as place:
        rows = turned(chosen.scratch or Path(place), size, chosen.seed)
    return {
        "size": asdict(size),
        "seed": chosen.seed,
        "measured_seed": MEASURED,
        "generations": rows,
        "seconds": round(time.monotonic() - began, 1),
        "processor_seconds": round(processor_seconds(), 1),
    }


if __name__ == "__main__":
    main()
