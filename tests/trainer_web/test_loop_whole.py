"""The whole loop with real parts and no shell: forty good deals over the socket, harvest, a retraining asked for in a
browser, its gate, its promotion onto a running vLLM, and a rep who plays the new model and reads where it comes from."""

from __future__ import annotations

import asyncio
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect, sync_playwright

from accounts.consent import CURRENT
from negotiation import kind
from negotiation.table.seeds import nth_seed
from tests.browser.driver import PASSWORD, fits
from tests.clients import Person
from tests.servers import ROOT, ModelServer, Stack
from tests.trainer_web.house import until
from tests.trainer_web.people import Chosen, good_deal, play_over_socket
from tests.trainer_web.test_whole_way import end, worker

TRAIN = ROOT / ".venv-train" / "bin" / "python"
SERVE = ROOT / ".venv-serve" / "bin" / "python"
DEALS = 40
LEAST = 0.6
AT_ONCE = 4
LEARNING = 120
GATE = """exploit_episodes = 8
least_validity = 0.0
validity_margin = 0.1
exploit_margin = 0.25
guard_margin = 0.15
[measured]
episodes = 24
"""
"""The rules of the house with fewer deals, and so with wider margins: what is shown must still be shown. There is no
floor under validity, for a base that was hardly taught."""

