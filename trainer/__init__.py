"""What a model learns from the game. Opens with the trainer; until then it holds the layer the import laws speak of."""
