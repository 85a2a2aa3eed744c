"""How a trained model sits at the table: what it reads, what it may write, and how that becomes a move.

One protocol for every model, from a network of a million weights to a large instruct model, in training, in
evaluation and in play, from either seat::

    chat = messages(seen, scenario)                # observation -> what the model reads
    schema = decision_schema(shape_of(seen, scenario))   # for a server's structured output
    grammar = decision_grammar(shape_of(seen, scenario)) # the same language, for our own decoder
    parsed = parse(text, seen, scenario)           # what it wrote -> a decision, or what is wrong with it
    to_action(parsed.decision), to_reply(parsed.decision, seen)

Pure Python: no torch, no Django, no network.
"""

from negotiation.opponents.protocol.decision import Act, Decision, to_action, to_reply
from negotiation.opponents.protocol.encoding import decision_of, encode
from negotiation.opponents.protocol.grammar import Grammar, accepts, advance
from negotiation.opponents.protocol.lines import LINES
from negotiation.opponents.protocol.parsing import Parsed, parse
from negotiation.opponents.protocol.prompt import PERSON, messages, prompt
from negotiation.opponents.protocol.ruler import Ruler
from negotiation.opponents.protocol.schema import decision_grammar, decision_schema
from negotiation.opponents.protocol.shape import Shape, Style, shape_of

__all__ = [
    "LINES",
    "PERSON",
    "Act",
    "Decision",
    "Grammar",
    "Parsed",
    "Ruler",
    "Shape",
    "Style",
    "accepts",
    "advance",
    "decision_grammar",
    "decision_of",
    "decision_schema",
    "encode",
    "messages",
    "parse",
    "prompt",
    "shape_of",
    "to_action",
    "to_reply",
]
