"""The apprentice's vocabulary: what a small model has to learn to write."""

from __future__ import annotations

from trainer.learning.apprentice import make_tokenizer
from trainer.learning.recipes import APART

BEGIN = '{"act":"offer","offer":368,"card":"none","belief":{"limit":391,"budget":397,"urgency":4,"alternative":6,"sure":'
LINES = ("", "We can do {offer}.", "Help me see why I should move again.")


def answers(fields: str) -> list[str]:
    return [f'{BEGIN}{sure}}}{fields},"text":"{line}"}}' for sure in range(10) for line in LINES]


def test_a_headline_and_a_claim_at_once_are_answered_in_tokens_that_each_alone_has_taught() -> None:
    apart = [
        *answers(""),
        *answers(',"event":-7'),
        *answers(',"challenge":true'),
        *answers(',"challenge":false'),
    ]
    tokenizer = make_tokenizer(apart * 20, 1536, APART)
    taught = {token for answer in apart for token in tokenizer(answer)["input_ids"]}
    together = [*answers(',"event":-7,"challenge":true'), *answers(',"event":-7,"challenge":false')]
    for answer in together:
        tokens = tokenizer(answer)["input_ids"]
        assert set(tokens) <= taught
        assert tokenizer.decode(tokens) == answer
    words = {tokenizer.decode([token]) for token in taught}
    assert {',"challenge":true', ',"challenge":false', "}"} <= words
