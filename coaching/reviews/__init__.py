"""Reviews of finished games: asked for when a game ends, worked out by the worker, kept, and shown move by move."""
