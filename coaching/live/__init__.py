"""What a manager adds to a game: comments on its turns, and a verdict beside the machine's score."""
