"""How deep a TOML text nests, told in one pass before anything takes it apart.

The standard library's reader calls itself for each bracket, and walks the whole path of a dotted key for each of its
parts: what is deep ends in no error of TOML, or after a minute.
"""

from __future__ import annotations

import re

from negotiation.engine.deal.toml_lines import DEEPEST

_STOP = re.compile(r"""\"{3}|'{3}|["'#\[\]{}.,=\n]""")
_REST = {
    '"""': re.compile(r'(?>(?:[^"\\]|\\.|"(?!""))*)"""', re.DOTALL),
    "'''": re.compile(r"(?>(?:[^']|'(?!''))*)'''", re.DOTALL),
    '"': re.compile(r'(?>(?:[^"\\\n]|\\.)*)"'),
    "'": re.compile(r"(?>[^'\n]*)'"),
    "#": re.compile(r"(?>[^\n]*)"),
}
"""What ends a text or a remark that begins so. None of them ever goes back: by atomic groups, since possessive quantifiers
match wrongly up to Python 3.11.2."""


def too_deep(text: str) -> int | None:
    """The line on which brackets or the parts of a name go deeper than anything that is played; None where none do."""
    at = depth = parts = 0
    while (stop := _STOP.search(text, at)) is not None:
        mark, at = stop[0], stop.end()
        if mark in _REST:
            rest = _REST[mark].match(text, at)
            if rest is None:  # it never ends, and the reader stops here too
                return None
            at = rest.end()
        elif mark == ".":
            parts += 1
        else:
            parts = 0
            depth = depth + 1 if mark in "[{" else max(depth - (mark in "]}"), 0)
        if depth > DEEPEST or parts >= DEEPEST:
            return text.count("\n", 0, at) + 1
    return None
