"""A stand-in for ``python -m trainer``: a process that takes the same arguments and keeps the same files, and learns
nothing. Steps take a moment each, so that it can be killed in between; ``steps.txt`` tells which process made which."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

MOMENT = float(os.environ.get("PUPIL_MOMENT", "0.01"))

if __name__ == "__main__":
    given = sys.argv[1:]
    output, steps = Path(given[given.index("--output") + 1]), int(given[given.index("--steps") + 1])
    if os.environ.get("PUPIL_FAILS") == given[2]:
        sys.exit("trainer: the machine has no room")
    if "--data" in given:
        assert (Path(given[given.index("--data") + 1]) / "train.jsonl").stat().st_size
    output.mkdir(parents=True, exist_ok=True)
    (output / "config.toml").write_text("")
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
                        "kind": given[2],
                        "step": step,
                        "loss": 1 / (step + 1),
                        "efficiency": 0.5,
                        "validation_loss": float("nan"),
                    }
                )
                + "\n"
            )
        sys.stderr.write(f"{given[2]} {step + 1}/{steps}\n")
    (output / "adapter").mkdir(exist_ok=True)
    (output / "base").mkdir(exist_ok=True)
    (output / "run.json").write_text(
        json.dumps({"results": {"loss": 1 / steps, "validation_loss": float("nan")}})
    )
