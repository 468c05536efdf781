"""Passes on buffers and allocations: flatten, reuse, merge, stage, copy."""
