"""The words of the pages: explained where they stand, and in one place for whoever translates them."""

from __future__ import annotations

import re
from pathlib import Path

import django
import pytest
from django.template import Context, Template
from django.test import Client, override_settings
from django.utils import translation

from negotiation.glossary import TERMS
from tests.servers import ROOT

TEMPLATES = ROOT / "templates"
TRANSLATED = (
    "base.html",
    *sorted(
        path.relative_to(TEMPLATES).as_posix()
        for room in (
            "account",
            "alliances",
            "coalition",
            "deals",
            "debrief",
            "diplomacy",
            "errors",
            "loop",
            "pages",
            "pairs",
            "partials",
            "retry",
            "room",
            "serving",
            "shared",
            "skills",
            "smallgames",
            "trainer",
            "watch",
        )
        for path in (TEMPLATES / room).glob("*.html")
        if path.name != "500.html"
    ),
)
"""Templates whose every message goes through gettext: whole rooms, so that a new page of theirs is held as well.
Not the page of a failure: it is shown where nothing can be relied on, gettext included."""


def bare(template: str) -> list[str]:
    """What is left of a template that would be shown and that nobody could translate."""
    text = re.sub(r"{% comment %}.*?{% endcomment %}|{#.*?#}", "", template, flags=re.DOTALL)
    # What is the same in every language says so.
    text = re.sub(r'<(\w+)[^>]* translate="no"[^>]*>.*?</\1>', "", text, flags=re.DOTALL)
    # A block's class is no message, and the product's name is the same everywhere.
    text = re.sub(
        r"{% block \w+_(?:class|data) %}.*?{% endblock[^%]*%}|\bParlay\b", "", text, flags=re.DOTALL
    )
    text = re.sub(r"{% blocktranslate.*?{% endblocktranslate %}", "", text, flags=re.DOTALL)
    spoken = re.findall(r'(?:aria-label|title|alt|placeholder)="([^"{]*[A-Za-z][^"{]*)"', text)
    text = re.sub(r"{%.*?%}|{{.*?}}", "", text, flags=re.DOTALL)
    text = re.sub(r"<[^>]*>", "\n", text)
    return spoken + [
        line.strip() for line in re.sub(r"&\w+;", "", text).splitlines() if re.search("[A-Za-z]{2}", line)
    ]


@pytest.mark.parametrize("name", TRANSLATED)
def test_a_translated_template_holds_no_message_outside_gettext(name: str) -> None:
    assert bare((TEMPLATES / name).read_text()) == []


def test_a_message_outside_gettext_would_be_found() -> None:
    left = '<p aria-label="Their side">{% translate "Fine" %} <b>Not fine</b> {{ name }}</p>'
    assert bare(left) == ["Their side", "Not fine"]


def test_every_word_that_a_page_explains_stands_in_the_glossary(client: Client) -> None:
    used = {
        name
        for page in TEMPLATES.rglob("*.html")
        for name in re.findall(r'{% term "([\w-]+)"', page.read_text())
    }
    assert used, "some page explains a word"
    assert used <= set(TERMS)
    text = client.get("/words/").content.decode()
    assert text.count("<dfn>") == len(TERMS)


def test_an_explained_word_is_a_button_that_opens_its_meaning_by_pointer_and_key() -> None:
    shown = Template('{% load words %}{% term "walk-away" %}{% term "walk-away" "limit" %}').render(Context())
    buttons = re.findall(
        r'<button class="term" type="button" popovertarget="([\w-]+)">([^<]*)</button>', shown
    )
    assert [word for _, word in buttons] == ["Walk-away", "limit"]
    first, second = (target for target, _ in buttons)
    assert first != second
    for target in (first, second):
        assert f'id="{target}" popover' in shown


@override_settings(LOCALE_PATHS=[Path(django.__file__).parent / "contrib" / "admin" / "locale"])
def test_a_page_brings_the_messages_of_its_scripts_in_another_language_alone(client: Client) -> None:
    """Any compiled catalog of scripts will do: Django's own, of its administration."""
    page = Template("{% load words %}<html lang={% language %}>{% script_messages %}")
    assert page.render(Context()) == "<html lang=en>"
    with translation.override("de"):
        shown = page.render(Context())
    assert "lang=de" in shown
    assert '<script id="messages" type="application/json">{"language": "de", "catalog": {' in shown
    assert '"Choose a Date": "Datum w\\u00e4hlen"' in shown
