"""The table of packages in docs/architecture.md is what the tree imports: no more, and no less."""

from __future__ import annotations

import re

import grimp

from tests.servers import ROOT

PAGE = (ROOT / "docs/architecture.md").read_text()


def table() -> dict[str, set[str]]:
    """Each package with the modules and packages that its last cell names, as dotted names."""
    rows = {}
    for line in PAGE[PAGE.index("| package | holds") :].split("\n\n")[0].splitlines()[2:]:
        name, *_, cell = (each.strip() for each in line.strip("|").split(" | "))
        rows[name.strip("`").replace("/", ".")] = {
            each.replace("/", ".") for each in re.findall(r"`([^`]+)`", cell)
        }
    return rows


def test_the_table_names_every_import_between_packages_and_no_other() -> None:
    told = table()
    graph = grimp.build_graph(
        "accounts", "negotiation", "coaching", "trainer", "parlay_web", "owed", "telemetry"
    )

    def owner(module: str) -> str:
        return max((row for row in told if f"{module}.".startswith(f"{row}.")), key=len)

    named = set().union(*told.values()) - set(told)
    found: dict[str, set[str]] = {row: set() for row in told}
    for module in graph.modules:
        for other in graph.find_modules_directly_imported_by(module):
            if owner(module) != owner(other):
                # A cell that names modules of a package one by one has to name them all.
                one = next((each for each in named if f"{other}.".startswith(f"{each}.")), None)
                whole = owner(other) in told[owner(module)]
                found[owner(module)].add(owner(other) if whole or one is None else one)
    assert found == told
