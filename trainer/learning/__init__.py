"""Learning: the only place of the product that knows torch.

Read in this order: ``policy`` (a model that reads chats and writes), ``masks`` and ``decoding`` (how it writes),
``rollout`` (whole episodes, many side by side), ``grpo`` (the training loop), ``domain_source`` or ``sepo.source`` (what it
learns from), ``advantages``, ``samples`` and ``loss`` (how), ``sft`` (how it begins), ``course`` (all the steps from nothing
to a player), ``checkpoint`` (how a run survives).
"""

import os

# Before torch starts its threads: waiting without spinning, or two of them on a busy machine wait for each other.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
