"""Cases to learn from: an expert at one's own table, and two deals side by side with a note on what they share."""
