"""One meaning a class name: none crosses a room, and the trainer defines none twice."""

from __future__ import annotations

from pathlib import Path

from bench.words import ROOT, classes, crossing, shared, within


def test_no_class_name_crosses_a_room_and_none_stands_twice_in_the_trainer_the_coach_or_the_accounts() -> (
    None
):
    names = shared(classes(ROOT))
    assert crossing(names) == []
    assert {room: within(names, room) for room in ("accounts", "coaching", "owed", "trainer")} == {
        "accounts": [],
        "coaching": [],
        "owed": [],
        "trainer": [],
    }


def test_names_are_told_apart_by_where_they_stand(tmp_path: Path) -> None:
    files = {
        "one/a.py": "class Alone: ...\nclass Twice: ...\nclass Crosses: ...\nclass Command: ...\n",
        "one/b.py": "class Twice:\n    class Alone: ...\n",
        "two/c.py": "class Crosses: ...\nclass Command: ...\n",
        "two/migrations/d.py": "class Alone: ...\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    names = shared(classes(tmp_path, ("one", "two")))
    assert list(names) == ["Crosses", "Twice"]
    assert crossing(names) == ["Crosses"]
    assert (within(names, "one"), within(names, "two")) == (["Twice"], [])
