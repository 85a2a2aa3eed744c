"""The world behind a deal: facts, needs, objections and arguments of both sides, and what words do with them."""
