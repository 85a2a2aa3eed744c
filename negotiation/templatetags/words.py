"""A word of the product, explained where it stands: a button that opens its meaning, without a script."""

from __future__ import annotations

import uuid

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from negotiation.glossary import TERMS

register = template.Library()


@register.simple_tag
def term(name: str, words: str = "") -> SafeString:
    """The word ``name`` of the glossary, or ``words`` in its place, with the meaning one press away.

    The browser's own popover: it opens by pointer and by key, is closed by Escape, and lies above the page.
    """
    found = TERMS[name]
    # A part of a page that is fetched again must not name an id that stands already.
    ident = f"term-{uuid.uuid4().hex[:8]}"
    return format_html(
        '<button class="term" type="button" popovertarget="{}">{}</button>'
        '<span class="term-note" id="{}" popover><dfn>{}</dfn> {}</span>',
        ident,
        words or found.word,
        ident,
        found.word,
        found.meaning,
    )
