"""What holds for every template: what is hidden is elsewhere, names differ, a time of day has its zone."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client, override_settings

from accounts.models import User
from tests.servers import ROOT

pytestmark = pytest.mark.django_db

HIDDEN = re.compile(r'<a class="button quiet (?:nav-more|account-name)" href="([^"]+)"')
SECTIONS = re.compile(r'<section[^>]* aria-label(?:ledby)?="([^"]+)"')
CLOCK = re.compile(r'\|date:"[^"]*H:i[^"]*" \}\}(.{4})')
TRANSLATED = re.compile(r'\{% translate "([^"]*)" %\}')
REGIONS = re.compile(r'role="region"[^>]* aria-label(?:ledby)?="([^"]+)"')


@override_settings(MODEL_URL="http://127.0.0.1:1/v1")
@pytest.mark.parametrize("staff", [False, True])
def test_every_link_that_a_narrow_bar_hides_is_in_its_menu(
    rep: User, signed_in: Callable[[User], Client], staff: bool
) -> None:
    User.objects.filter(pk=rep.pk).update(is_staff=staff)
    page = signed_in(User.objects.get(pk=rep.pk)).get("/").content.decode()
    bar, menu = page.split('<details class="nav-menu">')[0], page.split('<ul class="nav-menu-list">')[1]
    hidden = HIDDEN.findall(bar)
    assert len(hidden) >= (5 if staff else 3)
    assert set(hidden) <= set(re.findall(r'href="([^"]+)"', menu.split("</ul>")[0]))


def test_no_region_has_the_name_of_the_section_that_it_stands_in() -> None:
    for template in (ROOT / "templates").rglob("*.html"):
        text = TRANSLATED.sub(r"\1", template.read_text())
        regions = REGIONS.findall(text)
        assert not set(SECTIONS.findall(text)) & set(regions), template.name
        assert [name for name in regions if re.search(f">{re.escape(name)}</h[23]", text)] == [], (
            template.name
        )


def test_a_time_of_day_is_always_written_with_its_zone() -> None:
    for template in (ROOT / "templates").rglob("*.html"):
        assert {after for after in CLOCK.findall(template.read_text()) if after != " UTC"} == set(), template
