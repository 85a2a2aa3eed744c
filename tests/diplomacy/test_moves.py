"""Moves, supports and bounces: the situations of DATC 6.A, 6.C, 6.D and 6.E, told in our own words."""

import pytest

from negotiation.engine.diplomacy import possible_orders, text
from negotiation.engine.diplomacy.possible import is_possible
from tests.diplomacy.board import Played, moved

# Each row: what the rules say, the orders, the units that must stand afterwards, those that are dislodged.
CASES = [
    ("an army cannot go to sea", {"england": "A LVP - IRI"}, "A LVP", ""),
    ("a fleet cannot go inland", {"germany": "F KIE - MUN"}, "F KIE", ""),
    ("a unit cannot go where nothing borders", {"england": "F NTH - PIC"}, "F NTH", ""),
    ("a fleet cannot follow a land border between coasts", {"italy": "F ROM - VEN"}, "F ROM", ""),
    ("two units bound for one empty place both stay", {"austria": "A VIE - TYR", "italy": "A VEN - TYR"},
     "A VIE, A VEN", ""),
    ("three bound for one place all stay", {"austria": "A VIE - TYR", "germany": "A MUN - TYR",
     "italy": "A VEN - TYR"},
     "A VIE, A MUN, A VEN", ""),
    ("a unit may follow another that leaves", {"germany": "A BER - KIE, F KIE - HEL"}, "A KIE, F HEL", ""),
    ("a unit cannot follow one that fails to leave", {"germany": "A BER - KIE, F KIE - HEL",
     "england": "F NTH - HEL"},
     "A BER, F KIE, F NTH", ""),
    ("two units cannot trade places by land", {"italy": "A ROM - VEN", "austria": "A VEN - ROM"}, "A ROM, A VEN", ""),
    ("three units can move round in a circle", {"turkey": "F ANK - CON, A CON - SMY, A SMY - ANK"},
     "F CON, A SMY, A ANK", ""),
    ("a circle moves with support for one of them",
     {"turkey": "F ANK - CON, A CON - SMY, A SMY - ANK, A BUL S F ANK - CON"}, "F CON, A SMY, A ANK, A BUL", ""),
    ("a circle stands still if somebody else is bound for one of its places",
     {"turkey": "F ANK - CON, A CON - SMY, A SMY - ANK, A BUL - CON"}, "F ANK, A CON, A SMY, A BUL", ""),
    ("support lets a unit drive out one that holds",
     {"france": "A BUR - MUN, A RUH S A BUR - MUN", "germany": "A MUN H"}, "A MUN, A RUH", "A MUN"),
    ("a supported defender withstands a supported attack",
     {"germany": "A MUN H, A BER S A MUN", "france": "A BUR - MUN, A RUH S A BUR - MUN"},
     "A MUN, A BER, A BUR, A RUH", ""),
    ("an attack cuts the support of the unit attacked",
     {"austria": "F ADR S A TRI - VEN, A TRI - VEN", "italy": "A VEN H, F ION - ADR"},
     "F ADR, A TRI, A VEN, F ION", ""),
    ("support against the attacker's own place is cut only by driving the supporter out",
     {"germany": "A BER S A KIE - SIL, A KIE H, A MUN S A BOH - SIL", "austria": "A BOH - SIL",
     "russia": "A SIL - MUN"},
     "A BER, A KIE, A MUN, A SIL", "A SIL"),
    ("a unit driven out gives no support, wherever the blow came from",
     {"germany": "A BER - PRU, A SIL S A BER - PRU", "russia": "A WAR - SIL, A BOH S A WAR - SIL, A PRU H"},
     "A BER, A SIL, A BOH, A PRU", "A SIL"),
    ("a unit does not cut the support of its own power",
     {"italy": "A ROM S A TUS - VEN, A TUS - VEN, A APU - ROM", "austria": "A VEN H"}, "A ROM, A VEN, A APU",
     "A VEN"),
    ("a power cannot drive out its own unit",
     {"germany": "A BER H, F KIE - BER, A MUN S F KIE - BER"}, "A BER, F KIE, A MUN", ""),
    ("a power cannot drive out its own unit that failed to leave",
     {"germany": "A BER - PRU, F KIE - BER, A MUN S F KIE - BER", "russia": "A WAR - PRU"},
     "A BER, F KIE, A MUN, A WAR", ""),
    ("a power's support does not help another to drive out its own unit",
     {"austria": "F TRI H, A VIE S A VEN - TRI", "italy": "A VEN - TRI"}, "F TRI, A VIE, A VEN", ""),
    ("nor where that unit failed to leave",
     {"austria": "F TRI - ADR, A VIE S A VEN - TRI", "italy": "A VEN - TRI, F APU - ADR"},
     "F TRI, A VIE, A VEN, F APU", ""),
    ("but it counts once that unit has left",
     {"austria": "F TRI - ADR, A VIE S A VEN - TRI", "italy": "A VEN - TRI", "russia": "A TYR - TRI"},
     "F ADR, A VIE, A TRI, A TYR", ""),
    ("support for a stay does not help a unit that tries to go",
     {"italy": "A VEN - TRI, A TYR S A VEN - TRI", "austria": "A ALB S A TRI, A TRI - SER", "turkey": "A BUL - SER"},
     "A TRI, A TYR, A ALB, A BUL", "A TRI"),
    ("support for a move does not help a unit that stays",
     {"russia": "A PRU S A LVN - BER, A LVN H", "germany": "A BER - LVN"}, "A PRU, A LVN, A BER", ""),
    ("a support that can be given still counts if the supporter could not go there by that coast",
     {"france": "F GAS S F MAO - SPA/SC, F MAO - SPA/SC", "italy": "F SPA/NC H"}, "F GAS, F SPA/SC", "F SPA/NC"),
    ("a unit cannot support into a place that it could not enter",
     {"austria": "A VEN H", "italy": "F ROM S A APU - VEN, A APU - VEN"}, "A VEN, F ROM, A APU", ""),
    ("a unit driven out in a head-on fight does not keep others out of the place it wanted",
     {"germany": "A BER - PRU", "russia": "A PRU - BER, A SIL S A PRU - BER, A WAR - PRU"},
     "A BER, A SIL, A PRU", "A BER"),
    ("the weaker of two that meet head on loses to the stronger",
     {"germany": "F HOL - NTH, F HEL S F HOL - NTH, F SKA - NWY", "russia": "F NWY - SKA"},
     "F NTH, F HEL, F SKA, F NWY", ""),
    ("two equal attacks on a unit leave it where it is",
     {"germany": "F HOL S F HEL - NTH, F HEL - NTH", "france": "F ENG S F BEL - NTH, F BEL - NTH",
     "england": "F NTH H"},
     "F HOL, F HEL, F ENG, F BEL, F NTH", ""),
    ("a besieged unit that tried to leave is safe as well",
     {"england": "F NTH - NWY", "germany": "F HOL S F HEL - NTH, F HEL - NTH",
     "russia": "F SKA S F NWY - NTH, F NWY - NTH"},
     "F NTH, F HOL, F HEL, F SKA, F NWY", ""),
    ("the strongest of three takes the place",
     {"germany": "A MUN - TYR, A BOH S A MUN - TYR", "italy": "A VEN - TYR", "austria": "A VIE - TYR"},
     "A TYR, A BOH, A VEN, A VIE", ""),
    ("an attack from the place that is attacked does not cut the support against it",
     {"italy": "A VEN S A APU - ROM, A APU - ROM", "france": "A ROM - VEN"}, "A VEN, A ROM", "A ROM"),
    ("a unit bound for a place it cannot reach still holds, and may be supported there",
     {"england": "A LVP - YOR, F EDI S A LVP - YOR", "germany": "A YOR - HOL", "france": "F LON S A YOR"},
     "A LVP, F EDI, A YOR, F LON", ""),
    ("a fleet must say which of two coasts it makes for", {"france": "F POR - SPA"}, "F POR", ""),
    ("a fleet that can reach one coast only need not say so", {"france": "F GAS - SPA"}, "F SPA/NC", ""),
    ("a fleet leaves by the coast it is on", {"france": "F SPA/NC - LYO"}, "F SPA/NC", ""),
    ("two fleets bound for two coasts of one province bounce",
     {"france": "F GAS - SPA/NC", "italy": "F WES - SPA/SC"}, "F GAS, F WES", ""),
    ("a unit attacked on one coast gives no support from it",
     {"russia": "F STP/NC S F BAR - NWY, F BAR - NWY", "england": "F NWY H", "germany": "F BOT - STP/SC"},
     "F STP/NC, F BAR, F NWY, F BOT", ""),
]  # fmt: skip


