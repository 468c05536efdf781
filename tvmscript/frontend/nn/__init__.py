"""Models as Python classes of layers, exported to graph modules."""
