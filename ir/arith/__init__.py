"""Integer arithmetic: bounds, modular facts, simplification."""
