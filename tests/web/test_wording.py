"""Messages that Python writes for the debrief and for progress go through gettext, as those of templates and scripts do."""

from __future__ import annotations

import re
from datetime import date

import pytest
from django.utils.translation import gettext as of_django

from coaching.analysis import wording
from coaching.analysis.progress_figures import CountedGame, figures
from tests.servers import ROOT
from tests.web.python_messages import outside_gettext

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
    "coaching/analysis/review/lessons/words.py",
    "coaching/sharing/shown.py",
)
"""Modules whose every message goes through gettext. Not yet among them: the reasons that the worker writes down with a
review, for every reader; what they advise is marked in their tables and translated where it is shown. Never among them:
sentences that a player could say, and the rewrites of theirs, which are English as the talk is."""


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
