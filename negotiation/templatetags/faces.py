"""The faces of the personas on the pages, from their folders: the drawing, and how it holds a chair."""

from __future__ import annotations

import json

from django import template
from django.utils.safestring import SafeString, mark_safe

from negotiation.engine.deal import personas
from negotiation.engine.personas import LOOK, portrait, table

register = template.Library()

NOBODY = """\
<path class="body" d="M24 280c4-46 26-64 66-76h60c40 12 62 30 66 76z" fill="#2f4a3e"/>\
<path class="head" d="M78 104c0-40 18-60 42-60s42 20 42 60c0 40-22 74-42 74s-42-34-42-74z" fill="#547263"/>"""
"""The outline of whoever has no drawing."""


@register.simple_tag
def drawing(persona: str) -> SafeString:
    """A persona's drawing, to go into the portrait's frame. It ships with the code: nobody's input is in it."""
    return mark_safe(portrait(persona) or NOBODY)  # noqa: S308


@register.filter
def look(persona: str) -> str:
    """How the drawing holds a chair at the table, as JSON; a persona without a look of its own has its voice's."""
    own = table(persona, LOOK) or table(personas()[persona].voice, LOOK)
    return json.dumps(own)
