"""A word of the product, explained where it stands: a button that opens its meaning, without a script."""

from __future__ import annotations

from typing import Any

from django import template
from django.template import Context
from django.utils.html import format_html
from django.utils.safestring import SafeString

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
