"""Passes on whole functions and modules: inline, filter, rename, annotate."""
