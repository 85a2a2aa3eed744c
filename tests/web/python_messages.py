"""Finds what a module would show without asking gettext: string literals that read like messages."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

ASKED = frozenset({"_", "gettext", "gettext_noop", "removeprefix"})
"""Calls whose literals are messages already, or part of what is only looked for."""
NO_WORDS = frozenset({"hovermode", "hovertemplate"})
"""Keys and parameters of drawings that take no words of ours."""


def reads_like_a_message(text: str) -> bool:
    """A message begins like a sentence or a title, or has several words; keys and classes do neither."""
    words = text.strip()
    return bool(re.search(r"[^\W\d_]{2}", words)) and bool(
        re.match(r"[A-Z“][a-z’]", words) or (re.search(r"\S\s+\S", text) and re.search("[a-z]{2}", text))
    )


def outside_gettext(source: str) -> list[str]:
    """The messages of a module's source that nobody could translate; tables of a module may hold them marked."""
    return list(_found(ast.parse(source)))


def _found(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Expr(value=ast.Constant()) | ast.ImportFrom() | ast.Compare():
            return
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in ASKED:
            for value in [*node.args[1:], *node.keywords]:
                yield from _found(value)
            return
        case ast.keyword(arg=name) if name in NO_WORDS:
            return
        case ast.AnnAssign(value=value):
            if value is not None:
                yield from _found(value)
            return
        case ast.FunctionDef(args=arguments, body=body):
            for part in [*arguments.defaults, *filter(None, arguments.kw_defaults), *body]:
                yield from _found(part)
            return
        case ast.Subscript(value=value):
            yield from _found(value)
            return
        case ast.Dict(keys=keys, values=values):
            for key, value in zip(keys, values, strict=True):
                if not (isinstance(key, ast.Constant) and key.value in NO_WORDS):
                    yield from [*(_found(key) if key else ()), *_found(value)]
            return
        case ast.JoinedStr(values=values):
            said = "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in values)
            if reads_like_a_message(said):
                yield said
            for part in values:
                if isinstance(part, ast.FormattedValue):
                    yield from _found(part.value)
            return
        case ast.Constant(value=str(text)):
            if reads_like_a_message(text):
                yield text
            return
    for child in ast.iter_child_nodes(node):
        yield from _found(child)
