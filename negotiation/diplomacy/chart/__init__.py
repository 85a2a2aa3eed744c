"""The map: our own drawing as a planar mesh, and as a picture."""
