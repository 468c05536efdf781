"""VectorizeLoop: replace vectorized loops by vector operations."""
