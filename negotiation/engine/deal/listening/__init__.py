"""What a person does with words at a table with a case: by the house reader, and by a second ear where there is one."""

from negotiation.engine.deal.listening.at_the_table import asked_of_the_table
from negotiation.engine.deal.listening.conditions import condition_of, only_gives
from negotiation.engine.deal.listening.ear.hearing import get_ready, hear
from negotiation.engine.deal.listening.echo import echoed
from negotiation.engine.deal.listening.heard import SURE_FROM, Heard, Listening
from negotiation.engine.deal.listening.likely import likely_subjects, stands_out
from negotiation.engine.deal.listening.listen import listen
from negotiation.engine.deal.listening.marked import with_marks
from negotiation.engine.deal.listening.pitched import pitched
from negotiation.engine.deal.listening.trade import of_the_trade, questions_of

__all__ = [
    "SURE_FROM",
    "Heard",
    "Listening",
    "asked_of_the_table",
    "condition_of",
    "echoed",
    "get_ready",
    "hear",
    "likely_subjects",
    "listen",
    "of_the_trade",
    "only_gives",
    "pitched",
    "questions_of",
    "stands_out",
    "with_marks",
]
