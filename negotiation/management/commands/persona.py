"""``manage.py persona``: what must be mended in a persona's folder, and how it plays before it ships."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from negotiation.engine.deal import Negotiation, personas, scenarios
from negotiation.engine.deal.persona_checks import faults
from negotiation.engine.deal.selfplay import STRATEGIES, play_one
from negotiation.engine.deal.streams import stream
from negotiation.engine.deal.types import Seat
from negotiation.engine.figures import bootstrap
from negotiation.engine.personas import beside, folders
from negotiation.management.bad_input import one_line_errors

MAX_EPISODES = 10_000
FIRST_SEED = 600_000


class Command(BaseCommand):
    help = "Check a persona's folder and play the reference strategies against it, wherever the folder lies."

    def add_arguments(self, parser: ArgumentParser) -> None:
        one_line_errors(parser)
        parser.add_argument("folder", type=Path, help="its name is the persona's id")
        parser.add_argument("--episodes", type=int, default=96, help="deals of each strategy")
        parser.add_argument("--talk", action="store_true", help="print one deal, line by line")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *args: Any, **options: Any) -> None:
        folder: Path = options["folder"].resolve()
        if not 2 <= options["episodes"] <= MAX_EPISODES:
            raise CommandError(f"--episodes must lie between 2 and {MAX_EPISODES}", returncode=2)
        if not folder.is_dir():
            raise CommandError(f"{folder}: there is no such folder", returncode=2)
        wrong = faults(folder)
        if wrong:
            raise CommandError("\n".join(map(str, wrong)), returncode=2)
        known = folders().get(folder.name)
        if known not in (None, folder):
            raise CommandError(f"{folder.name}: that id is taken", returncode=2)
        with beside(folder.parent):
            self._tell(folder.name, options)

    def _tell(self, persona: str, options: dict[str, Any]) -> None:
        told = {strategy: _played(persona, strategy, options["episodes"]) for strategy in STRATEGIES}
        if options["json"]:
            self.stdout.write(
                json.dumps({"persona": persona, "episodes": options["episodes"], "share": told})
            )
            return
        self.stdout.write(
            f"{personas()[persona].name}, {personas()[persona].title}: the players' mean share of the zone"
        )
        for strategy, share in told.items():
            low, high = share["ci95"]
            self.stdout.write(f"{strategy:14} {share['mean']:.2f} [{low:.2f}, {high:.2f}]")
        if options["talk"]:
            self.stdout.write("\n".join(_talk(persona)))


def _played(persona: str, strategy: str, episodes: int) -> dict[str, Any]:
    """The share of the zone that a strategy gets, both seats and all scenarios in turn; an impasse counts 0."""
    ids, shares = list(scenarios()), []
    for number in range(episodes):
        seat: Seat = "seller" if number % 2 == 0 else "buyer"
        scenario = ids[number // 2 % len(ids)]
        shares.append(play_one(scenario, persona, seat, strategy, FIRST_SEED + number).efficiency)
    return bootstrap(shares).as_json()


def _talk(persona: str) -> list[str]:
    """One deal against a player who concedes in a straight line, as it is spoken."""
    game, player = Negotiation(next(iter(scenarios())), persona, "seller", FIRST_SEED), STRATEGIES["linear"]()
    while not game.done:
        game.step(player.act(game.observe(), stream(FIRST_SEED, "player", game.turn)))
    name = personas()[persona].name
    return [
        f"{name if move.side == 'opponent' else 'You'}: {move.text or move.offer or 'takes it'}"
        for move in game.observe().transcript
    ]
