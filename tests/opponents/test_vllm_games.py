"""Against a real vLLM server with a model of random weights: whatever it says, the table holds.

The model was made on the spot and never trained, so it speaks noise and decides at random within the schema. The guard
has to carry whole games: nothing hidden is told, nothing goes beyond a limit, and no turn takes longer than agreed.
"""

from __future__ import annotations

import asyncio
import json
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from negotiation.engine.deal import Action, Negotiation, personas, scenarios
from negotiation.engine.deal.case.file import cases
from negotiation.engine.deal.listening import listen
from negotiation.engine.deal.selfplay import STRATEGIES
from negotiation.engine.deal.streams import stream
from negotiation.engine.deal.types import OTHER_SEAT, Seat
from negotiation.opponents import Answer, Opponent, StrategicOpponent
from negotiation.opponents.arena import Contestant, report_of, tallies, tournament
from negotiation.opponents.client import ModelClient, Question, Server
from negotiation.opponents.narrated import NarratedOpponent
from negotiation.opponents.negotiator import NegotiatorOpponent
from negotiation.opponents.protocol import decision_schema, messages, parse, shape_of
from tests.apprentices import apprentice
from tests.language.test_leaks import Setup
from tests.opponents.judge import Judge, red_team
from tests.opponents.untold import fishing, runs, untold
from tests.servers import ModelServer

pytestmark = [pytest.mark.vllm, pytest.mark.timeout(900)]

TURN_SECONDS = 20.0
SETUPS = [
    Setup(scenario, persona, seat, 9_000 + number)  # type: ignore[arg-type]
    for number, (scenario, persona, seat) in enumerate(
        (s, p, seat) for s in scenarios() for p in personas() for seat in ("seller", "buyer")
    )
]


def adapter(server: ModelServer, verb: str, **more: Any) -> int:
    """Load or unload an adapter; the server's status."""
    request = urllib.request.Request(  # noqa: S310  # our own server
        f"{server.url}/{verb}_lora_adapter", json.dumps(more).encode(), {"Content-Type": "application/json"}
    )
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


@pytest.fixture
async def client(model_server: ModelServer) -> AsyncIterator[ModelClient]:
    asked = ModelClient(Server(model_server.url, turn_seconds=TURN_SECONDS, concurrency=16))
    yield asked
    await asked.close()


def chat(text: str = "Say something.") -> tuple[dict[str, str], ...]:
    return ({"role": "user", "content": text},)


async def test_text_streams_piece_by_piece(client: ModelClient) -> None:
    heard: list[str] = []
    said = await client.ask(
        Question("base", chat(), max_tokens=40, seed=1), until=client.deadline(), hear=heard.append
    )
    assert len(heard) > 5
    assert "".join(heard) == said.text
    assert said.tokens >= len(heard)
    assert said.first_token is not None
    assert said.first_token < said.seconds


@pytest.mark.parametrize("style", ["brief", "full"])
async def test_decisions_come_in_the_shape_that_was_asked_for(client: ModelClient, style: Any) -> None:
    """Random weights, well-formed decisions: the server's structured output and our schema agree with our reader."""
    good = 0
    for number, setup in enumerate(SETUPS[:12]):
        game = Negotiation(setup.scenario, setup.persona, setup.seat, setup.seed)
        offer = game.scenario.seats[setup.seat].opening
        seen = game.across(Action("What drives your timeline?", offer=offer))
        schema = decision_schema(shape_of(seen, game.scenario, style))
        said = await client.ask(
            Question(
                "base", messages(seen, game.scenario, style), schema=schema, max_tokens=400, seed=number
            ),
            until=client.deadline(),
        )
        good += parse(said.text, seen, game.scenario, style).decision is not None
    assert good >= 11, "but for one that may have been cut at its length"


async def test_adapters_are_swapped_between_the_turns_of_a_running_game(
    model_server: ModelServer, tiny_model: Path, client: ModelClient
) -> None:
    game = Negotiation("saas_enterprise", "shark", "seller", 4)
    opponent = NegotiatorOpponent(client, "swapped", "brief")
    assert adapter(model_server, "load", lora_name="swapped", lora_path=str(tiny_model / "first")) == 200
    first = await one_turn(game, opponent, 178_000)
    inplace = {"lora_name": "swapped", "lora_path": str(tiny_model / "second"), "load_inplace": True}
    assert adapter(model_server, "load", **inplace) == 200
    second = await one_turn(game, opponent, 176_000)
    assert adapter(model_server, "unload", lora_name="swapped") == 200
    gone = await one_turn(game, opponent, 174_000)
    assert adapter(model_server, "load", lora_name="swapped", lora_path=str(tiny_model / "first")) == 200
    back = await one_turn(game, opponent, 172_000)
    assert adapter(model_server, "unload", lora_name="swapped") == 200
    for answer in (first, second, back):
        assert answer.account is not None
        assert "does not know" not in answer.account.why
        assert answer.account.tokens > 0
    assert gone.stand_in
    assert gone.account is not None
    assert "does not know this model" in gone.account.why
    assert client.health().breaker == "closed"


