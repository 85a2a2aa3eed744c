"""The language of decisions, twice: as a JSON schema for a server, as a grammar for our own decoder.

One compact object, the decision before the words::

    {"act":"offer","offer":368,"card":"none","belief":{"limit":391,"budget":397,"urgency":4,"alternative":6,
    "sure":3},"text":"We can do {offer}."}

``offer``, ``limit`` and ``budget`` are points of the :class:`Ruler`; ``urgency``, ``alternative`` (the chance
that they have one) and ``sure`` are tenths, one digit; ``event`` is the effect of the latest headline on their
limit in per cent. ``terms`` comes after ``offer`` where the deal has issues; ``event`` and ``challenge`` come
before ``text`` where a headline is to be judged, or a stated floor of theirs stands. Accepting and leaving need
only ``act`` and ``text``. The schema allows white space where JSON does; the grammar writes none.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from negotiation.opponents.protocol.decision import Act
from negotiation.opponents.protocol.grammar import Grammar, choice, digits, literal, many, sequence
from negotiation.opponents.protocol.lines import OFFER_MARK
from negotiation.opponents.protocol.ruler import HIGH_POINTS, LOW_POINTS
from negotiation.opponents.protocol.shape import NEEDS_OFFER, Shape

MAX_TEXT = 300
EVENT_RANGE = 30
"""Effects of headlines are stated from -30 to +30 per cent: beyond it the reward cannot tell them apart."""
BELIEF_POINTS = ("limit", "budget")
BELIEF_TENTHS = ("urgency", "alternative", "sure")
PLAIN = frozenset(chr(byte) for byte in range(32, 127)) - set('"\\')
"""What free words are written with: JSON needs no escapes for it, so a character is a byte."""
MARKLESS = PLAIN - {OFFER_MARK[0]}
"""The same where nothing is offered: no mark can stand for an offer."""
MOVING: tuple[Act, ...] = ("offer", "talk")


def lines_of(shape: Shape, act: Act) -> tuple[str, ...] | None:
    """The lines that may go with ``act``, the empty one among them where something else is done."""
    if shape.lines is None:
        return None
    if act == "offer":
        return ("", *shape.lines)
    spoken = tuple(line for line in shape.lines if OFFER_MARK not in line)
    return spoken if act == "talk" else ("",)


def cards_of(shape: Shape, act: Act) -> tuple[str, ...]:
    """The cards that may go with ``act``."""
    return ("none", *(card for card in shape.cards if act == "offer" or card not in NEEDS_OFFER))


def text_fault(text: str, act: Act) -> str | None:
    """What is wrong with free words beside ``act``; ``None`` where schema and grammar let them through."""
    if len(text) > MAX_TEXT:
        return f"text must be at most {MAX_TEXT} characters"
    if not PLAIN.issuperset(text):
        return "text must be plain printable characters, without double quotes and backslashes"
    if act != "offer" and not MARKLESS.issuperset(text):
        return f"text may hold {OFFER_MARK} and its brace only with an offer"
    if act == "talk" and text[:1] in ("", " "):
        return "text must begin with a word where nothing else is done"
    return None


def decision_schema(shape: Shape) -> dict[str, Any]:
    """A JSON schema of every decision that is open, for ``response_format`` or ``structured_outputs``."""
    return {"anyOf": [_object(_properties(shape, act)) for act in shape.acts]}


def _properties(shape: Shape, act: Act) -> dict[str, Any]:
    fields: dict[str, Any] = {"act": {"const": act}}
    if act == "offer":
        fields["offer"] = _whole(*shape.offer)
        if shape.issues:
            fields["terms"] = _object({issue: {"enum": list(options)} for issue, options in shape.issues})
    if act in MOVING:
        fields["card"] = {"enum": list(cards_of(shape, act))}
        fields["belief"] = _object(
            {name: _whole(LOW_POINTS, HIGH_POINTS) for name in BELIEF_POINTS}
            | {name: _whole(0, 9) for name in BELIEF_TENTHS}
        )
        if shape.event:
            fields["event"] = _whole(-EVENT_RANGE, EVENT_RANGE)
        if shape.challenge:
            fields["challenge"] = {"type": "boolean"}
    lines = lines_of(shape, act)
    if lines is None:
        fields["text"] = {"type": "string", "pattern": _pattern(act), "maxLength": MAX_TEXT}
    else:
        fields["text"] = {"enum": list(lines)}
    return fields


def _pattern(act: Act) -> str:
    """:func:`text_fault` as a regular expression, but for the length."""
    if act == "offer":
        return "^[ !#-\\[\\]-~]*$"
    begun = "[!#-\\[\\]-z|-~]" if act == "talk" else ""
    return f"^{begun}[ !#-\\[\\]-z|-~]*$"


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _whole(low: int, high: int) -> dict[str, Any]:
    return {"type": "integer", "minimum": low, "maximum": high}


@lru_cache(maxsize=4096)
def decision_grammar(shape: Shape) -> Grammar:
    """The same decisions as bytes, without white space."""
    return choice(_act(shape, act) for act in shape.acts)


def _act(shape: Shape, act: Act) -> Grammar:
    parts: list[Grammar] = [literal('{"act":"' + act + '"')]
    if act == "offer":
        parts += [literal(',"offer":'), digits(*shape.offer)]
        for place, (issue, options) in enumerate(shape.issues):
            parts.append(literal(("," if place else ',"terms":{') + f'"{issue}":"'))
            parts.append(choice(literal(f'{option}"') for option in options))
        parts += [literal("}")] if shape.issues else []
    if act in MOVING:
        parts += [literal(',"card":"'), choice(literal(f'{card}"') for card in cards_of(shape, act))]
        parts += _belief()
        if shape.event:
            parts += [literal(',"event":'), _signed(EVENT_RANGE)]
        if shape.challenge:
            parts += [literal(',"challenge":'), choice((literal("true"), literal("false")))]
    lines = lines_of(shape, act)
    words = _words(act) if lines is None else choice(literal(line) for line in lines)
    return sequence(*parts, literal(',"text":"'), words, literal('"}'))


def _words(act: Act) -> Grammar:
    """:func:`text_fault` as bytes."""
    of = frozenset(map(ord, PLAIN if act == "offer" else MARKLESS))
    if act != "talk":
        return many(of, MAX_TEXT)
    # The first is a dot where the shortest string is asked for.
    begun = choice(literal(chr(byte)) for byte in sorted(of - {32}, key=lambda byte: (byte != 46, byte)))
    return sequence(begun, many(of, MAX_TEXT - 1))


def _belief() -> list[Grammar]:
    parts: list[Grammar] = []
    for place, name in enumerate(BELIEF_POINTS + BELIEF_TENTHS):
        parts.append(literal(("," if place else ',"belief":{') + f'"{name}":'))
        parts.append(digits(LOW_POINTS, HIGH_POINTS) if name in BELIEF_POINTS else digits(0, 9))
    return [*parts, literal("}")]


def _signed(most: int) -> Grammar:
    """Whole numbers from ``-most`` to ``most``, without leading zeros."""
    sized = choice((digits(1, 9), digits(10, most)))
    return choice((literal("0"), sized, sequence(literal("-"), sized)))
