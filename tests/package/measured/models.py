"""What models learn from it."""

from __future__ import annotations

from tests.package.measured.reading import Told, figure, raw, short


def seeds(number: int) -> str:
    return figure(raw(f"apprentice/before/seed{number}/evaluation.json")["gain_over_baseline"]["GRPO"], 3)


def told() -> list[Told]:
    """The beginning of each row, and what must stand in it."""
    loop = raw("flywheel.json")["generations"]
    envoy = raw("envoy.json")["summary"]["gains"]
    ipd = raw("sepo.json")["summary"]["ipd"]["ours"]
    kuhn = raw("sepo.json")["summary"]["kuhn"]["ours"]
    dilemma = raw("sepo_harm.json")["summary"]["ipd"]
    trained = raw("apprentice/trainings.json")
    return [
        ("an apprentice of", [seeds(number) for number in range(4)]),
        (
            "an apprentice, open",
            [
                *(figure(trained[part]["gain"]["efficiency"], 3) for part in ("open", "guarded")),
                *(figure(trained["open"][stage]["breach_rate"], 3) for stage in ("SFT", "GRPO")),
            ],
        ),
        (
            "the loop",
            [
                short(loop[0]["efficiency"]["champion"]["mean"], 3),
                *(short(each["efficiency"]["candidate"]["mean"], 3) for each in loop),
                *(figure(each["criteria"][0]["apart"], 3) for each in loop),
            ],
        ),
        (
            "Diplomacy",
            [figure(envoy["adapter over untrained"], 2), figure(envoy["adapter over base"], 2)],
        ),
        ("SEPO at Kuhn", [figure(kuhn[stage]["nash_conv"], 3) for stage in ("base", "adapter")]),
        (
            "SEPO in the dilemma",
            [
                *(figure(ipd[stage]["exploit"], 2) for stage in ("base", "adapter")),
                figure(ipd["adapter"]["safety_table1"], 2),
            ],
        ),
        (
            "the same, taken by the worst",
            [figure(ipd[stage]["worst_margin"], 2) for stage in ("base", "adapter")],
        ),
        (
            "the same by the objective",
            [figure(dilemma["ours"][stage]["worst_margin"], 2) for stage in ("base", "adapter")]
            + [figure(dilemma["fixed pool"]["adapter"]["worst_margin"], 2)],
        ),
    ]
