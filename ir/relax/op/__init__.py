"""Operators of the graph level: one entry each, in the file of its family."""
