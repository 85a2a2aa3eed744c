"""Lines as tries of tokens: which tokens may go on, and how many of them need no choice.

A line is written as the tokenizer writes it when it stands alone, so each has one spelling, and its probability is that
of its tokens. This needs a tokenizer that never joins the end of one line to the beginning of the next; the check is
made for every block that is met.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from trainer.domains.diplomacy.answers import CLOSE, OPEN
from trainer.domains.diplomacy.lines import BlockPlace, Lines
from trainer.errors import BadInput
from trainer.learning.policy import Policy

KEPT = 4096
"""Tries, and blocks that were checked, are kept."""


class Node:
    """A beginning of some lines."""

    __slots__ = ("children", "line", "mask")

    def __init__(self) -> None:
        self.children: dict[int, Node] = {}
        self.line: int | None = None
        """Which line is whole here."""
        self.mask = -1
        """The number of the mask that allows the children; -1 until it is asked for."""


class Tries:
    """The tries of one vocabulary."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self.root = lru_cache(KEPT)(self._root)
        self.spelt = lru_cache(KEPT)(self._spelt)
        self.check = lru_cache(KEPT)(self._check)
        self.opening = self._spelt(OPEN)
        self.closing = (*self._spelt(CLOSE), policy.end)

    def mask(self, node: Node) -> int:
        """The number of the mask of a node."""
        if node.mask < 0:
            node.mask = self._policy.automaton.number_of(sorted(node.children))
        return node.mask

    def _root(self, lines: tuple[str, ...]) -> Node:
        """The trie of these lines, each with its end."""
        root = Node()
        for number, line in enumerate(lines):
            node = root
            for token in self.spelt(f"{line}\n"):
                node = node.children.setdefault(token, Node())
            node.line = number
        return root

    def _spelt(self, text: str) -> tuple[int, ...]:
        return tuple(self._policy.answer_tokens(text)[:-1])

    def _check(self, lines: Lines) -> None:
        """See that a block is spelt as its lines are.

        Raises:
            BadInput: where the tokenizer joins lines.
        """
        block = longest(lines)
        alone = [token for line in block for token in self.spelt(f"{line}\n")]
        whole = self._spelt(OPEN + "".join(f"{line}\n" for line in block) + CLOSE)
        if [*self.opening, *alone, *self.closing[:-1]] != list(whole):
            raise BadInput(
                f"{self._policy.base}: its tokenizer joins the lines of orders; one that keeps line breaks apart is needed"
            )


def longest(lines: Lines) -> list[str]:
    """The last choice at every place: a block that has as many different rows as any."""
    found: list[str] = []
    place: BlockPlace = lines.start
    while options := lines.options(place):
        line, place = options[0] if lines.due else options[-1]
        found.append(line)
    return found


def spelling(tries: Tries, lines: Lines, block: Sequence[str]) -> list[int]:
    """A whole orders block as it is written."""
    body = [token for line in block for token in tries.spelt(f"{line}\n")]
    return [*tries.opening, *body, *tries.closing]
