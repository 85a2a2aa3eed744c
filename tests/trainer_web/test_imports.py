"""Transcripts from elsewhere: every line is told beforehand what becomes of it, and nothing is lost on an error."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path

import pytest

from accounts.models import User
from tests.trainer_web.things import TALK, bring, taken
from trainer.flywheel import import_limits, imports
from trainer.flywheel import store as files
from trainer.flywheel.datasets import dataset_freeze, dataset_records
from trainer.flywheel.filters import Filters
from trainer.flywheel.models import Episode, TranscriptImport
from trainer.flywheel.privacy import Anonymiser
from trainer.flywheel.records import from_bytes
from trainer.flywheel.transcripts import ImportedFile, Mapping, guess, read, table_of

pytestmark = pytest.mark.django_db(transaction=True)

BAD = b"""conversation,speaker,text,offer,limit,other_limit,ending
3,buyer,Hello?,,120000,,
3,seller,Make it twelve.,12,,,
4,seller,155.,155000,,,
5,seller,155.,155000,120000,,
5,buyer,"That will do, but cheaper.",110000,,,
5,seller,Sold.,,,,accept
6,seller,Agreed!,,120000,,accept
,seller,Who am I?,150000,120000,,
7,,Anybody?,,120000,,
7,seller,150.,a lot,,,
"""
USUAL = Mapping(
    "conversation", "speaker", "text", "offer", "ending", "limit", "other_limit", "seller", "seller", "saas_enterprise"
)  # fmt: skip


def becomes(content: bytes, mapping: Mapping = USUAL) -> dict[int, str]:
    return {
        line.number: " ".join(line.problems) or line.becomes for line in read(content, "t.csv", mapping).lines
    }


def test_the_dry_run_tells_every_line_what_it_becomes() -> None:
    assert becomes(TALK) == {
        2: "heard",
        3: "a decision: offer $155,000",
        4: "heard, with an offer of $130,000",
        5: "a decision: offer $148,000",
        6: "the other side accepts $148,000",
        7: "heard, with an offer of $120,000",
        8: "a decision: offer $150,000",
        9: "the other side leaves",
    }


def test_the_dry_run_tells_every_line_what_is_wrong() -> None:
    reading = read(BAD, "t.csv", USUAL)
    assert reading.sound == []
    wrong = {
        each.name: each.problems + [p for line in each.lines for p in line.problems]
        for each in reading.conversations
    }
    assert "out of the range" in wrong["3"][0]
    assert "own limit" in wrong["4"][0]
    assert "beyond the own limit" in wrong["5"][0]
    assert "no offer to accept" in wrong["6"][0]
    assert "belongs to no conversation" in wrong[""][0]
    assert wrong["7"] == ["It does not say who speaks.", "“a lot” is not a sum."]


def test_one_bad_line_keeps_its_whole_conversation_out_and_no_other(manager: User) -> None:
    brought = bring(manager, TALK + BAD.split(b"\n", 1)[1])
    assert imports.import_take(brought=brought) == (2, 6)
    assert sorted(brought.episodes.values_list("conversation", flat=True)) == ["1", "2"]


def test_what_was_taken_says_where_it_is_from(manager: User) -> None:
    taken(manager)
    for episode in Episode.objects.all():
        for record in from_bytes(files.read(episode.file, episode.sha256)):
            source = record["source"]
            assert (source["kind"], source["licence"], source["consent"]) == (
                "import",
                "CC BY 4.0",
                "published",
            )
            assert source["origin"] == "A study"
    shares = dict(Episode.objects.values_list("conversation", "efficiency"))
    assert shares == {"1": pytest.approx(0.7), "2": 0.0}


def test_a_transcript_is_learnt_from_like_a_deal(manager: User) -> None:
    taken(manager)
    dataset = dataset_freeze(name="D", note="", filters=Filters(least=0, validation=0), by=manager)
    first, second = [r for r in dataset_records(dataset, "train") if r["source"]["conversation"] == "1"]
    assert "theirs none" in first["messages"][0]["content"]
    assert "seller person 02/20" in second["messages"][0]["content"]
    # The limit is 300 points and the usual zone a hundred: 148 is 28,000 of 40,000 above 120.
    assert json.loads(second["messages"][1]["content"])["offer"] == 370


def test_taking_in_twice_takes_once(manager: User) -> None:
    brought = taken(manager)
    assert imports.import_take(brought=brought) == (0, 0)
    assert Episode.objects.count() == 2


def test_what_another_mapping_makes_sound_is_taken_then(manager: User) -> None:
    """The file says one limit for all talks in another column; nothing has to be brought again."""
    lines = TALK.decode().splitlines()
    lines = [lines[0] + ",floor", *(line + ",118000" for line in lines[1:])]
    brought = bring(manager, "\n".join(lines).encode())
    mapping = Mapping.from_json(brought.mapping)
    imports.mapping_save(brought=brought, mapping=replace(mapping, limit=""))
    assert imports.import_take(brought=brought) == (0, 2)
    imports.mapping_save(brought=brought, mapping=replace(mapping, limit="floor"))
    assert imports.import_take(brought=brought) == (2, 0)


def test_lines_of_one_speaker_in_a_row_are_one_move() -> None:
    talk = b"conversation,speaker,text,offer,limit\n1,seller,Well.,,120000\n1,seller,155.,155000,\n1,buyer,No.,,\n"
    reading = read(talk, "t.csv", replace(USUAL, ending="", other_limit=""))
    (decision,) = reading.conversations[0].decisions
    assert (decision.action.text, decision.action.offer) == ("Well. 155.", 155_000.0)


def test_json_lines_and_sums_in_thousands_are_read_too() -> None:
    talk = "\n".join(
        json.dumps({"chat": 7, "who": who, "said": said, "bid": bid, "floor": 120})
        for who, said, bid in (("agent", "We thought of 155.", "155"), ("client", "No.", None))
    ).encode()
    columns, _ = table_of(talk, "talks.jsonl")
    assert columns == ["chat", "who", "said", "bid", "floor"]
    mapping = Mapping(
        "chat", "who", "said", "bid", "", "floor", "", "agent", "seller", "saas_enterprise", 1000.0
    )
    (conversation,) = read(talk, "talks.jsonl", mapping).sound
    assert conversation.decisions[0].action.offer == 155_000.0
    assert guess(*table_of(TALK, "t.csv")) == USUAL


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "nothing in this file"),
        (b'{"a": 1}\n{"a"', "Line 2 is not JSON"),
        (b"a,b\n1,2,3\n", "Line 2 has more cells"),
        pytest.param(b"a,b\n" + b"1,2\n" * 20_001, "20,000 lines", marks=pytest.mark.slow),
    ],
)
def test_a_file_that_is_no_table_is_refused_with_its_line(manager: User, content: bytes, says: str) -> None:
    with pytest.raises(imports.ImportRefused, match=says):
        bring(manager, content)
    assert not TranscriptImport.objects.exists()


LINE = '{n},{who},"We could start at {sum} and see. What matters to you? {rest}",{sum},120000,180000,\n'
HEAD = "conversation,speaker,text,offer,limit,other_limit,ending\n"


@pytest.mark.slow
@pytest.mark.parametrize("lines_each", [1, 10, 5_000], ids=["each its own talk", "ten a talk", "one talk"])
def test_a_long_file_takes_seconds_at_most(lines_each: int) -> None:
    """A quarter of the largest: 5,000 lines of 2 MB. Each line of the second took ten times as long once."""
    content = "".join(
        LINE.format(n=n // lines_each, who=("buyer", "seller")[n % 2], sum=150_000, rest="x" * 250)
        for n in range(5_000)
    )
    began = time.process_time()
    reading = read((HEAD + content).encode(), "t.csv", USUAL)
    assert time.process_time() - began < 1.5
    assert len(reading.lines) == 5_000


@pytest.mark.parametrize(
    "said", ["x" * 120_000 + "@", "a." * 60_000 + "@", "+1" + " " * 120_000, "(12)" + " 1" * 60_000]
)
def test_no_words_take_long_to_make_nameless(said: str) -> None:
    began = time.process_time()
    Anonymiser("Robin Reyes").text(said)
    assert time.process_time() - began < 0.5


def test_addresses_go_whatever_stands_around_them() -> None:
    said = Anonymiser().text("a@b.com-c@d.com, <first.last+tag@mail.example.org> or x@y.z")
    assert "@" not in said


def test_what_is_not_read_in_time_is_refused_and_kept_out_of_the_web_process(
    manager: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*given: object) -> ImportedFile:
        raise AssertionError("read here")

    monkeypatch.setattr(import_limits, "SHORT", 0)
    monkeypatch.setattr(import_limits, "WALL_SECONDS", 0.01)
    monkeypatch.setattr(imports, "table_of", never)
    monkeypatch.setattr(imports, "read", never)
    with pytest.raises(imports.ImportRefused, match="too long to read"):
        bring(manager, TALK + b"9,seller,Odd.,150000,120000,,\n")
    assert not TranscriptImport.objects.exists()


@pytest.mark.slow
def test_a_long_file_is_read_apart_and_then_here(manager: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two processes that start Django, so a few seconds: what they are told and what they read is the whole point."""
    monkeypatch.setattr(import_limits, "SHORT", 0)
    monkeypatch.setattr(import_limits, "_remembered", {})
    brought = bring(manager)
    assert len(imports.import_read(brought).conversations) == 2
    assert list(import_limits._remembered.values()) == [True, True], (
        "the file as a table, then by its mapping"
    )
    assert len(imports.import_read(brought).conversations) == 2
    assert len(import_limits._remembered) == 2, "asked once for each"


def test_one_file_comes_in_once(manager: User) -> None:
    bring(manager)
    with pytest.raises(imports.ImportRefused, match="came in as “A study” already"):
        bring(manager, name="Another name")


def test_what_a_full_disk_cuts_off_is_taken_the_next_time(
    manager: User, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    brought, real, calls = bring(manager), files.write, []

    def full(name: str, content: bytes) -> files.StoredFile:
        calls.append(name)
        if len(calls) == 2:
            raise OSError(28, "No space left on device")
        return real(name, content)

    monkeypatch.setattr(files, "write", full)
    with pytest.raises(OSError, match="No space"):
        imports.import_take(brought=brought)
    assert Episode.objects.count() == 1
    assert imports.import_take(brought=brought) == (1, 0)
    assert len(set(Episode.objects.values_list("sha256", flat=True))) == 2
