"""Who may speak across a new table: the strategist alone, or a model where a server is configured and answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from django.conf import settings

from negotiation.models import Game
from negotiation.serving import health, selectors

PATIENCE = 10.0
"""Seconds for which a page trusts the last look at the server."""


@dataclass(frozen=True, slots=True)
class Voice:
    """One choice. ``value`` is what the form sends; ``opponent`` and ``model`` are what the game is set up with.

    ``by_persona`` names the models that speak for a persona in place of ``model``.
    """

    value: str
    title: str
    words: str
    opponent: str
    model: str = ""
    rating: int | None = None
    deviation: int | None = None
    certificate: str = ""
    """The page that tells what it learnt from, and what it passed."""
    by_persona: Mapping[str, str] = field(default_factory=dict)

    def model_for(self, persona: str) -> str:
        """Who speaks for ``persona``."""
        return self.by_persona.get(persona, self.model)


STRATEGIST = Voice(
    "strategic",
    "The strategist",
    "Decides and speaks by itself, and answers at once.",
    Game.Opponent.STRATEGIC,
)


def voices() -> list[Voice]:
    """The choices, the strategist first; empty where there is nothing to choose."""
    if not settings.MODEL_URL:
        return []
    offered = selectors.offered()
    # What came onto the server since the last look is looked for at once: a promotion keeps nobody waiting.
    seen = health.look(max_age=PATIENCE, awaited=frozenset((each.name, each.loaded_at) for each in offered))
    if not seen.answers:
        return []
    free = Voice(
        "narrated",
        "In free words",
        f"The strategist decides, the model {settings.MODEL_NAME} finds the words. It can’t be talked out of its limits."
        f" {settings.MODEL_NOTE}".rstrip(),
        Game.Opponent.NARRATED,
        settings.MODEL_NAME,
        by_persona={persona: name for persona, name in settings.MODEL_VOICES.items() if name in seen.names},
    )
    trained = [
        Voice(
            f"negotiator:{adapter.name}",
            adapter.title,
            f"The model {adapter.name} decides and speaks, inside limits that it can’t cross."
            f" {settings.MODEL_NOTE}".rstrip(),
            Game.Opponent.NEGOTIATOR,
            adapter.name,
            None if adapter.rating is None else round(adapter.rating),
            None if adapter.deviation is None else round(2 * adapter.deviation),
            adapter.certificate,
        )
        for adapter in offered
        if adapter.name in seen.names
    ]
    # A model that has learnt the brief figures of a trained one has no words to lend.
    has_words = settings.MODEL_STYLE == "full" and settings.MODEL_NAME in seen.names
    return [STRATEGIST, *([free] if has_words else []), *trained]


def at_hand() -> list[Voice]:
    """What a new deal may be set up with now: the strategist, always, and the models that answer."""
    return voices() or [STRATEGIST]


def named(value: str, among: Sequence[Voice]) -> Voice | None:
    """The choice with this value, where it is one of them."""
    return next((voice for voice in among if voice.value == value), None)
