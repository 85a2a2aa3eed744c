"""A stand-in for ``python -m trainer``: a process that takes the same arguments and keeps the same files, and learns
nothing. Steps take a moment each, so that it can be killed in between; ``steps.txt`` tells which process made which.
As a gate it weighs made-up games by the real rules: ``PUPIL_SHARE`` is what the candidate wins, .4 the champion."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

MOMENT = float(os.environ.get("PUPIL_MOMENT", "0.01"))
PARTS = 4


def verdict() -> dict[str, Any]:
    """A report on made-up games."""
    from trainer.domains.deal.tasks import DealTask
    from trainer.evaluation.gate import GateSettings, Measured, report
    from trainer.evaluation.records import GameRecord

    def seen(share: float) -> Measured:
        task = DealTask("saas_enterprise", "shark", "seller", 1)
        shares = [share + 0.02 * (at % 5 - 2) for at in range(60)]
        records = [GameRecord(task, deal=True, efficiency=each, answers=10) for each in shares]
        return Measured(records, {"linear": [0.1] * 30, "expert": [0.3] * 30})

    return report(seen(float(os.environ.get("PUPIL_SHARE", "0.5"))), seen(0.4), GateSettings(), 7)


if __name__ == "__main__":
    given = sys.argv[1:]
    command, output = given[2], Path(given[given.index("--output") + 1])
    steps = PARTS if command == "gate" else int(given[given.index("--steps") + 1])
    if os.environ.get("PUPIL_FAILS") == command:
        sys.exit("trainer: the machine has no room")
    if "--data" in given:
        assert (Path(given[given.index("--data") + 1]) / "train.jsonl").stat().st_size
    output.mkdir(parents=True, exist_ok=True)
    (output / "config.toml").write_text("")
    (output / "arguments.txt").write_text(" ".join(given))
    made = output / "steps.txt"
    done = len(made.read_text().splitlines()) if "--resume" in given and made.exists() else 0
    for step in range(done, steps):
        time.sleep(MOMENT)
        with made.open("a") as file:
            file.write(f"{os.getpid()} {step}\n")
        with (output / "metrics.jsonl").open("a") as file:
            file.write(
                json.dumps(
                    {
                        "kind": command,
                        "step": step,
                        "loss": 1 / (step + 1),
                        "efficiency": 0.5,
                        "term_efficiency": 12.5,
                        "validation_loss": float("nan"),
                    }
                )
                + "\n"
            )
        sys.stderr.write(f"{command} {step + 1}/{steps}, {steps - step - 1} s left\n")
    results: dict[str, Any] = {"loss": 1 / steps, "validation_loss": float("nan")}
    if command == "gate":
        found = verdict()
        results = {"passed": found["passed"], "report": found}
    else:
        (output / "adapter").mkdir(exist_ok=True)
        (output / "adapter" / "adapter_model.safetensors").write_text(str(output))
        (output / "base").mkdir(exist_ok=True)
    (output / "run.json").write_text(json.dumps({"results": results}))
