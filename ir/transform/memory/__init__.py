"""Passes on memory: flat, shared, reused, doubled."""
