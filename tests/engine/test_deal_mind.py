"""The personas: every number acts, each in character."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from negotiation.engine.deal import (
    Action,
    CardId,
    Negotiation,
    personas,
)
from tests.engine.players import table


@pytest.mark.parametrize(
    "field",
    [f.name for f in fields(personas()["shark"]) if f.type in ("float", float)],
)
def test_every_number_of_a_persona_acts(field) -> None:
    """Changing one number of a character changes what happens at the table."""

    def story(persona: object) -> list[object]:
        told: list[object] = []
        for seed in range(25):
            game = Negotiation("saas_enterprise", persona, "seller", seed, speak=False)  # type: ignore[arg-type]
            for turn in range(18):
                if game.done:
                    break
                text = "What matters to you?" if turn % 2 else "I understand."
                card: CardId | None = "anchor_high" if turn == 0 else None
                pace = 2_500 if seed % 2 else 0  # half of the games give it nothing to stay for
                offer = 180_000.0 - pace * turn
                game.step(Action(text=f"{text} {'.' * turn}", offer=offer, card=card))
            told.append((game.truth.opponent, [m.offer for m in game.observe().transcript], game.outcome))
        return told

    base = personas()["veteran" if field in ("patience", "bluff_rate") else "diplomat"]
    value = getattr(base, field)
    changed = replace(base, **{field: value + 0.3 if value < 0.6 else value - 0.3})
    assert story(base) != story(changed)


def test_the_shark_opens_at_least_thirty_per_cent_beyond_the_middle_and_does_not_move_first() -> None:
    for seed in range(40):
        game = table(persona="shark", seed=seed)
        middle = game.scenario.nominal_middle
        assert game.opening is not None
        assert game.opening.offer is not None
        assert game.opening.offer <= 0.7 * middle + game.scenario.step
        step = game.step(Action(offer=185_000.0))
        assert step.reply.offer == game.opening.offer


def test_absurd_offers_are_answered_not_taken_silently() -> None:
    game = Negotiation("acquisition_term_sheet", "shark", "buyer", 3)
    step = game.step(Action(offer=1.0))
    assert not step.done
    assert step.reply.text
    assert not step.reply.accept
    gift = Negotiation("acquisition_term_sheet", "shark", "seller", 3).step(Action(offer=1.0))
    assert gift.done or gift.reply.text
