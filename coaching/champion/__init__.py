"""How the champion, a trained model, would have played the same seat: worked out by the worker, shown in the debrief."""
