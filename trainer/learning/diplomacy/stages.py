"""Writing an answer in two stages: free words under a cap of their own, then orders that can all be played.

The first stage draws from the whole vocabulary but the special tokens, until the orders are opened or the cap is
reached. The second opens them where that was not done and goes along the tries of the lines that are due. Where a trie
has one way on, its token is appended: it is fed together with the next token that is drawn, so it costs no pass of its
own, and it is not learnt from. Each token drawn keeps the mask it was drawn under, and its log-probability under it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

from trainer.domains.diplomacy.answers import OPEN
from trainer.domains.diplomacy.games import OrdersPosition
from trainer.domains.diplomacy.lines import BlockPlace, Lines
from trainer.domains.games import EpisodePosition
from trainer.learning.decoding import Stream, WrittenAnswer, left_padded
from trainer.learning.diplomacy.tries import Node, Tries
from trainer.learning.policy import Policy
from trainer.learning.rollout import Sampling

OPENED = OPEN.rstrip("\n").rstrip(">").encode()
"""What of the opening is enough to know it by."""
FORCED = -1
"""The number of no mask."""


class TwoStages:
    """Writes answers of one policy.

    Args:
        free: the most tokens of the first stage; 0 for orders alone.
    """

    def __init__(self, policy: Policy, free: int) -> None:
        self.tries = Tries(policy)
        self._policy = policy
        self._free = free
        plain = [token for token, text in enumerate(policy.spellings) if text]
        self._words = policy.automaton.number_of(plain)

    def __call__(
        self,
        policy: Policy,
        prompts: Sequence[list[int]],
        positions: Sequence[EpisodePosition],
        sampling: Sampling,
        generator: torch.Generator,
        model: Any,
    ) -> list[WrittenAnswer]:
        """As the loop asks."""
        luck = torch.rand((len(prompts), self.most(positions)), generator=generator, dtype=torch.float64)
        lines = [position.lines for position in positions if isinstance(position, OrdersPosition)]
        written: list[WrittenAnswer] = self.write(prompts, lines, sampling.temperature, luck, model)
        return written

    def most(self, positions: Sequence[EpisodePosition]) -> int:
        """At most so many tokens of an answer are drawn: the free ones, and a handful a line."""
        rows = max(
            (len(position.lines.rows) for position in positions if isinstance(position, OrdersPosition)),
            default=0,
        )
        return self._free + 16 * (rows + 1)

    @torch.inference_mode()  # type: ignore[untyped-decorator]
    def write(
        self,
        prompts: Sequence[Sequence[int]],
        lines: Sequence[Lines],
        temperature: float,
        luck: torch.Tensor,
        model: Any = None,
    ) -> list[WrittenAnswer]:
        """Answer every prompt.

        Args:
            lines: what each answer's orders are written from.
            temperature: 0 takes the likeliest token.
            luck: (prompts, tokens): uniform on [0, 1), one for each token that is drawn.
            model: a merged copy of the policy's.
        """
        for each in lines:
            self.tries.check(each)
        used = self._policy.model if model is None else model
        device = next(used.parameters()).device
        decoders = [_ConstrainedDecoder(self, each) for each in lines]
        stream = Stream(used)
        logits = stream.first(*left_padded(prompts, self._policy.pad, device))
        for decoder in decoders:
            decoder.force()
        while True:
            # What was forced stands between the last token drawn and the next one to draw.
            if any(decoder.unread for decoder in decoders):
                logits = stream.feed(
                    *left_padded([decoder.take() for decoder in decoders], self._policy.pad, device)
                )
            waiting = [row for row, decoder in enumerate(decoders) if not decoder.ended]
            if not waiting:
                return [decoder.written for decoder in decoders]
            _draw(logits.float().cpu(), [decoders[row] for row in waiting], waiting, self, temperature, luck)

    @property
    def vocabulary(self) -> list[bytes | None]:
        return self._policy.spellings

    @property
    def words(self) -> int:
        """The mask of the first stage."""
        return self._words

    @property
    def free(self) -> int:
        return self._free

    def allowed(self, numbers: Sequence[int]) -> torch.Tensor:
        """Masks by number."""
        return self._policy.automaton.masks(numbers)


@dataclass(slots=True)
class _ConstrainedDecoder:
    """One answer being written."""

    stages: TwoStages
    lines: Lines
    written: WrittenAnswer = field(default_factory=WrittenAnswer)
    unread: list[int] = field(default_factory=list)
    """Tokens that the model has not been fed yet."""
    place: BlockPlace = field(default_factory=lambda: BlockPlace(0, None))
    node: Node | None = None
    """Where the trie stands; none in the first stage."""
    tail: bytes = b""
    drawn: int = 0

    @property
    def ended(self) -> bool:
        return self.written.ended

    @property
    def mask(self) -> int:
        """The mask of the next token."""
        return self.stages.words if self.node is None else self.stages.tries.mask(self.node)

    def take(self) -> list[int]:
        """What is to be fed now."""
        unread, self.unread = self.unread, []
        return unread

    def put(self, token: int, logprob: float) -> None:
        """A token that was drawn."""
        self._append(token, logprob, self.mask, forced=False)
        self.drawn += 1
        if self.node is None:
            self.tail += self.stages.vocabulary[token] or b""
        else:
            self.node = self.node.children[token]
        self.force()

    def force(self) -> None:
        """Append all that needs no choice."""
        if self.node is None:
            self._open()
        while self.node is not None and not self.ended:
            if self.node.line is not None:
                _, self.place = self.lines.options(self.place)[self.node.line]
                self._next_line()
            elif len(self.node.children) == 1:
                ((token, self.node),) = self.node.children.items()
                self._force(token)
            else:
                return

    def _open(self) -> None:
        """End the first stage where the orders have been opened, or where there is no more room for words."""
        opening = OPEN.encode()
        at = self.tail.rfind(OPENED)
        begun = self.tail[at:] if at >= 0 else b""
        if begun and opening.startswith(begun):
            rest = self.stages.tries.spelt(opening[len(begun) :].decode()) if begun != opening else ()
        elif self.drawn >= self.stages.free:
            # A line of its own, so that nothing said before can be taken for part of it.
            rest = (
                (*self.stages.tries.spelt("\n"), *self.stages.tries.opening)
                if self.drawn
                else self.stages.tries.opening
            )
        else:
            return
        for token in rest:
            self._force(token)
        self.place = self.lines.start
        self._next_line()

    def _next_line(self) -> None:
        """Go to the trie of the next line, or close the block."""
        options = self.lines.options(self.place)
        if options:
            self.node = self.stages.tries.root(tuple(line for line, _ in options))
            return
        for token in self.stages.tries.closing:
            self._force(token)
        self.written.ended = True

    def _force(self, token: int) -> None:
        self._append(token, 0.0, FORCED, forced=True)

    def _append(self, token: int, logprob: float, mask: int, *, forced: bool) -> None:
        self.written.tokens.append(token)
        self.written.logprobs.append(logprob)
        self.written.masks.append(mask)
        self.written.forced.append(forced)
        self.unread.append(token)


def _draw(
    logits: torch.Tensor,
    decoders: Sequence[_ConstrainedDecoder],
    rows: Sequence[int],
    stages: TwoStages,
    temperature: float,
    luck: torch.Tensor,
) -> None:
    """One token for each of these rows, by the inverse of the cumulative distribution under its mask."""
    allowed = stages.allowed([decoder.mask for decoder in decoders])
    own = logits[list(rows), : allowed.shape[1]].masked_fill(~allowed, -torch.inf)
    logprobs = torch.log_softmax(own / (temperature or 1.0), dim=-1)
    if temperature == 0:
        chosen = logprobs.argmax(dim=-1)
    else:
        sums = logprobs.double().exp().cumsum(dim=-1)
        numbers = torch.stack([luck[row, decoder.drawn] for row, decoder in zip(rows, decoders, strict=True)])
        chosen = torch.searchsorted(sums, numbers[:, None] * sums[:, -1:], right=True)[:, 0]
        # Rounding may lead past the last token that is possible.
        last = allowed.shape[1] - 1 - allowed.flip(dims=[1]).int().argmax(dim=1)
        chosen = torch.minimum(chosen, last)
    for decoder, token, logprob in zip(
        decoders, chosen.tolist(), logprobs.gather(1, chosen[:, None])[:, 0].tolist(), strict=True
    ):
        decoder.put(token, logprob)
