"""Training runs: asked for on a page, worked by one process at a time, resumed when a worker is lost."""
