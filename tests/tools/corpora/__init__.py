"""Choosing recorded examples."""
