"""A persona's folder is checked before it plays: what must be mended is named by file and line."""

from __future__ import annotations

import json
import shutil
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from negotiation.engine.deal import personas
from negotiation.engine.deal.persona_checks import Fault, faults
from negotiation.engine.personas import HOME, folders


@pytest.fixture
def clerk(tmp_path: Path) -> Path:
    shutil.copytree(HOME / "auditor", tmp_path / "clerk")
    return tmp_path / "clerk"


def change(folder: Path, name: str, before: str, after: str) -> int:
    """Put other words into a file; the line where they stand."""
    text = (folder / name).read_text()
    assert before in text
    (folder / name).write_text(text.replace(before, after, 1))
    return text[: text.index(before)].count("\n") + 1


@pytest.mark.parametrize("persona", sorted(folders()))
def test_every_folder_that_ships_is_sound(persona: str) -> None:
    assert faults(folders()[persona]) == []


@pytest.mark.parametrize(
    ("name", "before", "after", "says"),
    [
        ("numbers.toml", "patience = 0.70", "patience = 1.70", "patience must lie in [0, 1], not 1.7"),
        ("numbers.toml", "speaks_first = true", 'speaks_first = "yes"', "speaks_first must be true or false, not 'yes'"),
        ("numbers.toml", "margin = 0.42", "margin = 0.42\ngreed = 1", "nobody reads greed"),
        ("lines.toml", '"The same as above, {offer}."', '"The same as above, {price}."', "there is no figure {price}"),
        ("lines.toml", '"hot | {offer}. Volume', '"angry | {offer}. Volume', "there is no condition 'angry'"),
        ("lines.toml", '"Please advise."', '"Try 120,000."', "120000 looks like money, and nobody decided it"),
        ("manner.toml", "closes = 0.3", "closes = 3", "closes must lie in [0, 1], not 3"),
        ("manner.toml", 'minds = ["legal"', 'minds = ["weather"', "minds: there is no topic 'weather'"),
        ("look.toml", "shows = 0.75", "shows = 'much'", "shows must be a number, not 'much'"),
        ("portrait.svg", '<circle cx="100.3"', '<circle onload="x" cx="100.3"', "onload is not a shape's or a colour's"),
        ("portrait.svg", '<g class="mouth"', '<script>1</script><g class="mouth"', "<script> is not a shape"),
    ],
)  # fmt: skip
def test_what_must_be_mended_is_named_by_line(
    clerk: Path, name: str, before: str, after: str, says: str
) -> None:
    line = change(clerk, name, before, after)
    found = faults(clerk)
    assert Fault(name, line + after.count("\n"), says) in found, found


def test_a_broken_file_a_missing_one_and_a_pool_without_lines_are_named(clerk: Path) -> None:
    broken = change(clerk, "numbers.toml", "margin = 0.42", "margin = = 0.42")
    (clerk / "manner.toml").unlink()
    change(clerk, "lines.toml", "[called_bluff]", "[called_maybe]")
    found = faults(clerk)
    assert any(each.file == "numbers.toml" and each.line == broken for each in found)
    assert Fault("manner.toml", None, "is missing") in found
    assert Fault("lines.toml", None, "called_bluff.line has no lines") in found
    assert any(each.text == "nobody says called_maybe.line" for each in found)


def test_a_folder_of_numbers_alone_borrows_a_voice(clerk: Path) -> None:
    for name in ("lines.toml", "lines_of_three.toml", "manner.toml", "look.toml", "portrait.svg"):
        (clerk / name).unlink()
    change(clerk, "numbers.toml", "aggression", 'voice = "shark"\naggression')
    assert faults(clerk) == []
    change(clerk, "numbers.toml", '"shark"', '"nobody"')
    assert [each.text for each in faults(clerk)] == [
        "voice: there is no persona 'nobody' to borrow lines from"
    ]


def test_the_command_refuses_with_the_lines_and_previews_what_is_sound(clerk: Path) -> None:
    line = change(clerk, "numbers.toml", "patience = 0.70", "patience = 2")
    with pytest.raises(
        CommandError, match=rf"numbers.toml:{line}: patience must lie in \[0, 1\], not 2"
    ) as refused:
        call_command("persona", str(clerk))
    assert refused.value.returncode == 2
    change(clerk, "numbers.toml", "patience = 2", "patience = 0.30")
    out = StringIO()
    call_command("persona", str(clerk), "--episodes", "6", "--json", stdout=out)
    told = json.loads(out.getvalue())
    assert told["persona"] == "clerk"
    assert len(told["share"]) == 9
    assert all(
        0 <= share["ci95"][0] <= share["mean"] <= share["ci95"][1] <= 1 for share in told["share"].values()
    )
    talk = StringIO()
    call_command("persona", str(clerk), "--episodes", "2", "--talk", stdout=talk)
    assert "Samuel Osei: " in talk.getvalue()
    assert "clerk" not in personas()


def test_an_id_that_is_taken_is_refused(tmp_path: Path) -> None:
    shutil.copytree(HOME / "auditor", tmp_path / "shark")
    with pytest.raises(CommandError, match="that id is taken"):
        call_command("persona", str(tmp_path / "shark"))
