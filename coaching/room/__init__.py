"""The manager's room: who plays now, what was set, how the team comes along, and what each person keeps to themselves."""
