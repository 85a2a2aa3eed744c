"""Which tokens may come next: a grammar over bytes, read by a vocabulary of byte strings.

Exact: a token is allowed if and only if some string of the language goes on with its bytes, and the end if and
only if what was written is complete. Masks are worked out once per remaining language by walking a trie of the
vocabulary, and kept. Where only the number of free characters that are left tells two languages apart, one walk serves
both: what is allowed is what would be without that limit, less the tokens that run over it.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch

from negotiation.opponents.protocol.grammar import (
    Grammar,
    Nothing,
    advance,
    advance_all,
    endless,
    may_end,
    shortest,
)

ENDED = -1


class _Node:
    """What tokens go on with from here."""

    __slots__ = ("children", "tokens")

    def __init__(self) -> None:
        self.children: dict[int, _Node] = {}
        self.tokens: list[int] = []


class TokenAutomaton:
    """The states of all grammars met so far, over one vocabulary.

    Args:
        vocabulary: the bytes of each token; ``None`` for one that is never written, such as padding.
        end: the token that ends an answer.
    """

    def __init__(self, vocabulary: Sequence[bytes | None], end: int) -> None:
        self.size = len(vocabulary)
        self._end = end
        self._root = _Node()
        self._bytes = vocabulary
        for token, text in enumerate(vocabulary):
            if text and token != end:
                node = self._root
                for byte in text:
                    node = node.children.setdefault(byte, _Node())
                node.tokens.append(token)
        self._states: list[Grammar] = []
        self._numbers: dict[Grammar, int] = {}
        self._steps: dict[tuple[int, int], int] = {}
        self._mask_of: dict[int, int] = {}
        self._masks: list[torch.Tensor] = []
        self._same: dict[bytes, int] = {}
        self._runs: dict[frozenset[int], torch.Tensor] = {}
        self._elsewhere: dict[torch.device, dict[int, torch.Tensor]] = {}

    def start(self, grammar: Grammar) -> int:
        """The state in which all of ``grammar`` is still to be written."""
        number = self._numbers.get(grammar)
        if number is None:
            number = self._numbers[grammar] = len(self._states)
            self._states.append(grammar)
        return number

    def step(self, state: int, token: int) -> int:
        """The state after ``token``, which the state allows; :data:`ENDED` after the end.

        Raises:
            ValueError: for a token that the state does not allow.
        """
        if token == self._end:
            return ENDED
        known = self._steps.get((state, token))
        if known is not None:
            return known
        after = advance_all(self._states[state], self._bytes[token] or b"\xff")
        if isinstance(after, Nothing):
            raise ValueError(f"token {token} is not allowed here")
        known = self._steps[state, token] = self.start(after)
        return known

    def mask_number(self, state: int) -> int:
        """Which of :attr:`masks` holds in ``state``; equal masks have equal numbers."""
        number = self._mask_of.get(state)
        if number is None:
            number = self._mask_of[state] = self._number_of_state(self._states[state])
        return number

    def number_of(self, tokens: Sequence[int]) -> int:
        """The number of the mask that allows just these tokens."""
        allowed = torch.zeros(self.size, dtype=torch.bool)
        allowed[list(tokens)] = True
        return self._kept(allowed)

    def _number_of_state(self, grammar: Grammar) -> int:
        limited = endless(grammar)
        if limited is None:
            return self.number_of(self._allowed(grammar))
        without, of, most = limited
        unlimited = self._masks[self.mask_number(self.start(without))]
        return self._kept(unlimited & (self._runs_of(of) <= most))

    def _runs_of(self, of: frozenset[int]) -> torch.Tensor:
        """How many bytes out of ``of`` each token begins with."""
        if of not in self._runs:
            runs = (
                next((place for place, byte in enumerate(text) if byte not in of), len(text))
                for text in (text or b"" for text in self._bytes)
            )
            self._runs[of] = torch.tensor(list(runs))
        return self._runs[of]

    def _kept(self, allowed: torch.Tensor) -> int:
        number = self._same.setdefault(allowed.numpy().tobytes(), len(self._masks))
        if number == len(self._masks):
            self._masks.append(allowed)
        return number

    def masks(self, numbers: Sequence[int], device: torch.device | None = None) -> torch.Tensor:
        """Masks by their numbers; shape ``(len(numbers), vocabulary)``, true where a token is allowed.

        Args:
            device: where they are wanted, and stay: each goes there once.
        """
        if device is None or device.type == "cpu":
            return torch.stack([self._masks[number] for number in numbers])
        there = self._elsewhere.setdefault(device, {})
        for number in numbers:
            if number not in there:
                there[number] = self._masks[number].to(device)
        return torch.stack([there[number] for number in numbers])

    def first_refused(self, grammar: Grammar, tokens: Sequence[int]) -> int | None:
        """The place of the first token that leaves the language; ``None`` when all of them may stand."""
        state = self.start(grammar)
        for place, token in enumerate(tokens):
            if token >= self.size or not self._masks[self.mask_number(state)][token]:
                return place
            state = self.step(state, token)
        return None

    def ending(self, state: int) -> str:
        """A shortest text that completes what was written; empty once it has ended."""
        return "" if state == ENDED else shortest(self._states[state]).decode()

    def _allowed(self, grammar: Grammar) -> list[int]:
        found = [self._end] if may_end(grammar) else []
        stack = [(self._root, grammar)]
        while stack:
            node, left = stack.pop()
            for byte, child in node.children.items():
                after = advance(left, byte)
                if not isinstance(after, Nothing):
                    found.extend(child.tokens)
                    stack.append((child, after))
        return found
