"""Retreats, captures, builds and removals: DATC 6.H to 6.J and the calendar, told in our own words."""

import pytest

from negotiation.engine.diplomacy import State, advance, opening, possible_orders, text
from negotiation.engine.diplomacy.geography import CENTRES, NEUTRAL, NODE_ID, POWER_ID
from negotiation.engine.diplomacy.phases import NO_ORDERS
from negotiation.engine.diplomacy.state import FALL, OVER, parse_phase
from tests.diplomacy.board import Played, moved

FRANCE, ITALY = POWER_ID["FRANCE"], POWER_ID["ITALY"]


def retreat(retreats, orders, units=None):
    return Played("S1901R", orders, units=units or {}, retreats=retreats)


def winter(power, units, centers, orders):
    return Played("W1901A", {power: orders}, units={power: units}, centers={power: centers})


def test_a_unit_may_not_retreat_to_where_the_attack_came_from_nor_where_somebody_stands_or_units_bounced() -> (
    None
):
    played = moved(
        austria="A BUD S A TRI - VIE, A TRI - VIE",
        germany="A MUN - BOH",
        russia="A VIE H, A SIL - BOH",
        italy="A GAL H",
    )
    assert played.retreats == {"A VIE": ["TYR"]}


def test_after_a_convoyed_attack_the_place_it_came_from_is_open() -> None:
    played = moved(
        italy="A TUN - APU VIA, F ION C A TUN - APU, F ADR S A TUN - APU, A NAP S A TUN - APU",
        turkey="A APU H",
    )
    assert played.retreats == {"A APU": ["ROM", "VEN"]}
    by_sea = moved(england="A NWY - SWE VIA, F SKA C A NWY - SWE, F BAL S A NWY - SWE", russia="A SWE H")
    assert by_sea.retreats == {"A SWE": ["DEN", "FIN", "NWY"]}


def test_a_place_is_not_contested_by_one_who_lost_a_head_on_fight() -> None:
    played = moved(germany="A BER - PRU", russia="A PRU - BER, A SIL S A PRU - BER", england="A MUN - RUH")
    assert "PRU" not in played.retreats["A BER"]
    assert set(played.retreats["A BER"]) == {"KIE", "MUN"}


def test_a_unit_without_a_way_out_is_destroyed_and_the_empty_phase_is_skipped() -> None:
    played = moved(france="A SPA - POR, F MAO S A SPA - POR", italy="A POR H")
    assert played.dislodged == {"A POR"}
    assert played.state.phase == "F1901M"


def test_two_units_that_retreat_to_one_place_both_disband() -> None:
    played = retreat(
        {"FRANCE": {"A BUR": ["PAR"], "A GAS": ["BRE"]}, "ITALY": {"A PIC": ["PAR"]}},
        {"FRANCE": ["A BUR R PAR", "A GAS R BRE"], "ITALY": ["A PIC R PAR"]},
    )
    assert played.units == {"A BRE"}
    assert played.results["A BUR R PAR"] == ["disband"]
    assert played.results["A GAS R BRE"] == []


def test_a_unit_that_is_given_no_retreat_or_an_impossible_one_disbands() -> None:
    played = retreat({"FRANCE": {"A BUR": ["PAR"], "A GAS": ["BRE"]}}, {"FRANCE": ["A BUR R MAR"]})
    assert played.units == set()


def test_centres_change_hands_after_autumn_only() -> None:
    spring = advance(opening(), NO_ORDERS).state
    assert spring.owners == opening().owners
    taken = Played("F1901M", {"FRANCE": ["A SPA H"]}, centers={"ITALY": ["SPA"]})
    assert taken.page["centers"] == {"FRANCE": ["SPA"]}
    kept = Played("S1901M", {"FRANCE": ["A SPA H"]}, centers={"ITALY": ["SPA"]})
    assert kept.page["centers"] == {"ITALY": ["SPA"]}


def test_a_power_builds_only_at_home_in_owned_empty_centres_and_only_what_it_is_due() -> None:
    played = winter(
        "FRANCE",
        ["A BUR"],
        ["PAR", "BRE", "SPA"],
        ["A BUR B", "A MAR B", "A SPA B", "F PAR B", "F BRE B", "A BRE B", "A PAR B"],
    )
    assert played.units == {"A BUR", "F BRE", "A PAR"}
    assert played.results["A BRE B"] == ["void"]


