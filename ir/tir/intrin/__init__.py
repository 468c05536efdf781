"""Intrinsics: one entry each, with its surface name, type rule, reference and lowering, grouped by family."""