pytestmark = [
    pytest.mark.longest,
    pytest.mark.slow,
    pytest.mark.vllm,
    pytest.mark.browser,
    pytest.mark.timeout(1500),
    pytest.mark.skipif(not TRAIN.exists(), reason="the environment to train in is not there"),
    pytest.mark.skipif(not SERVE.exists(), reason="the environment to serve in is not there"),
]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that has seen weak players for a moment, and hardly knows the moves."""
    folder = tmp_path_factory.mktemp("base")
    (folder / "weak.toml").write_text("teachers = { capitulator = 1.0 }\n")
    for command in (
        (
            "generate",
            "--config",
            str(folder / "weak.toml"),
            "--episodes",
            "60",
            "--output",
            str(folder / "data"),
        ),
        ("sft", "--data", str(folder / "data"), "--steps", "30", "--output", str(folder / "taught")),
    ):
        subprocess.run([str(TRAIN), "-m", "trainer", *command], cwd=ROOT, check=True, capture_output=True)
    return folder / "taught" / "base"


@pytest.fixture
def house(base: Path, tmp_path: Path) -> Iterator[Stack]:
    """The product with both of its workers and a model server that holds the base alone."""
    (tmp_path / "gate.toml").write_text(GATE)
    models = ModelServer(base, log=tmp_path / "models.log").launch()
    stack = Stack(
        tmp_path / "house",
        TRAINER_PYTHON=str(TRAIN),
        MODEL_URL=models.url,
        MODEL_NAME=models.name,
        MODEL_STYLE="brief",
        MODEL_TURN_SECONDS="30",
        PARLAY_GATE_CONFIG=str(tmp_path / "gate.toml"),
    )
    workers: list[subprocess.Popen[bytes]] = []
    try:
        stack.start()
        workers += [worker(stack), worker(stack, "training")]
        models.wait()
        yield stack
    finally:
        end(workers)
        stack.stop()
        models.stop()


def seats_taken(house: Stack, person: Person, deals: int = DEALS) -> list[tuple[str, Chosen]]:
    """So many tables at each of which a good player does well: what the next deal will be is known here."""
    found: list[tuple[str, Chosen]] = []
    first = int(house.environment["PARLAY_FIRST_SEED"])
    while len(found) < deals:
        count = house.rows("SELECT COUNT(*) FROM negotiation_game")[0][0]
        chosen = good_deal(nth_seed(kind.DEALS, first, count + 1), LEAST, count)
        if chosen is None:
            person.sit_down()  # nobody does well with these cards: left lying
            continue
        table = person.sit_down(
            scenario=chosen.scenario, persona=chosen.persona, seat=chosen.seat, difficulty="0.5"
        )
        found.append((table, chosen))
    return found


async def play_all(house: Stack, person: Person, tables: list[tuple[str, Chosen]]) -> None:
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(game_id: str, chosen: Chosen) -> None:
        async with gate:
            await play_over_socket(house, person, game_id, chosen)

    await asyncio.gather(*(one(*table) for table in tables))


def sign_in(page: Page, email: str) -> None:
    page.goto("/accounts/login/")
    page.get_by_label("Email").fill(email)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url("**/")


def test_from_forty_deals_to_a_harder_opponent_without_a_shell(house: Stack, base: Path) -> None:
    rep = Person(house.url).login("rep@demo.local")
    rep.post("/account/privacy/consent/", consent="yes", wording=str(CURRENT))
    tables = seats_taken(house, rep)
    asyncio.run(play_all(house, rep, tables))
    taken = "SELECT COUNT(*) FROM trainer_episode WHERE state = 'taken'"
    until("harvested", 300, lambda: house.rows(taken), [(DEALS,)])
    with sync_playwright() as play:
        chromium = play.chromium.launch(
            executable_path=os.environ.get("PARLAY_CHROMIUM") or "/usr/bin/chromium",
            args=["--no-sandbox", "--disable-background-networking"],
        )
        page = chromium.new_context(base_url=house.url).new_page()
        sign_in(page, "admin@demo.local")
        retrain(page, base)
        judge_and_promote(page)
        until(
            "served", 180,
            lambda: house.rows("SELECT name, status FROM serving_adapter"), [("generation-1", "offered")],
        )  # fmt: skip
        page.close()
        page = chromium.new_context(base_url=house.url).new_page()
        sign_in(page, "rep@demo.local")
        play_the_new_model(page, house)
        chromium.close()
    assert house.rows("SELECT COUNT(*) FROM trainer_generation WHERE state = 'champion'") == [(1,)]
    assert house.rows("SELECT action FROM trainer_promotiondecision") == [("promote",)]


def retrain(page: Page, base: Path) -> None:
    """A dataset of all that was harvested, and a run on the base that the server holds."""
    page.goto("/trainer/data/")
    page.get_by_role("link", name="New dataset").click()
    page.get_by_label("Name").fill("Forty deals")
    page.get_by_role("button", name="Freeze").click()
    page.get_by_role("link", name="Train on it").click()
    page.get_by_label("Name").fill("First pupil")
    page.get_by_label("Base model, a folder").fill(str(base))
    page.get_by_label("Steps of learning").fill(str(LEARNING))
    page.get_by_role("button", name="Put it in line").click()
    expect(page.locator("#run-now")).to_have_attribute("data-live", "true", timeout=20_000)
    expect(page.get_by_test_id("run-state")).to_have_attribute("data-state", "done", timeout=600_000)


def judge_and_promote(page: Page) -> None:
    page.get_by_role("button", name="Judge it").click()
    expect(page.get_by_test_id("run-state")).to_have_attribute("data-state", "done", timeout=600_000)
    verdict = page.get_by_test_id("verdict")
    expect(verdict).to_have_attribute("data-passed", "true")
    page.get_by_label("Why").fill("It learnt from forty good deals and lost nothing.")
    page.get_by_role("button", name="Promote").click()
    expect(page.get_by_text("New deals are played by Generation 1")).to_be_visible()
    expect(page.get_by_test_id("trail")).to_contain_text("nobody → Generation 1")
    assert fits(page)


def play_the_new_model(page: Page, house: Stack) -> None:
    page.goto("/deals/new/")
    choice = page.get_by_test_id("voice-negotiator:generation-1")
    expect(choice).to_contain_text("Rating")
    choice.click()
    page.get_by_test_id("start-deal").click()
    page.wait_for_url("**/deals/*/")
    page.get_by_test_id("utterance").fill("What would you need to see from us?")
    page.get_by_test_id("send").click()
    spoke = "type = 'answer_explained' AND json_extract(data, '$.stand_in') = 0"
    played = f"SELECT COUNT(*) FROM negotiation_event WHERE {spoke}"  # noqa: S608  # no input of anybody's
    until("the model spoke", 120, lambda: house.rows(played)[0][0] > 0, True)
    page.get_by_test_id("walk-away").click()
    page.get_by_test_id("confirm").click()
    ended = "SELECT COUNT(*) FROM negotiation_game WHERE opponent = 'negotiator' AND status = 'finished'"
    until("the deal is over", 120, lambda: house.rows(ended)[0][0] > 0, True)
    page.goto(f"{page.url}debrief/")
    expect(page.get_by_test_id("champion-replay")).to_have_attribute("data-status", "done", timeout=300_000)
    page.get_by_test_id("tab-expert").click()
    page.get_by_test_id("champion-replay").get_by_role("link", name="Generation 1").click()
    expect(page.get_by_test_id("certificate")).to_contain_text("fewer than 5 people")
    assert fits(page)
