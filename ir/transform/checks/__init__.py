"""Passes that check, or that add checks."""
