"""An opponent in the player's seat: how any two of them can meet at one table, and from both sides of it.

The guest plays at a table of its own, the twin, where it sits across as always and where whoever it meets is the player.
Both tables hold the same truth; what is said at one is said at the other.
"""

from __future__ import annotations

from dataclasses import replace

from negotiation.engine.deal import OTHER_SEAT, Action, ActionRefused, Move, Negotiation, Reply
from negotiation.opponents.base import Account, Opponent

GREETING = "Good to meet you. Shall we begin?"


class Guest:
    """One opponent as the player of one game.

    Args:
        opponent: who decides and speaks.
        persona: in whose character it does.
        host: the table at which it is the player.
    """

    def __init__(self, opponent: Opponent, persona: str, host: Negotiation) -> None:
        self._opponent = opponent
        self._host = host
        self._twin = Negotiation(
            host.scenario, persona, OTHER_SEAT[host.seat], host.seed, horizon=host.horizon + 1
        )

    async def act(self) -> tuple[Action, Account | None]:
        """The guest's next move at the host's table, and how it was found."""
        heard = _last_of_opponent(self._host)
        opening = self._twin.opening
        if heard is None:
            if opening is None:
                return Action(text=GREETING), None
            return Action(text=opening.text, offer=opening.offer, terms=opening.terms), None
        said = _as_player(heard)
        if self._host.observe().standing_offer is None:
            # News may have let it lapse since: taken at the twin, it would end that table and not the host's.
            said = replace(said, offer=None, terms={})
        said = playable(self._twin, said)
        self._twin.follow_events(self._host)
        answer = await self._opponent.reply(table=self._twin, action=said, game=f"guest-{self._host.seed}")
        reply = self._twin.step(said, answer.reply, words=answer.words).reply
        return playable(self._host, _as_action(reply)), answer.account


def _last_of_opponent(host: Negotiation) -> Move | None:
    return next((move for move in reversed(host.observe().transcript) if move.side == "opponent"), None)


def _as_player(move: Move) -> Action:
    return Action(
        text=move.text or GREETING, offer=move.offer, card=move.card, claim=move.claim, terms=move.terms
    )


def _as_action(reply: Reply) -> Action:
    if reply.accept:
        return Action(accept=True)
    if reply.walk_away:
        return Action(walk_away=True)
    return Action(
        text=reply.text or GREETING,
        offer=reply.offer,
        card=reply.card,
        claim=reply.claim,
        challenge=reply.challenge or None,
        terms=reply.terms,
    )


def playable(table: Negotiation, action: Action) -> Action:
    """``action``, or as much of it as the table takes: cards may be spent on one side and not on the other."""
    plain = replace(action, card=None, claim=None, challenge=None)
    for tried in (action, plain, Action(text=GREETING, offer=action.offer, terms=action.terms)):
        try:
            table.check(tried)
        except ActionRefused:
            continue
        return tried
    return Action(text=GREETING)
