"""What a policy is shown, what it may write, and what is read from it."""

import json
import random

import pytest

from negotiation.engine.diplomacy import advance, opening, possible_orders, report, text
from negotiation.engine.diplomacy.bots import DumbBot, RandomBot
from negotiation.engine.diplomacy.geography import PLACE, POWER_ID, POWERS
from negotiation.engine.diplomacy.press.ledger import Ledger
from negotiation.engine.diplomacy.press.messages import Tag, said
from negotiation.engine.diplomacy.saved import position_from_json
from negotiation.engine.diplomacy.state import WINTER
from negotiation.opponents.protocol.grammar import accepts, first_bytes, may_end
from negotiation.opponents.protocol.grammar import advance as write
from tests.diplomacy.test_bots import played
from trainer.domains.diplomacy.answers import CLOSE, OPEN, Malformed, orders_ebnf, orders_grammar, parse
from trainer.domains.diplomacy.view import valid_moves, view

FRANCE, GERMANY, ENGLAND = POWER_ID["FRANCE"], POWER_ID["GERMANY"], POWER_ID["ENGLAND"]
STATES = [
    state for bot in (RandomBot(), DumbBot()) for seed in (0, 1) for state, _ in played([bot] * 7, seed)
]


def babble(grammar, rng):
    """A random string of the language, a byte at a time: a policy that knows nothing."""
    written = b""
    while not (may_end(grammar) and not first_bytes(grammar)):
        byte = rng.choice(sorted(first_bytes(grammar)))
        written += bytes([byte])
        grammar = write(grammar, byte)
    return written.decode()


def test_whatever_is_written_under_the_mask_can_be_played_in_every_kind_of_phase() -> None:
    rng, seasons = random.Random(0), set()
    for state in STATES:
        for power in range(len(POWERS)):
            answer = parse(babble(orders_grammar(state, power), rng), state, power)
            step = advance(state, [answer.orders if p == power else () for p in range(7)])
            assert step.void == ()
            if answer.orders:
                seasons.add((state.season, state.season == WINTER and state.delta(power) > 0))
    assert len(seasons) == 6  # five seasons, winter with builds and with disbands


def test_the_mask_allows_each_possible_order_and_nothing_else() -> None:
    grammar = orders_grammar(opening(), FRANCE)
    rows = valid_moves(opening(), FRANCE)
    assert list(rows) == sorted(rows)
    first = [row[0] for row in rows.values()]
    for number, row in enumerate(rows.values()):
        for line in row:
            lines = [*first[:number], line, *first[number + 1 :]]
            assert accepts(grammar, OPEN + "".join(f"{one}\n" for one in lines) + CLOSE)
    for lines in (first[:-1], first[::-1], [*first, first[0]], ["A PAR - MUN", *first[1:]]):
        assert not accepts(grammar, OPEN + "".join(f"{one}\n" for one in lines) + CLOSE)


def test_in_winter_exactly_what_is_due_is_built_or_waived() -> None:
    page = {"phase": "W1901A", "units": {"FRANCE": ["A BEL"]}, "centers": {"FRANCE": ["PAR", "BRE", "SPA"]}}
    state = position_from_json(page)
    grammar = orders_grammar(state, FRANCE)
    for lines, fits in (
        ("A BRE B\nA PAR B\n", True),
        ("F BRE B\nWAIVE\n", True),
        ("WAIVE\nWAIVE\n", True),
        ("A BRE B\n", False),
        ("A BRE B\nF BRE B\n", False),
        ("WAIVE\nA BRE B\n", False),
    ):
        assert accepts(grammar, OPEN + lines + CLOSE) == fits


def test_the_grammar_for_servers_names_every_order_and_only_defined_rules() -> None:
    for state in STATES[::7]:
        for power in range(len(POWERS)):
            rules = dict(line.split(" ::= ", 1) for line in orders_ebnf(state, power).split("\n"))
            used = {
                word for rule in rules.values() for word in rule.split() if word.startswith(("unit", "from"))
            }
            assert used <= set(rules)
            lines = {
                text(o) for row in possible_orders(state, power).values() for o in row if text(o) != "WAIVE"
            }
            assert {
                json.loads(f'"{line}"').strip() for rule in rules.values() for line in rule.split('"')
            } >= (lines if state.season != WINTER or state.delta(power) else set())


