"""Helpers of passes over distributed tensors."""
