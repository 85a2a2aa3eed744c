"""The alliance lesson: after a game of Diplomacy, who promised what, and what it was worth."""
