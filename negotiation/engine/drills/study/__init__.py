"""What one player of a match could know: how likely each strategy is across, and what each action is worth.

Everything here starts from a player's view and from strategies by name; nothing looks at the other side's hand.
"""

from negotiation.engine.drills.study.facing import Facing, facing
from negotiation.engine.drills.study.suspects import SUSPECTS, posterior

__all__ = ["SUSPECTS", "Facing", "facing", "posterior"]
