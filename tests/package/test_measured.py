"""docs/measured.md says what the raw files say, and names for each of them a script and a commit."""

from __future__ import annotations

import json
import re
from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from statistics import median
from typing import Any

import pytest

from tests.servers import ROOT

PAGE = (ROOT / "docs/measured.md").read_text()
RESULTS = ROOT / "bench/results"


@cache
def raw(name: str) -> Any:
    return json.loads((RESULTS / name).read_text())


def row(begins: str) -> str:
    """The one line of the page whose first cell begins so."""
    (found,) = [line for line in PAGE.splitlines() if line.startswith(f"| {begins}")]
    return found


def short(value: float, places: int) -> str:
    """As the page writes it: no zero before the point."""
    rounded = Decimal(str(value)).quantize(Decimal(10) ** -places, ROUND_HALF_UP)
    return re.sub(r"^(-?)0\.", r"\1.", str(rounded))


def figure(found: dict[str, Any], places: int) -> str:
    """A mean with its interval."""
    return f"{short(found['mean'], places)} [{', '.join(short(end, places) for end in found['ci95'])}]"


def speed(scenario: str, inference: str, kind: str) -> str:
    every = [
        each[kind]
        for name, each in raw("engine.json")["episodes_per_second"].items()
        if name.startswith(scenario) and name.endswith(inference)
    ]
    return f"{min(every):,} to {max(every):,}"


def seeds(number: int) -> str:
    return figure(raw(f"apprentice/before/seed{number}/evaluation.json")["gain_over_baseline"]["GRPO"], 3)


def opened(how: str) -> str:
    """Seconds of the quickest and the slowest start."""
    every = [each["seconds"] if isinstance(each, dict) else each for each in raw("house.json")[how]]
    return f"{min(every):.1f} to {max(every):.1f}"


def gone(part: str) -> str:
    every = raw("house.json")["gone"][part]
    return f"{short(min(every), 1)} to {short(max(every), 1)} s"


def leaked(cause: str, places: int, *, before: bool = False) -> str:
    every = [
        cell["bits_a_frame"][cause]
        for cell in raw("leakage_before.json" if before else "leakage.json")["scenarios"].values()
    ]
    return f"{written(min(every), places)} to {written(max(every), places)}"


def written(bits: float, places: int) -> str:
    return short(bits, places) if bits else "0"


def heard_of(reader: str, batch: str) -> str:
    """What a reader made of a batch of questions."""
    shares = raw("intents.json")[reader]["by_batch"][batch]
    return ", ".join(short(shares[each], 3) for each in ("right", "near", "wrong", "unheard"))


def beside_pages(how: str) -> str:
    """The least and the most that a page does to a turn."""
    times = [each for page, each in raw("planes.json")["times_idle"][how].items() if page != "nobody"]
    return f"{min(times):.2f} to {max(times):.2f}"


