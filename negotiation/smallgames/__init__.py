"""Small games: five drills of a minute or two against strategies with names. They count for no rating."""
