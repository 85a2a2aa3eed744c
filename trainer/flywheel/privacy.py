"""Examples hold what people said, and not who they are."""

from __future__ import annotations

import re
from dataclasses import replace

from django.utils.crypto import salted_hmac

from accounts.models import User
from negotiation.engine.deal import Action, Observation

GONE = "[name]"
ADDRESS = re.compile(r"[\w.+-]{1,64}+@[\w-]+\.[\w.]+")
"""Before the @ as many characters as an address may have: without an end, a long word would be read once from each of its
letters."""
TELEPHONE = re.compile(r"\+\d[\d ()./-]{6,}\d|\(\d{2,5}\)[\d ./-]{4,}\d")
"""Only what begins like a telephone number: bare groups of digits are sums of money here."""
SHORTEST_NAME = 3


def person_key(user: User) -> str:
    """Sixteen hexadecimal digits that stand for a person: the same in every example, leading back from none."""
    return salted_hmac("trainer.flywheel.person", str(user.pk), algorithm="sha256").hexdigest()[:16]


class Anonymiser:
    """Takes a player's name, addresses and telephone numbers out of what was said.

    Args:
        names: as the house knows them; each word of them goes, in any case.
    """

    def __init__(self, *names: str) -> None:
        words = {word for name in names for word in re.findall(r"\w+", name) if len(word) >= SHORTEST_NAME}
        listed = "|".join(sorted(map(re.escape, words), key=len, reverse=True))
        self._name = re.compile(rf"\b(?:{listed})\b", re.IGNORECASE) if words else None

    def text(self, said: str) -> str:
        """The words without whoever said them."""
        if "@" in said:
            said = ADDRESS.sub("[address]", said)
        said = TELEPHONE.sub("[number]", said)
        return self._name.sub(GONE, said) if self._name else said

    def action(self, action: Action) -> Action:
        """The same of a move."""
        return replace(action, text=self.text(action.text))

    def observation(self, seen: Observation) -> Observation:
        """The same of everything that was said at a table."""
        moves = tuple(replace(move, text=self.text(move.text)) for move in seen.transcript)
        return replace(seen, transcript=moves)


def anonymiser_of(user: User) -> Anonymiser:
    """For one player. An account without a name is called by its address, so that goes too."""
    return Anonymiser(user.get_full_name())
