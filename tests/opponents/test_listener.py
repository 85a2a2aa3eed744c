"""A model that reads talk: what it proposes counts only as far as the words, the case and the house reader bear it out."""

from __future__ import annotations

import json
from typing import Any

import pytest

from negotiation.engine.deal.case.acts import Talk
from negotiation.engine.deal.case.checks import check_talk
from negotiation.engine.deal.case.file import cases
from negotiation.engine.deal.listening import Listening, hear, listen
from negotiation.engine.deal.listening.proposed import BOTH, Entry, parse_proposal, proposal_schema, weighed
from negotiation.opponents.client import ModelClient, Server
from negotiation.opponents.listener import HeardBy, ModelListener
from tests.opponents.model_double import PATIENCE, Body, Said, speaking
from tests.servers import ModelServer

CASE = cases()["saas_enterprise"]
SELLER, BUYER = CASE.seats["seller"], CASE.seats["buyer"]


def entry(act: str, topic: str | None, quote: str, id_: str | None = None, **more: Any) -> dict[str, Any]:
    return {
        "act": act,
        "topic": topic,
        "id": id_,
        "objection": None,
        "negated": False,
        "quote": quote,
        **more,
    }


def both(
    text: str, *entries: dict[str, Any], told: tuple[str, ...] = (), raised: tuple[str, ...] = ()
) -> Listening:
    """What a seller's message comes to, with such a proposal."""
    house = listen(text, speaker=SELLER, listener=BUYER, told=told, raised=raised)
    parsed = parse_proposal(json.dumps({"talk": list(entries)}))
    assert parsed is not None
    heard = weighed(parsed, text, house, speaker=SELLER, listener=BUYER, told=told, raised=raised)
    check_talk(heard.talk, CASE, "seller")
    return heard


def test_an_idiom_that_the_house_does_not_know_counts_by_the_model() -> None:
    text = "Whose neck is on the line here?"
    assert listen(text, speaker=SELLER, listener=BUYER).talk == ()
    assert both(text, entry("ask_open", "authority", text)).talk == (Talk("ask_open", "authority"),)


@pytest.mark.parametrize(
    "wrong",
    [
        entry("ask_open", "authority", "Who signs this?"),
        entry("ask_open", None, "The table is round."),
        entry("label", None, "The table is round."),
        entry("argue", "rollout", "The table is round.", "no_such_argument"),
        entry("disclose", "support", "The table is round.", "retyping"),
        entry("argue", "support", "The table is round.", "never_down"),
        entry("ultimatum", None, "The table is round."),
        entry("withdraw", None, "The table is round."),
        entry("disparage", None, "The table is round."),
        entry("ask_proof", "alternative", "The table is round.", "rival"),
        entry("disclose", "support", "The table is round.", "outage", negated=True),
    ],
)
def test_what_words_case_or_house_do_not_bear_out_does_not_count(wrong: dict[str, Any]) -> None:
    assert both("The table is round.", wrong).talk == ()


def test_a_thing_of_the_sheet_without_its_words_is_asked_about() -> None:
    text = "We had a rough evening in summer."
    heard = both(text, entry("disclose", "support", text, "outage"))
    assert heard.talk == ()
    assert [each.talk for each in heard.unsure] == [Talk("disclose", "support", "outage")]


def test_a_fact_denied_is_not_told_whatever_the_model_says() -> None:
    text = "We were not down for a night in August, no grocery chain called."
    assert both(text, entry("disclose", "support", text, "outage")).talk == ()


def test_the_engine_says_how_an_argument_was_put_and_of_which_topic_it_is() -> None:
    text = "There is a clause about that, no need to fear."
    put = entry("prove", "payment", text, "cap", objection="renewal")
    assert both(text, put, raised=("renewal",)).talk == (Talk("prove", "legal", "cap"),)
    put = entry("argue", "payment", text, "cap", objection="renewal")
    assert both(text, put, raised=("renewal",)).talk == (Talk("answer", "legal", "cap"),)
    assert both(text, put).talk == (Talk("argue", "legal", "cap"),)


