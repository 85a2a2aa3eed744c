"""Free words under the mask: as long as the protocol takes them, for every vocabulary, and no end of a run."""

from __future__ import annotations

import pytest
import torch

from negotiation.opponents.protocol.grammar import Grammar, advance_all, literal, many, sequence
from negotiation.opponents.protocol.schema import MAX_TEXT
from trainer.domains.deal.games import DealGames
from trainer.domains.deal.tables import OpenTables
from trainer.domains.deal.tasks import DealCurriculum, Mixture
from trainer.learning.masks import TokenAutomaton
from trainer.learning.policy import load
from trainer.learning.rollout import Sampling, roll_out

from .toy import WordGames, WordTask, make_base, make_deal_base, make_policy

END = 0
VOCABULARY = [
    None,
    *(bytes([byte]) for byte in range(32, 127)),
    b"ab",
    b"a   ",
    b'ab"}',
    b'"}',
    b"abcdefgh",
    b'a"',
]


def walked(grammar: Grammar) -> set[int]:
    """What may come next, token by token."""
    return set(TokenAutomaton(VOCABULARY, END)._allowed(grammar))


@pytest.mark.parametrize("written", [0, 1, 5, 291, 292, 293, 297, 298, 299, 300])
def test_a_mask_near_the_limit_is_what_a_walk_of_the_vocabulary_finds(written) -> None:
    of = frozenset(range(32, 127)) - frozenset(b'"\\')
    grammar = advance_all(sequence(many(of, MAX_TEXT), literal('"}')), b"a" * written)
    automaton = TokenAutomaton(VOCABULARY, END)
    mask = automaton.masks([automaton.mask_number(automaton.start(grammar))])[0]
    assert set(mask.nonzero()[:, 0].tolist()) == walked(grammar)
    assert bool(mask[VOCABULARY.index(b"abcdefgh")]) == (written + 8 <= MAX_TEXT)


def test_the_vocabulary_is_walked_once_for_all_lengths(monkeypatch) -> None:
    walks = []
    walk = TokenAutomaton._allowed

    def counted(self: TokenAutomaton, grammar: Grammar) -> list[int]:
        walks.append(grammar)
        return walk(self, grammar)

    monkeypatch.setattr(TokenAutomaton, "_allowed", counted)
    of = frozenset(range(32, 127)) - frozenset(b'"\\')
    grammar = sequence(many(of, MAX_TEXT), literal('"}'))
    automaton = TokenAutomaton(VOCABULARY, END)
    for written in range(MAX_TEXT):
        automaton.mask_number(automaton.start(advance_all(grammar, b"a" * written)))
    assert len(walks) == 1


def test_an_untaught_model_with_words_of_its_own_plays_to_the_end(tmp_path) -> None:
    torch.set_num_threads(1)
    policy = load(make_deal_base(tmp_path))
    tasks = DealCurriculum(Mixture(), 0).held_out(12)
    games = DealGames(OpenTables(style="full"), style="full")
    sampling = Sampling(decoding="masked", most=700, temperature=1.0)
    # A seed with which one of the twelve writes to the very end of what it may; with most it does.
    played = roll_out(policy, games, tasks, sampling, torch.Generator().manual_seed(2))
    assert all(episode.facts for episode in played)
    assert not any(episode.refused for episode in played)
    said = [decision.text for decisions in games.decisions for decision in decisions]
    assert max(map(len, said)) == 300


class Stubborn(WordGames):
    """Refuses one word that its own grammar has."""

    def play(self, answers):
        return super().play({place: text if text != "mid" else "no" for place, text in answers.items()})


def test_a_game_that_refuses_its_own_grammar_ends_no_run(tmp_path) -> None:
    policy = make_policy(make_base(tmp_path))
    tasks = [WordTask(rounds=4)] * 8
    sampling = Sampling(decoding="masked", most=8, temperature=1.0)
    played = roll_out(policy, Stubborn(), tasks, sampling, torch.Generator().manual_seed(2))
    refused = sum(episode.refused for episode in played)
    assert refused > 0
    assert sum(not row.written.drawn for episode in played for row in episode.rows) == refused
    assert not any(episode.failed for episode in played)
    assert all(len(episode.rows) == 4 for episode in played)
