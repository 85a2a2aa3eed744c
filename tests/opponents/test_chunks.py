"""A streamed answer, line by line."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from negotiation.opponents.chunks import NOTHING, BadChunk, Chunk, chunk_of
from negotiation.opponents.client import ModelClient, Question, Server, Unavailable
from tests.opponents.model_double import Said, speaking


def line(**told: object) -> str:
    return f"data: {json.dumps(told)}"


def test_text_ending_and_count_are_read() -> None:
    piece = {"index": 0, "delta": {"content": " we"}, "finish_reason": None}
    assert chunk_of(line(choices=[piece])) == Chunk(" we")
    assert chunk_of(line(choices=[{**piece, "delta": {}, "finish_reason": "stop"}])) == Chunk("", "stop")
    assert chunk_of(line(choices=[], usage={"completion_tokens": 7})) == Chunk(tokens=7)
    assert chunk_of(line(choices=[piece], usage={"completion_tokens": 3})) == Chunk(" we", None, 3)
    assert chunk_of(line(choices=[{"delta": {"role": "assistant", "content": None}}], usage=None)) == NOTHING


@pytest.mark.parametrize("quiet", ["", ": a comment", "event: message", "data: [DONE]", "data:", "id: 4"])
def test_what_is_no_chunk_adds_nothing(quiet: str) -> None:
    assert chunk_of(quiet) == NOTHING


@pytest.mark.parametrize(
    "odd",
    [
        'data: {"error": {"message": "out of memory"}}', "data: {", "data: []", "data: 3",
        'data: {"choices": 3}', 'data: {"choices": [3]}', 'data: {"usage": {}}',
    ],
)  # fmt: skip
def test_an_error_or_nonsense_in_its_place_is_told(odd: str) -> None:
    with pytest.raises(BadChunk):
        chunk_of(odd)


@given(st.text())
def test_any_text_comes_through_whole(text: str) -> None:
    assert chunk_of(line(choices=[{"delta": {"content": text}}])).piece == text


@given(st.text())
def test_any_line_is_a_chunk_or_a_bad_one(text: str) -> None:
    try:
        chunk_of("data: " + text)
    except BadChunk:
        assert text.strip()


@pytest.mark.parametrize(("after", "asked"), [(0, 3), (1, 1)])
async def test_an_error_in_mid_stream_ends_the_answer(after: int, asked: int) -> None:
    """Before the first word it is asked again, after it what was half said is given up."""
    async with speaking(lambda body: Said(("We ", "can"), reports_error_after=after)) as double:
        client = ModelClient(Server(double.url))
        with pytest.raises(Unavailable, match="reported an error"):
            await client.ask(Question("m", [{"role": "user", "content": "Well?"}]), until=client.deadline())
        await client.close()
    assert len(double.asked) == asked