def test_a_build_may_be_waived() -> None:
    played = winter("FRANCE", ["A BUR"], ["PAR", "BRE", "SPA"], ["WAIVE", "F BRE B", "A PAR B"])
    assert played.units == {"A BUR", "F BRE"}


def test_a_fleet_built_in_a_province_with_coasts_needs_one() -> None:
    assert winter("RUSSIA", [], ["STP"], ["F STP B"]).units == set()
    assert winter("RUSSIA", [], ["STP"], ["F STP/NC B"]).units == {"F STP/NC"}


def test_winter_is_skipped_where_nobody_can_build_or_must_disband() -> None:
    assert (
        Played("F1901M", {"FRANCE": ["A PAR H"]}, centers={"FRANCE": ["PAR", "SPA"]}).state.phase == "S1902M"
    )
    assert (
        Played("F1901M", {"FRANCE": ["A PAR H"]}, centers={"FRANCE": ["PAR", "BRE"]}).state.phase == "W1901A"
    )


def test_a_power_that_does_not_say_loses_its_farthest_units_fleets_before_armies_then_by_name() -> None:
    played = winter("RUSSIA", ["F LON", "A YOR", "A WAL", "F BRE"], ["MOS"], [])
    assert played.units == {"A YOR"}
    tie = winter("FRANCE", ["A GAS", "F MAO", "A BUR"], ["PAR", "BRE"], [])
    assert tie.units == {"A BUR", "A GAS"}


def test_a_fleet_s_way_home_is_by_sea_alone() -> None:
    """DATC 6.J.6: Berlin is two moves from Warsaw for an army, three from home for a fleet, as is Helgoland."""
    assert winter("RUSSIA", ["F BER", "F HEL"], ["BER"], []).units == {"F HEL"}
    assert winter("RUSSIA", ["A BER", "F HEL"], ["BER"], []).units == {"A BER"}


def test_a_fleet_s_way_home_starts_from_its_own_coast() -> None:
    """Sevastopol is two moves by sea from Bulgaria's east coast, and three from its south coast as from Smyrna."""
    assert winter("RUSSIA", ["F BUL/EC", "F SMY"], ["BUL"], []).units == {"F BUL/EC"}
    assert winter("RUSSIA", ["F BUL/SC", "F SMY"], ["BUL"], []).units == {"F SMY"}


def test_a_power_without_centres_loses_every_unit() -> None:
    assert winter("ITALY", ["A ROM", "F NAP"], [], []).units == set()


def test_orders_to_disband_come_before_civil_disorder() -> None:
    played = winter("FRANCE", ["A PAR", "F LON", "A MOS"], ["PAR", "BRE"], ["A PAR D"])
    assert played.units == {"F LON", "A MOS"}


def test_eighteen_centres_end_the_game() -> None:
    owners = tuple(FRANCE if i < 17 else NEUTRAL for i in range(len(CENTRES)))
    units = tuple((NODE_ID["A WAR"],) if power == FRANCE else () for power in range(7))
    after = advance(State(1905, FALL, units, owners), NO_ORDERS).state
    assert after.season == OVER
    assert after.winner == FRANCE
    with pytest.raises(ValueError, match="over"):
        advance(after, NO_ORDERS)


def test_a_unit_obeys_one_order_and_nobody_elses() -> None:
    state = opening()
    orders = possible_orders(state, FRANCE)
    node = NODE_ID["A PAR"]
    two = [order for order in orders[node] if order.kind == 1][:2]
    step = advance(state, [[] if power != FRANCE else two for power in range(7)])
    assert len(step.accepted[FRANCE]) == 1
    assert step.void == ((FRANCE, two[1]),)
    stolen = advance(state, [two if power == ITALY else [] for power in range(7)])
    assert stolen.state.units == state.units


def test_phases_are_read_as_they_are_written() -> None:
    for name in ("S1901M", "S1902R", "F1903M", "F1904R", "W1905A"):
        year, season = parse_phase(name)
        assert opening()._replace(year=year, season=season).phase == name
    with pytest.raises(ValueError, match="X1901M"):
        parse_phase("X1901M")


def test_every_power_has_its_usual_first_moves() -> None:
    assert [
        text(order) for order in possible_orders(opening(), FRANCE)[NODE_ID["F BRE"]] if order.kind <= 1
    ] == [
        "F BRE - ENG",
        "F BRE - GAS",
        "F BRE - MAO",
        "F BRE - PIC",
        "F BRE H",
    ]
