"""Messages that Python writes for the debrief and for progress go through gettext, as those of templates and scripts do."""

from __future__ import annotations

import json
import re
from datetime import date

import pytest
from django.utils.translation import gettext as of_django

from coaching.analysis import wording
from coaching.analysis.progress_figures import CountedGame, figures
from coaching.analysis.review.lessons import reason_of
from tests.servers import ROOT
from tests.web.python_messages import outside_gettext

LESSONS = ("ends", "grave", "rest", "steps", "table", "words")
WORDED = (
    *(
        f"coaching/analysis/{name}.py"
        for name in (
            "advice",
            "cases",
            "conduct_figures",
            "debrief",
            "figures",
            "frontier_figure",
            "plots",
            "praise",
            "progress_figures",
            "story",
        )
    ),
    *(path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "coaching" / "debriefs").glob("*.py"))),
    *(f"coaching/analysis/review/lessons/{name}.py" for name in LESSONS),
    "coaching/sharing/shown.py",
)
"""Modules whose every message goes through gettext. Never among them: sentences that a player could say (``lines.py``), and
the rewrites of theirs, which are English as the talk is."""


@pytest.mark.parametrize("name", WORDED)
def test_a_worded_module_writes_no_message_outside_gettext(name: str) -> None:
    assert outside_gettext((ROOT / name).read_text()) == []


def test_a_message_outside_gettext_would_be_found() -> None:
    source = """
TITLES = {"own": "Your offers", "theirs": gettext_noop("Their offers")}
def told(turn: int) -> str:
    \"\"\"No message.\"\"\"
    if TITLES["own"] == "No message either":
        return gettext("Turn {turn}, {who}", turn=turn, who="The other side")
    return f"On turn {turn} nothing"
"""
    assert outside_gettext(source) == ["Your offers", "The other side", "On turn … nothing"]


def test_every_message_names_what_fills_it() -> None:
    for name in WORDED:
        for call in re.findall(
            r'\bgettext\(\s*("(?:[^"\\]|\\.)*"(?:\s*"(?:[^"\\]|\\.)*")*),?\s*\)', (ROOT / name).read_text()
        ):
            assert not re.search(r"{\w+}", call), f"{name}: {call}"


def test_the_house_has_its_analysis_speak_the_language_of_the_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    assert wording._single is of_django
    monkeypatch.setattr(wording, "_single", lambda message: f"«{message}»")
    played = CountedGame(
        day=date(2026, 3, 2), title="A deal", share=0.5, assisted=False, regret={"opening": 0.1}
    )
    for figure in figures([played]):
        assert figure["title"].startswith("«")
        assert figure["summary"].startswith("«")
    assert wording.gettext("Mean of {deals}", deals=5) == "«Mean of 5»"


def test_a_reason_that_the_worker_kept_is_told_in_the_language_of_who_reads_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    due = wording.told("about {step} would have done", step="$2,000")
    kept = json.loads(json.dumps(wording.told("You gave {gave}; {due}.", gave="$5,000", due=due)))
    move = {"reason": "You gave $5,000; about $2,000 would have done.", "lesson": {"told": kept}}
    assert reason_of(move) == move["reason"]
    monkeypatch.setattr(
        wording, "_single", {kept["message"]: "{due}: {gave}", due["message"]: "{step} reichen"}.get
    )
    assert reason_of(move) == "$2,000 reichen: $5,000"
    assert reason_of({"reason": "As it was written.", "lesson": None}) == "As it was written."


def test_every_message_that_a_review_keeps_is_marked_for_translation() -> None:
    """Whatever ``told`` is given stands in ``gettext_noop``, or in a constant that does."""
    for name in LESSONS:
        source = (ROOT / "coaching/analysis/review/lessons" / f"{name}.py").read_text()
        assert re.findall(r'\btold\(\s*f?"', source) == [], name
