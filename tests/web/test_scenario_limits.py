"""Any text that an author can paste is read in linear time, apart from the tables, or refused in words."""

from __future__ import annotations

import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.services import user_create
from negotiation import scenario_limits
from negotiation.catalogue import shipped
from negotiation.engine.deal import ScenarioError
from negotiation.engine.deal.scenario_file import read_scenario
from negotiation.engine.deal.toml_depth import too_deep
from negotiation.engine.deal.toml_lines import lines_of
from negotiation.models import AuthoredScenario
from negotiation.scenario_limits import LONGEST_TEXT, check_apart, refusal
from negotiation.scenario_services import scenario_create, shipped_text
from tests.servers import ROOT

pytestmark = pytest.mark.django_db

HOSTILE = {
    "blanks in a header": "[" + " " * 60_000,
    "blanks and a bracket": "[" + " a" * 30_000,
    "a long name": "[" + "a." * 32_000 + "a]",
    "a long key": "a." * 32_000 + "a = 1",
    "a long key of texts": '"a".' * 16_000 + "a = 1",
    "many long names": "\n".join(f"[{'.'.join(f'k{i}x{j}' for j in range(15))}]" for i in range(600)),
    "lists in lists": "a = " + "[" * 20_000,
    "tables in tables": "a = " + "{a=" * 20_000,
    "many keys": "\n".join(f"k{i} = 1" for i in range(6_500)),
    "many near misses": "\n".join(f"titl{i} = 1" for i in range(5_500)),
    "many tables": "[[issue]]\n" * 6_500,
    "many bad issues": '[[issue]]\nid=""\n' * 3_800,
    "a number": "a = " + "9" * 65_000,
    "quotes": '"' * 65_000,
    "escaped quotes": 'a = """' + '\\"""' * 16_000,
    "single quotes": "'" * 65_000,
    "open texts": "a = '''" + "''\n" * 20_000,
    "remarks": "#\n" * 32_000,
    "carriage returns": "\r" * 65_000,
    "nul": "\0" * 65_000,
    "equal signs": "=" * 65_000,
    "brackets": "[]" * 32_000,
    "dots": "." * 65_000,
    "a list": "a = [" + "1," * 32_000 + "]",
    "inline keys": "a = {" + ",".join(f"k{i}=1" for i in range(7_000)) + "}",
    "a wide title": 'title = "' + "\U0001f600" * 16_000 + '"',
}


def spent(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[] if number % 9 == 0 else pytest.mark.thorough)
        for number, name in enumerate(HOSTILE)
    ],
)
def test_no_text_takes_long_here_or_apart(name: str) -> None:
    text = HOSTILE[name][:LONGEST_TEXT]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    here = spent(lambda: (lines_of(text), check_apart(text, "lab_lease")))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    apart = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    assert here < 1
    assert apart < scenario_limits.CPU_SECONDS
    assert check_apart(text, "lab_lease").scenario is None


def test_no_mixture_of_what_toml_is_made_of_takes_long() -> None:
    """Texts of the full length out of few pieces each, repeated: what is not linear shows there."""
    pieces = [
        "[", "]", "[[", "]]", "{", "}", '"', "'", '"""', "'''", "\\", ".", ",", "=", "#", " ", "\t", "\n", "a", "1", "-",
        "é", "a.b", "a = 1\n", "[a]\n", "[[a]]\n", "x = [",
    ]  # fmt: skip
    draw = random.Random(27)
    for _ in range(60):
        unit = "".join(draw.choices(pieces, k=draw.randint(1, 5)))
        text = (draw.choice(["", "[", "a = ", 'a = """', "{"]) + unit * (LONGEST_TEXT // len(unit.encode())))[
            : LONGEST_TEXT // 2
        ]

        def read(text: str = text) -> None:
            lines_of(text)
            with pytest.raises(ScenarioError):
                read_scenario(text, "lab_lease")

        assert spent(read) < 1, repr(unit)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a = 1\nb = " + "[" * 17 + "]" * 17, 2),
        ("a = " + "[" * 16 + "]" * 16, None),
        ("a = '" + "[" * 50 + "'", None),
        ('a = """\n' + "[" * 50 + '\n"""\nb = ' + "{a=" * 17, 4),
        ("# " + "[" * 50, None),
        ("\n\n" + ".".join("abcdefghijklmnopq") + " = 1", 3),
        (".".join("abcdefghijklmnop") + " = 1", None),
        ('a = "\\"' + "[" * 50 + '"', None),
        ("a = [1.5, 2.5, " + "1.5, " * 50 + "]", None),
    ],
)
def test_what_nests_too_deep_is_told_by_its_line(text: str, line: int | None) -> None:
    assert too_deep(text) == line


@pytest.mark.slow
def test_every_scenario_that_ships_passes() -> None:
    assert shipped()
    for slug in shipped():
        text = shipped_text(slug)
        assert refusal(text, slug) is None
        assert check_apart(text, slug).scenario is not None


def test_what_reads_for_too_long_is_ended_by_the_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """The process of its own, with something that never ends in place of the reader."""
    code = (
        "import negotiation.scenario_limits as l, sys\n"
        "def forever(*_):\n    while True: pass\n"
        "l.CPU_SECONDS, l.check = 1, forever\nl.main()"
    )
    done = subprocess.run([sys.executable, "-c", code, "x"], input=b"", timeout=30, cwd=ROOT)
    assert done.returncode < 0


@pytest.fixture
def admin(signed_in: Callable[[User], Client]) -> Client:
    return signed_in(user_create(email="admin@example.com", password="correct horse", is_staff=True))


@pytest.mark.parametrize("name", ["lists in lists", "a long key", "a long name"])
def test_the_editor_refuses_it_in_words_keeps_the_draft_and_opens(admin: Client, name: str) -> None:
    authored = scenario_create(slug="lab_lease", start_from="commercial_lease", author=None)
    url = reverse("admin:negotiation_authoredscenario_change", args=[authored.pk])
    answer = admin.post(url, {"action": "validate", "text": HOSTILE[name]})
    assert answer.status_code == 422
    assert "The text was not kept" in answer.content.decode()
    assert AuthoredScenario.objects.get().draft == authored.draft
    assert admin.get(url).status_code == 200


@pytest.mark.parametrize("name", ["lists in lists", "a long key", "blanks in a header", "a number"])
def test_the_editor_opens_on_a_draft_that_was_kept_before_it_was_refused(admin: Client, name: str) -> None:
    authored = scenario_create(slug="lab_lease", start_from="commercial_lease", author=None)
    AuthoredScenario.objects.filter(pk=authored.pk).update(draft=HOSTILE[name])
    url = reverse("admin:negotiation_authoredscenario_change", args=[authored.pk])
    assert spent(lambda: admin.get(url)) < 1
    assert admin.get(url).status_code == 200
