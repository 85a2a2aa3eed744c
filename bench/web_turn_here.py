"""The turns of a few deals in whatever checkout is the present folder: run by path, by :mod:`bench.web_turn`.

It imports nothing of this checkout's benches, so that an older one can be measured too.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from pathlib import Path

TURNS = 7
CALM_SECONDS = 0.15
"""After the last frame: what is still to be done of a turn is done by then."""


def spent(pid: int) -> float:
    """Milliseconds of processor time that all threads of a process have used."""
    used = [(task / "schedstat").read_text().split()[0] for task in Path(f"/proc/{pid}/task").iterdir()]
    return sum(map(int, used)) / 1e6


async def play(url: str, pid: int, games: int) -> list[float]:
    """Milliseconds of each turn."""
    from tests.clients import Person, line

    found: list[float] = []
    for _ in range(games):
        person = Person(url)
        game = await asyncio.to_thread(person.sit_down_as_guest)
        async with line(url, f"/ws/deals/{game}/", cookies=person.cookies()) as table:
            await table.until(lambda frame: frame.get("type") == "turn_closed")
            await asyncio.sleep(2 * CALM_SECONDS)
            for turn in range(TURNS):
                before = spent(pid)
                words = f"We could look at the terms again, point {turn + 1}."
                if await table.turn_unless_over(text=words, confirmed=True) is None:
                    break
                await asyncio.sleep(CALM_SECONDS)
                found.append(spent(pid) - before)
    return found


def here(games: int) -> None:
    """Run in the checkout that is the present folder: print the turns of so many deals."""
    sys.path.insert(0, str(Path.cwd()))
    from tests.servers import Stack

    with tempfile.TemporaryDirectory() as folder:
        stack = Stack(Path(folder)).start()
        try:
            assert stack.web is not None
            asyncio.run(play(stack.url, stack.web.pid, 1))
            print(json.dumps(asyncio.run(play(stack.url, stack.web.pid, games))))
        finally:
            stack.stop()
