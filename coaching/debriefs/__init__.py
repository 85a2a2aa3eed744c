"""What the page of a debrief shows, question by question, from what the analysis says is so."""
