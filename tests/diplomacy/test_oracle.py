"""The board against the ``diplomacy`` package, phase by phase, in an environment of its own.

``bin/test --all`` runs these in ``.venv-oracles``; elsewhere point ``DIPLOMACY_ORACLE_PYTHON`` at a Python that has it.

Where the two differ, the difference must be one of these, and the tests prove each by itself:

own support   A support of the power that owns the unit attacked does not help to drive it out. The package counts it
              where the attacker comes by sea, and where the unit attacked is a fleet that carries. Proof: with those
              supports taken back, the package says what the board says with them.
own defence   Such a support still counts where its unit must withstand a head-on attack (DATC 5.B.6, DEFEND
              STRENGTH); the package drops it. Proof: with the units so supported told to hold and not to move, both
              agree that nothing else differs.
taken place   After an attack by sea the package lets a unit retreat to where another stands. Proof: its list without
              the places that are taken is the board's; where nothing is left of it, so is its next phase, once that
              unit has disbanded.
"""

import json
import os
import random
import subprocess
import sys
from collections import Counter
from importlib.util import find_spec
from pathlib import Path

import pytest

from negotiation.engine.diplomacy import POWERS, advance, opening, possible_orders, text
from negotiation.engine.diplomacy.bots import DumbBot
from negotiation.engine.diplomacy.chance import Chance
from negotiation.engine.diplomacy.geography import NODES, PLACE, PROVINCE, PROVINCES
from negotiation.engine.diplomacy.orders import HOLD, MOVE, SUPPORT_HOLD, SUPPORT_MOVE, Order
from negotiation.engine.diplomacy.phases import NO_ORDERS
from negotiation.engine.diplomacy.press.ledger import Ledger
from negotiation.engine.diplomacy.saved import orders_from_json, orders_to_json, position_to_json
from negotiation.engine.diplomacy.state import OVER, WINTER
from tests.diplomacy.board import Played
from tests.diplomacy.positions import random_orders, random_state

PHASES = int(os.environ.get("DIPLOMACY_ORACLE_PHASES", "2400"))
ORACLE = os.environ.get("DIPLOMACY_ORACLE_PYTHON") or (sys.executable if find_spec("diplomacy") else None)
pytestmark = pytest.mark.skipif(
    ORACLE is None, reason="the diplomacy package is in .venv-oracles only, which bin/test --all makes"
)


