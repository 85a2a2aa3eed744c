"""Work owed to the worker: asked for once, taken by one worker at a time, never forgotten."""
