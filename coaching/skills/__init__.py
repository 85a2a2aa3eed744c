"""What a person is good at, and what they practise: ratings from their games, drills, puzzles, the progress page."""
