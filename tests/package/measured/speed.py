"""How fast it is, how many it carries, and what breaks."""

from __future__ import annotations

from statistics import median

from tests.package.measured.reading import Told, raw, short


def speed(scenario: str, inference: str, kind: str) -> str:
    every = [
        each[kind]
        for name, each in raw("engine.json")["episodes_per_second"].items()
        if name.startswith(scenario) and name.endswith(inference)
    ]
    return f"{min(every):,} to {max(every):,}"


def opened(how: str) -> str:
    """Seconds of the quickest and the slowest start."""
    every = [each["seconds"] if isinstance(each, dict) else each for each in raw("house.json")[how]]
    return f"{min(every):.1f} to {max(every):.1f}"


def gone(part: str) -> str:
    every = raw("house.json")["gone"][part]
    return f"{short(min(every), 1)} to {short(max(every), 1)} s"


def heard_of(reader: str, batch: str) -> str:
    """What a reader made of a batch of questions."""
    shares = raw("intents.json")[reader]["by_batch"][batch]
    return ", ".join(short(shares[each], 3) for each in ("right", "near", "wrong", "unheard"))


def beside_pages(how: str, file: str = "planes.json") -> str:
    """The least and the most that a page does to a turn."""
    times = [each for page, each in raw(file)["times_idle"][how].items() if page != "nobody"]
    return f"{short(min(times), 2)} to {short(max(times), 2)}"


def crowded(house: str, beside: str, sizes: tuple[int, ...] = (50, 200, 500)) -> str:
    """A turn's p95 at so many tables with somebody or nobody beside them."""
    cells = raw("many.json")[house]["median"]
    return ", ".join(f"{cells[f'{size} tables{beside}']['p95_ms']:.1f}" for size in sizes)


def told() -> list[Told]:
    """The beginning of each row, and what must stand in it."""
    live = raw("live.json")
    load = raw("load.json")
    words = raw("engine.json")["words"].values()
    turn = raw("web_turn.json")
    kills = raw("kills.json")
    longest = {fault: max(each["longest_wait"]) for fault, each in kills["faults"].items()}
    elsewhere = [wait for fault, wait in longest.items() if not fault.startswith("web")]
    many, soak = raw("many.json"), raw("soak.json")
    crowds = [many[house]["median"] for house in ("apart", "together")]
    fan = raw("fanout.json")["median"]
    lobby = raw("lobby.json")["ways"]
    faults = list(raw("faults.json")["faults"].values())
    tables = live["tables"]["client_side"]
    flat = live["tables_without_a_pause"]
    lag = live["spectators"]["event_lag"]
    return [
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
            "seconds until a page can be used",
            [
                f"{median(each):.2f} ({min(each):.2f} to {max(each):.2f})"
                for each in raw("ready.json")["rounds"].values()
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
                f"{kills['acknowledged']:,} moves",
                *(f"{kills[key]} {key}" for key in ("lost", "doubled")),
                f"{kills['logs']:,} logs, {kills['logs_with_a_gap']} with a gap",
                f"the longest wait {kills['longest_wait']} s, where web was killed",
                f"{longest['web stopped']} s where it hung; {short(max(elsewhere), 2)} s at all other times",
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
        (
            "thirty small faults",
            [
                f"{sum(bool(each['found']) for each in faults)} of {len(faults)}",
                str(sum(bool(each["found"]) and each["near"] for each in faults)),
                f"{median([each['seconds'] for each in faults if each['found']]):.0f} s",
            ],
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
        (
            "50, 200 and 500 tables",
            [
                "; ".join(crowded(house, "") for house in ("apart", "together")),
                "; ".join(crowded(house, " beside pages") for house in ("apart", "together")),
                "; ".join(crowded(house, " beside a lobby", (50, 200)) for house in ("apart", "together")),
                f"{many['apart']['acknowledged'] + many['together']['acknowledged']:,} moves",
            ],
        ),
        (
            "200 tables for an hour",
            [
                ", ".join(f"{each['median']:.0f}" for each in soak["memory_mb"]["web"]),
                ", ".join(
                    f"{soak['memory_mb'][part][-1]['median']:.0f}" for part in ("pages", "worker", "redis")
                ),
                f"{soak['acknowledged']:,} moves acknowledged {soak['lost']} lost, {soak['doubled']} doubled",
                f"waited {soak['longest_wait']:,.0f} s",
            ],
        ),
        (
            "24 tables without a pause",
            [
                *(f"{each['without a pause']['a_second']:.1f} turns a second" for each in crowds),
                *(
                    f"{cell['p95_ms']:.1f}, {cell['event_lag_p95_ms']:.1f}"
                    for cell in (each["watched by 1000"] for each in crowds)
                ),
            ],
        ),
        ("pages opened without a pause", ["; ".join(beside_pages(how) for how in ("apart", "together"))]),
        (
            "the same where pages have a core",
            [
                beside_pages("apart, a core to spare", "planes_spare.json"),
                beside_pages("apart, a core to spare"),
            ],
        ),
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
