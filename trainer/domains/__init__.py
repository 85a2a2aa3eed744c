"""What can be learnt: how each game of the engine becomes chats, answers and rewards. Nothing here knows torch."""