ANSWER = """<analysis>
England asks for a DMZ.
</analysis>
<communication>
  <target>ENGLAND</target>
  <truth_status>LIE</truth_status> <message_content>Agreed. I will stay out of the Channel.</message_content>
</communication>
<communication><target>FRANCE</target><truth_status>TRUTH</truth_status><message_content>me</message_content></communication>
<orders>
A MAR - SPA
A PAR - PIC
F BRE - ENG
</orders>"""


def test_an_answer_is_read_into_thoughts_words_and_orders() -> None:
    answer = parse(ANSWER, opening(), FRANCE)
    assert answer.analysis == "England asks for a DMZ."
    assert [(m.target, m.tag, m.text) for m in answer.messages] == [
        (ENGLAND, Tag.LIE, "Agreed. I will stay out of the Channel.")
    ]
    assert [text(order) for order in answer.orders] == ["A MAR - SPA", "A PAR - PIC", "F BRE - ENG"]


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("nothing", "orders"),
        (ANSWER.replace("A PAR - PIC", "A PAR - MUN"), "A PAR - MUN"),
        (ANSWER.replace("A PAR - PIC\n", ""), "A PAR"),
        (ANSWER.replace("A PAR - PIC", "A MAR H"), "in this order"),
    ],
)
def test_an_answer_that_cannot_be_played_is_refused_by_name(words, named) -> None:
    with pytest.raises(Malformed, match=named):
        parse(words, opening(), FRANCE)


def test_a_view_holds_what_its_power_knows_and_nothing_of_others() -> None:
    state = opening()
    messages = [
        said(state, ENGLAND, FRANCE, "I will not enter the Channel", Tag.LIE),
        said(state, ENGLAND, GERMANY, "France is a fool, I will move to ENG", Tag.TRUTH),
    ]
    ledger = Ledger()
    for message in messages:
        ledger = ledger.heard(message, state)
    shown = view(state, FRANCE, ledger, messages)
    assert "fool" not in json.dumps(shown)
    assert "LIE" not in json.dumps(shown)
    assert shown["commitments"] == [
        {
            "by": "ENGLAND",
            "to": "FRANCE",
            "promise": "I will not enter the Channel",
            "until": "FALL 1901",
            "status": "OPEN",
        }
    ]
    assert shown["meta"] == {
        "role": "FRANCE", "season": "SPRING", "year": 1901, "phase_type": "MOVES", "build_delta": 0,
    }  # fmt: skip
    assert [move for move in shown["valid_moves"]["F BRE"] if " - " in move and " S " not in move] == [
        "F BRE - ENG", "F BRE - GAS", "F BRE - MAO", "F BRE - PIC",
    ]  # fmt: skip
    assert set(shown["board_state"]["opponents"]) == set(POWERS) - {"FRANCE"}


def test_a_view_of_a_retreat_is_keyed_by_the_dislodged_unit_and_tells_the_last_results() -> None:
    page = {"phase": "S1901M", "units": {"FRANCE": ["A BUR", "A RUH"], "GERMANY": ["A MUN"]}, "centers": {}}
    state = position_from_json(page)
    possible = possible_orders(state, FRANCE)
    attack = [
        next(o for o in possible[n] if text(o) in ("A BUR - MUN", "A RUH S A BUR - MUN")) for n in possible
    ]
    step = advance(state, [attack if p == FRANCE else () for p in range(7)])
    last = report(state, step)[GERMANY]
    shown = view(step.state, GERMANY, Ledger(), (), last)
    assert shown["meta"]["phase_type"] == "RETREATS"
    assert list(shown["valid_moves"]) == ["A MUN"]
    assert shown["valid_moves"]["A MUN"][0] == "A MUN D"
    assert shown["last_results"] == ["A MUN H: dislodged"]
    options = {PLACE[node] for node in step.state.dislodged[0].options}
    assert {line.split(" R ")[1] for line in shown["valid_moves"]["A MUN"][1:]} == options


def test_views_can_be_made_of_every_phase() -> None:
    for state in STATES:
        for power in range(len(POWERS)):
            assert json.loads(json.dumps(view(state, power, Ledger())))["meta"]["role"] == POWERS[power]
