"""The five drills as a training domain: weights, oracles, evaluation, datasets. Nothing here needs torch."""
