"""Rewrites that several primitives share."""
