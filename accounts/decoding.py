"""The text of a file that somebody brings along, whatever program saved it."""

from __future__ import annotations


def decode(content: bytes) -> str:
    """A file's text. Spreadsheets save UTF-8 with a mark, UTF-16, or the Western code page."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", "replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")
