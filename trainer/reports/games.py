"""Two games of the same deal side by side, to be read."""

from __future__ import annotations

import html
from collections.abc import Mapping

from negotiation.engine.deal import Move, Scenario
from negotiation.engine.shares import percent
from trainer.evaluation.records import GameRecord
from trainer.reports.page import Prose


def side_by_side(games: Mapping[str, GameRecord], title: str) -> Prose:
    """The games under their players' names."""
    columns = "".join(
        f"<div><h3>{html.escape(name)}: {_ending(record)}</h3><ol>{_moves(record)}</ol></div>"
        for name, record in games.items()
    )
    task = next(iter(games.values())).task
    intro = (
        f"<p>{html.escape(task.board.title)}, as the {task.seat}, against the {html.escape(task.persona)};"
        " a held-out deal. Brass is the apprentice, blue the persona.</p>"
    )
    return Prose(title, f'{intro}<div class="games">{columns}</div>')


def _ending(record: GameRecord) -> str:
    if not record.deal:
        return f"no deal after {record.turns} turns"
    return f"deal on turn {record.turns}, {percent(record.efficiency)} of the zone"


def _moves(record: GameRecord) -> str:
    return "".join(_move(move, record.task.board) for move in record.transcript)


def _move(move: Move, board: Scenario) -> str:
    said = html.escape(move.text)
    parts = []
    if move.accept:
        parts.append("<b>accepts</b>")
    elif move.walk_away:
        parts.append("<b>walks away</b>")
    elif move.offer is not None:
        parts.append(f"<b>{board.currency}{move.offer:,.0f}</b>")
    if move.card:
        parts.append(html.escape(f"plays {move.card.replace('_', ' ')}"))
    detail = f"<small>turn {move.turn}{', ' if parts else ''}{', '.join(parts)}</small>"
    side = "us" if move.side == "player" else "them"
    return f'<li class="{side}">{said}{detail}</li>'
