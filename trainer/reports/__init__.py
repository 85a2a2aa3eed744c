"""Pages that stand alone: a run's curves, an evaluation, a demo, drawn from what the run wrote down."""
