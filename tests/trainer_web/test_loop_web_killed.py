"""The web server is killed in the middle of a request: a promotion, an upload. What it began is there whole or not at
all, and asking again after its restart does it once."""

from __future__ import annotations

import http.client
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.clients import Page, Person
from tests.trainer_web.house import DECISIONS, GENERATIONS, JUDGED, TRAINED, House, copy_of, until
from tests.trainer_web.things import TALK, stand_in

pytestmark = [pytest.mark.faults, pytest.mark.timeout(240)]

IMPORTS = "SELECT name FROM trainer_transcriptimport"
LARGE = 300_000_000
"""Bytes that take a moment to be copied."""


@pytest.fixture
def house(tmp_path: Path, played: Path) -> Iterator[House]:
    """An installation with its web server and Redis, and no worker."""
    built = copy_of(played, tmp_path, TRAINER_PYTHON=str(stand_in(tmp_path)))
    built.start_redis()
    built.start_web()
    try:
        yield built
    finally:
        built.stop()


@pytest.fixture
def admin(house: House) -> Person:
    return Person(house.url).login("admin@demo.local")


def click(deed: Callable[[], object]) -> threading.Thread:
    """Somebody who waits for an answer that never comes."""

    def tried() -> None:
        with suppress(OSError, http.client.HTTPException):
            deed()

    thread = threading.Thread(target=tried, daemon=True)
    thread.start()
    return thread


def killed_once(house: House, what: str, seen: Callable[[], object], deed: Callable[[], object]) -> None:
    """Begin ``deed``, and kill the web server as soon as ``seen``."""
    waiting = click(deed)
    until(what, 60, lambda: bool(seen()), True, every=0.002)
    house.kill_web()
    waiting.join(30)
    assert not waiting.is_alive()


def promote(house: House, admin: Person) -> Callable[[], Page]:
    path = f"/trainer/runs/{house.gate()}/promote/"
    return lambda: admin.post(path, reason="Better.")


def assert_promoted_once(house: House) -> None:
    assert house.rows(GENERATIONS) == [(1, "champion")]
    assert house.rows(DECISIONS) == [("promote",)]
    kept = house.directory / "flywheel" / house.rows("SELECT path FROM trainer_generation")[0][0]
    assert (kept / "adapter_model.safetensors").stat().st_size
    assert [each.name for each in kept.parent.iterdir()] == [kept.name]


def test_a_promotion_survives_the_death_of_its_web_server_at_every_stage(house: House, admin: Person) -> None:
    """While the adapter is copied, before anything is written, and after the commit while Redis does not answer."""
    assert house.run(TRAINED + JUDGED) == 0
    (adapter,) = (house.directory / "flywheel" / "runs").glob("*/sft/adapter")
    with (adapter / "large").open("wb") as file:
        file.truncate(LARGE)
    models = house.directory / "flywheel" / "models"

    killed_once(house, "copied", lambda: list(models.glob(".*.part/large")), promote(house, admin))
    assert [each.name[-5:] for each in models.iterdir()] == [".part"]
    assert (house.rows(GENERATIONS), house.rows(DECISIONS)) == ([], [])

    house.start_web()
    with house.database_held():
        whole = lambda: [each for each in models.iterdir() if each.suffix != ".part"]  # noqa: E731
        killed_once(house, "kept", whole, promote(house, admin))
    assert (house.rows(GENERATIONS), house.rows(DECISIONS)) == ([], [])

    house.start_web()
    assert house.redis is not None
    house.redis.send_signal(signal.SIGSTOP)
    killed_once(house, "committed", lambda: house.rows(DECISIONS), promote(house, admin))
    house.redis.send_signal(signal.SIGCONT)
    assert_promoted_once(house)

    house.start_web()
    page = promote(house, admin)()
    assert "promoted already" in page.text
    assert_promoted_once(house)


def test_an_upload_survives_the_death_of_its_web_server(house: House, admin: Person) -> None:
    """Half of it sent; then all of it sent, and the file kept but not yet its row."""
    uploads = house.directory / "flywheel" / "imports"
    body, kind = form_of(admin, TALK)

    line = begun(house, admin, body, kind, len(body) // 2)
    time.sleep(0.5)
    house.kill_web()
    line.close()
    assert not uploads.exists()
    assert house.rows(IMPORTS) == []

    house.start_web()
    with house.database_held():
        line = begun(house, admin, body, kind, len(body))
        until("written", 60, lambda: uploads.exists() and len(list(uploads.iterdir())), 1)
        house.kill_web()
        line.close()
    assert house.rows(IMPORTS) == []

    house.start_web()
    line = begun(house, admin, body, kind, len(body))
    assert line.getresponse().status == 302
    line.close()
    assert house.rows(IMPORTS) == [("A study",)]
    assert len(list(uploads.iterdir())) == 1


def form_of(admin: Person, content: bytes) -> tuple[bytes, str]:
    """The form of an upload as a browser sends it, and its kind."""
    fields = {
        "csrfmiddlewaretoken": admin.cookie("csrftoken"),
        "name": "A study",
        "origin": "A study",
        "licence": "CC BY 4.0",
        "consent": "published",
    }
    edge = "edge-of-a-part"
    parts = [
        f'--{edge}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
        for name, value in fields.items()
    ]
    head = f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="talks.csv"\r\n\r\n'.encode()
    return b"".join(
        [*parts, head, content, f"\r\n--{edge}--\r\n".encode()]
    ), f"multipart/form-data; boundary={edge}"


def begun(house: House, admin: Person, body: bytes, kind: str, sent: int) -> http.client.HTTPConnection:
    """The upload as far as it was ``sent``."""
    line = http.client.HTTPConnection(urlsplit(house.url).netloc, timeout=30)
    line.putrequest("POST", "/trainer/data/imports/new/")
    for name, value in {
        "Content-Type": kind,
        "Content-Length": str(len(body)),
        "Cookie": "; ".join(f"{each.name}={each.value}" for each in admin.jar),
        "Referer": house.url,
    }.items():
        line.putheader(name, value)
    line.endheaders()
    line.send(body[:sent])
    return line
