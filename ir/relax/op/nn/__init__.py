"""Operators of neural networks, `R.nn`."""
