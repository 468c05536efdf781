"""Passes on loops: partition, unroll, vectorize, pipeline, hoist."""
