"""The seven-power board as a training domain: adjudication, arenas, what a policy sees and says, rollouts, rewards."""
