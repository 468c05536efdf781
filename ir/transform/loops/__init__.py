"""Passes on loops: cut, unrolled, vectorized, hoisted out of."""
