"""Passes for tensor cores: fragments, permuted layouts, asynchronous copies."""