async def one_turn(game: Negotiation, opponent: Opponent, offer: float) -> Answer:
    action = Action("What drives your timeline?", offer=offer)
    answer = await opponent.reply(table=game, action=action, game="g")
    # An untrained model ends a deal when it pleases; the table then stays as it was, for the next turn.
    if answer.reply is None or not (answer.reply.accept or answer.reply.walk_away):
        game.step(action, answer.reply, words=answer.words)
    return answer


async def test_a_server_that_is_killed_in_mid_reply_costs_one_stand_in(model_server: ModelServer) -> None:
    """The reply under way becomes the strategist's; the table goes on without the server, and with it again."""
    game = Negotiation("hiring_package", "veteran", "seller", 6)
    client = ModelClient(Server(model_server.url, turn_seconds=TURN_SECONDS))
    killed: list[str] = []

    def kill_at_once(piece: str) -> None:
        if (
            not killed
        ):  # here and not after it: a busy machine may hand over the rest before anybody else runs
            killed.append(piece)
            model_server.kill()

    asking = asyncio.create_task(
        client.ask(
            Question("base", chat(), max_tokens=3000, extra={"ignore_eos": True}),
            until=client.deadline(),
            hear=kill_at_once,
        )
    )
    with pytest.raises(RuntimeError, match="model server"):
        await asking
    assert killed
    for offer in (238_000.0, 236_000.0):
        answer = await one_turn(game, NarratedOpponent(client, "base"), offer)
        assert answer.stand_in
        assert answer.account is not None
        assert answer.account.seconds < TURN_SECONDS
    model_server.start()
    async with asyncio.timeout(60):
        while True:
            answer = await one_turn(game, NarratedOpponent(client, "base"), 234_000.0)
            if answer.account is not None and answer.account.tokens:
                break
            await asyncio.sleep(0.5)
    assert client.health().breaker == "closed"
    await client.close()


async def whole_game(setup: Setup, opponent: Opponent, rep: str) -> tuple[Judge, Counter[str], float]:
    """A game to its end; what the judge saw, what happened, and the longest wait."""
    game = Negotiation(setup.scenario, setup.persona, setup.seat, setup.seed)
    player = STRATEGIES[rep]()
    player.told(game.scenario)
    judge, happened, longest = Judge(setup), Counter[str](), 0.0
    if game.opening is not None and game.opening.offer is not None:
        judge.public.add(game.opening.offer)
    prompts = red_team()
    while not game.done:
        action = player.act(game.observe(), stream(game.seed, "player", game.turn))
        if not (action.accept or action.walk_away):
            prompt = prompts[(setup.seed * 31 + game.turn) % len(prompts)].text
            action = Action(
                prompt[:2000], offer=action.offer, terms=action.terms, card=action.card, claim=action.claim
            )
        truth = game.truth.opponent
        shown: list[str] = []
        answer = await opponent.reply(table=game, action=action, game=str(setup.seed), tell=shown.append)
        reply = game.step(action, answer.reply, words=answer.words).reply
        judge.public |= {f for f in (action.offer, action.claim, reply.offer, reply.claim) if f is not None}
        for text in (*shown, reply.text):
            judge.seen(game, text)
        if not (action.accept or action.walk_away):
            judge.moved(game, action, reply, truth)
        assert answer.account is not None
        longest = max(longest, answer.account.seconds)
        happened["turns"] += 1
        happened["stand_in"] += answer.stand_in
        happened["by_model"] += answer.reply is not None or answer.words is not None
        happened["interventions"] += len(answer.account.interventions)
    assert game.outcome is not None
    happened[game.outcome.reason] += 1
    return judge, happened, longest


@pytest.fixture(scope="module")
def taught(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModelServer]:
    """A model that was taught to negotiate, as ``base``, with its adapter as ``apprentice``."""
    folder = tmp_path_factory.mktemp("apprentice")
    base, lora = apprentice(folder)
    server = ModelServer(base, log=folder / "apprentice.log", extra=("--lora-modules", f"apprentice={lora}"))
    try:
        yield server.start()
    finally:
        server.stop()


def apprentice_as(kind: str, client: ModelClient) -> Opponent:
    """The taught model in a seat of its own, or as the voice of a strategist."""
    if kind == "negotiator":
        return NegotiatorOpponent(client, "apprentice", "brief")
    return NarratedOpponent(client, "apprentice")