def test_where_both_agree_it_is_surer_and_where_the_house_is_sure_its_subject_stands() -> None:
    text = "Who signs on your side?"
    house = listen(text, speaker=SELLER, listener=BUYER)
    agreed = both(text, entry("ask_open", "authority", text))
    assert agreed.talk == house.talk
    assert agreed.heard[0].confidence >= BOTH
    text = "Give it another month and I walk, take it or leave it."
    against = both(text, entry("ask_open", "risk", text))
    assert against.talk == (Talk("ultimatum"),)


@pytest.mark.parametrize(
    "written",
    [
        "",
        "no JSON",
        "[]",
        '{"talk": {}}',
        '{"talk": [{}]}',
        '{"talk": [], "offer": 140000}',
        json.dumps({"talk": [entry("accept", None, "yes")]}),
        json.dumps({"talk": [entry("argue", "weather", "yes")]}),
        json.dumps({"talk": [entry("argue", None, "yes")] * 5}),
        json.dumps({"talk": [entry("argue", None, "yes", 7)]}),  # type: ignore[arg-type]  # wrong on purpose
        "[" * 100_000,
    ],
)
def test_what_is_no_proposal_is_none(written: str) -> None:
    assert parse_proposal(written) is None


def test_a_proposal_of_nothing_is_one() -> None:
    assert parse_proposal('{"talk": []}') == ()
    written = json.dumps({"talk": [entry("argue", "legal", "capped", "cap")]})
    assert parse_proposal(written) == (Entry("argue", "legal", "cap", None, False, "capped"),)


def test_the_schema_names_what_the_speaker_knows_and_nothing_else() -> None:
    ids = proposal_schema(SELLER, ("yard",), ("renewal",))["properties"]["talk"]["items"]["properties"]
    assert set(SELLER.fact) | set(SELLER.argument) | set(SELLER.claim) | {"yard", None} == set(
        ids["id"]["enum"]
    )
    assert ids["objection"]["enum"] == ["renewal", None]


async def heard_by(brain: Any, text: str, **more: Any) -> tuple[HeardBy, list[Body]]:
    async with speaking(brain) as double:
        client = ModelClient(Server(double.url, turn_seconds=PATIENCE))
        try:
            listener = ModelListener(client, "base")
            return await listener.listen(text, speaker=SELLER, listener=BUYER, **more), double.asked
        finally:
            await client.close()


async def test_a_server_is_asked_under_the_schema_and_shown_nothing_untold() -> None:
    text = "Whose neck is on the line here?"
    answer = json.dumps({"talk": [entry("ask_open", "authority", text)]})
    heard, (body,) = await heard_by(lambda _: answer, text, told=("yard",), raised=("renewal",))
    assert heard.model
    assert heard.listening.talk == (Talk("ask_open", "authority"),)
    assert body["response_format"]["json_schema"]["schema"] == proposal_schema(
        SELLER, ("yard",), ("renewal",)
    )
    prompt = json.dumps(body["messages"])
    for fact in BUYER.facts:
        assert not any(json.dumps(says)[1:-1] in prompt for says in fact.says)
    for objection in BUYER.objections:
        assert (objection.says in prompt) == (objection.id == "renewal")


@pytest.mark.parametrize("brain", [lambda _: "I would say he asks.", lambda _: Said((), status=500)])
async def test_without_a_usable_answer_the_house_hears_alone(brain: Any) -> None:
    text = "Who signs on your side?"
    heard, _ = await heard_by(brain, text)
    assert not heard.model
    assert heard.why
    assert heard.listening == hear(text, speaker=SELLER, listener=BUYER)


@pytest.mark.vllm
@pytest.mark.timeout(900)
async def test_a_real_server_with_a_model_of_noise_adds_nothing_that_the_table_refuses(
    model_server: ModelServer,
) -> None:
    client = ModelClient(Server(model_server.url, turn_seconds=60.0))
    try:
        listener = ModelListener(client, "base")
        for text in (
            "Who signs on your side?",
            "We were down for one night in August.",
            "Sign it or get lost.",
        ):
            heard = await listener.listen(text, speaker=SELLER, listener=BUYER)
            check_talk(heard.listening.talk, CASE, "seller")
            house = hear(text, speaker=SELLER, listener=BUYER)
            assert heard.listening.insult == house.insult
            assert {each.talk for each in house.heard} <= {
                each.talk for each in (*heard.listening.heard, *heard.listening.unsure)
            }
    finally:
        await client.close()
