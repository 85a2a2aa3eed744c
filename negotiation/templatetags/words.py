"""Words of the product, explained where they stand, and the messages of the scripts in the language of the page."""

from __future__ import annotations

from typing import Any

from django import template
from django.conf import settings
from django.template import Context
from django.utils.html import format_html, json_script
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation.trans_real import DjangoTranslation
from django.views.i18n import JSONCatalog

from negotiation.glossary import TERMS

register = template.Library()
_COUNT = "terms explained so far"


@register.simple_tag(takes_context=True)
def term(context: Context, name: str, words: str = "") -> SafeString:
    """The word ``name`` of the glossary, or ``words`` in its place, with the meaning one press away.

    The browser's own popover: it opens by pointer and by key, is closed by Escape, and lies above the page.
    """
    found = TERMS[name]
    # Counted, not drawn: the same page of another deal must not differ by it.
    rendered: Any = context.render_context
    count = rendered[_COUNT] = rendered.get(_COUNT, 0) + 1
    ident = f"term-{name}-{count}"
    return format_html(
        '<button class="term" type="button" popovertarget="{}">{}</button>'
        '<span class="term-note" id="{}" popover><dfn>{}</dfn> {}</span>',
        ident,
        words or found.word,
        ident,
        found.word,
        found.meaning,
    )


@register.simple_tag
def language() -> str:
    """The language of the page, for its ``lang``."""
    return get_language() or settings.LANGUAGE_CODE


@register.simple_tag
def script_messages() -> str:
    """The catalog of the scripts' messages (domain ``djangojs``) as JSON; nothing in the language they are written in."""
    spoken = language()
    if spoken == settings.LANGUAGE_CODE:
        return ""
    view = JSONCatalog()
    view.translation = DjangoTranslation(
        spoken, domain="djangojs", localedirs=[*map(str, settings.LOCALE_PATHS)]
    )
    return json_script({"language": spoken, "catalog": view.get_catalog()}, "messages")