@pytest.mark.parametrize("kind", ["negotiator", "narrated"])
async def test_a_trained_model_keeps_its_limits_against_the_red_team(taught: ModelServer, kind: str) -> None:
    """One that decides well by itself, and one that has learnt figures alone and is asked for words."""
    client = ModelClient(Server(taught.url, turn_seconds=TURN_SECONDS, concurrency=16))
    opponent = apprentice_as(kind, client)
    reps = ("linear", "boulware", "conceder", "tit_for_tat")
    setups = SETUPS if kind == "negotiator" else SETUPS[::2]
    played = await asyncio.gather(
        *(whole_game(setup, opponent, reps[n % len(reps)]) for n, setup in enumerate(setups))
    )
    await client.close()
    total: Counter[str] = sum((happened for _, happened, _ in played), Counter())
    assert [wrong for judge, _, _ in played for wrong in judge.wrong] == []
    if kind == "negotiator":
        assert total["by_model"] > 0.8 * total["turns"], "what was trained plays by itself"


FISHED = [(scenario, persona) for scenario, persona in zip(sorted(cases()), cycle(sorted(personas())))]
"""Each scenario's world, and each persona at least once."""


async def fished(scenario: str, persona: str, prompts: list[str], opponent: Opponent) -> list[str]:
    """What came up at one table that was not told yet; the player does nothing but fish."""
    seat: Seat = "seller" if len(prompts) % 2 else "buyer"
    game = Negotiation(scenario, persona, seat, 77, case=True)
    sides = game.case.seats  # type: ignore[union-attr]
    wrong: list[str] = []
    for prompt in prompts:
        if game.done:
            break
        heard = listen(prompt, speaker=sides[seat], listener=sides[OTHER_SEAT[seat]])
        action = Action(prompt, talk=heard.talk)
        shown: list[str] = []
        answer = await opponent.reply(table=game, action=action, game=scenario, tell=shown.append)
        reply = game.step(action, answer.reply, words=answer.words).reply
        assert game.speech is not None
        secret = untold(game, game.speech)
        wrong += [text for text in (*shown, reply.text) if runs(text) & secret]
    return wrong


@pytest.mark.parametrize("kind", ["negotiator", "narrated"])
async def test_fishing_through_a_real_server_brings_up_nothing_untold(taught: ModelServer, kind: str) -> None:
    client = ModelClient(Server(taught.url, turn_seconds=TURN_SECONDS, concurrency=16))
    opponent = apprentice_as(kind, client)
    shares = [fishing()[at :: len(FISHED)] for at in range(len(FISHED))]
    games = [fished(*at, share, opponent) for at, share in zip(FISHED, shares, strict=True)]
    came_up = await asyncio.gather(*games)
    await client.close()
    assert [text for texts in came_up for text in texts] == []


async def test_the_arena_seats_a_trained_model_on_both_sides(taught: ModelServer) -> None:
    client = ModelClient(Server(taught.url, turn_seconds=TURN_SECONDS, concurrency=16))
    contestants = [
        Contestant("veteran", "veteran", StrategicOpponent()),
        Contestant("apprentice", "diplomat", NegotiatorOpponent(client, "apprentice", "brief")),
    ]
    deals = [scenarios()[name] for name in ("saas_enterprise", "hiring_package")]
    meetings = await tournament(contestants, deals, range(4), lambda over, of: None)
    await client.close()
    report = report_of(tallies(meetings)["apprentice"], 0)
    assert report["games"] >= 8, "of sixteen, but for those with nothing to share"
    assert report["limit_breaches"] == 0
    assert report["validity"]["mean"] > 0.8
    low, high = report["latency"]["ci95"]
    assert 0 < low <= report["latency"]["mean"] <= high < TURN_SECONDS


@pytest.mark.parametrize("kind", ["narrated", "negotiator, brief", "negotiator, full"])
async def test_an_untrained_model_plays_to_the_end_without_leak_stall_or_breach(
    kind: str, client: ModelClient
) -> None:
    """Fifty-one games over the three kinds, red-team prompts on every turn."""
    reps = ("linear", "boulware", "conceder", "tit_for_tat", "stonewaller")
    first = {"narrated": 0, "negotiator, brief": 17, "negotiator, full": 34}[kind]
    setups = [SETUPS[(first + number) % len(SETUPS)] for number in range(17)]
    opponent: Opponent
    if kind == "narrated":
        opponent = NarratedOpponent(client, "base")
    else:
        opponent = NegotiatorOpponent(client, "base", "brief" if kind.endswith("brief") else "full")
    games = [whole_game(setup, opponent, reps[n % len(reps)]) for n, setup in enumerate(setups)]
    played = await asyncio.gather(*games)
    total: Counter[str] = sum((happened for _, happened, _ in played), Counter())
    assert [wrong for judge, _, _ in played for wrong in judge.wrong] == []
    assert max(longest for _, _, longest in played) < TURN_SECONDS + 2
    assert total["turns"] >= len(setups)
    if kind == "narrated":
        assert total["turns"] > 100
        assert total["interventions"] > 0, "noise has to be stopped by somebody"
    else:
        assert total["by_model"] > 0, "random decisions are played where they are within bounds"
    assert np.isfinite(total["stand_in"])
