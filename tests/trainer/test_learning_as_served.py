"""What is trained, measured and judged is what is served: the same prompts, limits and temperature, by style."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from negotiation.engine.deal import Action, Negotiation
from negotiation.opponents.client import ModelClient, Server
from negotiation.opponents.negotiator import NegotiatorOpponent
from negotiation.opponents.protocol import Style
from tests.opponents.model_double import speaking
from trainer.commands import evaluate, gate, grpo, sft
from trainer.learning.policy import Policy

from .toy import make_deal_base

DEAL = 'scenarios = ["saas_enterprise"]\npersonas = ["shark"]\n'
STYLES: tuple[Style, ...] = ("brief", "full")


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What every model was asked to write from, and how."""
    seen: list[dict[str, Any]] = []
    write, tokens = Policy.write, Policy.tokens

    def noted(self: Policy, prompts: Any, **how: Any) -> Any:
        seen.append({"most": how["most"], "temperature": how["temperature"]})
        # Random weights write to the limit; what is noted is the limit that was asked for.
        return write(self, prompts, **{**how, "most": min(8, how["most"])})

    def read(self: Policy, chat: Any) -> list[int]:
        seen.append({"chat": chat})
        return tokens(self, chat)

    monkeypatch.setattr(Policy, "write", noted)
    monkeypatch.setattr(Policy, "tokens", read)
    return seen


def served(style: Style) -> dict[str, Any]:
    """What the table asks of a model server in this style."""

    async def asked() -> dict[str, Any]:
        async with speaking(lambda body: "{}") as double:
            opponent = NegotiatorOpponent(ModelClient(Server(double.url)), "m", style)
            table = Negotiation("saas_enterprise", "shark", "buyer", 1)
            await opponent.reply(table=table, action=Action(text="Well?", offer=120_000))
            return double.asked[0]

    return asyncio.run(asked())


def limits_of(seen: list[dict[str, Any]]) -> set[tuple[int, float]]:
    return {(each["most"], each["temperature"]) for each in seen if "most" in each}


def system_of(seen: list[dict[str, Any]]) -> set[str]:
    """The rules that stand before what is read; none in the brief style."""
    return {each["chat"][0]["content"] if len(each["chat"]) > 1 else "" for each in seen if "chat" in each}


def run(command: Any, *arguments: str) -> None:
    assert command.run(list(arguments)) == 0


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("style", STYLES)
def test_training_evaluation_gate_and_table_ask_alike(style: Style, written: Any, tmp_path: Path) -> None:
    body = served(style)
    base = make_deal_base(tmp_path / "base")
    few = "steps = 1\nprompts_per_step = 1\nnum_generations = 2\neval_tasks = 2\n"
    play = f'style = "{style}"\n[mixture]\n{DEAL}[grpo]\n{few}'
    measure = f"episodes = 2\n[mixture]\n{DEAL}"
    judge = f"exploit_episodes = 2\n[measured]\nepisodes = 2\n[measured.mixture]\n{DEAL}"
    for name, text in (("play", play), ("measure", measure), ("judge", judge)):
        (tmp_path / f"{name}.toml").write_text(text)
    adapter = tmp_path / "grpo" / "adapter"
    asked = {}
    for command, arguments in (
        (grpo, ("--base", str(base), "--config", str(tmp_path / "play.toml"))),
        (evaluate, (f"m={base}+{adapter}", "--style", style, "--config", str(tmp_path / "measure.toml"))),
        (
            gate,
            (
                *("--base", str(base), "--adapter", str(adapter), "--style", style),
                *("--config", str(tmp_path / "judge.toml")),
            ),
        ),
    ):
        written.clear()
        name = command.__name__.rsplit(".", 1)[-1]
        run(command, *arguments, "--output", str(tmp_path / name))
        asked[name] = (limits_of(written), {text.replace("seller", "buyer") for text in system_of(written)})
    rules = body["messages"][0]["content"].replace("seller", "buyer") if len(body["messages"]) > 1 else ""
    expected = ({(body["max_tokens"], body["temperature"])}, {rules})
    assert asked == dict.fromkeys(("grpo", "evaluate", "gate"), expected)


def test_an_adapter_that_was_taught_full_chats_is_marked_so(tmp_path: Path) -> None:
    base = make_deal_base(tmp_path / "base")
    data = tmp_path / "data"
    data.mkdir()
    chat = [{"role": "system", "content": "Rules."}, {"role": "user", "content": "Well?"}]
    example = {"messages": [*chat, {"role": "assistant", "content": "Yes."}], "source": {}}
    (data / "train.jsonl").write_text(json.dumps({"id": "1", **example}) + "\n")
    (tmp_path / "sft.toml").write_text('style = "full"\n[sft]\nsteps = 1\nbatch = 1\n')
    run(
        sft,
        *("--data", str(data), "--base", str(base), "--config", str(tmp_path / "sft.toml")),
        *("--output", str(tmp_path / "run")),
    )
    assert json.loads((tmp_path / "run" / "adapter" / "parlay.json").read_text())["style"] == "full"
