"""Operators of the graph level, one declaration each, grouped by family."""
