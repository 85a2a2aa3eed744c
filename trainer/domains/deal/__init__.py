"""The deal as something to learn: tasks, what a move earns, tables side by side, data."""
