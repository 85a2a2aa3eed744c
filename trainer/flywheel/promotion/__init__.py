"""From a trained run to an opponent that people meet: the gate, the decision, the model server."""
