"""Text cut into the pieces that BERT's uncased models know (Devlin et al. 2019; Schuster & Nakajima 2012).

The reference cuts the same way; ``tests/language/ear_reference.json`` holds what it made of sentences of every kind.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

START, STOP, UNKNOWN = "[CLS]", "[SEP]", "[UNK]"
MOST_PIECES: Final = 96
"""Pieces of one text that are looked at, its start and its stop among them: the adapter was fitted to so many."""
_LONGEST_WORD: Final = 100
_INSIDE: Final = "##"
_ASCII_MARKS: Final = (range(33, 48), range(58, 65), range(91, 97), range(123, 127))
_IDEOGRAPHS: Final = (
    *(range(0x4E00, 0xA000), range(0x3400, 0x4DC0), range(0x20000, 0x2A6E0), range(0x2A700, 0x2CEB0)),
    *(range(0xF900, 0xFB00), range(0x2F800, 0x2FA20)),
)


class WordPieces:
    """The pieces of a vocabulary, one a line of its file, in the order of their numbers."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self._known: Mapping[str, int] = {piece: number for number, piece in enumerate(vocabulary)}

    def numbers(self, text: str) -> list[int]:
        """The numbers of a text's pieces, between those of its start and its stop."""
        pieces = (piece for word in _words(text) for piece in self._pieces(word))
        cut = [number for _, number in zip(range(MOST_PIECES - 2), pieces, strict=False)]
        return [self._known[START], *cut, self._known[STOP]]

    def _pieces(self, word: str) -> Iterator[int]:
        """The longest known piece from the left, and so on; a word that can't be cut up is unknown as a whole."""
        found: list[int] = []
        at = 0
        while at < len(word):
            if len(word) > _LONGEST_WORD or (piece := self._longest(word, at)) is None:
                yield self._known[UNKNOWN]
                return
            found.append(piece[0])
            at = piece[1]
        yield from found

    def _longest(self, word: str, start: int) -> tuple[int, int] | None:
        before = _INSIDE if start else ""
        for stop in range(len(word), start, -1):
            number = self._known.get(before + word[start:stop])
            if number is not None:
                return number, stop
        return None


def _words(text: str) -> Iterator[str]:
    """Words in lower case without accents, each mark and each ideograph a word of its own."""
    spaced = "".join(_spaced(sign) for sign in text)
    for word in spaced.split():
        bare = "".join(
            sign for sign in unicodedata.normalize("NFD", word.lower()) if unicodedata.category(sign) != "Mn"
        )
        yield from "".join(f" {sign} " if _is_mark(sign) else sign for sign in bare).split()


def _spaced(sign: str) -> str:
    if sign in "\t\n\r" or unicodedata.category(sign) == "Zs":
        return " "
    if sign in "\0\ufffd" or unicodedata.category(sign).startswith("C"):
        return ""
    return f" {sign} " if any(ord(sign) in signs for signs in _IDEOGRAPHS) else sign


def _is_mark(sign: str) -> bool:
    return any(ord(sign) in marks for marks in _ASCII_MARKS) or unicodedata.category(sign).startswith("P")
