"""Every number of behaviour has a name, stands once, and moves the scalar and the batched mind alike."""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from negotiation.engine.cards import silence
from negotiation.engine.deal import Negotiation, personas, scenarios
from negotiation.engine.deal.batch import BatchNegotiation, Moves
from negotiation.engine.deal.batch.moves import CARD_IDS, NO_CARD
from negotiation.engine.deal.strategist import aims, claims, pace, pressing
from negotiation.engine.deal.types import Action, CardId

DEAL = Path(aims.__file__).resolve().parents[1]
MINDS = sorted((DEAL / "strategist").glob("*.py"))
BATCH = sorted((DEAL / "batch").glob("*.py"))
CARDS = sorted(Path(silence.__file__).parent.glob("*.py"))
BESIDE = [DEAL / name for name in ("conduct.py", "world.py", "tension.py", "state.py", "across.py")]
PLAIN = {0, 1, -1, 2}
"""Nothing, all, the last, and a pair: arithmetic, not behaviour. 2.0 and .5 are not among them."""


def unnamed(source: str) -> list[str]:
    """The numbers that stand in the midst of a formula; a default and a constant of a module have a name."""
    found = []
    for function in ast.walk(ast.parse(source)):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            for node in (each for statement in function.body for each in ast.walk(statement)):
                if isinstance(node, ast.Constant) and type(node.value) in (int, float):
                    plain = node.value in PLAIN and (type(node.value) is int or node.value != 2)
                    if not plain:
                        found.append(f"{function.name}, line {node.lineno}: {node.value!r}")
    return found


def named(source: str) -> dict[str, float]:
    """The fractions that constants of a module hold."""
    found = {}
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None:
            target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
            for node in ast.walk(statement.value):
                if isinstance(node, ast.Constant) and isinstance(node.value, float):
                    found[f"{ast.unparse(target)}: {node.value}"] = node.value
    return found


@pytest.mark.parametrize(
    "path", MINDS + BATCH + CARDS + BESIDE, ids=lambda path: f"{path.parent.name}/{path.stem}"
)
def test_no_number_of_behaviour_stands_unnamed(path: Path) -> None:
    assert unnamed(path.read_text(encoding="utf-8")) == []


def test_the_scan_sees_a_number_that_has_no_name() -> None:
    assert unnamed("def margin(urgency):\n    return 0.18 * (urgency - 1)\n") == ["margin, line 2: 0.18"]
    assert unnamed("def middle(one, other):\n    return 2.0 * one[0] - other[-1] + 7\n") != []
    assert unnamed("SHARE = 0.18\n\n\ndef margin(urgency):\n    return SHARE * urgency\n") == []


def test_the_batched_mind_has_no_numbers_of_its_own() -> None:
    """Only the reference players of ``batch/players.py`` do, and they are no minds."""
    own = {path.name: named(path.read_text(encoding="utf-8")) for path in BATCH}
    assert own.pop("players.py")
    assert {name: numbers for name, numbers in own.items() if numbers} == {}


GAMES, TURNS, SILENT = 16, 14, 2


def figures(batched: bool) -> list[float]:
    """What the Shark and the Veteran ask for and state as their floors, turn by turn, in the same games.

    Every other player gives nothing; all of them are silent once.
    """
    scenario, found = scenarios()["saas_enterprise"], []
    for persona in ("shark", "veteran"):
        told = np.full((GAMES, TURNS, 2), np.nan)
        if batched:
            seeds = np.arange(GAMES, dtype=np.uint64)
            batch = BatchNegotiation(scenario, personas()[persona], "seller", seeds)
            for turn in range(TURNS):
                if batch.done:
                    break
                moves, rows = Moves.nothing(len(batch.table.game)), batch.table.game
                moves.offer = asked(rows, turn)
                moves.card[:] = CARD_IDS.index("silence") if turn == SILENT else NO_CARD
                batch.step(moves)
                side = batch.table.opponent
                told[batch.table.game, turn] = np.stack([side.offer, side.open_claim], axis=1)
        else:
            for seed in range(GAMES):
                game = Negotiation(scenario, persona, "seller", seed, speak=False)
                for turn in range(TURNS):
                    if game.done:
                        break
                    card: CardId | None = "silence" if turn == SILENT else None
                    offer = float(asked(np.array([seed]), turn)[0])
                    seen = game.step(Action(text=f"Turn {turn}.", offer=offer, card=card))
                    if not seen.done:
                        now = seen.observation
                        told[seed, turn] = [
                            np.nan if each is None else each for each in (now.standing_offer, now.open_claim)
                        ]
        found += told.ravel().tolist()
    return found


def asked(games: npt.NDArray[np.int64], turn: int) -> npt.NDArray[np.float64]:
    return 178_000.0 - 3_000.0 * turn * (games % 2).astype(np.float64)


@pytest.mark.parametrize(
    ("module", "name"),
    [
        (aims, "_MOST_KEPT"), (aims, "_WAITS_FOR"), (aims, "LEAD"), (silence, "_QUIET"), (pressing, "PRIOR_SPREAD"),
        (pressing, "ANCHOR_FIRST"), (claims, "SHADE"), (pace, "_REACH"),
    ],
)  # fmt: skip
def test_a_number_that_is_changed_changes_both_minds_alike(
    module: object, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = figures(batched=False)
    np.testing.assert_array_equal(before, figures(batched=True))
    was = getattr(module, name)
    other = tuple(each / 2 for each in was) if isinstance(was, tuple) else was * 0.4
    monkeypatch.setattr(module, name, other)
    after = figures(batched=False)
    np.testing.assert_array_equal(after, figures(batched=True))
    assert not np.array_equal(before, after, equal_nan=True), f"{name} moves nothing"
