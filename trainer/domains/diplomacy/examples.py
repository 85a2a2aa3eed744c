"""Bots' turns as chats and answers: what a policy is taught before it plays by itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from negotiation.engine.diplomacy.orders import WAIVE, Order, text
from negotiation.engine.diplomacy.press.messages import Message, name
from trainer.datasets import Example
from trainer.domains.diplomacy.answers import CLOSE, OPEN
from trainer.domains.diplomacy.lines import Lines
from trainer.domains.diplomacy.pool import EXAMPLES, PoolSettings, bots_at_play
from trainer.domains.diplomacy.tables import Sample, Start
from trainer.domains.diplomacy.telling import Style, chat


@dataclass(frozen=True, slots=True)
class ExampleSettings:
    """Which turns are shown."""

    games: int = 80
    years: int = 6
    validation: float = 0.1
    """The share of the games kept apart to measure by."""


def examples(settings: ExampleSettings, style: Style, seed: int) -> dict[str, list[Example]]:
    """``train`` and ``valid``, of different games; every turn in which there was something to decide."""
    apart = max(1, round(settings.games * settings.validation))
    found = {}
    for part, games, shift in (("train", settings.games, 0), ("valid", apart, 1)):
        pool = PoolSettings(games=games, years=settings.years)
        found[part] = list(_shown(pool, style, 2 * seed + shift))
    return found


def _shown(pool: PoolSettings, style: Style, seed: int) -> Iterator[Example]:
    for start, sample in bots_at_play(pool, seed, EXAMPLES):
        yield Example(chat(start, style), answer(start, sample))


def answer(start: Start, sample: Sample) -> str:
    """A sample as the policy would have to write it."""
    return "".join(map(_press, sample.messages)) + OPEN + block(start.lines, sample.orders) + CLOSE


def block(lines: Lines, orders: tuple[Order, ...]) -> str:
    """Orders as the lines of a block, in the order in which they are due; what is left of a winter is waived."""
    given = {text(order) for order in orders if order.kind != WAIVE}
    found: list[str] = []
    place = lines.start
    while options := lines.options(place):
        line, place = next(
            ((line, after) for line, after in options if line in given),
            options[-1] if lines.due else options[0],
        )
        given.discard(line)
        found.append(f"{line}\n")
    return "".join(found)


def _press(message: Message) -> str:
    tag = message.tag.value if message.tag else "TRUTH"
    return (
        f"<communication><target>{name(message.target)}</target><truth_status>{tag}</truth_status>"
        f"<message_content>{message.text}</message_content></communication>\n"
    )
