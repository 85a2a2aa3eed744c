"""Random positions and random orders that get in each other's way: supports and convoys that fit, dense boards."""

from negotiation.engine.diplomacy import opening, possible_orders
from negotiation.engine.diplomacy.geography import (
    CENTRES,
    CENTRES_TO_WIN,
    NODES_OF,
    POWERS,
    PROVINCE,
    PROVINCES,
    SEA,
)
from negotiation.engine.diplomacy.orders import CONVOY, MOVE, SUPPORT_MOVE
from negotiation.engine.diplomacy.state import FALL, SPRING, WINTER, State

SEAS = [province for province in range(len(PROVINCES)) if SEA[province]]


def random_state(rng):
    """A movement phase of units strewn over the board, more of them at sea than in any game."""
    places = rng.sample(range(len(PROVINCES)), rng.randint(10, 34))
    if rng.random() < 0.5:
        places = list(dict.fromkeys(rng.sample(SEAS, rng.randint(3, 12)) + places))[:34]
    units: list[list[int]] = [[] for _ in POWERS]
    powers = rng.choice([2, 3, 7])
    for place in places:
        units[rng.randrange(powers)].append(rng.choice(NODES_OF[place]))
    owners = [rng.randrange(len(POWERS) + 1) for _ in CENTRES]
    if max(owners.count(power) for power in range(len(POWERS))) >= CENTRES_TO_WIN:
        return opening()
    return State(1901, rng.choice([SPRING, FALL]), tuple(tuple(sorted(row)) for row in units), tuple(owners))


def random_orders(state, rng, together):
    """By power, possible orders; the share ``together`` of them backs an order given already, or moves."""
    possible = [possible_orders(state, power) for power in range(len(POWERS))]
    if not state.moving:
        rows = [[rng.choice(orders) for orders in row.values()] for row in possible]
        if state.season == WINTER:
            for power, row in enumerate(rows):
                rng.shuffle(row)
                del row[abs(state.delta(power)) :]
        return rows
    queue = [(node, orders) for row in possible for node, orders in row.items()]
    rng.shuffle(queue)
    chosen, moving = {}, set()
    for node, orders in queue:
        fitting = orders
        if rng.random() < together:
            fitting = [o for o in orders if o.kind in (SUPPORT_MOVE, CONVOY) and (o.at, o.to) in moving]
            if not fitting:
                fitting = [o for o in orders if o.kind == MOVE]
                carried = [o for o in fitting if o.to]
                fitting = carried if carried and rng.random() < 0.5 else fitting
        chosen[node] = order = rng.choice(fitting)
        if order.kind == MOVE:
            moving.add((node, PROVINCE[order.at]))
    return [[chosen[node] for node in row] for row in state.units]
