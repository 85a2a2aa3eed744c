"""Learning: the only place of the product that knows torch.

Read in this order: ``policy`` (a model that reads chats and writes), ``masks`` and ``decoding`` (how it writes),
``rollout`` (whole episodes, many side by side), ``advantages``, ``lessons``, ``loss`` and ``grpo`` (how it learns from
them), ``sft`` (how it begins), ``checkpoint`` (how a run survives).
"""

import os

# Before torch starts its threads: waiting without spinning, or two of them on a busy machine wait for each other.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
