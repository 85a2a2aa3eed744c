"""Where fleets could carry an army: chains of seas from shore to shore."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from negotiation.engine.diplomacy.geography import ARMIES, COASTAL, COASTS_NEXT, PROVINCE, SEA, SEAS_NEXT


def passage(
    fleets: Iterable[int], here: int, there: int, stays: Callable[[int], bool] = lambda fleet: True
) -> bool:
    """Whether some of the fleets, those for which ``stays`` holds, lead from one shore to the other.

    ``stays`` is asked only of fleets that a route comes by.
    """
    waiting = set(fleets)
    edge = [fleet for fleet in waiting if here in COASTS_NEXT[fleet]]
    while edge:
        fleet = edge.pop()
        if fleet in waiting:
            waiting.discard(fleet)
            if stays(fleet):
                if there in COASTS_NEXT[fleet]:
                    return True
                edge.extend(sea for sea in SEAS_NEXT[fleet] if sea in waiting)
    return False


def fleets_at_sea(standing: Mapping[int, int]) -> frozenset[int]:
    """The seas in which fleets stand: those that can carry armies."""
    return frozenset(province for province in standing if SEA[province])


def landings(fleets: Iterable[int], here: int) -> set[int]:
    """Every shore that an army in ``here`` could be carried to."""
    waiting = set(fleets)
    shores: set[int] = set()
    edge = [fleet for fleet in waiting if here in COASTS_NEXT[fleet]]
    while edge:
        fleet = edge.pop()
        if fleet in waiting:
            waiting.discard(fleet)
            shores |= COASTS_NEXT[fleet]
            edge.extend(sea for sea in SEAS_NEXT[fleet] if sea in waiting)
    return shores - {here}


def carried(fleets: frozenset[int], fleet: int, here: int) -> set[int]:
    """The shores to which ``fleet`` is of use in carrying an army: by routes on which no fleet could be spared."""
    shores: set[int] = set()

    def onward(route: tuple[int, ...], spared: frozenset[int]) -> None:
        """Go on from a route; ``spared`` are the shores that it reaches without its last fleet."""
        sea = route[-1]
        if fleet in route:
            shores.update(COASTS_NEXT[sea] - spared)
        for on in SEAS_NEXT[sea]:
            if (
                on in fleets
                and on not in route
                and here not in COASTS_NEXT[on]
                and not any(on in SEAS_NEXT[passed] for passed in route[:-1])
            ):
                onward((*route, on), spared | COASTS_NEXT[sea])

    for sea in fleets:
        if here in COASTS_NEXT[sea]:
            onward((sea,), frozenset((here,)))
    return shores


def can_board(node: int) -> bool:
    """Whether the unit is an army on a shore."""
    return node < ARMIES and COASTAL[PROVINCE[node]]
