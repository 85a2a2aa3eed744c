"""From a person's words to what they do: sentence by sentence, without a model.

It hangs on the case file, on what was told and raised and on the words; on nothing that a game drew.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from negotiation.engine.deal.case.acts import Act, Talk
from negotiation.engine.deal.case.checks import MOST_TALK
from negotiation.engine.deal.case.declared import SeatCase
from negotiation.engine.deal.listening import cues
from negotiation.engine.deal.listening.asking import asked
from negotiation.engine.deal.listening.context import Context, context_of
from negotiation.engine.deal.listening.heard import SURE_FROM, Heard, Listening
from negotiation.engine.deal.listening.sentences import Sentence, sentences_of
from negotiation.engine.deal.listening.sheets import Match, Sheets, sheets_of
from negotiation.engine.deal.listening.telling import labelled, summarised, told
from negotiation.engine.language.cues import labels

_CONDITIONS: Final[tuple[Act, ...]] = ("isolate", "deflect", "ultimatum", "trade")
_PLAIN: Final[tuple[Act, ...]] = (
    "stall",
    "nibble",
    "flatter",
    "reasoned_step",
    "constraint",
    "disparage",
    "small_talk",
)
"""Acts that are heard by their words alone, the first that fits; conditions before anything of the case."""
_OF_OWN: Final = ("i ", "we ", "my ", "our ")
_SURE: Final = 0.85
_LONG: Final = 7
"""Words from which what stands before a question is something of its own."""
_FAREWELL, _WITHDRAWS, _INSULTS, _APOLOGISES = "farewell", "withdraw", "insult", "apologise"


def listen(
    text: str,
    *,
    speaker: SeatCase,
    listener: SeatCase,
    told: tuple[str, ...] = (),
    raised: tuple[str, ...] = (),
    last_line: str = "",
) -> Listening:
    """What a message of ``speaker`` does with words, for ``listener``.

    Args:
        told: ids of the facts that the listener has told, the latest last.
        raised: ids of the objections that the listener has raised.
        last_line: the listener's last words.
    """
    sentences = sentences_of(text)
    plain = [each.plain for each in sentences]
    takes_up = any(cues.acts().hears("takes_up", each) for each in plain)
    context = context_of(speaker, listener, told, raised, last_line, takes_up)
    sheets = sheets_of(speaker, listener)
    context = replace(context, mentions=_mentioned(sentences, sheets, {*told, *raised}))
    manners = labels("acts", plain or [""])
    shows = any(cues.acts().hears("show", each) for each in plain)
    found = [
        heard
        for at, each in enumerate(sentences)
        if len(sentences) == 1 or not cues.acts().hears("greets", each.plain)
        for heard in _heard(each, sheets, _in_its_place(context, sentences[:at]), shows)
    ]
    found += _manners(sentences)
    once = _once(found)
    return Listening(
        heard=tuple(each for each in once if each.confidence >= SURE_FROM)[:MOST_TALK],
        unsure=tuple(each for each in once if each.confidence < SURE_FROM)[:MOST_TALK],
        insult=_INSULTS in manners,
        wants_out=_FAREWELL in manners,
        withdraws=_WITHDRAWS in manners,
    )


def _in_its_place(context: Context, before: Sequence[Sentence]) -> Context:
    """The context of a sentence, with what stands before it in its message, unless that is about what was said."""
    long = any(len(each.spoken.split()) >= _LONG for each in before)
    return replace(context, goes_before=long and not context.mentions and not context.takes_up)


def _mentioned(sentences: Sequence[Sentence], sheets: Sheets, said: set[str]) -> frozenset[str]:
    """What the listener said before that a message names."""
    matches = (match for sentence in sentences for match in sheets.matches(sentence))
    return (
        frozenset(
            match.thing.id
            for match in matches
            if not match.thing.own
            and match.thing.kind in ("fact", "objection")
            and (match.named or match.cues)
        )
        & said
    )


def _heard(sentence: Sentence, sheets: Sheets, context: Context, shows: bool) -> Iterator[Heard]:
    """What one sentence does."""
    acts = cues.acts()
    if acts.hears("denies", sentence.plain) or _INSULTS in labels("acts", [sentence.plain]):
        return
    matches = sheets.matches(sentence)
    if acts.hears("summarise", sentence.plain) and (summary := summarised(sentence, matches, context)):
        yield from summary
        return
    if acts.hears("label", sentence.plain):
        one = labelled(sentence, matches, context)
    else:
        one = _one_thing(sentence, matches, context, shows)
    if one is not None:
        yield one


def _one_thing(sentence: Sentence, matches: Sequence[Match], context: Context, shows: bool) -> Heard | None:
    """A condition, something of the own sheet, another act by its words, or a question: the first that fits."""
    statement = told(sentence, matches, context, shows) if _states(sentence) else None
    condition = _by_words(sentence, _CONDITIONS)
    if condition == "trade" and statement is not None and not cues.acts().hears("if", sentence.plain):
        return statement  # "..., and you get one box a month" is an argument's way to end
    if condition is not None:
        return Heard(Talk(condition), _SURE, sentence.quote)
    if statement is not None:
        return statement
    act = _by_words(sentence, _PLAIN)
    return asked(sentence, matches, context) if act is None else Heard(Talk(act), _SURE, sentence.quote)


def _states(sentence: Sentence) -> bool:
    """Whether a sentence may put something on the table: any but a question, and one that supposes what it puts there or
    only ends like one ("we teach every shift, and you doubt that?")."""
    acts = cues.acts()
    if acts.hears("supposes", sentence.plain):
        return True
    asks = acts.hears("turned", sentence.plain) and acts.hears("question", sentence.plain)
    if asks or acts.hears("requests", sentence.plain):
        return False
    return not sentence.asks or sentence.plain.startswith(_OF_OWN)


def _by_words(sentence: Sentence, known: Sequence[Act]) -> Act | None:
    weighed = cues.acts().weigh(sentence.plain)
    return next((act for act in known if weighed.get(act, 0) >= 1), None)


def _manners(sentences: Sequence[Sentence]) -> Iterator[Heard]:
    """Apologies and withdrawals, which may stand beside anything else in a sentence."""
    for act in (_WITHDRAWS, _APOLOGISES):
        for sentence in sentences:
            if act in labels("acts", [sentence.plain]):
                yield Heard(Talk(act), _SURE, sentence.quote)  # type: ignore[arg-type]  # both are acts
                break


def _once(found: Sequence[Heard]) -> list[Heard]:
    """Each thing once, as it was heard most surely; in the order of the message."""
    best: dict[tuple[object, ...], Heard] = {}
    for each in found:
        key = each.talk.act, each.talk.topic, each.talk.id
        if key not in best or each.confidence > best[key].confidence:
            best[key] = each
    return list(best.values())
