"""The trainer's tests. Those that need torch run in .venv-train; elsewhere their files are not collected."""

from __future__ import annotations

import importlib.util

NEED_TORCH = ["test_learning_*.py", "test_rivals.py", "test_sepo_hands.py"]
collect_ignore_glob = [] if importlib.util.find_spec("torch") else NEED_TORCH
