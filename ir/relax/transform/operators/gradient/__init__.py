"""Gradient: reverse-mode differentiation of graph functions."""
