"""Passes, one file each, and the pipelines that order them."""