@pytest.mark.parametrize(
    ("orders", "stand", "dislodged"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
def test_the_rules_say_that(orders, stand, dislodged) -> None:
    played = moved(**orders)
    expected = [unit.strip() for unit in stand.split(",")]
    assert sorted(unit for row in played.page["units"].values() for unit in row) == sorted(expected)
    assert played.dislodged == {unit.strip() for unit in dislodged.split(",") if unit.strip()}


def test_a_report_says_what_each_order_came_to() -> None:
    played = moved(
        france="A BUR - MUN, A RUH S A BUR - MUN, A PAR S A MAR",
        germany="A MUN H, A KIE - RUH",
        italy="A TYR S A MUN - BOH",
        austria="A BOH - VIE, A VIE H",
    )
    assert played.results["A RUH S A BUR - MUN"] == ["cut"]
    assert played.results["A BUR - MUN"] == ["bounce"]
    assert played.results["A KIE - RUH"] == ["bounce"]
    assert played.results["A TYR S A MUN - BOH"] == ["void"]
    assert played.results["A MUN H"] == []


def test_a_unit_ordered_under_a_wrong_coast_is_the_one_that_stands_there() -> None:
    """DATC 6.B.10 and 6.B.11: the move is tried from where the fleet is."""
    units = {"FRANCE": ["F SPA/SC"]}
    assert Played("S1901M", {"FRANCE": ["F SPA/NC - LYO"]}, units=units).units == {"F LYO"}
    units = {"FRANCE": ["F SPA/NC"]}
    assert Played("S1901M", {"FRANCE": ["F SPA/SC - LYO"]}, units=units).units == {"F SPA/NC"}


def test_a_fleet_that_is_on_no_route_carries_nobody_and_shows_no_wish_to() -> None:
    """DATC 6.G.7: Bothnia touches no way from Sweden to Norway, so its order is void and nobody swaps."""
    orders = {
        "ENGLAND": ["F SKA C A SWE - NWY", "F NWY - SWE"],
        "RUSSIA": ["A SWE - NWY", "F BOT C A SWE - NWY"],
    }
    played = Played("S1901M", orders)
    assert played.units == {"F SKA", "F NWY", "A SWE", "F BOT"}
    assert [text(order) for _, order in played.step.void] == ["F BOT C A SWE - NWY"]
    assert all(
        is_possible(order, played.before.standing())
        for power in range(7)
        for orders in possible_orders(played.before, power).values()
        for order in orders
    )
