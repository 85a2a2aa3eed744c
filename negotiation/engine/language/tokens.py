"""Text into tokens that keep their place in it. Any text is safe: no script, tag or control survives."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

MAX_READ: Final = 4000
"""Characters looked at; the table refuses longer texts, so nothing said is lost by it."""

TokenKind = Literal["word", "number", "currency", "mark"]


@dataclass(frozen=True, slots=True)
class Token:
    """A word (lower case, contractions opened), a number (``value``), a currency or a punctuation mark."""

    kind: TokenKind
    norm: str
    start: int
    end: int
    value: float = 0.0
    tight: bool = False  # no white space between it and the token before


CURRENCIES: Final[dict[str, str]] = {
    "$": "$", "us$": "$", "usd": "$", "dollar": "$", "dollars": "$", "bucks": "$",
    "€": "€", "eur": "€", "euro": "€", "euros": "€",
    "£": "£", "gbp": "£", "pound": "£", "pounds": "£", "quid": "£",
    "¥": "¥", "chf": "chf", "cad": "cad", "aud": "aud",
}  # fmt: skip

_CONTRACTIONS: Final[dict[str, str]] = {
    "can't": "can not", "cannot": "can not", "cant": "can not", "won't": "will not", "wont": "will not",
    "dont": "do not", "doesnt": "does not", "isnt": "is not", "wouldnt": "would not",
    "couldnt": "could not", "im": "i am", "ive": "i have", "ill": "i will", "youre": "you are",
    "let's": "let us", "lets": "let us", "gonna": "going to", "wanna": "want to", "gotta": "got to",
    "ain't": "is not", "u": "you", "ur": "your", "whats": "what is", "what's": "what is",
    "how's": "how is", "hows": "how is", "that's": "that is", "thats": "that is", "it's": "it is",
    "there's": "there is", "here's": "here is", "where's": "where is", "y'all": "you all",
    "who's": "who is", "whos": "who is", "wheres": "where is", "theres": "there is", "didnt": "did not",
    "havent": "have not", "hasnt": "has not", "wasnt": "was not", "arent": "are not", "shouldnt": "should not",
    "werent": "were not", "hadnt": "had not", "youve": "you have", "weve": "we have", "theyre": "they are",
    "ppl": "people", "lemme": "let me", "gimme": "give me", "&": "and", "w/": "with", "thx": "thanks", "pls": "please",
    "abt": "about",
}  # fmt: skip
_SUFFIXES: Final = (
    ("n't", " not"),
    ("'re", " are"),
    ("'ve", " have"),
    ("'ll", " will"),
    ("'d", " would"),
    ("'m", " am"),
)

_BLOCK = re.compile(r"<(script|style)\b.*?(?:</\1\s*>|\Z)", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"</?[a-zA-Z!][^<>]{0,400}>")
_ENTITY = re.compile(r"&(?:nbsp|amp|lt|gt|quot|#\d{1,6}|#x[0-9a-fA-F]{1,6});")
_TOKEN = re.compile(
    r"""
    (?P<number>
        \d{1,3}(?:(?P<sep>[,.'])\d{3})(?:(?P=sep)\d{3})*(?:[.,]\d{1,2})?(?![\d])   # 1,250,000  148.500
      | \d{1,3}(?:\ \d{3})*\ (?:000|500)(?!\d)                                     # 150 000
      | \d+(?:[.,]\d+)?
      | \.\d+
    )
  | (?P<currency>us\$|[$€£¥])
  | (?P<word>[^\W\d_]+(?:'[^\W\d_]+)*|&)
  | (?P<mark>\.\.\.|\n|[^\s\w])
    """,
    re.VERBOSE | re.IGNORECASE,
)
_CHARACTERS: Final = dict(zip("’‘`´…–—−‑“”⁄", "''''.-;--\"\"/", strict=True))
_FRACTIONS: Final = {"½": ".5", "¼": ".25", "¾": ".75"}


def clean(text: str) -> tuple[str, list[int] | None]:
    """``text`` in plain characters, and where each of them stood (None: everything kept its place)."""
    text = text[:MAX_READ]
    if "<" in text:
        text = _BLOCK.sub(lambda found: " " * len(found[0]), text)
        text = _TAG.sub(lambda found: " " * len(found[0]), text)
    if "&" in text:
        text = _ENTITY.sub(lambda found: " " * len(found[0]), text)
    if text.isascii():
        return text, None
    plain: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        for piece in _plain(character):
            plain.append(piece)
            places.append(place)
    places.append(len(text))
    return "".join(plain), places


@lru_cache(maxsize=2048)
def _plain(character: str) -> str:
    """One character as readers of English expect it; marks of direction and joining vanish."""
    if character < "\x80":
        return character
    if character in _CHARACTERS:
        return _CHARACTERS[character]
    if character in _FRACTIONS:
        return _FRACTIONS[character]
    if unicodedata.category(character) in ("Cf", "Cc", "Cs", "Mn"):
        return ""
    digit = unicodedata.decimal(character, None)
    if digit is not None:
        return str(digit)
    return unicodedata.normalize("NFKC", character)


def tokenise(text: str) -> list[Token]:
    """The tokens of ``text`` in order, their spans in the text as it was given."""
    plain, places = clean(text)
    tokens: list[Token] = []
    last_end = -1
    for found in _TOKEN.finditer(plain):
        start, end = found.span()
        tight = start == last_end
        last_end = end
        if places is not None:
            start, end = places[start], places[end - 1] + 1
        kind = found.lastgroup
        raw = found[0].lower()
        if kind == "word" and raw in CURRENCIES and raw not in ("pound", "dollar"):
            tokens.append(Token("currency", CURRENCIES[raw], start, end, tight=tight))
        elif kind == "word":
            tokens.append(Token("word", _open(raw), start, end, tight=tight))
        elif kind == "currency":
            tokens.append(Token("currency", CURRENCIES.get(raw, raw), start, end, tight=tight))
        elif kind == "mark":
            tokens.append(Token("mark", raw, start, end, tight=tight))
        else:
            tokens.append(Token("number", raw, start, end, _number(raw), tight))
    return tokens


def _open(word: str) -> str:
    """A contraction written out: "won't" becomes "will not", "we're" becomes "we are"."""
    if word in _CONTRACTIONS:
        return _CONTRACTIONS[word]
    if "'" in word:
        for ending, full in _SUFFIXES:
            if word.endswith(ending):
                return word[: -len(ending)] + full
        return word.removesuffix("'s")
    return word


def _number(raw: str) -> float:
    """The value of digits with either habit of grouping: 1,250,000 and 1.250.000 and 12,4 and 12.4.

    Three digits after a single point stay a fraction ("148.500" is 148.5): once scaled to the deal it is
    the same figure as the grouped reading, and "1.250 million" comes out right.
    """
    compact = raw.replace(" ", "").replace("'", "")
    commas, points = compact.count(","), compact.count(".")
    if commas and points:
        decimal = "," if compact.rfind(",") > compact.rfind(".") else "."
        other = "." if decimal == "," else ","
        compact = compact.replace(other, "").replace(decimal, ".")
    elif commas:
        grouped = all(len(part) == 3 for part in compact.split(",")[1:])
        compact = compact.replace(",", "" if grouped else ".")
    elif points > 1:
        compact = compact.replace(".", "")
    try:
        value = float(compact)
    except ValueError:
        return 0.0
    return value if value < 1e15 else 0.0
