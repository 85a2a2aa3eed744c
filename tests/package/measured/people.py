"""What people learn from it, and whether what they are told holds."""

from __future__ import annotations

from tests.package.measured.reading import EVERYBODY, Told, figure, raw, short

SKILLS = {
    "probing": "probing",
    "calls": "bluff_calls",
    "opening": "opening",
    "terms": "packaging",
    "closing": "closing",
    "pacing": "pacing",
    "keeping cool": "tension",
}


def told() -> list[Told]:
    """The beginning of each row, and what must stand in it."""
    labels = raw("labels.json")["gain"]
    coaching = raw("coaching.json")
    again = raw("labels.json")["again"]
    rated = raw("tables.json")
    said = raw("played.json")
    planted = raw("skills.json")["planted"]
    reliable = raw("reliability.json")
    hinted = raw("hints.json")
    advised = raw("advice.json")
    drills = raw("exercises.json")
    return [
        (
            "replacing",
            [
                *(f"{kind} {figure(labels[kind], 2 if kind == 'blunder' else 3)}" for kind in labels),
                f"that are none {figure(again['to_no_fault'], 3)}",
                f"without a verdict {figure(again['to_no_verdict'], 3)}",
                f"another turn decided {figure(again['another_turn_decided'], 2)}",
            ],
        ),
        (
            "a planted weakness",
            [
                *(
                    short(planted[by][place], 2)
                    for by in ("beyond_usual", "by_regret")
                    for place in ("first", "among_three")
                ),
                f"opening {planted['by_skill']['opening']['first']}",
                f"closing {planted['by_skill']['closing']['first']}",
                f"terms {short(planted['by_skill']['packaging']['first'], 2)}",
            ],
        ),
        (
            "deals from which a skill's figure",
            [
                *(f"{told} {reliable[skill]['enough']}" for told, skill in SKILLS.items()),
                "of ten deals "
                + ", ".join(short(reliable[skill]["after"]["10"], 2) for skill in SKILLS.values()),
            ],
        ),
        (
            "hints obeyed to the letter",
            [
                f"{hinted['all']['pairs']} pairs",
                figure(hinted["all"]["over_asking"], 3),
                *(
                    f"{name} {figure(hinted['by_persona'][each]['over_asking'], 3)}"
                    for name, each in EVERYBODY.items()
                ),
                *(
                    f"{name} {figure(hinted['by_rep'][each]['over_asking'], 3)}"
                    for name, each in {
                        "linear": "linear",
                        "tit for tat": "tit_for_tat",
                        "middling rep": "rep",
                    }.items()
                ),
                f"over no help {figure(hinted['all']['over_silent'], 3)}",
            ],
        ),
        (
            "keys of the drills",
            [
                f"{drills['all']['positions']} positions",
                *(figure(drills["all"][each], 3) for each in ("fresh", "truly")),
                *(short(drills["all"][each], 3) for each in ("random", "place", "longest", "highest")),
                *(f"{end} {short(share, 3)}" for end, share in drills["ends"].items()),
            ],
        ),
        (
            "general advice followed",
            [
                f"{advised['deals']} deals with each persona",
                *(
                    f"{each} {figure(advised['all'][each]['effect'], 3)}"
                    for each in (
                        "ask, tell and answer",
                        "a step for a step",
                        "hold back",
                        "ever smaller steps",
                        "push",
                        "flatter",
                    )
                ),
            ],
        ),
        (
            "answers to lines of nine words",
            [
                ", ".join(short(said["share"][grade], 2) for grade in ("content", "wrong", "empty"))
                + f" of {said['graded']}"
            ],
        ),
        (
            "tables as opponents of people",
            [
                f"{of} {rated['menus'][of]['scenario_and_seat']} ({rated['menus'][of]['scenario_and_seat_most']}), "
                f"{rated['menus'][of]['single_tables']}"
                for of in ("personas", "tables")
            ],
        ),
        (
            "its two deviations hold the long-run rating",
            [
                f"a share as {rated['weight']}",
                ", ".join(short(rated["coverage"]["weighed"][games], 2) for games in ("10", "30", "60")),
            ],
        ),
        ("40 **simulated**", [figure(coaching["effect"], 3), short(coaching["standardised_effect"], 1)]),
    ]