class Oracle:
    """The package in its own process."""

    def __init__(self) -> None:
        worker = Path(__file__).with_name("oracle_worker.py")
        assert ORACLE is not None
        self.process = subprocess.Popen(
            [ORACLE, str(worker)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.questions, self.answers = self.process.stdin, self.process.stdout

    def ask(self, **question):
        self.questions.write(json.dumps(question) + "\n")
        self.questions.flush()
        return json.loads(self.answers.readline())

    def after(self, state, orders):
        page = position_to_json(state)
        answer = self.ask(state=page, orders=orders_to_json(orders))
        return {key: answer[key] for key in ("phase", "units", "centers", "retreats")}


@pytest.fixture(scope="module")
def oracle():
    worker = Oracle()
    yield worker
    worker.questions.close()
    worker.process.wait(timeout=20)


def page(state):
    return {"retreats": {}, **position_to_json(state)}


def without_taken_places(answer):
    """The package's answer, retreats to places where somebody stands struck out."""
    taken = {unit[2:5] for row in answer["units"].values() for unit in row}
    retreats = {
        power: {unit: [p for p in places if p[:3] not in taken] for unit, places in row.items()}
        for power, row in answer["retreats"].items()
    }
    retreats = {power: {u: ps for u, ps in row.items() if ps} for power, row in retreats.items()}
    retreats = {power: row for power, row in retreats.items() if row}
    return {**answer, "retreats": retreats}


def mended(oracle, answer):
    """The package's answer without taken places; a retreat phase in which nobody is left to retreat is played."""
    answer = without_taken_places(answer)
    if answer["phase"].endswith("R") and not answer["retreats"]:
        played = oracle.ask(state=answer, orders={})
        return {key: played[key] for key in answer}
    return answer


def own_supports(state, orders):
    """The supports of an attack on a unit of the supporter's own power."""
    owner = {PROVINCE[node]: power for power, row in enumerate(state.units) for node in row}
    return {
        order for power, row in enumerate(orders) for order in row
        if order.kind == SUPPORT_MOVE and owner.get(order.to) == power
    }  # fmt: skip


def replaced(orders, gone):
    return [[Order(HOLD, order.node) if order in gone else order for order in row] for row in orders]


def explained(oracle, state, orders, mine, his) -> str | None:
    """The name of the documented difference that this one is, or None."""
    if mine == mended(oracle, his):
        return "taken place"
    against_own = own_supports(state, orders)
    if not against_own:
        return None
    taken_back = replaced(orders, against_own)
    answer = oracle.after(state, taken_back)
    if mine == page(advance(state, taken_back).state) and mine == mended(oracle, answer):
        return "own support"
    aims = {PROVINCE[o.node]: PROVINCE[o.at] for row in orders for o in row if o.kind == MOVE}
    head_on = {
        o for row in orders for o in row
        if o.kind == MOVE and aims.get(aims[PROVINCE[o.node]]) == PROVINCE[o.node]
        and any(s.at == o.node and s.to == PROVINCE[o.at] for s in against_own)
    }  # fmt: skip
    resting = replaced(taken_back, head_on)
    defended = [
        [Order(SUPPORT_HOLD, o.node, o.at, PROVINCE[o.at]) if o in against_own and o.at in {h.node for h in head_on} else r
         for o, r in zip(given, row, strict=True)]
        for given, row in zip(orders, resting, strict=True)
    ]  # fmt: skip
    agreed = mended(oracle, oracle.after(state, defended))
    return "own defence" if head_on and page(advance(state, defended).state) == agreed else None


def compared(oracle, phases, seed, step):
    """Play and compare; what differed, by explanation, and what nothing explains."""
    rng = random.Random(seed)
    seen: Counter[str | None] = Counter()
    unexplained: list[tuple[object, ...]] = []
    state = None
    for _ in range(phases):
        if state is None or state.season == OVER or state.year > 1909:
            state = None
        state, orders = step(rng, state)
        after = advance(state, orders).state
        mine, his = page(after), oracle.after(state, orders)
        seen[state.phase[0] + state.phase[-1]] += 1
        if mine != his and mine["phase"] != "COMPLETED":
            name = explained(oracle, state, orders, mine, his)
            seen[name] += 1
            if name is None:
                unexplained.append((state.phase, orders_to_json(orders), mine, his))
        state = after
    return seen, unexplained


def test_random_phases_come_out_as_the_oracle_says_but_for_its_documented_errors(oracle) -> None:
    def step(rng, state):
        if state is None or (state.moving and rng.random() < 0.3):
            state = random_state(rng) if rng.random() < 0.7 else opening()
        return state, random_orders(state, rng, rng.choice([0.0, 0.5, 0.8]))

    seen, unexplained = compared(oracle, PHASES, 1, step)
    assert unexplained == []
    assert seen["SM"] + seen["FM"] > PHASES // 2
    assert min(seen["SR"], seen["FR"], seen["WA"]) > PHASES // 100


def test_winters_without_orders_come_out_as_the_oracle_says(oracle) -> None:
    """Civil disorder: units strewn anywhere, more of them than centres, and nobody says which are to go."""
    rng = random.Random(7)
    lost = 0
    for _ in range(PHASES // 8):
        state = random_state(rng)._replace(season=WINTER)
        if not any(state.delta(power) < 0 for power in range(len(POWERS))):
            continue
        step = advance(state, NO_ORDERS)
        lost += len(step.destroyed)
        assert page(step.state) == oracle.after(state, NO_ORDERS), position_to_json(state)
    assert lost > PHASES // 8


def test_games_of_bots_come_out_as_the_oracle_says_but_for_its_documented_errors(oracle) -> None:
    bot, chances = DumbBot(), {}

    def step(rng, state):
        state = state or opening()
        if state == opening():
            chances["now"] = Chance(rng.randrange(10**6))
        orders = [
            bot.orders(state, power, chances["now"].draws(state, power), Ledger()) for power in range(7)
        ]
        return state, orders

    seen, unexplained = compared(oracle, PHASES // 4, 2, step)
    assert unexplained == []
    assert seen["SM"] + seen["FM"] > PHASES // 10


ERRORS = [
    ("own support, against an army that comes by sea",
     {"AUSTRIA": ["A RUM - ANK VIA"], "RUSSIA": ["F BLA C A RUM - ANK"], "TURKEY": ["F ANK H", "F CON S A RUM - ANK"]}),
    ("own support, against the fleet that carries",
     {"AUSTRIA": ["F RUM - BLA"], "RUSSIA": ["A SEV - ANK VIA"], "TURKEY": ["F BLA C A SEV - ANK", "F CON S F RUM - BLA"]}),
    ("own defence",
     {"RUSSIA": ["F BUL/EC - CON"], "TURKEY": ["A CON - BUL", "A SMY S F BUL/EC - CON", "F ANK S F BUL/EC - CON"],
      "AUSTRIA": ["A RUM S A CON - BUL"]}),
    ("taken place", {"ITALY": ["F APU H"], "FRANCE": ["A TUN - APU VIA", "F ION C A TUN - APU", "A VEN S A TUN - APU"]}),
]  # fmt: skip


@pytest.mark.parametrize("orders", [orders for _, orders in ERRORS], ids=[name for name, _ in ERRORS])
def test_each_documented_error_of_the_oracle_is_one(oracle, orders) -> None:
    played = Played("S1901M", orders)
    rows = orders_from_json(orders, played.before)
    mine, his = page(played.state), oracle.after(played.before, rows)
    assert mine != his
    assert explained(oracle, played.before, rows, mine, his)


def test_what_can_be_ordered_is_what_the_oracle_says_with_coasts_of_supports_left_out(oracle) -> None:
    rng, state = random.Random(5), None

    def plain(words):
        head, dash, goal = words.rpartition(" - ")
        return head + dash + goal.split("/")[0] if dash and (" S " in head or " C " in head) else words

    for _ in range(PHASES // 12):
        if state is None or state.season == OVER or state.year > 1906:
            state = random_state(rng) if rng.random() < 0.6 else opening()
        his = oracle.ask(state=position_to_json(state), orders={}, possible=True)["possible"]
        for power in range(len(POWERS)):
            for node, orders in possible_orders(state, power).items():
                building = state.season == WINTER and state.delta(power) > 0
                place = PROVINCES[PROVINCE[node]] if building or not his.get(PLACE[node]) else PLACE[node]
                assert {text(order) for order in orders} == set(map(plain, his[place])), NODES[node]
        state = advance(state, random_orders(state, rng, 0.5)).state