def told() -> list[tuple[str, list[str]]]:
    """The beginning of each row, and what must stand in it."""
    live, load, words = raw("live.json"), raw("load.json"), raw("engine.json")["words"].values()
    tables, flat, lag = (
        live["tables"]["client_side"],
        live["tables_without_a_pause"],
        live["spectators"]["event_lag"],
    )
    turn = raw("web_turn.json")
    opponents, exploit, observer = raw("opponents.json"), raw("exploit.json"), raw("observer.json")
    oracle = raw("oracle.json")
    fan, lobby = raw("fanout.json")["median"], raw("lobby.json")["ways"]
    claims, noisy = raw("claims.json"), raw("opponents_claims.json")
    loop, envoy = raw("flywheel.json")["generations"], raw("envoy.json")["summary"]["gains"]
    ipd, kuhn = raw("sepo.json")["summary"]["ipd"]["ours"], raw("sepo.json")["summary"]["kuhn"]["ours"]
    labels, coaching = raw("labels.json")["gain"], raw("coaching.json")
    again = raw("labels.json")["again"]
    dilemma, trained = raw("sepo_harm.json")["summary"]["ipd"], raw("apprentice/trainings.json")
    rated, said = raw("tables.json"), raw("played.json")
    planted, faults = raw("skills.json")["planted"], list(raw("faults.json")["faults"].values())
    reliable, hinted, advised = raw("reliability.json"), raw("hints.json"), raw("advice.json")
    drills = raw("exercises.json")
    skills = {
        "probing": "probing",
        "calls": "bluff_calls",
        "opening": "opening",
        "terms": "packaging",
        "closing": "closing",
        "pacing": "pacing",
        "keeping cool": "tension",
    }
    people = {"Diplomat": "diplomat", "Shark": "shark", "Veteran": "veteran"}
    found, everybody = raw("discovery.json"), {**people, "Auditor": "auditor"}

    def gains(way: str, of: str = "gain") -> list[str]:
        return [f"{name} {figure(found[each][way][of], 3)}" for name, each in everybody.items()]

    facts = [found[each]["discoverer"]["facts_told"] for each in everybody.values()]
    late = {
        name: f"{100 * observer[each]['turns 13 to 20']['coverage']:.0f}%" for name, each in people.items()
    }
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
                    for name, each in everybody.items()
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
                for name, each in everybody.items()
            ],
        ),
        ("50 tables", [f"p50 {tables['p50_ms']} ms", f"p95 {tables['p95_ms']} ms", f"{tables['max_ms']} ms"]),
        (
            "the same 50",
            [
                f"{flat['turns_per_second']} turns",
                *(f"{key} {flat['client_side'][f'{key}_ms']:.0f} ms" for key in ("p50", "p95")),
            ],
        ),
        (
            "200 spectators",
            [f"p50 {lag['p50_ms']} ms", f"p95 {lag['p95_ms']} ms", f"p99 {lag['p99_ms']:.0f} ms"],
        ),
        (
            "a turn against a strategist",
            [
                f"median {turn['this']['median_ms']} ms, there {turn['against']['median_ms']} ms",
                f"{short(turn['share_of_against'], 2)} of it",
            ],
        ),
        ("web process", [f"{live['memory_mb']['at_rest']:.0f} MB", f"{live['memory_mb']['after']:.0f} MB"]),
        (
            "a review",
            [
                f"{load['reviews']['mean_seconds']} s mean, {load['reviews']['longest_seconds']} s longest",
                f"{load['p95_ratio']} times",
            ],
        ),
        (
            "`bin/play` in a fresh clone",
            [opened("cold"), opened("warm"), opened("cold_with_models"), opened("warm_with_models")],
        ),
        (
            "from the landing page to a first move",
            [
                part
                for way in raw("clicks.json")["median"].values()
                for part in (f"{way['clicks']} clicks", f"{way['seconds_to_answer']:.2f} s")
            ],
        ),
        (
            "the living portrait in a Chromium",
            [
                f"{median(each[part]['frames_a_second'] for each in rounds):.1f} "
                f"({min(each[part]['frames_a_second'] for each in rounds):.1f} to "
                f"{max(each[part]['frames_a_second'] for each in rounds):.1f})"
                for rounds in raw("motion.json")["rounds"].values()
                for part in ("at_rest", "answering")
            ],
        ),
        (
            "a part that is killed",
            [
                *(gone(part) for part in ("web", "redis", "worker")),
                f"{raw('house.json')['gone_with_models']['models'][0]} s",
            ],
        ),
        (
            "ten tables without",
            [
                f"{raw('kills.json')['acknowledged']:,} moves",
                *(f"{raw('kills.json')[key]} {key}" for key in ("lost", "doubled")),
            ],
        ),
        (
            "the engine",
            [speed("saas", "off", kind) for kind in ("scalar", "batched")],
        ),
        ("with terms", [speed("software", "off", kind) for kind in ("scalar", "batched")]),
        ("the same two", [speed("saas", "on", "scalar"), speed("software", "on", "scalar")]),
        (
            "a persona's answer",
            [
                f"{short(min(w['p95_ms'] for w in words), 2)} to {short(max(w['p95_ms'] for w in words), 2)} ms"
            ],
        ),
        ("what a table lets slip", [leaked("slips", 3, before=True), leaked("slips", 3)]),
        (
            "what the other side tells",
            [leaked(cause, 3) for cause in ("calling", "lapsed", "preferred")],
        ),
        (
            "nine strategies",
            [f"{name} {figure(opponents['overall'][each], 3)}" for name, each in people.items()],
        ),
        (
            "the same nine since",
            [
                f"{name} {figure(noisy['overall'][each], 3)}"
                for name, each in {**people, "Auditor": "auditor"}.items()
            ],
        ),
        (
            "expert over",
            [f"{name} {short(opponents['expert_minus_naive'][each], 2)}" for name, each in people.items()],
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
            [f"{name} {figure(exploit[each]['best_response'], 2)}" for name, each in people.items()],
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
                for each in people.values()
                for cell in (observer[each]["turns 5 to 8"], observer[each]["turns 9 to 12"])
            ],
        ),
        (
            "its 95% interval",
            [f"{late['Shark']} against the Shark", f"{late['Diplomat']} against the Diplomat"],
        ),
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
                *(f"{told} {reliable[skill]['enough']}" for told, skill in skills.items()),
                "of ten deals "
                + ", ".join(short(reliable[skill]["after"]["10"], 2) for skill in skills.values()),
            ],
        ),
        (
            "hints obeyed to the letter",
            [
                f"{hinted['all']['pairs']} pairs",
                figure(hinted["all"]["over_asking"], 3),
                *(
                    f"{name} {figure(hinted['by_persona'][each]['over_asking'], 3)}"
                    for name, each in everybody.items()
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
            "thirty small faults",
            [
                f"{sum(bool(each['found']) for each in faults)} of {len(faults)}",
                str(sum(bool(each["found"]) and each["near"] for each in faults)),
                f"{median([each['seconds'] for each in faults if each['found']]):.0f} s",
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
        (
            "660 questions",
            [heard_of(reader, batch) for batch in ("first", "second") for reader in ("both", "house")],
        ),
        (
            "one new question",
            [
                f"{raw('intents.json')['milliseconds'][reader]['wall_median']:.1f}"
                for reader in ("both", "house")
            ],
        ),
        (
            "one table that 1,000 watch",
            [f"{fan['event_lag_p95_ms']:.0f}, {fan['reply_p95_ms']:.0f}", f"{fan['reply_p50_ms']:.0f}"],
        ),
        (
            "a team's lobby of 50 tables",
            [
                "; ".join(
                    f"{lobby[way]['median']['late_p50']:.1f} ({lobby[way]['median']['late_p95']:.1f})"
                    for way in ("asked_anew", "pushed")
                ),
                "; ".join(f"{lobby[way]['median']['kb_a_minute']:,.0f}" for way in ("asked_anew", "pushed")),
            ],
        ),
        ("pages opened without a pause", ["; ".join(beside_pages(how) for how in ("apart", "together"))]),
        (
            "a second web process",
            [
                ", ".join(
                    f"{raw('scale.json')['two_over_one'][part]:.2f}"
                    for part in ("web_ms", "database_ms", "redis_ms")
                )
            ],
        ),
    ]


def test_in_each_of_six_seeds_the_worst_opponent_takes_no_more_after_training() -> None:
    runs = raw("sepo_harm.json")["runs"]["ipd"]["ours"]
    assert len(runs) == 6
    for run in runs.values():
        assert run["stages"]["adapter"]["worst_margin"] <= run["stages"]["base"]["worst_margin"]


@pytest.mark.parametrize(
    ("begins", "figures"), told(), ids=lambda value: value if isinstance(value, str) else ""
)
def test_a_row_says_what_its_file_says(begins: str, figures: list[str]) -> None:
    line = row(begins)
    assert figures
    assert [each for each in figures if each not in line] == [], line


def test_every_row_of_a_figure_names_script_file_and_commit() -> None:
    rows = [
        line for line in PAGE.splitlines() if re.search(r"`bench\.\w+`, `", line) and line.startswith("|")
    ]
    assert len(rows) == len(told())
    for line in rows:
        script, file, commits = re.search(r"`bench\.(\w+)`, `([\w./]+)`.*\| ([\w+, ]+) \|$", line).groups()  # type: ignore[union-attr]
        assert (ROOT / "bench" / f"{script}.py").exists(), line
        assert (RESULTS / file).exists(), line
        assert re.fullmatch(r"[0-9a-f]{7}\+?(, [0-9a-f]{7}\+?)*", commits), line


def test_the_auditor_is_as_measured() -> None:
    found, rated = raw("opponents_auditor.json"), raw("ratings_auditor.json")["auditor@0.5"]
    line = row("the Auditor, the fourth")
    assert figure(found["overall"]["auditor"], 3) in line
    assert figure(found["table"]["expert"]["auditor"], 2) in line
    assert f"{rated['rating']} ± {round(2 * rated['deviation'])}" in row("the Auditor's rating")
    readme = (ROOT / "README.md").read_text()
    assert "| 0.27 [0.26, 0.28] | 0.53 [0.50, 0.55] |" in readme


def test_every_raw_file_is_on_the_page_under_the_commit_that_it_names_itself() -> None:
    for path in RESULTS.glob("*.json"):
        assert f"`{path.name}`" in PAGE, path.name
        measured = raw(path.name).get("measured", {})
        if measured:
            commit = measured["revision"]
            line = next(line for line in PAGE.splitlines() if f"`{path.name}`" in line)
            assert commit[:7] + "+" * commit.endswith("+") in line, path.name


def test_the_loops_generations_would_not_have_passed_the_gate_of_the_product() -> None:
    """By the margins of the product, from the intervals that the bench kept."""
    from trainer.evaluation.gate import GateSettings

    house = GateSettings()
    for generation in raw("flywheel.json")["generations"]:
        criteria = {each["id"]: each for each in generation["criteria"]}
        assert criteria["validity"]["apart"]["ci95"][0] < -house.validity_margin
    assert "would have held all three" in row("the loop")
    assert "would have held all three" in (ROOT / "docs/flywheel.md").read_text()
