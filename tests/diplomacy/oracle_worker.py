"""Runs in an environment of its own that has the ``diplomacy`` package: answers phases on stdin, as JSON lines.

A development-time oracle only: see docs/diplomacy.md. ``{"state"?, "orders", "possible"?}`` in, what came of it out.
"""

import json
import sys

from diplomacy import Game  # type: ignore[import-not-found]


def load(state):
    game = Game()
    game.clear_units()
    game.clear_centers()
    for power, units in state["units"].items():
        game.set_units(power, units)
    for power, centers in state["centers"].items():
        game.set_centers(power, centers)
    for power, retreats in state.get("retreats", {}).items():
        game.powers[power].retreats = dict(retreats)
    game.set_current_phase(state["phase"])
    return game


def dump(game):
    units = {power: sorted(u for u in row if u[0] != "*") for power, row in game.get_units().items()}
    retreats = {
        name: {unit: sorted(options) for unit, options in power.retreats.items()}
        for name, power in game.powers.items()
    }
    return {
        "phase": game.get_current_phase(),
        "units": {power: row for power, row in units.items() if row},
        "retreats": {power: row for power, row in retreats.items() if row},
        "centers": {power: sorted(row) for power, row in game.get_centers().items() if row},
    }


def main() -> None:
    for line in sys.stdin:
        asked = json.loads(line)
        game = load(asked["state"])
        answer = {}
        if asked.get("possible"):
            answer["possible"] = game.get_all_possible_orders()
        for power, orders in asked["orders"].items():
            game.set_orders(power, orders)
        game.process()
        results = {unit: [str(r) for r in rs] for unit, rs in game.result_history.last_value().items()}
        sys.stdout.write(json.dumps({**answer, **dump(game), "results": results}) + "\n")
        sys.stdout.flush()


main()
