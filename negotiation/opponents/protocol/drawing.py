"""How a decision is drawn, wherever: at the table, in training, in a measurement and at the gate."""

from __future__ import annotations

from types import MappingProxyType

from negotiation.opponents.protocol.shape import Style

TEMPERATURE = 0.7
"""The policy of this temperature is what is trained, measured and served."""
MOST_TOKENS: MappingProxyType[Style, int] = MappingProxyType({"brief": 160, "full": 320})
"""The most tokens of a decision."""
