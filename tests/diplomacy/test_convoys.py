"""Convoys and their paradoxes: the situations of DATC 6.F and 6.G, told in our own words."""

import pytest

from tests.diplomacy.board import moved

CASES = [
    ("a fleet carries an army across a sea", {"england": "A LON - BEL VIA, F NTH C A LON - BEL"}, "A BEL, F NTH", ""),
    ("an army that must go by sea need not say so", {"england": "A LON - BEL, F NTH C A LON - BEL"},
     "A BEL, F NTH", ""),
    ("two fleets carry it across two seas",
     {"england": "A LON - BRE VIA, F ENG C A LON - BRE", "france": "F MAO H"}, "A BRE, F ENG, F MAO", ""),
    ("a chain that lacks a link carries nobody",
     {"england": "A LON - TUN VIA, F ENG C A LON - TUN, F WES C A LON - TUN, F MAO H"},
     "A LON, F ENG, F WES, F MAO", ""),
    ("a fleet on a coast carries nobody",
     {"turkey": "A GRE - SEV VIA, F AEG C A GRE - SEV, F CON C A GRE - SEV, F BLA C A GRE - SEV"},
     "A GRE, F AEG, F CON, F BLA", ""),
    ("an army carried against one that holds bounces",
     {"england": "F ENG C A LON - BRE, A LON - BRE VIA", "france": "A BRE H"}, "F ENG, A LON, A BRE", ""),
    ("an army carried and one on foot bounce",
     {"england": "F ENG C A LON - BRE, A LON - BRE VIA", "france": "A PAR - BRE"}, "F ENG, A LON, A PAR", ""),
    ("an attack that fails does not stop a convoy",
     {"england": "F NTH C A LON - HOL, A LON - HOL VIA", "germany": "F SKA - NTH"}, "F NTH, A HOL, F SKA", ""),
    ("a fleet that is driven out carries nobody",
     {"england": "F NTH C A LON - HOL, A LON - HOL VIA", "germany": "F SKA - NTH, F HEL S F SKA - NTH"},
     "A LON, F NTH, F HEL", "F NTH"),
    ("a stopped convoy does not cut support",
     {"england": "F NTH C A LON - HOL, A LON - HOL VIA",
      "germany": "A HOL S A BEL, A BEL S A HOL, F HEL S F SKA - NTH, F SKA - NTH",
      "france": "A PIC - BEL, A BUR S A PIC - BEL"},
     "A LON, A HOL, A BEL, F HEL, F NTH, A PIC, A BUR", "F NTH"),
    ("a stopped convoy does not keep others out",
     {"england": "F NTH C A LON - HOL, A LON - HOL VIA", "germany": "F HEL S F SKA - NTH, F SKA - NTH, A RUH - HOL"},
     "A LON, F HEL, F NTH, A HOL", "F NTH"),
    ("a second route saves a convoy",
     {"england": "A LON - BEL VIA, F ENG C A LON - BEL, F NTH C A LON - BEL",
     "france": "F BRE - ENG, F MAO S F BRE - ENG"},
     "A BEL, F NTH, F ENG, F MAO", "F ENG"),
    ("a carried army cannot save the fleet that carries it: the support it would cut stands, and the convoy fails",
     {"england": "F LON S F WAL - ENG, F WAL - ENG", "france": "A BRE - LON VIA, F ENG C A BRE - LON"},
     "F LON, F ENG, A BRE", "F ENG"),
    ("nor with an army landing with support",
     {"england": "F LON S F WAL - ENG, F WAL - ENG",
      "france": "A BRE - LON VIA, F ENG C A BRE - LON", "germany": "F NTH S A BRE - LON"},
     "F LON, F ENG, A BRE, F NTH", "F ENG"),
    ("a support for the fleet that carries, cut by the army carried, leaves it where the attack is strong enough",
     {"england": "F NTH - ENG, F WAL S F NTH - ENG", "france": "A BRE - LON VIA, F ENG C A BRE - LON",
     "germany": "F LON S F NTH - ENG"},
     "F ENG, F WAL, A BRE, F LON", "F ENG"),
    ("a carried army does not decide between two attacks on its own fleet",
     {"england": "F LON S F WAL - ENG, F WAL - ENG", "france": "A BRE - LON VIA, F ENG C A BRE - LON",
      "germany": "F NTH S F BEL - ENG, F BEL - ENG"},
     "F LON, F WAL, A BRE, F ENG, F NTH, F BEL", ""),
    ("an army does not land on the one who guards the fleet that carries it",
     {"england": "F NTH C A LON - BEL, A LON - BEL VIA, F ENG S A LON - BEL", "france": "F BEL S F NTH",
      "germany": "F HEL S F SKA - NTH, F SKA - NTH"},
     "F NTH, A LON, F ENG, F BEL, F HEL, F SKA", ""),
    ("where two convoys hang on each other in two consistent ways, both fail",
     {"england": "F EDI - NTH, F LON S F EDI - NTH", "france": "A BRE - LON VIA, F ENG C A BRE - LON",
      "germany": "F BEL S F PIC - ENG, F PIC - ENG", "russia": "A NWY - BEL VIA, F NTH C A NWY - BEL"},
     "F NTH, F LON, A BRE, F BEL, F ENG, A NWY", "F NTH, F ENG"),
    ("where two convoys exclude each other, both fail",
     {"england": "F EDI - NTH, F YOR S F EDI - NTH", "france": "A BRE - LON VIA, F ENG C A BRE - LON",
      "germany": "F BEL S F ENG, F LON S F NTH", "italy": "F MAO - ENG, F IRI S F MAO - ENG",
      "russia": "A NWY - BEL VIA, F NTH C A NWY - BEL"},
     "F EDI, F YOR, A BRE, F ENG, F BEL, F LON, F MAO, F IRI, A NWY, F NTH", ""),
    ("two armies trade places if one goes by sea",
     {"england": "A NWY - SWE VIA, F SKA C A NWY - SWE", "russia": "A SWE - NWY"}, "A SWE, F SKA, A NWY", ""),
    ("and if both go by sea",
     {"england": "A BEL - HOL VIA, F NTH C A BEL - HOL", "germany": "A HOL - BEL VIA, F ENG C A HOL - BEL"},
     "A BEL, F NTH, A HOL, F ENG", ""),
    ("one's own fleet ordered to carry means that one goes by sea",
     {"england": "A BEL - HOL, F NTH C A BEL - HOL", "france": "A HOL - BEL"}, "A HOL, F NTH, A BEL", ""),
    ("a foreign fleet cannot carry off an army that means to walk",
     {"england": "A NWY - SWE, F NTH H", "germany": "F SKA C A NWY - SWE", "russia": "A SWE - NWY"},
     "A NWY, F NTH, F SKA, A SWE", ""),
    ("a unit that says VIA walks where nobody is ordered to carry it",
     {"france": "A BEL - HOL VIA", "england": "F NTH - HEL, A HOL - RUH"}, "A HOL, F HEL, A RUH", ""),
    ("a unit that lost its convoy does not walk instead",
     {"england": "A BEL - HOL VIA, F NTH C A BEL - HOL", "germany": "F HEL - NTH, F SKA S F HEL - NTH"},
     "A BEL, F NTH, F SKA", "F NTH"),
    ("a carried army and one bound the other way do not meet head on",
     {"england": "A SWE - NWY VIA, F SKA C A SWE - NWY, F FIN S A SWE - NWY",
     "russia": "A NWY - SWE, F BAR S A NWY - SWE"},
     "A NWY, F SKA, F FIN, A SWE, F BAR", ""),
    ("a power's support does not drive out its own unit for an army that comes by sea (the oracle errs)",
     {"austria": "A RUM - ANK VIA", "russia": "F BLA C A RUM - ANK", "turkey": "F ANK H, F CON S A RUM - ANK"},
     "A RUM, F BLA, F ANK, F CON", ""),
    ("a power's support does not drive out its own fleet that carries (the oracle errs)",
     {"austria": "F RUM - BLA", "russia": "A SEV - ANK VIA", "turkey": "F BLA C A SEV - ANK, F CON S F RUM - BLA"},
     "F RUM, A ANK, F BLA, F CON", ""),
]  # fmt: skip


@pytest.mark.parametrize(
    ("orders", "stand", "dislodged"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
def test_the_rules_say_that(orders, stand, dislodged) -> None:
    played = moved(**orders)
    expected = [unit.strip() for unit in stand.split(",")]
    assert sorted(unit for row in played.page["units"].values() for unit in row) == sorted(expected)
    assert played.dislodged == {unit.strip() for unit in dislodged.split(",") if unit.strip()}


def test_a_report_tells_a_missing_convoy_from_a_broken_one() -> None:
    missing = moved(england="A LON - HOL VIA, F NTH H")
    broken = moved(england="A LON - HOL VIA, F NTH C A LON - HOL", germany="F SKA - NTH, F HEL S F SKA - NTH")
    assert missing.results["A LON - HOL VIA"] == ["no convoy"]
    assert broken.results["A LON - HOL VIA"] == ["disrupted"]
    assert broken.results["F NTH C A LON - HOL"] == ["dislodged"]
