"""Measuring players honestly: held-out seeds, the same for all, intervals on every figure, baselines beside it."""
