"""What opponents are worth, and what they give away."""

from __future__ import annotations

from tests.package.measured.reading import EVERYBODY, PEOPLE, Told, figure, raw, short


def leaked(cause: str, places: int, *, before: bool = False) -> str:
    every = [
        cell["bits_a_frame"][cause]
        for cell in raw("leakage_before.json" if before else "leakage.json")["scenarios"].values()
    ]
    return f"{written(min(every), places)} to {written(max(every), places)}"


def written(bits: float, places: int) -> str:
    return short(bits, places) if bits else "0"


def told() -> list[Told]:
    """The beginning of each row, and what must stand in it."""
    opponents = raw("opponents.json")
    exploit = raw("exploit.json")
    observer = raw("observer.json")
    oracle = raw("oracle.json")
    claims = raw("claims.json")
    noisy = raw("opponents_claims.json")
    found = raw("discovery.json")
    facts = [found[each]["discoverer"]["facts_told"] for each in EVERYBODY.values()]
    late = {
        name: f"{100 * observer[each]['turns 13 to 20']['coverage']:.0f}%" for name, each in PEOPLE.items()
    }

    def gains(way: str, of: str = "gain") -> list[str]:
        return [f"{name} {figure(found[each][way][of], 3)}" for name, each in EVERYBODY.items()]

    return [
        (
            "words, at tables with a case",
            [f"{found['diplomat']['deals']} deals a persona", *gains("discoverer")],
        ),
        (
            "words that ask topics",
            [
                *(
                    f"{name} {short(found[each]['plain_asker']['of_the_discoverer'], 2)}"
                    for name, each in EVERYBODY.items()
                ),
                f"{short(min(facts), 1)} to {short(max(facts), 1)} in",
            ],
        ),
        ("words without content", [*gains("blind_asking"), *gains("blind_arguing")]),
        ("words that cost", [*gains("rude"), *gains("false_claims", "gain_over_discoverer")]),
        (
            "words in deals with terms",
            [
                f"{name} {figure(found[each]['joint_in_package_deals']['gain'], 3)}"
                for name, each in EVERYBODY.items()
            ],
        ),
        ("what a table lets slip", [leaked("slips", 3, before=True), leaked("slips", 3)]),
        (
            "what the other side tells",
            [leaked(cause, 3) for cause in ("calling", "lapsed", "preferred")],
        ),
        (
            "nine strategies",
            [f"{name} {figure(opponents['overall'][each], 3)}" for name, each in PEOPLE.items()],
        ),
        (
            "the same nine since",
            [f"{name} {figure(noisy['overall'][each], 3)}" for name, each in EVERYBODY.items()],
        ),
        (
            "expert over",
            [f"{name} {short(opponents['expert_minus_naive'][each], 2)}" for name, each in PEOPLE.items()],
        ),
        (
            "stated limits that are false",
            [
                f"{name} {figure(claims[each]['false'], 3)}, {figure(claims[each]['by_name'], 2)}"
                for name, each in (("Shark", "shark"), ("Veteran", "veteran"))
            ],
        ),
        (
            "the best decoder of a stated limit",
            [
                f"{short(cell['mean'], 3)} beside {short(cell['prior'], 3)}"
                for cell in (
                    found["over_cells"]
                    for found in claims.values()
                    if isinstance(found, dict) and "over_cells" in found
                )
            ],
        ),
        (
            "the worst adversary",
            [f"{name} {figure(exploit[each]['best_response'], 2)}" for name, each in PEOPLE.items()],
        ),
        (
            "the oracle less the expert",
            [figure(oracle["ships"]["middle"]["gain"], 3), figure(oracle["over_trainings"]["gain"], 3)],
        ),
        (
            "deals made by the oracle",
            [
                ", ".join(
                    short(oracle["ships"]["middle"][f"{who}_deal_rate"], 3) for who in ("oracle", "expert")
                ),
                f"; {oracle['ships']['all_difficulties']['oracle_breaches']} |",
            ],
        ),
        ("the oracle less the discoverer", [figure(oracle["with_a_case"]["all"]["gain"], 3)]),
        (
            "what a best response takes",
            [
                ", ".join(
                    figure(raw("champion.json")["against"][who]["best response"]["takes"], 2)
                    for who in ("champion", "auditor")
                )
            ],
        ),
        (
            "reference observer",
            [
                f"{short(cell['error'], 3)} over {short(cell['prior_error'], 3)}"
                for each in PEOPLE.values()
                for cell in (observer[each]["turns 5 to 8"], observer[each]["turns 9 to 12"])
            ],
        ),
        (
            "its 95% interval",
            [f"{late['Shark']} against the Shark", f"{late['Diplomat']} against the Diplomat"],
        ),
    ]
