"""A finished deal through a link of its player's: with or without the hidden truth, with or without the name."""
