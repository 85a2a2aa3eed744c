"""What other rooms may hear of tables. Sent inside the transaction; listeners act on its commit.

``table_ended(sender=kind, table)``: no more moves will be made at the table; its row says how it ended.
``words_gone(sender=kind, table, redaction)``: the words of a table that is over were taken out of its log.
"""

from __future__ import annotations

from django.dispatch import Signal

table_ended = Signal()
words_gone = Signal()
