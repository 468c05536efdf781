"""Passes over distributed tensors."""
