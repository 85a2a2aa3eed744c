"""Words between powers: what they promise, whether it was kept, what a reader needs to recall."""
