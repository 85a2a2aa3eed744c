"""What Parlay adds to a bare model server, per turn: time to the first word, time to the logged line, tokens a second.

    python -m bench.serving [--sizes 128x2 384x6 512x12] [--only waits|rates] [--apart] [--scale 1.0]
        [--output bench/results/serving.json]
    python -m bench.serving --url URL --model NAME ...

Without --url a vLLM of its own is started (``.venv-serve``) for each size, on a model made on the spot. Tables play
through the services, with a database, Redis, the guard and drafts as in the product, and somebody who looks on; after
each round the very same questions are put to the server bare, at the same moments, by the same client library, read
in the same way. Waits are measured on the first size, while the tables come to speak one after the other, as people
do; tokens a second on every size, while all tables go on as soon as they were answered, and so does the bare side,
with as many questions at once. Where server and Parlay share the machine's cores, what the ratio of tokens says
depends on what a reply costs the server, so its processor time stands beside ours; ``--apart`` gives each its own, as
in production. A narrated line is held by the server to one that the guard lets through, so that both sides generate
the same tokens; a negotiator's decisions are drawn by the schema without chance. Prefix caching is off, so that the
second to ask has no advantage, and nothing is said twice, so that neither has a cache of ours. The added time is the
median over turns of the paired differences.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from bench.experiment import Figures, Given, experiment, option
from bench.serving_figures import Round, rates, waits
from bench.serving_sides import Tables, bare, recording_client
from bench.serving_stage import Served, Size, elsewhere, serving, stage

MANY = 32
PACED = {1: 50, MANY: 3}
"""Rounds of turns for each number of tables, where they come to speak one after the other."""
TOGETHER = {1: 6, MANY: 3}
"""Rounds where every table goes on as soon as it was answered."""
TURNS_TOGETHER = 4
"""Enough that neither side goes on in step: 32 questions at the same moment make a batch that no steady load does."""
SIZES = ("128x2", "384x6", "512x12")
KINDS = ("narrated", "negotiator")
SEED = 40_000
GAP = 0.15
"""Seconds between the turns of two tables where they are paced: about half of what two cores can serve."""
DEADLINE = 300.0


async def rounds_of(
    served: Served, kind: str, count: int, rounds: int, deadline: float, gap: float | None
) -> list[Round]:
    """Rounds of both ways by turns, so that whatever else the machine does falls on both alike; one more at first,
    which only warms up and is not told of. Without a ``gap`` nobody rests."""
    import httpx2
    from asgiref.sync import sync_to_async

    client = recording_client(served, deadline)
    library = httpx2.AsyncClient(base_url=served.url, timeout=DEADLINE)
    seated = await sync_to_async(Tables)(count, SEED, kind, client)
    done: list[Round] = []
    for _ in range(rounds + 1):
        done.append(await (seated.together(TURNS_TOGETHER, served) if gap is None else seated.paced(gap)))
        await bare(library, done[-1], served)
    await client.close()
    await library.aclose()
    return done[1:]


async def measure(
    served: Served, kinds: list[str], parts: list[str], scale: float, deadline: float
) -> dict[str, Any]:
    """``waits`` of one table and of many that come to speak one after the other; ``rates`` where nobody ever rests."""
    found: dict[str, Any] = {}
    for kind in kinds:
        for part in parts:
            for count, rounds in (PACED if part == "waits" else TOGETHER).items():
                gap = GAP if part == "waits" else None
                played = await rounds_of(served, kind, count, max(1, round(scale * rounds)), deadline, gap)
                name = f"tables_{count}" if part == "waits" else f"never_resting_{count}"
                found.setdefault(kind, {})[name] = told = (waits if part == "waits" else rates)(played)
                print(f"{kind}, {name}: {json.dumps(told)}", file=sys.stderr)
    return found


def run(chosen: argparse.Namespace) -> dict[str, Any]:
    """Set the product up in a folder of its own and measure."""
    models: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as name, stage(Path(name)):
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        from negotiation import seating
        from negotiation.table.threads import close_threads

        seating.get_ready()
        sizes = [None] if chosen.url else [Size.read(each) for each in chosen.sizes]
        for size in sizes:
            parts = [chosen.only] if chosen.only else ["waits", "rates"] if not models else ["rates"]
            server = (
                elsewhere(chosen.url, chosen.model)
                if size is None
                else serving(Path(name), size, apart=chosen.apart)
            )
            with server as served:
                print(served.what, file=sys.stderr)
                found = asyncio.run(measure(served, chosen.kinds, parts, chosen.scale, chosen.deadline))
            close_threads()
            models.append(
                {"server": served.what, **({"weights_m": round(size.weights, 1)} if size else {}), **found}
            )
    return {
        "what": "added per turn by Parlay over the bare server; milliseconds, medians of paired differences",
        "targets": {"added_p50_ms": 15, "tokens_ratio": 0.95},
        "cores": {"of_all": os.cpu_count(), "apart": chosen.apart},
        "models": models,
    }


@experiment(
    "serving.json",
    option("--url", default="", help="a running server, for example http://127.0.0.1:8001/v1"),
    option("--model", default="base", help="its name at --url"),
    option(
        "--sizes",
        nargs="+",
        default=SIZES,
        metavar="WIDTHxLAYERS",
        help="of the models made where --url names none",
    ),
    option("--only", choices=("waits", "rates"), help="one of the two parts"),
    option("--scale", type=float, default=1.0, help="of the number of turns; 0.1 is a quick look"),
    option("--deadline", type=float, default=DEADLINE, help="seconds that a turn may take"),
    option("--kinds", nargs="+", choices=KINDS, default=KINDS, help="who sits across"),
    option("--apart", action="store_true", help="give the server half of the cores for itself"),
)
def main(chosen: Given) -> Figures:
    return run(chosen)


if __name__ == "__main__":
    main()
